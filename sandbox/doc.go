// Package sandbox is the wall around one workspace folder: every path of a request is resolved here, and every change is made here.
//
// A Workspace opens its root once. Every later access starts at that descriptor and goes on one open folder at a time, so
// what is opened, created, renamed or removed is decided by descriptors and never by comparing path strings. A path is
// first checked as text (path.go), then walked (resolve.go): symbolic links that stay inside are followed, one that leads
// outside is refused with a code of its own. The rules of package policy are asked about the path as given and as resolved.
//
// Contents change in two ways: a transaction replaces whole files by new ones under the same names (transaction.go), Append
// adds to a file in place (append.go).
//
// What one open folder can do is in package dir, which alone makes system calls. This package knows no JSON, no flags and no exit
// status. Its errors about paths are *dir.PathError.
package sandbox

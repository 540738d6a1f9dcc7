// Package sandbox is the wall around one workspace folder, and the only package that touches the disk.
//
// A Workspace opens its root once. Every later access starts at that descriptor and goes on one open folder at a time, so
// what is opened, created, renamed or removed is decided by descriptors and never by comparing path strings. A path is
// first checked as text (path.go), then walked (resolve.go): symbolic links that stay inside are followed, one that leads
// outside is refused with a code of its own. The policy (policy.go) is asked about the path as given and as resolved.
//
// Writes go through two functions: Rewrite replaces a whole file by a new one under the same name (rewrite.go), Append
// adds to it in place (append.go). Nothing else changes the contents of a file.
//
// The package knows no JSON, no flags and no exit status. Its errors are *PathError, wrapping one of the Err values.
package sandbox

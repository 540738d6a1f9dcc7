// Package sandbox confines requests to one workspace folder: it resolves every path of a request,
// and it makes every change.
//
// A Workspace opens its root once. Every later access starts at that descriptor and goes on one
// open folder at a time. So descriptors decide what is opened, created, renamed or removed; path
// strings are never compared for that. A path is first checked as text (path.go), then walked
// (resolve.go): symbolic links that stay inside are followed, a link that leads outside is refused
// with its own error. The rules of package policy are applied to the path as given and as resolved.
//
// Contents change in two ways: a transaction replaces whole files by new ones under the same names
// (transaction.go), and Append adds to a file in place (append.go).
//
// What a call changed is kept in a history.Store, from which Undo takes it back.
//
// Package dir makes all system calls about files, for one open folder at a time. This package knows
// no JSON, no flags and no exit status. Its errors about paths are *dir.PathError.
package sandbox

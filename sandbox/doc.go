// Package sandbox confines requests to one workspace folder: it resolves every path of a request,
// and opens what is read.
//
// A Workspace opens its root once. Every later access starts at that descriptor and goes on one
// open folder at a time. So descriptors decide what is opened, created, renamed or removed; path
// strings are never compared for that. A path is first checked as text (path.go), then walked
// (resolve.go): symbolic links that stay inside are followed, a link that leads outside is refused
// with its own error. The rules of package policy are applied to the path as given and as resolved.
// What a path leads to is a Target: an open folder, and a name in it. A read needs no more than
// Workspace.Locate and Target.Open.
//
// Changes are made by the packages in this one, each of which may import those before it, and all
// of them this one; it imports none of them:
//
//	tree         looks through a folder with all that is in it, copies it, and tells by a tag if it changed
//	plan         a change as a list of steps: makes them all or none, and takes back what a kill cut short
//	transaction  what a caller asks for, such as a write or a move, as a plan
//	undo         takes entries of the history back
//
// # Files
//
//	workspace.go  the root, opened once
//	finder.go     what a path leads to, with locate.go: path.go as text, resolve.go on the disk, spelling.go as folders list it,
//	              only.go where changes are limited to approved paths, guard.go for host paths that requests must not change
//	stat.go       describes and opens what is at a path; walked.go does so for walks
//	etag.go       tells one content of a file from another
//	wall.go       which folders the kernel allows
//
// The packages in disk make all system calls about files. This package knows no JSON, no flags and
// no exit status. Its errors about paths are *fserr.PathError.
package sandbox

// Package dir is one open folder and the names in it. It is the only package that makes system
// calls about files of the workspace and of the state folder: no other opens, describes, links,
// renames or removes them.
//
// Its central type is Folder. A name passed to a Folder is a single component, except in Descend,
// and no symbolic link is ever followed: package sandbox resolves paths, one component at a time.
// There are two implementations: Descriptor, with descriptors and openat2, on Linux; and one with
// os.Root everywhere else. Tests on Linux compare the two. A File is an open regular file; an Info
// describes a file, folder or link.
//
// The package must not know of workspaces, of rules, or of why a change is made. It gives names to
// what the system reports (errors.go), so that no other package looks at an errno.
//
// # The way through
//
//	Open                 the root, by its path; from there on everything is relative to an open folder
//	Folder.Sub, Descend  a folder in it, or several levels down where no link is on the way
//	Folder.Lstat         what has a name: an Info
//	Folder.Open, Create  a File, checked after it was opened: the name may be another file's by then
//	Folder.Lock          before names in the folder are changed
//	Folder.Move          gives a name: over another, only if it is free, or in exchange
//	Classify             gives the system's error one of the kinds that answers know
//
// WalkTree (tree.go) goes through a whole tree in that way, with few folders open (descent.go).
//
// # Files
//
//	folder.go      what a folder can do: folder_linux.go by descriptors, folder_root.go by os.Root
//	lock.go        locks it; lock_file.go does so where others use it through another mount
//	errors.go      names what the system reports
//	host.go        paths that the operator names
//	system_*.go    the calls that systems have in different forms
package dir

// Package dir is one open folder and the names in it.
//
// Its central type is Folder. A name passed to a Folder is a single component, except in Descend,
// and no symbolic link is ever followed: package sandbox resolves paths, one component at a time.
// There are two implementations: Descriptor, with descriptors and openat2, on Linux
// (folder_linux.go); and one with os.Root everywhere else (folder_root.go). Tests on Linux compare
// the two.
//
// # The way through
//
//	Open                 the root, by its path; from there on everything is relative to an open folder
//	Folder.Sub, Descend  a folder in it, or several levels down where no link is on the way
//	Folder.Lstat         what has a name: a stat.Info
//	Folder.Open, Create  an openfile.File, checked after it was opened: the name may be another file's by then
//	dirlock.Take         before names in the folder are changed
//	Folder.Move          gives a name: over another, only if it is free, or in exchange
//	fserr.Classify       gives the system's error one of the kinds that answers know
package dir

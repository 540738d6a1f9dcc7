// Package disk has no code: the packages in its folder are the only ones of the program that make
// system calls about files of the workspace and of the state folder. No other opens, describes,
// links, renames or removes them. (Package confine makes system calls as well, so that the process
// can't.)
//
// None of them knows of workspaces, of rules, or of why a change is made.
//
//	dir         one open folder and the names in it: begin here
//	openfile    one open regular file: its content, copies of it, etags
//	walk        goes through a tree, and removes one, with few folders open
//	dirlock     the lock of a folder, between processes and between machines
//	host        files that the operator names by a path
//
// What those are made of:
//
//	stat        what the system tells of a file
//	rights      owner, mode and extended attributes, for a file that replaces another one
//	filesystem  which file system it is, how it is mounted, and what that means
//	pathname    names that a system doesn't take, and how paths are put together
//	fserr       the kinds of errors; no other package looks at an errno
//	system      calls that systems have in different forms, or that have to be repeated
//
// Imports go from the first list to the second, and dirlock and walk import dir. Package disktest
// is for tests.
package disk

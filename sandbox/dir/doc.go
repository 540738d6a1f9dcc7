// Package dir is one open folder, and what has a name in it. It is the only package of the program that makes system calls about
// files: it alone opens, describes, links, renames and removes.
//
// Its central type is Folder. All names that a Folder takes are single components, and no symbolic link is ever followed: what a
// path leads to is decided above, one component at a time. There are two implementations: Descriptor, by descriptors and openat2,
// on Linux; and one through os.Root everywhere else, which tests on Linux hold the first against. A File is an open regular file;
// an Info describes what has a name.
//
// The package must not know of workspaces, of rules, or of what a change is made for. It names what the system reports (errors.go),
// so that no other package looks at an errno.
package dir

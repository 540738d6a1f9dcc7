// Package filesystem tells which file system a file is on, how that is mounted, and what both mean
// for those who use it: which calls it may lack, and whether other machines see the same files.
package filesystem

// System is what is known about a file system; the zero value if nothing is.
type System struct {
	Kind    string // its name or number
	MayLack bool   // it may be unable to exchange two names or to rename without replacing, or have no hard links
	Alone   bool   // no other machine or mount uses it, so that everybody respects its locks
	Shared  bool   // others may use it through another mount; one that isn't known counts as shared on Linux
	FUSE    bool   // another process serves it
	// Renumbers says that a file may get another inode number while nobody changes it, since the
	// system makes the numbers up: when the file is no longer in its memory, or with the next
	// mount.
	Renumbers bool
	// Redevices says that the device number is made up with each mount, while those of inodes stay.
	Redevices bool
	Remote    bool // a server, or the host of a virtual machine, has it
	Overlay   bool // it has an upper and a lower layer
	// NoExchange says that two names can't be exchanged. To try that takes calls over the wire.
	NoExchange bool
	// LosesTarget says that a rename over a file which some program on this machine has open fails,
	// and that the file is deleted when that program closes it.
	LosesTarget bool
	// AsksForFile says that the system asks the server whenever a file is opened, AsksOnOpen that it
	// does for folders as well, and for the state of a file when it is told to.
	AsksForFile, AsksOnOpen bool
	// OpenLingers says that a file may count as open long after it was closed, so that nobody on
	// another machine can remove it: NFS clients keep delegations, and those of SMB handles.
	OpenLingers bool
}

// Caches says what is remembered of a file although it is opened and its attributes are asked for,
// so that what another machine has changed may not be seen.
type Caches struct {
	Delegated bool // the content, until the file is opened for writing: an NFS client that was told that nobody else changes it
	Pages     bool // what the system has read, until that is dropped
	Synced    bool // the size and the content, by the process that serves the file system, until the file is synced
	Listed    bool // the file that has a name, by that process, until the folder is listed
	Removed   bool // names that are gone, by that process, for a second, also if the folder is listed
}

// Caches are those that the file system may have, whatever its mount is, except Removed: other
// systems may list a name in another spelling.
func (s *System) Caches() Caches {
	return Caches{Delegated: s.AsksOnOpen, Pages: s.FUSE, Synced: s.FUSE, Listed: s.FUSE}
}

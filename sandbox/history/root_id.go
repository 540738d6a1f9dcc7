package history

import (
	"strconv"
	"strings"

	"fsbox/sandbox/disk/dir"
)

// rootID identifies the folder that is the root, for entries of the journal. The state folder is
// found by the root's path. If another folder gets that path, it must not get the backups of the
// first one.
type rootID struct {
	text string // device, inode and time of creation, with dots between them; "" if the system has no lasting inode numbers
	born int64  // time of creation, in nanoseconds since 1970; 0 if unknown
	// anyDevice says that the device number changes with each mount, and that the time of creation
	// is unknown: then the inode alone decides.
	anyDevice bool
}

// owns reports whether an entry is of this root. A device number may change with a restart or a new
// mount, and an inode number may be given to a new folder at once. So inode and time of creation
// decide, or all of the text if that time is unknown. If the system has no inode numbers, or makes
// them up, every entry belongs to it: an undo still compares what the call left with what is there.
func (t rootID) owns(e *Entry) bool {
	_, mine, _ := strings.Cut(t.text, ".")
	_, its, _ := strings.Cut(e.Root, ".")
	return t.text == "" || e.Root == t.text || (t.born != 0 || t.anyDevice) && its == mine
}

// rootIDOf finds out which folder a root is. The file system is asked for only where the time of
// creation doesn't tell.
func rootIDOf(root dir.Folder) rootID {
	info, _, err := root.Examine(".")
	if err != nil || info.Ino == 0 {
		return rootID{}
	}
	id := rootID{text: info.ID() + "." + strconv.FormatInt(info.Born, 36), born: info.Born}
	if info.Born == 0 {
		system := root.System()
		if system.Renumbers {
			return rootID{}
		}
		id.anyDevice = system.Redevices
	}
	return id
}

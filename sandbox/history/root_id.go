package history

import (
	"strconv"
	"strings"

	"fsbox/sandbox/dir"
)

// rootID identifies the folder that is the root, for entries of the journal. The state folder is
// found by the root's path. If another folder gets that path, it must not get the backups of the
// first one.
type rootID struct {
	text string // device, inode and time of creation, with dots between them; "" if the system has no inode numbers
	born int64  // time of creation, in nanoseconds since 1970; 0 if unknown
}

// owns reports whether an entry is of this root. A device number may change with a restart or a new
// mount, and an inode number may be given to a new folder at once. So inode and time of creation
// decide, or all of the text if that time is unknown. If the system has no inode numbers, every
// entry belongs to it.
func (t rootID) owns(e *Entry) bool {
	_, mine, _ := strings.Cut(t.text, ".")
	_, its, _ := strings.Cut(e.Root, ".")
	return t.text == "" || e.Root == t.text || t.born != 0 && its == mine
}

// rootIDOf finds out which folder a root is.
func rootIDOf(root dir.Folder) rootID {
	info, _, err := root.Examine(".")
	if err != nil || info.Ino == 0 {
		return rootID{}
	}
	return rootID{text: info.ID() + "." + strconv.FormatInt(info.Born, 36), born: info.Born}
}

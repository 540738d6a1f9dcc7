package history

import (
	"strconv"
	"strings"

	"fsbox/sandbox/dir"
)

// rootID identifies the folder that is the root, for entries of the journal: device, inode and time
// of creation, where the system tells them. The state folder is found by the root's path. If
// another folder gets that path, it must not get the backups of the first one.
type rootID struct {
	dev, ino string
	born     int64 // time of creation, in nanoseconds since 1970; 0 if unknown
}

func (t rootID) String() string {
	if t.ino == "" {
		return ""
	}
	return t.dev + "." + t.ino + "." + strconv.FormatInt(t.born, 36)
}

// parseRootID reads a text of String. A text that can't be read is the zero rootID.
func parseRootID(text string) rootID {
	parts := strings.Split(text, ".")
	born, err := strconv.ParseInt(parts[len(parts)-1], 36, 64)
	if len(parts) != 3 || err != nil {
		return rootID{}
	}
	return rootID{dev: parts[0], ino: parts[1], born: born}
}

// owns reports whether an entry is of this root. A device number may change with a restart or a new
// mount, and an inode number may be given to a new folder at once. So inode and time of creation
// decide; if either time is unknown, inode and device. If the system has no inode numbers, every
// entry belongs to it.
func (t rootID) owns(b *Entry) bool {
	its := parseRootID(b.Root)
	switch {
	case t.ino == "":
		return true
	case its.ino != t.ino:
		return false
	case its.born != 0 && t.born != 0:
		return its.born == t.born
	}
	return its.dev == t.dev
}

// rootIDOf finds out which folder a root is.
func rootIDOf(root dir.Folder) rootID {
	info, _, err := root.Examine(".")
	if err != nil || info.Ino == 0 {
		return rootID{}
	}
	return rootID{dev: strconv.FormatUint(info.Dev, 36), ino: strconv.FormatUint(info.Ino, 36), born: info.Born}
}

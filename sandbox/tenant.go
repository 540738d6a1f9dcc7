package sandbox

import (
	"strconv"
	"strings"
	"sync"
	"time"

	"fsbox/sandbox/dir"
)

// tenant is which folder a root is, as entries of the journal have it: device, inode and time of birth, where the system tells. The
// state folder is found by the root's path, and a path can be given to another folder, which must not get what was in the one before.
type tenant struct {
	dev, ino string
	born     int64 // nanoseconds since 1970, 0 if it isn't known
}

func (t tenant) String() string {
	if t.ino == "" {
		return ""
	}
	return t.dev + "." + t.ino + "." + strconv.FormatInt(t.born, 36)
}

// parseTenant reads what String wrote. What can't be read is nobody.
func parseTenant(text string) tenant {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return tenant{}
	}
	born, err := strconv.ParseInt(parts[2], 36, 64)
	if err != nil {
		return tenant{}
	}
	return tenant{dev: parts[0], ino: parts[1], born: born}
}

// owns reports an entry that is about this root. Device numbers may change when the system starts again, or mounts again; inode
// numbers are given to new folders at once. So the inode and the birth decide, and where no birth is known, the inode and the device.
// An entry of a release that noted none belongs to the root if that was there already. Where the system numbers no files, every entry
// does.
func (t tenant) owns(b *Backup) bool {
	if t.ino == "" {
		return true
	}
	if b.root == "" {
		return t.born == 0 || b.Time.After(time.Unix(0, t.born))
	}
	of := parseTenant(b.root)
	if of.ino != t.ino {
		return false
	}
	if of.born != 0 && t.born != 0 {
		return of.born == t.born
	}
	return of.dev == t.dev
}

// tenantOf looks which folder a root is.
func tenantOf(root dir.Folder) tenant {
	info, _, err := root.Examine(".")
	if err != nil || info.Ino == 0 {
		return tenant{}
	}
	return tenant{dev: strconv.FormatUint(info.Dev, 36), ino: strconv.FormatUint(info.Ino, 36), born: info.Born}
}

// ofRoot gives the tenant of a root, for reading the journal and for writing to it. The first change in a lower folder of an overlay
// gives that another birth; so before anything is written, it is made to have it.
func ofRoot(root dir.Folder) (reading, writing func() tenant) {
	reading = func() tenant { return tenantOf(root) }
	return reading, sync.OnceValue(func() tenant {
		dir.CopyUp(root)
		return tenantOf(root)
	})
}

package dir

import (
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

// Info describes what stands at a path, links not followed.
type Info struct {
	Mode     fs.FileMode // type and permission bits
	Size     int64       // bytes
	Modified time.Time
	Links    uint64 // hard links; 1 where the system doesn't tell
	Identity
}

// Type names what the file system holds: "file", "directory", "symlink" or "other".
func (i Info) Type() string {
	switch {
	case i.Mode.IsRegular():
		return "file"
	case i.Mode.IsDir():
		return "directory"
	case i.Mode&fs.ModeSymlink != 0:
		return "symlink"
	}
	return "other"
}

// Identity tells one file from another, and one state of it from the next.
type Identity struct {
	Dev, Ino uint64
	UID, GID uint32
	Changed  int64 // ctime, nanoseconds since 1970
	Born     int64 // the same of its birth; 0 where it isn't known, or wasn't asked for: only examine does
}

func (i Info) IsLink() bool { return i.Mode&fs.ModeSymlink != 0 }

// TypeName is what a person calls the type of i, for messages.
func TypeName(mode fs.FileMode) string {
	switch mode.Type() {
	case 0:
		return "file"
	case fs.ModeDir:
		return "folder"
	case fs.ModeSymlink:
		return "symbolic link"
	case fs.ModeNamedPipe:
		return "FIFO"
	case fs.ModeSocket:
		return "socket"
	}
	return "device"
}

// UnixBits gives the permission bits of mode the way chmod counts them, set-ID and sticky bits included.
func UnixBits(mode fs.FileMode) uint32 {
	bits := uint32(mode.Perm())
	for _, b := range specialBits {
		if mode&b.mode != 0 {
			bits |= b.unix
		}
	}
	return bits
}

// FileBits is the inverse of UnixBits.
func FileBits(bits uint32) fs.FileMode {
	mode := fs.FileMode(bits & 0o777)
	for _, b := range specialBits {
		if bits&b.unix != 0 {
			mode |= b.mode
		}
	}
	return mode
}

var specialBits = [...]struct {
	mode fs.FileMode
	unix uint32
}{{fs.ModeSetuid, 0o4000}, {fs.ModeSetgid, 0o2000}, {fs.ModeSticky, 0o1000}}

// ID tells whether two descriptions are of the same file, whatever happened to its content.
func (i Info) ID() string {
	return strconv.FormatUint(i.Dev, 36) + "." + strconv.FormatUint(i.Ino, 36)
}

// IsSame compares with an ID of before, perhaps of before a restart of the system, which may number devices anew: the rest must
// do among the names of one folder. False where the system numbers no files.
func (i Info) IsSame(id string) bool {
	_, ino, _ := strings.Cut(id, ".")
	return i.Ino != 0 && ino == strconv.FormatUint(i.Ino, 36)
}

// Mark tells the present state of what has a name from every other, before and after: which one it is, when anything last
// happened to it, its name included, and how long it is, since many clocks of file systems tick but every few milliseconds.
func (i Info) Mark() string {
	at := i.Changed
	if at == 0 { // the system doesn't tell
		at = i.Modified.UnixNano()
	}
	return strconv.FormatUint(i.Ino, 36) + "." + strconv.FormatInt(at, 36) + "." + strconv.FormatInt(i.Size, 36)
}

// TakesMore reports a file that may be written in place, as far as one look tells: see hasOneName. New content takes away set-ID
// bits, which a replacement does at once with it.
func (i Info) TakesMore() bool { return i.Links == 1 && i.Mode&SetID == 0 }

// Trust refuses what doesn't belong to this process's user, or to the system's, and what others may write to.
func (i Info) Trust(name string) error {
	switch {
	case os.PathSeparator != '/':
		return nil
	case i.UID != uint32(os.Geteuid()) && i.UID != 0:
		return fmt.Errorf("%s belongs to another user", name)
	case i.Mode&0o022 != 0:
		return fmt.Errorf("others may write to %s", name)
	}
	return nil
}

// SetID are the bits by which a program runs with the rights of the file's owner or group. No new content gets them: they were given
// to another one.
const SetID = fs.ModeSetuid | fs.ModeSetgid

// Key is which file something is; the zero value is none.
type Key struct{ dev, ino uint64 }

func (i Identity) Key() Key { return Key{i.Dev, i.Ino} }

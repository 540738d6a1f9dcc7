// Package stat describes files, folders and links, as far as the system tells: an Info.
package stat

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"fsbox/sandbox/disk/fserr"
)

// Info describes a file, folder or link; links are not followed.
type Info struct {
	Mode     fs.FileMode // type and permission bits
	Size     int64       // bytes
	Modified time.Time
	Links    uint64 // number of hard links; 1 where the system doesn't tell
	Identity
}

// Identity tells one file from another, and one state of it from the next.
type Identity struct {
	Dev, Ino uint64
	UID, GID uint32
	Changed  int64 // ctime, nanoseconds since 1970
	Born     int64 // when it was created, also in nanoseconds; 0 if unknown, or if it changes. Only Examine asks for it
}

// IsOperators reports whether something is this process's user's or root's.
func (i Info) IsOperators() bool { return i.UID == 0 || int(i.UID) == os.Geteuid() }

func (i Info) IsLink() bool { return i.Mode&fs.ModeSymlink != 0 }

// Type names the type of a file: "file", "directory", "symlink" or "other".
func (i Info) Type() string { return typeOf(i.Mode).name }

// TypeName is the everyday name of a file type, for messages.
func TypeName(mode fs.FileMode) string { return typeOf(mode).everyday }

type typeNames struct {
	bits           fs.FileMode
	name, everyday string
}

func typeOf(mode fs.FileMode) *typeNames {
	for i := range types {
		if types[i].bits == mode.Type() {
			return &types[i]
		}
	}
	return &types[len(types)-1]
}

// types are the kinds of files, devices last: they have several bits.
var types = [...]typeNames{
	{0, "file", "file"},
	{fs.ModeDir, "directory", "directory"},
	{fs.ModeSymlink, "symlink", "symbolic link"},
	{fs.ModeNamedPipe, "other", "FIFO"},
	{fs.ModeSocket, "other", "socket"},
	{fs.ModeDevice, "other", "device"},
}

// UnixBits gives the permission bits of mode as chmod numbers them, with set-ID and sticky bits.
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
	if bits == uint32(mode) {
		return mode
	}
	for _, b := range specialBits {
		if bits&b.unix != 0 {
			mode |= b.mode
		}
	}
	return mode
}

// specialBits are the permission bits that fs.FileMode and chmod number differently.
var specialBits = [...]struct {
	mode fs.FileMode
	unix uint32
}{{fs.ModeSetuid, 0o4000}, {fs.ModeSetgid, 0o2000}, {fs.ModeSticky, 0o1000}}

// ID tells whether two descriptions are of the same file, even if its content changed.
func (i Info) ID() string {
	return strconv.FormatUint(i.Dev, 36) + "." + strconv.FormatUint(i.Ino, 36)
}

// HasID reports whether another description has the same ID. False where the system has no inode
// numbers.
func (i Info) HasID(now Info) bool { return i.Ino != 0 && i.ID() == now.ID() }

// IsSame compares with an ID from earlier, perhaps from before a restart of the host. A restart may
// give devices new numbers, so only the inode is compared: that is enough among the names of one
// folder. False where the system has no inode numbers.
func (i Info) IsSame(id string) bool {
	_, ino, _ := strings.Cut(id, ".")
	return i.Ino != 0 && ino == strconv.FormatUint(i.Ino, 36)
}

// ChangeStamp is different for every state of a name, earlier or later. It has the inode, and the
// time of the last change (a rename counts). It has the size too, because the clocks of many file
// systems tick only every few milliseconds.
func (i Info) ChangeStamp() string {
	at := cmp.Or(i.Changed, i.Modified.UnixNano()) // 0 if the system doesn't tell
	return strconv.FormatUint(i.Ino, 36) + "." + strconv.FormatInt(at, 36) + "." + strconv.FormatInt(i.Size, 36)
}

// IsWritable reports whether the permission bits let anyone write.
func (i Info) IsWritable() bool { return i.Mode&0o222 != 0 }

// AllowsInPlace reports whether a file may be written in place, as far as this look tells. It must
// have one name, and no set-ID bits: a write in place would clear those only after the new content
// is there, a replacement does both at once.
func (i Info) AllowsInPlace() bool { return i.Links == 1 && i.Mode&SetID == 0 }

// Trust refuses a file that belongs neither to this process's user nor to root, and one that others
// may write to.
func (i Info) Trust(name string) error {
	switch {
	case os.PathSeparator != '/':
		return nil
	case !i.IsOperators():
		return fmt.Errorf("%s %w", name, fserr.ErrOtherUser)
	case i.Mode&0o022 != 0:
		return fmt.Errorf("others may write to %s", name)
	}
	return nil
}

// SetID are the bits that let a program run with the rights of the file's owner or group. New
// content never gets them: they were given to the old content.
const SetID = fs.ModeSetuid | fs.ModeSetgid

// IsSpecial reports FIFOs, sockets and devices.
func IsSpecial(mode fs.FileMode) bool {
	return !mode.IsRegular() && !mode.IsDir() && mode&fs.ModeSymlink == 0
}

//go:build unix

package dir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	nonBlocking = unix.O_NONBLOCK | unix.O_NOCTTY
	noFollow    = unix.O_NOFOLLOW
)

func hostWritable(path string) error { return unix.Access(path, unix.W_OK) }

// mayAccess is Folder.May.
func mayAccess(in rootFolder, name string, right Right) bool {
	return unix.Faccessat(in.Number(), name, uint32(right), unix.AT_EACCESS) == nil
}

// SyncTakesWriter says that only a file that is open for writing can be synced.
const SyncTakesWriter = false

func syncFolder(dir *os.File) error { return ifSyncable(dir.Sync()) }

// ifSyncable returns what fsync returned for a folder, or nil if it can't be synced.
func ifSyncable(err error) error {
	if IsAny(err, unix.EINVAL, unix.ENOTSUP, unix.ENOTTY, unix.ENOSYS) {
		return nil // a file system that can't sync folders
	}
	return syncFailed(err)
}

// syncFailed returns what a sync returned. A network file system may answer with what callers take
// for the state of a name, after which they begin again in another way: that becomes EIO.
func syncFailed(err error) error {
	if IsAny(err, fs.ErrNotExist, fs.ErrExist, unix.EXDEV) {
		return fmt.Errorf("%w: sync: %v", unix.EIO, err)
	}
	return err
}

// foldersLock says that the system can lock folders.
const foldersLock = true

func tryLock(dir *os.File) error { return flock(int(dir.Fd())) }

func flock(fd int) error {
	err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB)
	if IsAny(err, unix.EWOULDBLOCK, unix.EINTR) {
		return ErrBusy
	}
	return err
}

func chownTo(file *os.File, owner Info) error { return file.Chown(int(owner.UID), int(owner.GID)) }

// lookIn describes a name in a folder, a link itself.
func lookIn(root *os.Root, name string) (Info, error) { return fromStat(root.Lstat(name)) }

// lookAt describes an open file.
func lookAt(file *os.File) (Info, error) { return fromStat(file.Stat()) }

// HostLook describes what is at a path of the host, a link itself. See host.go.
func HostLook(path string) (Info, error) { return fromStat(os.Lstat(path)) }

// HostLookThrough is HostLook with links followed.
func HostLookThrough(path string) (Info, error) { return fromStat(os.Stat(path)) }

func fromStat(st fs.FileInfo, err error) (Info, error) {
	if err != nil {
		return Info{}, err
	}
	info := Info{Mode: st.Mode(), Size: st.Size(), Modified: st.ModTime(), Links: 1}
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		info.Links = uint64(sys.Nlink)
		info.Identity = Identity{Dev: uint64(sys.Dev), Ino: uint64(sys.Ino), UID: sys.Uid, GID: sys.Gid, Changed: changeTime(sys)}
	}
	return info, nil
}

// kindOfNumber does nothing on Unix: kindOf knows its error numbers.
func kindOfNumber(error) error { return nil }

// losesIDs reports whether a file gets another ID when it is renamed: never, on Unix.
func losesIDs(*os.File) (bool, error) { return false, nil }

func ignoreInterrupts(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

package dir

import (
	"errors"
	"io/fs"
	"sync/atomic"
	"time"

	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/disk/system"

	"golang.org/x/sys/unix"
)

// Descriptor is a folder as a bare descriptor: every access is one system call relative to it.
type Descriptor struct {
	rights.Descriptor
	from *origin
	own  *atomic.Pointer[filesystem.System] // nil in it until somebody has asked
}

// origin is what the folders know that were opened from one that Open gave. To ask for the file
// system of each takes calls over the wire, where that has a server.
type origin struct {
	fd    int
	known atomic.Pointer[knownSystem] // nil until somebody has asked for the file system of one
}

// knownSystem is the file system of a device.
type knownSystem struct {
	device uint64
	filesystem.System
}

const openFolderFlags = unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_NONBLOCK

// opened makes a Folder of what an open returned.
func (o *origin) opened(fd int, err error) (Folder, error) {
	if err != nil {
		return nil, err
	}
	return Descriptor{rights.Descriptor{FD: fd}, o, new(atomic.Pointer[filesystem.System])}, nil
}

// byName makes a call about a name: see system.RetryStale.
func byName(call func() error) error {
	return system.RetryStale(func() error { return system.IgnoreInterrupts(call) })
}

func (f Descriptor) Lstat(name string) (stat.Info, error) {
	var st unix.Stat_t
	err := byName(func() error { return unix.Fstatat(f.FD, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil {
		return stat.Info{}, err
	}
	return stat.OfStat(&st), nil
}

func (f Descriptor) LstatNow(name string) (stat.Info, error) {
	if !f.System().AsksForFile {
		return f.Lstat(name)
	}
	var st unix.Statx_t
	err := byName(func() error {
		return unix.Statx(f.FD, name, unix.AT_SYMLINK_NOFOLLOW|unix.AT_STATX_FORCE_SYNC, unix.STATX_BASIC_STATS, &st)
	})
	if err != nil {
		return stat.Info{}, err
	}
	info := stat.OfStatx(&st)
	info.Born = 0 // SMB tells it unasked
	return info, nil
}

// examineMask asks statx for what Lstat tells, and the time of creation.
const examineMask = unix.STATX_BASIC_STATS | unix.STATX_BTIME

func (f Descriptor) Examine(name string) (stat.Info, bool, error) {
	var st unix.Statx_t
	err := byName(func() error {
		return unix.Statx(f.FD, name, unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT, examineMask, &st)
	})
	const known = unix.STATX_ATTR_MOUNT_ROOT
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) || (err == nil && st.Attributes_mask&known == 0) {
		return examineByDevice(f, name) // a kernel before 5.8, or a filter that doesn't know the call
	}
	if err != nil {
		return stat.Info{}, false, err
	}
	info := stat.OfStatx(&st)
	info.Born = filesystem.SteadyBirth(info.Born, f.System)
	return info, st.Attributes&known != 0, nil
}

func (f Descriptor) Readlink(name string) (string, error) {
	for size := 256; ; size *= 4 {
		buf := make([]byte, size)
		n, err := unix.Readlinkat(f.FD, name, buf)
		if err != nil {
			return "", err
		}
		if n < size {
			return string(buf[:n]), nil
		}
	}
}

func (f Descriptor) Sub(name string) (Folder, error) {
	return f.from.openFolder(func(access int) (int, error) {
		return unix.Openat(f.FD, name, access|openFolderFlags, 0)
	})
}

// resolveHere confines a path of several components to the folder it starts from, and refuses links
// of any kind.
const resolveHere = unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS

func (f Descriptor) Descend(path string) (Folder, error) {
	return f.from.openFolder(func(access int) (int, error) {
		return unix.Openat2(f.FD, path, &unix.OpenHow{
			Flags:   uint64(access | openFolderFlags),
			Resolve: resolveHere,
		})
	})
}

// openFolder opens for reading, so that the descriptor can list, lock and sync. A folder that may
// be entered but not read (mode --x) is opened only to reach what is below it.
func (o *origin) openFolder(open func(access int) (int, error)) (Folder, error) {
	fd, err := system.Retry(func() (int, error) { return open(unix.O_RDONLY) })
	if errors.Is(err, unix.EACCES) {
		fd, err = system.Retry(func() (int, error) { return open(unix.O_PATH) })
	}
	return o.opened(fd, err)
}

func (f Descriptor) Number() int { return f.FD }

func (f Descriptor) Index() (string, error) { return FolderID(f) }

func (f Descriptor) Open(name string, flag int) (*openfile.File, error) {
	return f.openPresent(name, flag, false)
}

func (f Descriptor) OpenCached(name string) (*openfile.File, error) {
	return f.openPresent(name, unix.O_RDONLY, true)
}

// openPresent opens a file that is there. cached is as for open.
func (f Descriptor) openPresent(name string, flag int, cached bool) (*openfile.File, error) {
	open := func() (*openfile.File, error) {
		fd, err := f.present(name, func() (int, error) { return f.open(name, flag, cached) })
		return f.fileOf(fd, err)
	}
	var before stat.Info
	if f.isToldByName() {
		before, _ = f.Lstat(name)
	}
	return f.openSettled(name, before, open)
}

// maxReopened is how often a file is opened again while its name gets another file.
const maxReopened = 16

// openSettled opens a file again until its name has the same attributes before and after, where the
// size of an open file is asked for by its name: reads would end where the next file ends. A file
// that keeps changing is taken as it is. Servers made with go-fuse, such as gocryptfs, answer from
// any open file of the same inode: one that was just closed may be still open there. So the name is
// looked up anew.
func (f Descriptor) openSettled(name string, before stat.Info, open func() (*openfile.File, error)) (*openfile.File, error) {
	for tries := 0; ; tries++ {
		file, err := open()
		if err != nil || tries == maxReopened || !f.remembersSizes(file.Info.Dev) || !tellsByName(f.System()) ||
			file.Info.ChangeStamp() == before.ChangeStamp() {
			return file, err
		}
		file.Close()
		f.Renew(name)
		before, _ = f.Lstat(name)
	}
}

// tellsByName reports whether a file system may describe an open file by the file that has its name
// by now. Linux never tells a FUSE server which open file fstat is about, and 9p of diod goes by
// the path.
func tellsByName(s filesystem.System) bool { return !s.Alone && !s.AsksForFile }

// isToldByName reports whether the folder is known to be on such a file system.
func (f Descriptor) isToldByName() bool {
	if own := f.own.Load(); own != nil {
		return tellsByName(*own)
	}
	known := f.from.known.Load()
	return known != nil && tellsByName(known.System) && tellsByName(f.System())
}

// open opens a file of SMB without the system's cache, and one of NFS unless the cached content
// will do. With the cache,
//   - a file of SMB that this machine has written, and another one has added to within a second, is
//     read with zeros in place of what was added: on Linux 6.12, and on 6.1 if it is opened for
//     writing as well, which stores the zeros;
//   - a file of NFS that a program on this machine has open for writing is read as it was before
//     another machine has written into it (Linux 6.1).
func (f Descriptor) open(name string, flag int, cached bool) (fd int, err error) {
	onSMB := f.is(func(s filesystem.System) bool { return s.LosesTarget })
	isDirect := onSMB || !cached && f.is(func(s filesystem.System) bool { return s.AsksOnOpen })
	if isDirect {
		flag |= unix.O_DIRECT
	}
	for {
		err = byName(func() error {
			fd, err = unix.Openat(f.FD, name, flag|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
			return err
		})
		switch {
		case err == nil && onSMB && flag&unix.O_DIRECT == 0 && isRegular(fd): // Linux gave it a handle of the old file
			unix.Close(fd)
			return -1, fserr.ErrHeld
		case err != unix.EINVAL || !isDirect:
			return fd, err
		case flag&unix.O_DIRECT == 0 && !onSMB:
			return fd, err
		case flag&unix.O_DIRECT == 0: // another machine has replaced the file: see File.Named; or see RenewLease
			return fd, fserr.ErrHeld
		}
		flag &^= unix.O_DIRECT // it isn't a regular file
	}
}

func isRegular(fd int) bool {
	var st unix.Stat_t
	return unix.Fstat(fd, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFREG
}

// is reports whether the folder is known to be on a system of a kind. On others it takes no call.
func (f Descriptor) is(kind func(filesystem.System) bool) bool {
	if own := f.own.Load(); own != nil {
		return kind(*own)
	}
	known := f.from.known.Load()
	return known != nil && kind(known.System) && kind(f.System())
}

// fileOf makes a File of what an open returned. Where others may use the file system through
// another mount, the size may be that of the file that had the name before: reads would end there.
// So the file system is asked once more.
func (f Descriptor) fileOf(fd int, err error) (*openfile.File, error) {
	if err != nil {
		return nil, err
	}
	file, err := openfile.New(openfile.OfDescriptor(fd))
	if err != nil {
		return file, err
	}
	f.cacheMounted(fd, file.Info.Dev)
	if !f.remembersSizes(file.Info.Dev) {
		return file, nil
	}
	var st unix.Statx_t
	if unix.Statx(fd, "", unix.AT_EMPTY_PATH|unix.AT_STATX_FORCE_SYNC, unix.STATX_BASIC_STATS, &st) == nil {
		file.Info = stat.OfStatx(&st)
		file.Info.Born = 0
		file.Handle = openfile.OfReplaceable(fd, file.Info)
	}
	return file, nil
}

// cacheMounted takes O_DIRECT off a file on another device than a folder that is on NFS or SMB: it
// is mounted there by itself, and other file systems may read only whole blocks that way.
func (f Descriptor) cacheMounted(fd int, device uint64) {
	if !f.is(func(s filesystem.System) bool { return s.AsksOnOpen || s.LosesTarget }) {
		return
	}
	var st unix.Statx_t // without asking the server
	err := unix.Statx(f.FD, "", unix.AT_EMPTY_PATH|unix.AT_STATX_DONT_SYNC, 0, &st)
	if err != nil || unix.Mkdev(st.Dev_major, st.Dev_minor) == device {
		return
	}
	if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0); err == nil {
		_, _ = unix.FcntlInt(uintptr(fd), unix.F_SETFL, flags&^unix.O_DIRECT)
	}
}

// remembersSizes reports whether the size of a file on a device may be old right after it was
// opened. Local file systems that have no device of their own are rare below a root that has one.
func (f Descriptor) remembersSizes(device uint64) bool {
	if known := f.from.known.Load(); known != nil && known.device == device {
		return tellsByName(known.System)
	}
	return unix.Major(device) == 0
}

// present tries again to open a name while the name exists. FUSE file systems look up the file
// first and then open it by its path: if another file took the name in between, they report that
// nothing is there.
func (f Descriptor) present(name string, open func() (int, error)) (int, error) {
	for tries := 0; ; tries++ {
		fd, err := system.Retry(open)
		if !errors.Is(err, unix.ENOENT) || tries == system.MaxRaceRetries || isGone(f, name) {
			return fd, err
		}
	}
}

func (f Descriptor) Create(name string, perm fs.FileMode) (*openfile.File, error) {
	flag := unix.O_WRONLY | unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := system.Retry(func() (int, error) { return unix.Openat(f.FD, name, flag, uint32(perm.Perm())) })
	if err != nil {
		return nil, err
	}
	return created(f, name, openfile.OfDescriptor(fd))
}

func (f Descriptor) Mkdir(name string, perm fs.FileMode) error {
	return system.IgnoreInterrupts(func() error { return unix.Mkdirat(f.FD, name, uint32(perm.Perm())) })
}

func (f Descriptor) Symlink(target, name string) error {
	return system.IgnoreInterrupts(func() error { return unix.Symlinkat(target, f.FD, name) })
}

func (f Descriptor) HardLink(name string, to Folder, newName string) error {
	return linkName(f, name, to, newName)
}

func (f Descriptor) Move(name string, to Folder, newName string, how Moving) error {
	return moveAgain(f, name, to, newName, how, func() error { return moveName(f, name, to, newName, how) })
}

// SMB answers EIO to a rename if the server has to ask another machine first, which still has the
// file open although its program has closed it (Linux 6.12, Samba 4.17). Mostly it is free some
// milliseconds later. While that machine reads the file without a pause, it may never be.
const (
	movePause = 3 * time.Millisecond
	moveTime  = time.Second // within which the last try begins: less than the lease of a lock file, which may be what is renamed
)

// moveAgain tries a rename on SMB again, unless it may have been made.
func moveAgain(in Folder, name string, to Folder, newName string, how Moving, move func() error) error {
	began, err := time.Now(), move()
	for errors.Is(err, unix.EIO) && in.System().LosesTarget && time.Since(began) < moveTime {
		time.Sleep(movePause)
		if how == Over && wasMade(in, name, to, newName) {
			return err
		}
		again := move()
		if errors.Is(again, unix.ENOENT) || errors.Is(again, unix.EEXIST) { // the first may have been made
			return err
		}
		err = again
	}
	return err
}

// wasMade reports whether a rename may have been made: the old name is gone, or the new one there.
func wasMade(in Folder, name string, to Folder, newName string) bool {
	in.Renew(name)
	to.Renew(newName)
	return !Exists(in, name) || Exists(to, newName)
}

func (f Descriptor) Chtimes(name string, modified time.Time) error {
	at, err := unix.TimeToTimespec(modified)
	if err != nil {
		return err
	}
	times := []unix.Timespec{{Nsec: unix.UTIME_OMIT}, at} // the first is the last access
	return system.IgnoreInterrupts(func() error { return unix.UtimesNanoAt(f.FD, name, times, unix.AT_SYMLINK_NOFOLLOW) })
}

func (f Descriptor) SyncAll() error {
	return system.SyncFailed(system.IgnoreInterrupts(func() error { return unix.Syncfs(f.FD) }))
}

func (f Descriptor) Remove(name string) error {
	return system.IgnoreInterrupts(func() error { return unix.Unlinkat(f.FD, name, 0) })
}

func (f Descriptor) RemoveFolder(name string) error {
	return system.IgnoreInterrupts(func() error { return unix.Unlinkat(f.FD, name, unix.AT_REMOVEDIR) })
}

// May follows no link: one that has the name for a moment would tell of a file somewhere else.
func (f Descriptor) May(name string, right rights.Right) bool {
	const flags = unix.AT_EACCESS | unix.AT_SYMLINK_NOFOLLOW
	err := unix.Faccessat2(f.FD, name, uint32(right), flags)
	if !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EPERM) { // a kernel before 5.8, a filter, or an immutable file
		return err == nil
	}
	// Here package unix judges by the mode alone; the older call, which follows links, knows of
	// immutable files.
	return unix.Faccessat(f.FD, name, uint32(right), flags) == nil &&
		(right != rights.Writing || unix.Faccessat(f.FD, name, uint32(right), 0) != unix.EPERM)
}

func (f Descriptor) Sync() error {
	return system.IfSyncable(system.IgnoreInterrupts(func() error { return unix.Fsync(f.FD) }))
}

func (f Descriptor) Close() { unix.Close(f.FD) }

// System describes the file system of the folder. It changes nothing. What is known of the folder
// that this one was opened from holds as long as both are on the same device.
func (f Descriptor) System() filesystem.System {
	if own := f.own.Load(); own != nil { // a write asks seven times
		return *own
	}
	s := f.findSystem()
	f.own.Store(&s)
	return s
}

func (f Descriptor) findSystem() filesystem.System {
	device, ok := filesystem.DeviceOf(f.FD)
	known := f.from.known.Load()
	if ok && known != nil && known.device == device {
		return known.System
	}
	s := filesystem.Of(f.FD)
	if ok && (known == nil || f.FD == f.from.fd) {
		f.from.known.Store(&knownSystem{device, s})
	}
	return s
}

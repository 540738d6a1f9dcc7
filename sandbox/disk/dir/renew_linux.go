package dir

import (
	"errors"
	"slices"
	"time"

	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/system"

	"golang.org/x/sys/unix"
)

func (f Descriptor) Reopen() (Folder, error) {
	fd, err := system.Retry(func() (int, error) {
		return unix.Openat(f.FD, ".", unix.O_RDONLY|openFolderFlags, 0)
	})
	if err != nil {
		return nil, err
	}
	return Descriptor{rights.Descriptor{FD: fd}, f.from, f.own}, nil
}

// TryLock is by flock, which belongs to the open file description: other users of this descriptor
// would share it.
func (f Descriptor) TryLock() error { return system.Flock(f.FD) }

// Unlock frees that lock.
func (f Descriptor) Unlock() { _ = unix.Flock(f.FD, unix.LOCK_UN) }

func (f Descriptor) LocksAll() bool { return f.System().Alone }

func (f Descriptor) OpenOnce(name string, flag int) (*openfile.File, error) {
	return f.fileOf(system.Retry(func() (int, error) { return f.open(name, flag, false) }))
}

// Renew asks in one of three ways. From the attributes of the folder NFS knows whether the names
// that it remembers still hold, unless its time is the same as before: two changes may come within
// a tick of the server's clock, which may be a second. FUSE asks for a name that is to be made,
// and so does NFS: Linkat looks it up, with attributes, but never makes a link, since folders
// can't have one. A name with a slash at the end is as harmless, but Linux 6.1 and 6.12 take that
// as they remember it. SMB believes a name while the attributes of its file are fresh, even if
// these came with a listing that has the file's new name, after another machine has renamed it. A
// statx asks for the name itself, and if it is gone, the next lookup makes the system forget it.
// Errors are ignored.
func (f Descriptor) Renew(name string) {
	on := f.System()
	if on.LosesTarget {
		if _, err := f.LstatNow(name); errors.Is(err, unix.ENOENT) {
			_, _ = f.Lstat(name) // before a look at the file's new name, which would make the old one fresh again
		}
		return
	}
	if on.AsksOnOpen || !on.AsksForFile {
		var st unix.Statx_t
		_ = unix.Statx(f.FD, "", unix.AT_EMPTY_PATH|unix.AT_STATX_FORCE_SYNC, unix.STATX_BASIC_STATS, &st)
	}
	if name != "." {
		_ = unix.Linkat(f.FD, ".", f.FD, name, 0)
	}
}

// RenewPath looks each name up at the server, or lists the folder that has it, as drop says.
// Requests of SMB have whole paths, which its server resolves.
func (f Descriptor) RenewPath(names []string, drop filesystem.Caches) error {
	if f.System().LosesTarget {
		return nil
	}
	in := f
	for i, name := range names {
		if name == "." || name == ".." {
			break
		}
		err := in.renewFolder(name, drop)
		next := -1
		if err == nil && i < len(names)-1 {
			next, _ = system.Retry(func() (int, error) { return unix.Openat(in.FD, name, unix.O_PATH|openFolderFlags, 0) })
		}
		if in.FD != f.FD {
			unix.Close(in.FD)
		}
		if in.FD = next; next < 0 {
			return err
		}
	}
	if in.FD != f.FD {
		unix.Close(in.FD)
	}
	return nil
}

func (f Descriptor) renewFolder(name string, drop filesystem.Caches) error {
	isListed := f.isListed(name, drop, nil)
	_ = unix.Linkat(f.FD, ".", f.FD, name, 0)
	return f.awaitGone(name, drop, isListed)
}

// RenewLease makes Linux use another key for the lease of a file on SMB. It has one for each inode,
// which each open shows to the server. If a connection is cut while a file is open, Samba 4.17 may
// keep its record of the lease, with the name that the file had: once that has another name, each
// open on this machine fails with EINVAL, until Linux forgets the inode. An open with O_CREAT of a
// name that it doesn't remember makes a new key, also for an inode that it knows, and it doesn't
// remember a hard link that it has just made. If the server has given the name to another file, the
// link is one to that.
func (f Descriptor) RenewLease(name, temp string) bool {
	if !f.System().LosesTarget || f.HardLink(name, f, temp) != nil {
		return false
	}
	defer f.Remove(temp)
	const flag = unix.O_RDONLY | unix.O_CREAT | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC
	fd, err := system.Retry(func() (int, error) { return unix.Openat(f.FD, temp, flag, 0o600) })
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	now, err := f.LstatNow(name)
	return err == nil && unix.Fstat(fd, &st) == nil && st.Ino == now.Ino
}

// goneTime limits awaitGone, which looks again after each gonePause. GlusterFS finds a name that
// another client has given to something else as long as it believes the attributes of that: for a
// second (md-cache-timeout), from each listing on.
const (
	goneTime  = 3 * time.Second
	gonePause = 100 * time.Millisecond
)

// awaitGone waits until a name that wasn't listed isn't found either, where drop has that it may
// be. It lists the folder again at the beginning and at the end only: somebody may have made the
// name since, but each listing makes a name that is gone stay longer. ErrStillFound says that it is
// still found. Snapshots are in a folder that is never listed.
func (f Descriptor) awaitGone(name string, drop filesystem.Caches, isListed bool) error {
	const snapshots = ".snaps" // features.snapshot-directory
	if !drop.Removed || isListed || name == snapshots || !f.finds(name) || f.lists(name, nil) {
		return nil
	}
	for began := time.Now(); time.Since(began) < goneTime; {
		time.Sleep(gonePause)
		if f.Renew(name); !f.finds(name) {
			return nil
		}
	}
	if f.lists(name, nil) {
		return nil
	}
	return ErrStillFound
}

func (f Descriptor) finds(name string) bool {
	_, err := f.Lstat(name)
	return err == nil
}

// Refresh makes the system, or a FUSE server, drop what it remembers of a file. There are four
// things to renew. Which file has the name: see Renew. The content: sshfs and NFS ask their server
// when a file is opened. The size: the system reads no further than the size that it knows. And
// what is in drop:
//   - An NFS client that was told that nobody else changes a file believes that until it opens the
//     file for writing.
//   - While MooseFS knows the new size of a file and not yet the bytes that another client adds, it
//     gives zeros, and the system keeps them.
//   - GlusterFS answers names, sizes and small contents from its memory for a second, also to an
//     open. A listing comes from the server, with attributes by which the memory is found to be
//     old. For a file that this client itself has renamed, it takes an fsync as well, which alone
//     is too little for others.
//
// Other errors than that of awaitGone are ignored.
func (f Descriptor) Refresh(name string, drop filesystem.Caches, seen *Listing) error {
	if drop.Synced {
		f.syncNow(name)
	}
	isListed := f.isListed(name, drop, seen)
	f.Renew(name)
	if err := f.awaitGone(name, drop, isListed); err != nil {
		return err
	}
	var st unix.Statx_t
	fd, err := -1, error(unix.EACCES)
	if drop.Delegated {
		fd, err = system.Retry(func() (int, error) { return f.open(name, unix.O_RDWR, false) })
	}
	if err != nil && !errors.Is(err, unix.ENOENT) {
		fd, err = system.Retry(func() (int, error) { return f.open(name, unix.O_RDONLY, true) })
	}
	if err != nil {
		_ = unix.Statx(f.FD, name, unix.AT_SYMLINK_NOFOLLOW|unix.AT_STATX_FORCE_SYNC, unix.STATX_BASIC_STATS, &st)
		return nil
	}
	defer unix.Close(fd)
	_ = unix.Statx(fd, "", unix.AT_EMPTY_PATH|unix.AT_STATX_FORCE_SYNC, unix.STATX_BASIC_STATS, &st)
	if drop.Pages && st.Mode&unix.S_IFMT == unix.S_IFREG {
		_ = unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED)
	}
	return nil
}

// isListed reports whether a name is in the folder's listing, where drop wants one: in seen, which
// gets that if it has none yet.
func (f Descriptor) isListed(name string, drop filesystem.Caches, seen *Listing) bool {
	switch {
	case !drop.Listed:
		return true
	case seen == nil:
		return f.lists(name, nil)
	case *seen == nil:
		*seen = Listing{}
		if !drop.Removed {
			return f.lists(name, nil)
		}
		return f.lists(name, *seen)
	}
	_, isListed := (*seen)[name]
	return isListed || name == "."
}

// lists has the file system list the folder: with the attributes of all that is in it, where that
// is how FUSE servers list. It reports whether the name is listed, or true if that can't be told.
// seen gets all names, unless it is nil.
func (f Descriptor) lists(name string, seen Listing) (isListed bool) {
	fd, err := system.Retry(func() (int, error) { return unix.Openat(f.FD, ".", unix.O_RDONLY|openFolderFlags, 0) })
	if err != nil {
		return true
	}
	defer unix.Close(fd)
	isListed = name == "."
	for block, names := make([]byte, 32<<10), []string(nil); ; names = names[:0] {
		n, err := unix.ReadDirent(fd, block)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return true
		case n <= 0:
			return isListed
		}
		_, _, names = unix.ParseDirent(block[:n], -1, names)
		isListed = isListed || slices.Contains(names, name)
		if seen != nil {
			for _, n := range names {
				seen[n] = struct{}{}
			}
		}
	}
}

// syncNow syncs a file.
func (f Descriptor) syncNow(name string) {
	var st unix.Statx_t
	fd, err := system.Retry(func() (int, error) { return f.open(name, unix.O_RDONLY, true) })
	if err != nil {
		return
	}
	defer unix.Close(fd)
	if unix.Statx(fd, "", unix.AT_EMPTY_PATH, unix.STATX_TYPE, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFREG {
		_ = unix.Fsync(fd)
	}
}

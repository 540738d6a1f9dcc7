package dir

import (
	"context"
	"errors"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/policy"
	"io/fs"
	"syscall"
	"time"
)

// Folder is one open folder. The names passed to it are single components, and no symbolic link is
// ever followed: sandbox/resolve.go follows links, one component at a time. There are two
// implementations: descriptors with openat2 on Linux (folder_linux.go) and os.Root everywhere else
// (folder_root.go). Tests on Linux compare the first with the second.
type Folder interface {
	Lstat(name string) (stat.Info, error)
	// LstatNow is Lstat that asks the server of a network file system, whatever is remembered here,
	// where that takes one call.
	LstatNow(name string) (stat.Info, error)
	// Examine is Lstat that also tells whether another file system, or another part of this one, is
	// mounted at name.
	Examine(name string) (info stat.Info, mount bool, err error)
	Readlink(name string) (string, error)
	ListFirst(ctx context.Context, l *FirstNames) error
	// System describes the file system of the folder, as far as it is known.
	System() filesystem.System
	// Number is that of the folder's descriptor, or handle.
	Number() int
	// Sub opens a child folder.
	Sub(name string) (Folder, error)
	// Descend opens a folder several components down if no link is on the path. Its errors carry no
	// meaning: the caller then opens one folder after another.
	Descend(path string) (Folder, error)
	// Index tells open folders from each other, as FolderID does, also where Info has no ID.
	Index() (string, error)
	// Open opens a regular file without ever blocking; anything else is ErrNotFile.
	Open(name string, flag int) (*openfile.File, error)
	// OpenOnce is Open that takes the system's word for it that nothing is there.
	OpenOnce(name string, flag int) (*openfile.File, error)
	// OpenCached is Open for reading by a search, for which the content that the system has cached
	// will do.
	OpenCached(name string) (*openfile.File, error)
	// Create makes a file that must not exist yet. If it fails, there is none.
	Create(name string, perm fs.FileMode) (*openfile.File, error)
	Mkdir(name string, perm fs.FileMode) error
	Symlink(target, name string) error
	// HardLink gives a file a second name, in this folder or in another one, unless that name is
	// taken (fs.ErrExist). ErrUnsupported where there are no hard links, or not for this file.
	HardLink(name string, to Folder, newName string) error
	// Move gives a file or folder another name, in this folder or in another one.
	Move(name string, to Folder, newName string, how Moving) error
	Remove(name string) error
	RemoveFolder(name string) error
	rights.Node // the folder itself
	// Chtimes sets the time of the last change of a file or folder in this one.
	Chtimes(name string, modified time.Time) error
	// May says whether this process has a right to a file or folder in this one.
	May(name string, right rights.Right) bool
	Sync() error
	// SyncAll syncs the whole file system of the folder; ErrUnsupported where the system has no
	// such call.
	SyncAll() error
	// Reopen opens the folder once more. TryLock belongs to what was opened, so that two who use
	// one Folder need two of them.
	Reopen() (Folder, error)
	// TryLock takes the system's lock of the folder, or fails with ErrBusy. Close frees it. See
	// package dirlock, which takes it for everybody.
	TryLock() error
	// Unlock frees what TryLock has taken. It is for a folder that AsksOnOpen: see dirlock.Take.
	Unlock()
	// LocksAll says that everybody who uses the folder respects TryLock.
	LocksAll() bool
	// Refresh makes the system ask the file system about a name, where it may remember what
	// somebody else has changed on another machine since. It is for locked folders: see
	// dirlock.Lock.IsFile. drop is what it may remember. seen is what a listing has shown since the
	// folder was locked, or gets that; nil if it isn't locked. ErrStillFound: the file system has a
	// name that is gone.
	Refresh(name string, drop filesystem.Caches, seen *Listing) error
	// Renew makes the system ask the file system what has a name, if anything: it may remember that
	// for a minute. It is for folders that others may use through another mount.
	Renew(name string)
	// RenewPath does so for each of these directories, the first in this one and each other in the
	// one before it, as far as there are no links. "." and ".." end it. drop and the error are those
	// of Refresh.
	RenewPath(names []string, drop filesystem.Caches) error
	// RenewLease may make it possible to open a file on SMB again whose open failed with ErrHeld,
	// although nobody has an older one open. It reports whether to try. It is for locked folders, and
	// needs a free name for a moment.
	RenewLease(name, temp string) bool
	Close()
}

// ErrStillFound says that a file system goes on finding a name that it doesn't list.
var ErrStillFound error = &fserr.Refusal{Kind: fserr.ErrBusy,
	Reason: "another machine has removed or renamed it, and the client of this one still finds the old name, " +
		"as long as programs list the directory"}

// Listing has the names of a folder that was listed: nil before that, and empty if nobody needs
// them.
type Listing map[string]struct{}

// Dirent is one name in a folder, with the type bits of the file it names. It is an alias, so that
// a list of them is one of search/walk, too, without a copy.
type Dirent = struct {
	Name string
	Type fs.FileMode
}

// Moving says what a move does if its new name is taken.
type Moving int

const (
	Over     Moving = iota // replaces the file that has the new name
	IfFree                 // fails with fs.ErrExist
	Swapping               // exchanges the two names; ErrUnsupported where that can't be done in one step
)

// examineByDevice is Examine where the system doesn't report mounts: most of them have another
// device number.
func examineByDevice(dir Folder, name string) (stat.Info, bool, error) {
	info, err := dir.Lstat(name)
	if err != nil || name == "." {
		return info, false, err
	}
	here, err := dir.Lstat(".")
	return info, here.Dev != info.Dev, err
}

// List gives all names in a folder, unsorted.
func List(ctx context.Context, dir Folder) ([]Dirent, error) {
	l := FirstNames{whole: true}
	err := dir.ListFirst(ctx, &l)
	return l.Names, err
}

// Exists reports whether a name is taken. If the system can't tell, it counts as taken.
func Exists(dir Folder, name string) bool {
	_, err := dir.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// LinkTarget reads a name that was a link a moment ago; ErrBusy if it isn't one any more.
func LinkTarget(in Folder, name string) (string, error) {
	target, err := in.Readlink(name)
	if fserr.IsAny(err, syscall.EINVAL, fs.ErrNotExist) {
		return "", fserr.ErrBusy
	}
	return target, err
}

// IsEmptyFile reports whether a regular file without content has the name.
func IsEmptyFile(in Folder, name string) bool {
	now, err := in.Lstat(name)
	return err == nil && now.Mode.IsRegular() && now.Size == 0
}

// IsGone looks again for a name that was not found. A file system that nobody else uses is believed
// at once.
func IsGone(dir Folder, name string) bool {
	return dir.System().Alone || isGone(dir, name)
}

// isGone looks again. FUSE file systems that look up a file first and then use its path miss a file
// while another one replaces it, and ntfs-3g removes the old file before it adds the new one. So
// does a client of NFS that still has the old file open, and other clients remember for up to a
// minute that there was none. While the folder has a lock file, somebody may be doing that.
func isGone(dir Folder, name string) bool {
	//lint:ignore SA4000 the second look may find what the first missed
	if Exists(dir, name) || Exists(dir, name) {
		return false
	}
	on := dir.System()
	for tries := 0; on.FUSE && tries < 3; tries++ {
		if time.Sleep(time.Millisecond); Exists(dir, name) {
			return false
		}
	}
	return !on.Shared || isAway(dir, name)
}

// awayLooks is how often IsAway looks, and awayPause how long it waits after the first look; then
// twice as long each time.
const (
	awayLooks = 10
	awayPause = time.Millisecond
)

// isAway looks for a name in a folder that others may use through another mount.
func isAway(dir Folder, name string) bool {
	for pause, tries := awayPause, 0; tries < awayLooks; pause, tries = 2*pause, tries+1 {
		dir.Renew(name)
		isLocked := Exists(dir, policy.LockName) // before the look: who frees the lock has put the file there
		if Exists(dir, name) {
			return false
		}
		if !isLocked {
			return true
		}
		time.Sleep(pause)
	}
	return true
}

// Arrived returns the error of a move of a file or folder, or nil if it was made all the same: the
// new name is that of what was moved, and the old one is gone. A network file system says so if the
// answer of its server was lost. Where another machine may give a file the new name, isMoved must
// look at more than the ID: the file may have the inode number of one that was removed.
func Arrived(err error, f Folder, name string, to Folder, newName string, isMoved func(now stat.Info) bool) error {
	if err == nil || errors.Is(err, fserr.ErrUnsupported) {
		return err
	}
	to.Renew(newName) // the system may remember both names as they were before
	f.Renew(name)
	now, errNow := to.Lstat(newName)
	if errNow != nil || Exists(f, name) || !isMoved(now) {
		return err
	}
	return nil
}

// MoveFree renames within a folder. It fails with fs.ErrExist if the new name is taken.
func MoveFree(dir Folder, name, to string) error { return dir.Move(name, dir, to, IfFree) }

// FolderID is the ID of an open folder: see Info.ID.
func FolderID(dir Folder) (string, error) {
	info, err := dir.Lstat(".")
	return info.ID(), err
}

// FileSystem tells what kind of file system a folder is on, "" if unknown, and whether it or the
// kernel may lack a rename flag or hard links. Without those, a write can't make sure that it never
// overwrites what somebody else writes at the same moment. mayLack is only a possibility: a FUSE
// file system, for one, may have all of it.
func FileSystem(in Folder) (kind string, mayLack bool) {
	s := in.System()
	return s.Kind, s.MayLack || lacksCalls()
}

// CopyUp makes an overlay file system copy a folder to its upper layer, as any change in the folder
// would.
func CopyUp(f Folder) {
	if !f.System().Overlay {
		return
	}
	if info, err := f.Lstat("."); err == nil {
		_ = f.Chmod(info.Mode) // if that isn't allowed, the first change gives the folder another creation time, and that change can't be undone
	}
}

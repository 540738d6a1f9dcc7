package dir

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"time"
)

// Folder is one open folder. The names passed to it are single components, and no symbolic link is ever followed: what a
// name leads to is decided by resolve.go, one component at a time. There are two of them: descriptors with openat2 on
// Linux (folder_linux.go) and os.Root everywhere else (folder_root.go), which also serves as the oracle in tests.
type Folder interface {
	Lstat(name string) (Info, error)
	// examine is lstat that also tells whether another file system, or another part of this one, is mounted at name.
	Examine(name string) (info Info, mount bool, err error)
	Readlink(name string) (string, error)
	List(ctx context.Context) ([]Dirent, error)
	ListFirst(ctx context.Context, l *FirstNames) error
	// folding tells what the system knows of how the folder finds names.
	Folding() Folding
	// sub opens a child folder.
	Sub(name string) (Folder, error)
	// descend opens a folder several components down if no link is on the way; errors say nothing, the caller then goes
	// step by step.
	Descend(path string) (Folder, error)
	// open opens a regular file without ever blocking; anything else is ErrNotFile.
	Open(name string, flag int) (*File, error)
	// openDeep is open several components down, without links on the way; ErrUnsupported where descriptors can't do it.
	OpenDeep(path string) (*File, error)
	// create makes a file that must not exist yet.
	Create(name string, perm fs.FileMode) (*File, error)
	// createUnnamed makes a file that no name leads to until link gives it one; ErrUnsupported where that can't be done.
	CreateUnnamed(perm fs.FileMode) (*File, error)
	// link names a file of createUnnamed, unless the name is taken (fs.ErrExist).
	Link(f *File, name string) error
	Mkdir(name string, perm fs.FileMode) error
	Symlink(target, name string) error
	// hardLink gives what has a name a second one, in this folder or in another one, unless that is taken (fs.ErrExist).
	// ErrUnsupported where there is no such thing, or not for this file.
	HardLink(name string, to Folder, newName string) error
	// move gives a file or folder another name, in this folder or in another one.
	Move(name string, to Folder, newName string, how Moving) error
	Remove(name string) error
	RemoveFolder(name string) error
	// chmod sets the mode of the folder itself.
	Chmod(mode fs.FileMode) error
	// chown gives the folder itself the owner and the group of another one.
	Chown(like Info) error
	// chtimes sets the time of the last change of a file or folder in it.
	Chtimes(name string, modified time.Time) error
	// isReadable and isWritable say what this process may do with what has a name.
	IsReadable(name string) bool
	IsWritable(name string) bool
	Sync() error
	// syncAll syncs the whole file system that the folder is on; ErrUnsupported where that can't be asked for.
	SyncAll() error
	// lock takes the folder's write lock, shared by all processes, or fails with ErrBusy after lockWait or when ctx ends.
	Lock(ctx context.Context) (unlock func(), err error)
	Close()
}

// Dirent is one name in a folder and the type bits of what it names.
type Dirent struct {
	Name string
	Type fs.FileMode
}

// Moving says what a move does where its new name is taken.
type Moving int

const (
	Over     Moving = iota // replaces what has the name
	IfFree                 // fails with fs.ErrExist
	Swapping               // gives what has the name the old one; ErrUnsupported where that can't be done at once
)

// Handle is what File needs of an open file.
type Handle interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.Closer
	Stat() (Info, error)
	Sync() error
	Truncate(size int64) error
	Chmod(mode fs.FileMode) error
	chown(like Info) error
	// attributes are the extended ones that a file which takes another's place must carry on.
	Attributes() (Attributes, error)
	SetAttributes(Attributes) error
	// isSettled reports that nobody has the file open for writing; false where the system doesn't tell.
	IsSettled() bool
	// tryLock takes the file's lock for this process, or fails with ErrBusy.
	TryLock() error
}

// Attributes are extended attributes by name: the user's own, and access control lists.
type Attributes map[string][]byte

// examineByDevice is examine for where the system doesn't tell of mounts: another device number gives most away.
func examineByDevice(dir Folder, name string) (Info, bool, error) {
	info, err := dir.Lstat(name)
	if err != nil || name == "." {
		return info, false, err
	}
	here, err := dir.Lstat(".")
	return info, here.Dev != info.Dev, err
}

func Exists(dir Folder, name string) bool {
	_, err := dir.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// IsGone looks again for a name that nothing had at the first look: FUSE file systems that look for the path of what they had found
// miss a file that another one is replacing, and ntfs-3g removes the old one first.
func IsGone(dir Folder, name string) bool {
	if Exists(dir, name) || Exists(dir, name) {
		return false
	}
	if served, ok := dir.(interface{ isFUSE() bool }); !ok || !served.isFUSE() {
		return true
	}
	for range 3 {
		if time.Sleep(time.Millisecond); Exists(dir, name) {
			return false
		}
	}
	return true
}

// MoveFree moves within a folder, to a name that must be free.
func MoveFree(dir Folder, name, to string) error { return dir.Move(name, dir, to, IfFree) }

func FolderID(dir Folder) (string, error) {
	info, err := dir.Lstat(".")
	return info.ID(), err
}

// Folding is what is known of how a folder finds names.
type Folding int

const (
	FoldingUnknown Folding = iota
	FoldingNever
	FoldingAlways
)

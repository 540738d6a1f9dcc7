package sandbox

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"time"
)

// folder is one open folder. The names passed to it are single components, and no symbolic link is ever followed: what a
// name leads to is decided by resolve.go, one component at a time. There are two of them: descriptors with openat2 on
// Linux (folder_linux.go) and os.Root everywhere else (folder_root.go), which also serves as the oracle in tests.
type folder interface {
	lstat(name string) (Info, error)
	// examine is lstat that also tells whether another file system, or another part of this one, is mounted at name.
	examine(name string) (info Info, mount bool, err error)
	readlink(name string) (string, error)
	list(ctx context.Context) ([]Dirent, error)
	listFirst(ctx context.Context, l *firstNames) error
	// folding tells what the system knows of how the folder finds names.
	folding() folding
	// sub opens a child folder.
	sub(name string) (folder, error)
	// descend opens a folder several components down if no link is on the way; errors say nothing, the caller then goes
	// step by step.
	descend(path string) (folder, error)
	// open opens a regular file without ever blocking; anything else is ErrNotFile.
	open(name string, flag int) (*File, error)
	// openDeep is open several components down, without links on the way; ErrUnsupported where descriptors can't do it.
	openDeep(path string) (*File, error)
	// create makes a file that must not exist yet.
	create(name string, perm fs.FileMode) (*File, error)
	// createUnnamed makes a file that no name leads to until link gives it one; ErrUnsupported where that can't be done.
	createUnnamed(perm fs.FileMode) (*File, error)
	// link names a file of createUnnamed, unless the name is taken (fs.ErrExist).
	link(f *File, name string) error
	mkdir(name string, perm fs.FileMode) error
	symlink(target, name string) error
	// hardLink gives what has a name a second one, in this folder or in another one, unless that is taken (fs.ErrExist).
	// ErrUnsupported where there is no such thing, or not for this file.
	hardLink(name string, to folder, newName string) error
	// move gives a file or folder another name, in this folder or in another one.
	move(name string, to folder, newName string, how moving) error
	remove(name string) error
	removeFolder(name string) error
	// chmod sets the mode of the folder itself.
	chmod(mode fs.FileMode) error
	// chown gives the folder itself the owner and the group of another one.
	chown(like Info) error
	// chtimes sets the time of the last change of a file or folder in it.
	chtimes(name string, modified time.Time) error
	// isReadable and isWritable say what this process may do with what has a name.
	isReadable(name string) bool
	isWritable(name string) bool
	sync() error
	// syncAll syncs the whole file system that the folder is on; ErrUnsupported where that can't be asked for.
	syncAll() error
	// lock takes the folder's write lock, shared by all processes, or fails with ErrBusy after lockWait or when ctx ends.
	lock(ctx context.Context) (unlock func(), err error)
	close()
}

// Dirent is one name in a folder and the type bits of what it names.
type Dirent struct {
	Name string
	Type fs.FileMode
}

// moving says what a move does where its new name is taken.
type moving int

const (
	over     moving = iota // replaces what has the name
	ifFree                 // fails with fs.ErrExist
	swapping               // gives what has the name the old one; ErrUnsupported where that can't be done at once
)

// handle is what File needs of an open file.
type handle interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.Closer
	stat() (Info, error)
	sync() error
	truncate(size int64) error
	chmod(mode fs.FileMode) error
	chown(like Info) error
	// attributes are the extended ones that a file which takes another's place must carry on.
	attributes() (attributes, error)
	setAttributes(attributes) error
	// isSettled reports that nobody has the file open for writing; false where the system doesn't tell.
	isSettled() bool
	// tryLock takes the file's lock for this process, or fails with ErrBusy.
	tryLock() error
}

// attributes are extended attributes by name: the user's own, and access control lists.
type attributes map[string][]byte

// examineByDevice is examine for where the system doesn't tell of mounts: another device number gives most away.
func examineByDevice(dir folder, name string) (Info, bool, error) {
	info, err := dir.lstat(name)
	if err != nil || name == "." {
		return info, false, err
	}
	here, err := dir.lstat(".")
	return info, here.dev != info.dev, err
}

func exists(dir folder, name string) bool {
	_, err := dir.lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// isGone looks again for a name that nothing had at the first look: FUSE file systems that look for the path of what they had found
// miss a file that another one is replacing, and ntfs-3g removes the old one first.
func isGone(dir folder, name string) bool {
	if exists(dir, name) || exists(dir, name) {
		return false
	}
	if served, ok := dir.(interface{ isFUSE() bool }); !ok || !served.isFUSE() {
		return true
	}
	for range 3 {
		if time.Sleep(time.Millisecond); exists(dir, name) {
			return false
		}
	}
	return true
}

// moveFree moves within a folder, to a name that must be free.
func moveFree(dir folder, name, to string) error { return dir.move(name, dir, to, ifFree) }

func folderID(dir folder) (string, error) {
	info, err := dir.lstat(".")
	return info.ID(), err
}

// folding is what is known of how a folder finds names.
type folding int

const (
	foldingUnknown folding = iota
	foldingNever
	foldingAlways
)

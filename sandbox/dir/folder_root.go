package dir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// rootFolder is a folder as an os.Root: portable, and slower than descriptors. os.Root follows
// links that stay inside, so every open compares the opened file with the one that Lstat saw under
// that name.
type rootFolder struct {
	root  *os.Root
	top   *os.Root // the root that was opened by its path
	path  string   // from top to this folder
	noIDs bool     // the file system gives a file another ID with another name: Info has none
}

func openPortable(path string) (Folder, error) {
	if st, err := os.Stat(path); err == nil && !st.IsDir() { // OpenRoot would block on a FIFO
		return nil, ErrNotFolder
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	noIDs, err := losesIDs(root)
	if err != nil {
		root.Close()
		return nil, err
	}
	return rootFolder{root: root, top: root, path: ".", noIDs: noIDs}, nil
}

func (f rootFolder) Lstat(name string) (Info, error) {
	info, err := lookIn(f.root, name)
	return f.stable(info), err
}

// stable is info without an ID that a rename would change.
func (f rootFolder) stable(info Info) Info {
	if f.noIDs {
		info.Dev, info.Ino = 0, 0
	}
	return info
}

func (rootFolder) System() System { return System{} }

func (rootFolder) Number() (fd int, ok bool) { return -1, false }

func (f rootFolder) Examine(name string) (Info, bool, error) { return examineByDevice(f, name) }

func (f rootFolder) Chmod(mode fs.FileMode) error { return f.root.Chmod(".", mode) }
func (f rootFolder) SyncAll() error               { return ErrUnsupported }
func (f rootFolder) Chown(owner Info) error       { return f.root.Chown(".", int(owner.UID), int(owner.GID)) }

func (f rootFolder) Attributes() (Attributes, error) {
	itself, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer itself.Close()
	return readAttributes(int(itself.Fd()))
}

func (f rootFolder) SetAttributes(a Attributes) (lost Attributes, err error) {
	itself, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer itself.Close()
	return writeAttributes(int(itself.Fd()), a)
}

func (f rootFolder) Chtimes(name string, modified time.Time) error {
	return f.root.Chtimes(name, time.Time{}, modified)
}

func (f rootFolder) Readlink(name string) (string, error) { return f.root.Readlink(name) }

func (f rootFolder) ListFirst(ctx context.Context, l *FirstNames) error {
	dir, err := f.root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		entries, err := dir.ReadDir(1000)
		n := len(l.Names)
		for _, e := range entries {
			if l.wants([]byte(e.Name())) {
				l.Names = append(l.Names, Dirent{Name: e.Name(), Type: e.Type()})
			}
		}
		l.weigh(n)
		if err != nil || len(entries) == 0 {
			return IgnoreEOF(err)
		}
	}
}

func (f rootFolder) Sub(name string) (Folder, error) {
	before, err := f.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() { // OpenRoot would block on a FIFO
		return nil, ErrNotFolder
	}
	sub, err := f.root.OpenRoot(name)
	if err != nil {
		return nil, moved(err)
	}
	after, err := sub.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = ErrBusy
	}
	if err != nil {
		sub.Close()
		return nil, err
	}
	return rootFolder{root: sub, top: f.top, path: f.at(name), noIDs: f.noIDs}, nil
}

// moved names the errors that os.Root reports without an error number: a name leads outside, or
// isn't a folder. The name was checked a moment ago, so something else has taken it since.
func moved(err error) error {
	if _, ok := errors.AsType[syscall.Errno](err); ok {
		return err
	}
	return ErrBusy
}

func (f rootFolder) Descend(string) (Folder, error) { return nil, ErrUnsupported }

func (f rootFolder) Open(name string, flag int) (*File, error) {
	before, err := f.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, ErrNotFile
	}
	file, err := f.root.OpenFile(name, flag|nonBlocking, 0)
	if err != nil {
		return nil, moved(err)
	}
	after, err := file.Stat()
	if err == nil && !os.SameFile(before, after) {
		err = ErrBusy
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return newFile(osHandle{file, f})
}

func (f rootFolder) OpenOnce(name string, flag int) (*File, error) { return f.Open(name, flag) }

func (f rootFolder) Create(name string, perm fs.FileMode) (*File, error) {
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm.Perm())
	if err != nil {
		return nil, err
	}
	return created(f, name, osHandle{file, f})
}

func (f rootFolder) Mkdir(name string, perm fs.FileMode) error {
	return f.root.Mkdir(name, perm.Perm())
}
func (f rootFolder) Remove(name string) error { return f.root.Remove(name) }

func (f rootFolder) RemoveFolder(name string) error {
	before, err := f.root.Lstat(name)
	if err == nil && !before.IsDir() {
		err = ErrNotFolder
	}
	if err != nil {
		return err
	}
	return f.root.Remove(name)
}

// at is the path of name, relative to the top.
func (f rootFolder) at(name string) string {
	if f.path == "." {
		return name
	}
	return f.path + "/" + name
}

func (f rootFolder) Symlink(target, name string) error { return f.root.Symlink(target, name) }

// isUnsupported reports whether an error says that there are no hard links.
func isUnsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(Classify(err), ErrPermission)
}

func (f rootFolder) May(name string, right Right) bool {
	st, err := f.root.Stat(name)
	return err == nil && mayAccess(st, right)
}

func (f rootFolder) Sync() error {
	dir, err := f.root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	return syncFolder(dir)
}

// Lock opens the folder twice: the lock of the system is on the first, and the second is used for
// as long as the lock is held.
func (f rootFolder) Lock(ctx context.Context) (*Lock, error) {
	dir, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	own, err := f.root.OpenRoot(".")
	if err != nil {
		dir.Close()
		return nil, err
	}
	free := func() {
		own.Close()
		dir.Close()
	}
	f.root = own
	return lockOf(ctx, f, foldersLock, func() error { return tryLock(dir) }, free)
}

// Refresh does nothing: only Descriptor, on Linux, has a way to do this.
func (rootFolder) Refresh(string) {}

func (f rootFolder) Close() { f.root.Close() }

func (f rootFolder) Index() (string, error) {
	info, err := lookIn(f.root, ".")
	return info.ID(), err
}

// osHandle is an open file of package os.
type osHandle struct {
	*os.File
	in rootFolder
}

func (h osHandle) Stat() (Info, error) {
	info, err := lookAt(h.File)
	return h.in.stable(info), err
}

func (h osHandle) ReadSome(b []byte, off int64) (int, error) { return h.ReadAt(b, off) }

func (h osHandle) Attributes() (Attributes, error) { return readAttributes(int(h.Fd())) }

func (h osHandle) SetAttributes(a Attributes) (lost Attributes, err error) {
	return writeAttributes(int(h.Fd()), a)
}

func (h osHandle) StartSync()                {}
func (h osHandle) IsSettled() (is, has bool) { return false, false }
func (h osHandle) TryLock() error            { return tryLock(h.File) }
func (h osHandle) Chown(owner Info) error    { return chownTo(h.File, owner) }

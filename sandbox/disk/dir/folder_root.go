package dir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/disk/system"
)

// rootFolder is a folder as an os.Root: portable, and slower than descriptors. os.Root follows
// links that stay inside, so every open compares the opened file with the one that Lstat saw under
// that name.
type rootFolder struct {
	osNode // the folder itself, open for what os.Root has no function for
	root   *os.Root
	noIDs  bool // the file system gives a file another ID with another name: Info has none
}

func openPortable(path string) (Folder, error) {
	if st, err := os.Stat(path); err == nil && !st.IsDir() { // OpenRoot would block on a FIFO
		return nil, fserr.ErrNotFolder
	}
	f, err := rootFolder{}.opened(os.OpenRoot(path))
	if err != nil {
		return nil, err
	}
	if f.noIDs, err = stat.LosesIDs(f.File); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// opened is another folder, of what an open returned, on the file system of f.
func (f rootFolder) opened(root *os.Root, err error) (rootFolder, error) {
	if err != nil {
		return f, err
	}
	itself, err := root.Open(".")
	if err != nil {
		root.Close()
		return f, err
	}
	return rootFolder{osNode{itself}, root, f.noIDs}, nil
}

func (f rootFolder) Lstat(name string) (stat.Info, error) {
	info, err := stat.LookIn(f.root, name)
	return f.stable(info), err
}

func (f rootFolder) LstatNow(name string) (stat.Info, error) { return f.Lstat(name) }

// stable is info without an ID that a rename would change.
func (f rootFolder) stable(info stat.Info) stat.Info {
	if f.noIDs {
		info.Dev, info.Ino = 0, 0
	}
	return info
}

func (rootFolder) System() filesystem.System { return filesystem.System{} }

func (f rootFolder) Number() int { return int(f.Fd()) }

func (f rootFolder) Examine(name string) (stat.Info, bool, error) { return examineByDevice(f, name) }

func (f rootFolder) Chmod(mode fs.FileMode) error { return f.root.Chmod(".", mode) }
func (f rootFolder) Sync() error                  { return system.SyncDir(f.File) }
func (f rootFolder) SyncAll() error               { return fserr.ErrUnsupported }

func (f rootFolder) Chtimes(name string, modified time.Time) error {
	return f.root.Chtimes(name, time.Time{}, modified)
}

func (f rootFolder) Readlink(name string) (string, error) { return f.root.Readlink(name) }

// ListFirst opens the folder once more: under Wine, what is open lists the same names for ever.
func (f rootFolder) ListFirst(ctx context.Context, l *FirstNames) error {
	again, err := f.root.Open(".")
	if err != nil {
		return err
	}
	defer again.Close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		entries, err := again.ReadDir(1000)
		n := len(l.Names)
		for _, e := range entries {
			if l.wants([]byte(e.Name())) {
				l.Names = append(l.Names, Dirent{Name: e.Name(), Type: e.Type()})
			}
		}
		l.weigh(n)
		if err != nil || len(entries) == 0 {
			return fserr.IgnoreEOF(err)
		}
	}
}

func (f rootFolder) Sub(name string) (Folder, error) {
	before, err := f.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() { // OpenRoot would block on a FIFO
		return nil, fserr.ErrNotFolder
	}
	sub, err := f.opened(f.root.OpenRoot(name))
	if err != nil {
		return nil, moved(err)
	}
	if err := sub.mustBe(before); err != nil {
		sub.Close()
		return nil, err
	}
	return sub, nil
}

// moved names the errors that os.Root reports without an error number: a name leads outside, or
// isn't a folder. The name was checked a moment ago, so something else has taken it since.
func moved(err error) error {
	if _, ok := errors.AsType[syscall.Errno](err); ok {
		return err
	}
	return fserr.ErrBusy
}

func (f rootFolder) Descend(string) (Folder, error) { return nil, fserr.ErrUnsupported }

func (f rootFolder) Open(name string, flag int) (*openfile.File, error) {
	before, err := f.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, fserr.ErrNotFile
	}
	file, err := f.root.OpenFile(name, flag|system.NonBlocking, 0)
	if err != nil {
		return nil, moved(err)
	}
	h := osHandle{osNode{file}, f}
	if err := h.mustBe(before); err != nil {
		file.Close()
		return nil, err
	}
	return openfile.New(h)
}

func (f rootFolder) OpenOnce(name string, flag int) (*openfile.File, error) {
	return f.Open(name, flag)
}

func (f rootFolder) OpenCached(name string) (*openfile.File, error) {
	return f.Open(name, os.O_RDONLY)
}

func (f rootFolder) Create(name string, perm fs.FileMode) (*openfile.File, error) {
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm.Perm())
	if err != nil {
		return nil, err
	}
	return created(f, name, osHandle{osNode{file}, f})
}

func (f rootFolder) Mkdir(name string, perm fs.FileMode) error {
	return f.root.Mkdir(name, perm.Perm())
}
func (f rootFolder) Remove(name string) error { return f.root.Remove(name) }

func (f rootFolder) RemoveFolder(name string) error {
	before, err := f.root.Lstat(name)
	if err == nil && !before.IsDir() {
		err = fserr.ErrNotFolder
	}
	if err != nil {
		return err
	}
	return f.root.Remove(name)
}

func (f rootFolder) Symlink(target, name string) error { return f.root.Symlink(target, name) }

func (f rootFolder) HardLink(name string, to Folder, newName string) error {
	return linkName(f, name, to, newName)
}

func (f rootFolder) Move(name string, to Folder, newName string, how Moving) error {
	return moveName(f, name, to, newName, how)
}

func (f rootFolder) May(name string, right rights.Right) bool {
	return rights.May(f.root, f.Number(), name, right)
}

func (f rootFolder) Reopen() (Folder, error) {
	again, err := f.opened(f.root.OpenRoot("."))
	if err != nil {
		return nil, err
	}
	return again, nil
}

// Unlock is for Descriptor: see System.
func (rootFolder) Unlock() {}

func (rootFolder) LocksAll() bool { return system.LocksDirs }

// Refresh does nothing: only Descriptor, on Linux, has a way to do this.
func (rootFolder) Refresh(string, filesystem.Caches, *Listing) error { return nil }
func (rootFolder) Renew(string)                                      {}
func (rootFolder) RenewPath([]string, filesystem.Caches) error       { return nil }
func (rootFolder) RenewLease(string, string) bool                    { return false }

func (f rootFolder) Close() {
	f.File.Close()
	f.root.Close()
}

func (f rootFolder) Index() (string, error) {
	info, err := stat.LookAt(f.File)
	return info.ID(), err
}

// osNode is an open file or folder of package os.
type osNode struct{ *os.File }

// mustBe fails with ErrBusy if what was opened isn't what had its name before.
func (n osNode) mustBe(before fs.FileInfo) error {
	after, err := n.File.Stat()
	if err == nil && !os.SameFile(before, after) {
		err = fserr.ErrBusy
	}
	return err
}

func (n osNode) Chown(owner stat.Info) error { return rights.ChownTo(n.File, owner) }

func (n osNode) Attributes() (rights.Attributes, error) { return rights.ReadAttributes(int(n.Fd())) }

func (n osNode) SetAttributes(a rights.Attributes) (lost rights.Attributes, err error) {
	return rights.WriteAttributes(int(n.Fd()), a)
}

func (n osNode) TryLock() error { return system.TryLock(n.File) }

// osHandle is an open file of package os.
type osHandle struct {
	osNode
	in rootFolder
}

func (h osHandle) Stat() (stat.Info, error) {
	info, err := stat.LookAt(h.File)
	return h.in.stable(info), err
}

func (h osHandle) ReadSome(b []byte, off int64) (int, error) { return h.ReadAt(b, off) }
func (h osHandle) StartSync()                                {}
func (h osHandle) IsSettled() (is, has bool)                 { return false, false }
func (h osHandle) Named() openfile.Named                     { return openfile.NamesThis }
func (h osHandle) CloseAtOnce()                              {}

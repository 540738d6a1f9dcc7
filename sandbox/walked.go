package sandbox

import (
	"context"
	"os"
	"sync"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
)

// Folder is an open folder, for walks: names in it are single components, and no link is followed.
type Folder struct {
	w      *finder
	dir    dir.Folder
	listed bool   // its position in the list has moved
	Asked  string // the path given to OpenFolder; empty for folders below it
	Path   string // the same path with links resolved

	once  sync.Once
	keeps bool // see keepsHandles
}

// OpenFolder opens a folder for a walk. Symbolic links that stay inside are followed.
func (w *Workspace) OpenFolder(path string) (*Folder, error) {
	p, err := w.Locate(path, Purpose{Follow: true})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return w.openFolder(p)
}

func (w *finder) openFolder(p *Target) (*Folder, error) {
	switch {
	case !p.Exists:
		return nil, p.Fail(fserr.ErrNotFound)
	case !p.Info.Mode.IsDir():
		return nil, p.Fail(fserr.ErrNotFolder)
	}
	dir, err := p.Folder.Sub(p.Name) // also for the root: a descriptor has one position in its list, so two walks can't share it
	if err != nil {
		return nil, p.Fail(NotFollowed(err))
	}
	return &Folder{w: w, dir: dir, Asked: p.Asked, Path: p.Path}, nil
}

// OpenStart opens where a search starts, a folder or a regular file; the other one is nil. Symbolic
// links that stay inside are followed.
func (w *Workspace) OpenStart(path string) (folder *Folder, file *openfile.File, err error) {
	err = w.opening(path, Purpose{Follow: true}, func(p *Target) error {
		if p.Exists && p.Info.Mode.IsDir() {
			folder, err = w.openFolder(p)
		} else {
			file, err = p.Open(os.O_RDONLY)
		}
		return err
	})
	return folder, file, err
}

// List gives the names that don't come before from, unsorted and without "." and "..". Of a folder
// with very many names it gives those up to bound, which is "" if it gives all. It always gives
// .git and the ignore files, if they exist. share is how many lists may be held at once.
func (f *Folder) List(ctx context.Context, from string, share int) (names []dir.Dirent, bound string, err error) {
	l := dir.FirstNames{From: from, Share: share, Fresh: !f.listed}
	f.listed = true
	err = f.dir.ListFirst(ctx, &l)
	return l.Names, l.Bound, classified(err)
}

// Folder opens a child folder.
func (f *Folder) Folder(name string) (*Folder, error) {
	folder, err := f.dir.Sub(name)
	if err != nil {
		return nil, classified(err)
	}
	if err := f.w.RefuseHidden(func() (stat.Info, error) { return folder.Lstat(".") }); err != nil {
		folder.Close()
		return nil, classified(err)
	}
	return &Folder{w: f.w, dir: folder}, nil
}

// File opens a regular file without ever blocking.
func (f *Folder) File(name string) (*openfile.File, error) {
	file, err := f.dir.OpenCached(name)
	if err == nil && file.Info.Links > 1 { // else the guarded path is its only one, and the policy knows that
		err = f.w.RefuseHidden(func() (stat.Info, error) { return file.Info, nil })
	}
	if err != nil && file != nil {
		file.Close()
		file = nil
	}
	if file != nil && !f.keepsHandles(file.Info.Dev) {
		file.CloseAtOnce()
	}
	return file, classified(err)
}

// keepsHandles reports whether Linux may keep the handle of a file for whoever opens it next, as it
// does on SMB: see isOtherNow. dev is the device of any file in the folder.
func (f *Folder) keepsHandles(dev uint64) bool {
	f.once.Do(func() { f.keeps = f.w.mounts == nil || f.w.mounts.HasServerNumbers(dev) })
	return f.keeps
}

// Lstat describes one name.
func (f *Folder) Lstat(name string) (stat.Info, error) {
	info, err := f.dir.Lstat(name)
	return info, classified(err)
}

// Close closes the folder.
func (f *Folder) Close() error {
	f.dir.Close()
	return nil
}

// classified gives errors about a single name their kind; the walk knows the path. Cancellation is
// returned unchanged.
func classified(err error) error {
	if err == nil || fserr.IsCanceled(err) {
		return err
	}
	return fserr.Classify(NotFollowed(err))
}

// smallFolder is how many bytes of names don't count.
const smallFolder = 64 << 10

// tellSize are the file systems that give a folder with many names a large size, and how many bytes
// of a list (see dir.NameBytes) one byte of that size may be. On tmpfs a name of any length counts
// as 20 bytes; in a list it takes 24, and up to 255 for itself.
var tellSize = map[string]int64{"ext4": 1, "xfs": 1, "btrfs": 1, "f2fs": 1, "tmpfs": 14}

// NameBytes is about how many bytes the names in a folder take while they are listed, if they are
// many; 0 for what isn't a folder.
func (w *Workspace) NameBytes(ctx context.Context, path string) (int, error) {
	p, err := w.Locate(path, Purpose{Follow: true})
	if err != nil {
		return 0, err
	}
	defer p.Close()
	weight := tellSize[p.Folder.System().Kind]
	isSmall := weight > 0 && p.Info.Size*weight < smallFolder
	if !p.Exists || !p.Info.Mode.IsDir() || isSmall {
		return 0, nil
	}
	folder, err := p.Folder.Sub(p.Name)
	if err != nil {
		return 0, err
	}
	defer folder.Close()
	bytes, err := dir.NameBytes(ctx, folder)
	if fserr.IsCanceled(err) { // there are too many to be counted in time
		return dir.MaxNameBytes, nil
	}
	return min(bytes, dir.MaxNameBytes), err
}

package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
)

// Folder is an open folder, for walks: names in it are single components, and no link is followed.
type Folder struct {
	w     *Workspace
	dir   folder
	Asked string // path of the folder that OpenFolder was asked for; empty below it
	Path  string // the same with links resolved
}

// OpenFolder opens a folder for a walk. Symbolic links that stay inside are followed.
func (w *Workspace) OpenFolder(path string) (*Folder, error) {
	p, err := w.locate(path, purpose{follow: true})
	if err != nil {
		return nil, err
	}
	defer p.close()
	switch {
	case !p.exists:
		return nil, p.fail(ErrNotFound)
	case !p.info.Mode.IsDir():
		return nil, p.fail(ErrNotFolder)
	}
	dir, err := p.folder.sub(p.name) // the root too: a descriptor has one position in its list, so two walks can't share it
	if err != nil {
		return nil, p.fail(notFollowed(err))
	}
	return &Folder{w: w, dir: dir, Asked: p.asked, Path: p.path}, nil
}

// List gives the names but "." and "..", unsorted, that don't come before from. Of a folder with very many it gives those up to
// bound, which is "" for all. Names of ignore files and .git it gives in any case.
func (f *Folder) List(ctx context.Context, from string) (names []Dirent, bound string, err error) {
	l := firstNames{from: from}
	err = f.dir.listFirst(ctx, &l)
	return l.names, l.bound, named(err)
}

// Folder opens a child folder.
func (f *Folder) Folder(name string) (*Folder, error) {
	dir, err := f.dir.sub(name)
	if err != nil {
		return nil, named(err)
	}
	if err := f.w.hiddenFolder(func() (Info, error) { return dir.lstat(".") }); err != nil {
		dir.close()
		return nil, named(err)
	}
	return &Folder{w: f.w, dir: dir}, nil
}

// File opens a regular file without ever blocking.
func (f *Folder) File(name string) (*File, error) {
	file, err := f.dir.open(name, os.O_RDONLY)
	return file, named(err)
}

// Lstat describes one name.
func (f *Folder) Lstat(name string) (Info, error) {
	info, err := f.dir.lstat(name)
	return info, named(err)
}

// Close closes the folder.
func (f *Folder) Close() error {
	f.dir.close()
	return nil
}

// named gives errors about a single name their kind; the walk knows the path. The caller's own cancellation stays as it is.
func named(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return classify(notFollowed(err))
}

// OpenWalked opens a regular file that a walk has named and judged: no symbolic link on the way is followed.
func (w *Workspace) OpenWalked(path string) (*File, error) {
	f, err := w.root.openDeep(path)
	if !errors.Is(err, ErrUnsupported) && !errors.Is(err, fs.ErrNotExist) { // see fdFolder.present
		return f, named(err)
	}
	p, err := w.find(request{asked: path, names: strings.Split(path, "/")}, false)
	if err != nil {
		return nil, err
	}
	defer p.close()
	if p.viaLink {
		return nil, p.fail(ErrBusy) // a folder of the walk became a link
	}
	return p.open(os.O_RDONLY)
}

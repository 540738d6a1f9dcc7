package sandbox

import (
	"context"
	"errors"
	"io/fs"

	"fsbox/sandbox/dir"
)

// newFolderMode is reduced by the umask of the process.
const newFolderMode = 0o777

// Made reports what Mkdir did.
type Made struct {
	Path           string // relative to the root, links not resolved
	Created        bool   // false if the folder existed already
	ParentsCreated int
}

// Mkdir makes a folder, with its missing parents if parents is set. It is no error if the folder
// exists. ErrNotFolder if a file has the name, ErrNotFound if a parent is missing.
func (w *Workspace) Mkdir(ctx context.Context, path string, parents bool) (*Made, error) {
	return retryOnCollision(w.named(path), func() (*Made, error) { return w.mkdirOnce(ctx, path, parents) })
}

func (w *Workspace) mkdirOnce(ctx context.Context, path string, parents bool) (*Made, error) {
	p, err := w.locate(path, purpose{follow: true, write: true, folder: true})
	if err != nil {
		return nil, err
	}
	defer p.close()
	unlock, err := w.lock(ctx, p)
	switch {
	case err == nil:
		defer unlock()
	case !errors.Is(err, fs.ErrPermission): // a folder that can't be read can't be locked either, but may still get new names
		return nil, own(p, err)
	}
	switch {
	case p.exists && p.info.Mode.IsDir():
		return &Made{Path: p.asked}, nil
	case p.exists:
		return nil, p.fail(dir.ErrNotFolder)
	case len(p.missing) > 1 && !parents:
		return nil, p.fail(dir.ErrNotFound)
	}
	made := &Made{Path: p.asked, ParentsCreated: len(p.missing) - 1}
	undo, err := w.makeParents(p)
	if err == nil {
		made.Created, err = w.makeFolder(p)
	}
	if err != nil && !errors.Is(err, dir.ErrDurability) {
		undo()
		return nil, own(p, err)
	}
	return made, own(p, err)
}

// makeFolder makes the last folder. created is false if somebody else made it meanwhile.
func (w *Workspace) makeFolder(p *place) (created bool, err error) {
	err = p.folder.Mkdir(p.name, newFolderMode)
	if errors.Is(err, fs.ErrExist) { // someone was faster
		info, statErr := p.folder.Lstat(p.name)
		if statErr == nil && info.Mode.IsDir() {
			return false, nil
		}
		return false, dir.ErrNotFolder
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, dir.ErrCollision // the folder above was removed
	}
	if err != nil {
		return false, err
	}
	return true, w.syncNames(p.folder)
}

// makeParents makes the missing folders above the place's name, syncs each into the folder above
// it, and moves the place into the last of them. undo removes the new folders, for a write that
// fails later.
func (w *Workspace) makeParents(p *place) (undo func(), err error) {
	type link struct {
		in   dir.Folder
		name string
	}
	var made []link
	undo = func() {
		for i := len(made) - 1; i >= 0; i-- {
			_ = made[i].in.RemoveFolder(made[i].name) // not empty: somebody else uses it by now
		}
	}
	for ; len(p.missing) > 1; p.missing = p.missing[1:] {
		name := p.missing[0]
		err := p.folder.Mkdir(name, newFolderMode)
		switch {
		case err == nil:
			made = append(made, link{p.folder, name})
			if w.noSync {
				break
			}
			if err := p.folder.Sync(); err != nil {
				return undo, err // not ErrDurability: the requested change is not made yet
			}
		case errors.Is(err, fs.ErrNotExist):
			return undo, dir.ErrCollision // the folder above was removed
		case !errors.Is(err, fs.ErrExist):
			return undo, err
		}
		sub, err := p.folder.Sub(name)
		if errors.Is(err, fs.ErrNotExist) {
			err = dir.ErrCollision
		}
		if err != nil {
			return undo, err
		}
		p.opened = append(p.opened, sub)
		p.folder = sub
	}
	return undo, nil
}

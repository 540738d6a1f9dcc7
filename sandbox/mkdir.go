package sandbox

import (
	"context"
	"errors"
	"io/fs"

	"fsbox/sandbox/dir"
)

// newFolderMode is cut down by the process's umask.
const newFolderMode = 0o777

// Made reports what Mkdir did.
type Made struct {
	Path           string // as it was asked, relative to the root
	Created        bool   // false if the folder was there
	ParentsCreated int
}

// Mkdir makes a folder, with its missing parents if parents is set. One that exists is no error; ErrNotFolder if a file is
// in its place, ErrNotFound if a parent is missing.
func (w *Workspace) Mkdir(ctx context.Context, path string, parents bool) (*Made, error) {
	return settled(w.named(path), func() (*Made, error) { return w.mkdirOnce(ctx, path, parents) })
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
	case !errors.Is(err, fs.ErrPermission): // a folder that can't be read, and so not locked either, may still take new names
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
		return false, dir.ErrCollision // the folder that was to hold it is gone
	}
	if err != nil {
		return false, err
	}
	return true, w.settle(p.folder)
}

// makeParents makes the folders that are missing between the place's folder and its name, each synced into the one above,
// and moves the place down into the last of them. undo removes what was made, for a write that fails after all.
func (w *Workspace) makeParents(p *place) (undo func(), err error) {
	type link struct {
		in   dir.Folder
		name string
	}
	var made []link
	undo = func() {
		for i := len(made) - 1; i >= 0; i-- {
			_ = made[i].in.RemoveFolder(made[i].name) // not empty: someone else uses it by now
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
				return undo, err // not ErrDurability: what was asked for is not in place yet
			}
		case errors.Is(err, fs.ErrNotExist):
			return undo, dir.ErrCollision // the folder that was to hold it is gone
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

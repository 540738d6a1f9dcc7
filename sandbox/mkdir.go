package sandbox

import (
	"context"
	"errors"
	"io/fs"

	"fsbox/sandbox/dir"
)

// Mkdir makes a folder, with its missing parents if parents is set. It is no error if the folder
// exists. ErrNotFolder if a file has the name, ErrNotFound if a parent is missing.
func (w *Workspace) Mkdir(ctx context.Context, path string, parents bool) (*Done, error) {
	return retryOnCollision(w.Shown(path), func() (*Done, error) { return mkdirOnce(ctx, w, path, parents) })
}

func mkdirOnce(ctx context.Context, w *Workspace, path string, parents bool) (*Done, error) {
	p, err := w.Locate(path, Purpose{Follow: true, Write: true, Folder: true})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	h := lockSet{w: w, ctx: ctx, stay: true}
	defer h.release()
	err = h.lock(p)
	switch {
	case err != nil && !errors.Is(err, fs.ErrPermission): // a folder that can't be read can't be locked either, but may still get new names
		return nil, err
	case p.Exists && p.Info.Mode.IsDir():
		return &Done{Path: p.Asked, Existed: true}, nil
	case p.Exists:
		return nil, p.Fail(dir.ErrNotFolder)
	case len(p.Missing) > 1 && !parents:
		return nil, p.Fail(dir.ErrNotFound)
	}
	made := &Done{Path: p.Asked, ParentsCreated: p.NewParents()}
	err = w.changing(ctx, func() error { return h.makeFolder(p) })
	return reported(made, p.Fail(h.rollbackUnlessCommitted(err)))
}

// makeFolder makes a folder, and its parents before it.
func (h *lockSet) makeFolder(p *Target) error {
	err := h.makeParents(p)
	if err != nil {
		return err
	}
	err = makeIn(p.Folder, p.Name, newFolderMode)
	if dir.IsAny(err, fs.ErrExist, fs.ErrNotExist) { // somebody was faster, or removed the folder above
		return dir.ErrCollision
	}
	if err != nil {
		return err
	}
	return h.w.syncNames(p.Folder)
}

// makeIn makes a folder in another one. A network file system may make it and answer an error, if
// the answer of its server was lost.
func makeIn(in dir.Folder, name string, mode fs.FileMode) error {
	err := in.Mkdir(name, mode)
	if err == nil || dir.IsAny(err, fs.ErrExist, fs.ErrNotExist) {
		return err
	}
	if now, failed := in.Lstat(name); failed == nil && now.Mode.IsDir() {
		return nil
	}
	return err
}

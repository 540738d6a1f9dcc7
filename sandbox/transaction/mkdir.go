package transaction

import (
	"context"
	"errors"
	"io/fs"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/plan"
)

// Mkdir makes a folder, with its missing parents if parents is set. It is no error if the folder
// exists. ErrNotFolder if a file has the name, ErrNotFound if a parent is missing.
func Mkdir(ctx context.Context, w *sandbox.Workspace, path string, parents bool) (*Done, error) {
	return plan.RetryOnCollision(ctx, w.Shown(path), func() (*Done, error) { return mkdirOnce(ctx, w, path, parents) })
}

func mkdirOnce(ctx context.Context, w *sandbox.Workspace, path string, parents bool) (*Done, error) {
	p, err := w.Locate(path, sandbox.Purpose{Follow: true, Write: true, Folder: true})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	h := plan.LockSet{Workspace: w, Ctx: ctx, Stay: true}
	defer h.Release()
	err = h.Lock(p)
	switch {
	case err != nil && !errors.Is(err, fs.ErrPermission): // a folder that can't be read can't be locked either, but may still get new names
		return nil, err
	case p.Exists && p.Info.Mode.IsDir():
		return &Done{Path: p.Asked, Existed: true}, nil
	case p.Exists:
		return nil, p.Fail(fserr.ErrNotFolder)
	case len(p.Missing) > 1 && !parents:
		return nil, p.Fail(fserr.ErrNotFound)
	}
	made := &Done{Path: p.Asked, ParentsCreated: p.NewParents()}
	err = plan.Make(ctx, w, func() error { return makeFolder(&h, p) })
	return reported(made, p.Fail(h.RollbackUnlessCommitted(err)))
}

// makeFolder makes a folder, and its parents before it.
func makeFolder(h *plan.LockSet, p *sandbox.Target) error {
	err := h.MakeParents(p)
	if err != nil {
		return err
	}
	err = plan.MakeFolder(p.Folder, p.Name, plan.NewFolderMode)
	if fserr.IsAny(err, fs.ErrExist, fs.ErrNotExist) { // somebody was faster, or removed the folder above
		return fserr.ErrCollision
	}
	if err != nil {
		return err
	}
	return plan.SyncNames(h.Workspace, p.Folder)
}

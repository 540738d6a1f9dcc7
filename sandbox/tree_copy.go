package sandbox

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"fsbox/sandbox/dir"
)

// treeCopy copies a file, or a folder with everything in it, to a free name in another folder.
// Links are copied as links.
type treeCopy struct {
	from     dir.Folder
	name     string
	to       dir.Folder
	newName  string
	faithful bool // also copy the owner, as far as possible, and leave out special files; else the copy belongs to the process
	sync     bool

	at *dir.Descent // the current folder of the copy
	id string       // ID of the copy's top folder

	lost Lost
}

// run makes the whole copy, or leaves nothing.
func (c *treeCopy) run(ctx context.Context) error {
	c.at = dir.Descend(c.to)
	defer c.at.Close()
	err := walkTree(ctx, c.from, c.name, visitor{
		enter: func(e treeEntry) error { return c.enter(ctx, e) },
		leave: c.leave,
	})
	if err == nil && c.sync {
		err = onNew(syncTree(ctx, c.to, c.newName))
	}
	if err != nil {
		c.at.Close()
		_ = removeTree(context.WithoutCancel(ctx), c.to, c.newName)
	}
	return err
}

// madeError is an error with the copy, not with the original.
type madeError struct{ err error }

func (e *madeError) Error() string { return e.err.Error() }
func (e *madeError) Unwrap() error { return e.err }

func onNew(err error) error {
	if err == nil {
		return nil
	}
	return &madeError{err}
}

// nameOf is the name of an entry in the copy.
func (c *treeCopy) nameOf(e treeEntry) string {
	if e.path == "" {
		return c.newName
	}
	return e.name
}

func (c *treeCopy) enter(ctx context.Context, e treeEntry) error {
	in, name := c.at.Here(), c.nameOf(e)
	switch {
	case e.info.Mode.IsDir() && e.path != "" && e.info.ID() == c.id && e.info.Ino != 0: // the copy itself, reached through another mount
		return dir.PathInItself
	case e.info.Mode.IsDir():
		return onNew(c.makeFolder(in, name))
	case e.info.IsLink():
		text, err := e.readlink()
		if err != nil {
			return err
		}
		return onNew(in.Symlink(text, name))
	case e.info.Mode.IsRegular():
		return c.copyFile(ctx, e, in, name)
	case c.faithful:
		return nil
	}
	return &dir.PathError{Type: dir.TypeName(e.info.Mode), Err: dir.ErrNotFile}
}

func (c *treeCopy) makeFolder(in dir.Folder, name string) error {
	if err := in.Mkdir(name, 0o700); err != nil {
		return err
	}
	if err := c.at.Down(name); err != nil {
		return err
	}
	if c.id == "" {
		c.id = c.at.Levels[1].ID
	}
	return nil
}

// leave gives a folder its owner and mode after everything is in it: they may forbid to add
// anything.
func (c *treeCopy) leave(e treeEntry) error {
	folder, mode := c.at.Here(), e.info.Mode&^fs.ModeType
	if !c.faithful {
		mode &^= dir.SetID
	}
	made, err := folder.Lstat(".")
	if err != nil {
		return onNew(err)
	}
	if c.faithful && (e.info.UID != made.UID || e.info.GID != made.GID) && folder.Chown(e.info) != nil {
		c.lost.Owner = true
		mode &^= dir.SetID
	}
	if err := folder.Chmod(mode); err != nil {
		return onNew(err)
	}
	if err := c.at.Up(); err != nil {
		return onNew(err)
	}
	c.keepTime(c.at.Here(), c.nameOf(e), e.info)
	return nil
}

// keepTime gives a faithful copy the modification time of the original. It does so only if the
// system also has a time of the last change, which tells the age of the copy: see isYoung.
func (c *treeCopy) keepTime(in dir.Folder, name string, of dir.Info) {
	if c.faithful && of.Changed != 0 {
		_ = in.Chtimes(name, of.Modified)
	}
}

func (c *treeCopy) copyFile(ctx context.Context, e treeEntry, in dir.Folder, name string) error {
	f, err := e.dir.Open(e.name, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	if f.Info.ID() != e.info.ID() {
		return dir.ErrBusy
	}
	made, err := in.Create(name, 0o600)
	if err != nil {
		return onNew(err)
	}
	defer made.Close()
	if err := copyContent(ctx, f, made); err != nil {
		return err
	}
	if err := c.takeOver(f, made); err != nil {
		return err
	}
	c.keepTime(in, name, f.Info)
	return nil
}

func copyContent(ctx context.Context, from *dir.File, to io.Writer) error {
	block := make([]byte, min(dir.ReadBlock, from.Info.Size+1))
	for at := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := from.ReadAt(block, at)
		if err != nil && err != io.EOF {
			return err
		}
		if _, err := to.Write(block[:n]); err != nil {
			return onNew(err)
		}
		if at += int64(n); err == io.EOF {
			return nil
		}
	}
}

// takeOver gives a copied file what the original has besides its content. The mode is set last: see
// step.takeOver.
func (c *treeCopy) takeOver(f, made *dir.File) error {
	mode := f.Info.Mode &^ fs.ModeType
	if c.faithful {
		owner, err := made.TakeOwner(f.Info)
		c.lost = c.lost.Or(Lost{Owner: owner || err != nil, SetID: mode&dir.SetID != 0})
	}
	a, err := f.Attributes()
	if err != nil {
		return err
	}
	if err := made.SetAttributes(a); err != nil {
		return onNew(err)
	}
	return onNew(made.Chmod(mode &^ dir.SetID))
}

// syncEach is how many names of a new tree are synced one by one. If there are more, the whole file
// system is synced, where possible: a thousand single syncs take a second.
const syncEach = 32

// syncTree makes a new tree survive a power cut.
func syncTree(ctx context.Context, in dir.Folder, name string) error {
	s := surveyor{limit: treeLimit{entries: syncEach}}
	_, err := s.look(ctx, in, name)
	switch {
	case errors.Is(err, dir.ErrTooLarge) && in.SyncAll() == nil:
		return nil
	case err != nil && !errors.Is(err, dir.ErrTooLarge):
		return err
	}
	return walkTree(ctx, in, name, visitor{enter: func(e treeEntry) error {
		if !e.info.Mode.IsRegular() {
			return nil
		}
		f, err := e.dir.Open(e.name, os.O_RDONLY)
		if err != nil {
			return err
		}
		defer f.Close()
		return f.Sync()
	}, leave: func(e treeEntry) error {
		dir, err := e.dir.Sub(e.name)
		if err != nil {
			return err
		}
		defer dir.Close()
		return dir.Sync()
	}})
}

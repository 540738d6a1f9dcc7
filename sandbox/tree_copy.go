package sandbox

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
)

// treeCopy copies what has a name, with all below it if it is a folder, to a name in another folder that must be free. Links
// are copied as links.
type treeCopy struct {
	from     folder
	name     string
	to       folder
	newName  string
	faithful bool // owner too, as far as possible, and special files left out; else the new ones are the process's own
	sync     bool

	at *descent // where the copy has come to
	id string   // of the new top

	lost Lost
}

// run makes the copy, or leaves nothing.
func (c *treeCopy) run(ctx context.Context) error {
	c.at = descend(c.to)
	defer c.at.close()
	err := walkTree(ctx, c.from, c.name, visitor{
		enter: func(e treeEntry) error { return c.enter(ctx, e) },
		leave: c.leave,
	})
	if err == nil && c.sync {
		err = onNew(syncTree(ctx, c.to, c.newName))
	}
	if err != nil {
		c.at.close()
		_ = removeTree(context.WithoutCancel(ctx), c.to, c.newName)
	}
	return err
}

// madeError is an error on the side of the copy, not of what is copied.
type madeError struct{ err error }

func (e *madeError) Error() string { return e.err.Error() }
func (e *madeError) Unwrap() error { return e.err }

func onNew(err error) error {
	if err == nil {
		return nil
	}
	return &madeError{err}
}

// nameOf is what an entry is called in the copy.
func (c *treeCopy) nameOf(e treeEntry) string {
	if e.path == "" {
		return c.newName
	}
	return e.name
}

func (c *treeCopy) enter(ctx context.Context, e treeEntry) error {
	in, name := c.at.here(), c.nameOf(e)
	switch {
	case e.info.Mode.IsDir() && e.path != "" && e.info.ID() == c.id && e.info.ino != 0: // through another mount of it
		return PathInItself
	case e.info.Mode.IsDir():
		return onNew(c.makeFolder(in, name))
	case e.info.isLink():
		text, err := e.readlink()
		if err != nil {
			return err
		}
		return onNew(in.symlink(text, name))
	case e.info.Mode.IsRegular():
		return c.copyFile(ctx, e, in, name)
	case c.faithful:
		return nil
	}
	return &PathError{Type: TypeName(e.info.Mode), Err: ErrNotFile}
}

func (c *treeCopy) makeFolder(in folder, name string) error {
	if err := in.mkdir(name, 0o700); err != nil {
		return err
	}
	if err := c.at.down(name); err != nil {
		return err
	}
	if c.id == "" {
		c.id = c.at.levels[1].id
	}
	return nil
}

// leave gives a folder owner and mode when all is in it: it may be one that nothing can be put in.
func (c *treeCopy) leave(e treeEntry) error {
	dir, mode := c.at.here(), e.info.Mode&^fs.ModeType
	if !c.faithful {
		mode &^= setID
	}
	made, err := dir.lstat(".")
	if err != nil {
		return onNew(err)
	}
	if c.faithful && (e.info.uid != made.uid || e.info.gid != made.gid) && dir.chown(e.info) != nil {
		c.lost.Owner = true
		mode &^= setID
	}
	if err := dir.chmod(mode); err != nil {
		return onNew(err)
	}
	if err := c.at.up(); err != nil {
		return onNew(err)
	}
	c.keepTime(c.at.here(), c.nameOf(e), e.info)
	return nil
}

// keepTime gives a faithful copy the time of the original, where that can be done and leaves another one that tells its age: see
// isYoung.
func (c *treeCopy) keepTime(in folder, name string, of Info) {
	if c.faithful && of.changed != 0 {
		_ = in.chtimes(name, of.Modified)
	}
}

func (c *treeCopy) copyFile(ctx context.Context, e treeEntry, in folder, name string) error {
	f, err := e.dir.open(e.name, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	if f.Info.ID() != e.info.ID() {
		return ErrBusy
	}
	made, err := in.create(name, 0o600)
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

func copyContent(ctx context.Context, from *File, to io.Writer) error {
	block := make([]byte, min(readBlock, from.Info.Size+1))
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

// takeOver gives a copied file what belongs to the old one besides its content: see step.takeOver for the order.
func (c *treeCopy) takeOver(f, made *File) error {
	mode := f.Info.Mode &^ fs.ModeType
	if c.faithful {
		owner, err := made.takeOwner(f.Info)
		c.lost = c.lost.Or(Lost{Owner: owner || err != nil, SetID: mode&setID != 0})
	}
	a, err := f.attributes()
	if err != nil {
		return err
	}
	if err := made.setAttributes(a); err != nil {
		return onNew(err)
	}
	return onNew(made.chmod(mode &^ setID))
}

// syncEach is up to how many names of a new tree are synced one by one. For more the whole file system is, where that can be
// asked for: a thousand single syncs take a second.
const syncEach = 32

// syncTree makes a new tree survive a power cut.
func syncTree(ctx context.Context, in folder, name string) error {
	s := surveyor{limit: treeLimit{entries: syncEach}}
	_, err := s.look(ctx, in, name)
	switch {
	case errors.Is(err, ErrTooLarge) && in.syncAll() == nil:
		return nil
	case err != nil && !errors.Is(err, ErrTooLarge):
		return err
	}
	return walkTree(ctx, in, name, visitor{enter: func(e treeEntry) error {
		if !e.info.Mode.IsRegular() {
			return nil
		}
		f, err := e.dir.open(e.name, os.O_RDONLY)
		if err != nil {
			return err
		}
		defer f.Close()
		return f.sync()
	}, leave: func(e treeEntry) error {
		dir, err := e.dir.sub(e.name)
		if err != nil {
			return err
		}
		defer dir.close()
		return dir.sync()
	}})
}

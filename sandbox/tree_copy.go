package sandbox

import (
	"context"
	"io/fs"
	"math"
	"os"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// treeCopy copies a file, or a folder with everything in it, to a free name in another folder.
// Links are copied as links.
type treeCopy struct {
	from     dir.Folder
	name     string
	to       dir.Folder
	newName  string
	found    *dir.Info // what was found at name, and is to be copied; nil for anything
	largest  int64     // bytes that a file may have; 0 for any number
	faithful bool      // also copy the owner, as far as possible, and leave out special files; else the copy belongs to the process
	sync     bool

	at *dir.Descent // the current folder of the copy
	id string       // ID of the copy's top folder

	names   int // how many were made
	lost    dir.Lost
	leftOut int // number of special files
}

// copy makes the copy. If it fails, the caller removes what there is of it.
func (c *treeCopy) copy(ctx context.Context) error {
	c.at = dir.Descend(c.to)
	defer c.at.Close()
	err := dir.WalkTree(ctx, c.from, c.name, dir.Visitor{
		Enter: func(e dir.TreeEntry) error { return c.enter(ctx, e) },
		Leave: c.leave, Attributes: true,
	})
	if err == nil && c.sync {
		err = c.syncAll(ctx)
	}
	return err
}

// nameOf is the name of an entry in the copy.
func (c *treeCopy) nameOf(e dir.TreeEntry) string {
	if e.Path == "" {
		return c.newName
	}
	return e.Name
}

func (c *treeCopy) enter(ctx context.Context, e dir.TreeEntry) error {
	if err := isFound(e, c.found); err != nil {
		return err
	}
	name := c.nameOf(e)
	in, err := c.at.Here()
	if err != nil {
		return err
	}
	c.names++
	switch {
	case e.Info.Mode.IsDir() && e.Path != "" && e.Info.ID() == c.id && e.Info.Ino != 0: // the copy itself, reached through another mount
		return dir.PathInItself
	case e.Path != "" && policy.IsOwn(e.Name): // another call is at work there
		return dir.ErrSkipped
	case e.Info.Mode.IsDir():
		return c.makeFolder(in, name)
	case e.Info.IsLink():
		text, err := dir.LinkTarget(e.Dir, e.Name)
		if err != nil {
			return err
		}
		return in.Symlink(text, name)
	case e.Info.Mode.IsRegular():
		return c.copyFile(ctx, e, in, name)
	case c.faithful:
		c.leftOut++
		return nil
	}
	return &dir.PathError{Type: dir.TypeName(e.Info.Mode), Err: dir.ErrNotFile}
}

func (c *treeCopy) makeFolder(in dir.Folder, name string) error {
	if err := in.Mkdir(name, 0o700); err != nil {
		return err
	}
	if _, err := c.at.Down(name); err != nil {
		return err
	}
	if c.id == "" {
		c.id = c.at.Levels[1].ID
	}
	return nil
}

// leave gives a folder its owner, attributes and mode after everything is in it: they may forbid to
// add anything. A copy that isn't faithful also keeps the setgid bit that it got from the folder it
// was made in.
func (c *treeCopy) leave(e dir.TreeEntry) error {
	folder, err := c.at.Here()
	if err != nil {
		return err
	}
	made, err := folder.Lstat(".")
	if err != nil {
		return err
	}
	from := dir.Rights{Of: e.Info, Attributes: e.Attributes, IsCopy: !c.faithful, MayLack: true}
	mode, lost, err := from.Give(folder, made)
	if err != nil {
		return err
	}
	switch c.lost |= lost; {
	case !c.faithful:
		mode = mode&^fs.ModeSetuid | made.Mode&fs.ModeSetgid
	case lost&dir.LostOwner != 0:
		mode &^= dir.SetID
	}
	if err := folder.Chmod(mode); err != nil {
		return err
	}
	c.at.Up()
	above, err := c.at.Here()
	if err != nil {
		return err
	}
	c.keepTime(above, c.nameOf(e), e.Info)
	return nil
}

// keepTime gives a faithful copy the modification time of the original. It does so only if the
// system also has a time of the last change, which tells package history the age of the copy.
func (c *treeCopy) keepTime(in dir.Folder, name string, original dir.Info) {
	if c.faithful && original.Changed != 0 {
		_ = in.Chtimes(name, original.Modified)
	}
}

func (c *treeCopy) copyFile(ctx context.Context, e dir.TreeEntry, in dir.Folder, name string) error {
	f, err := e.Dir.Open(e.Name, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	if f.Info.ID() != e.Info.ID() {
		return dir.ErrBusy
	}
	made, err := in.Create(name, 0o600)
	if err != nil {
		return err
	}
	defer made.Close()
	limit := c.largest
	if limit == 0 {
		limit = math.MaxInt64
	}
	if err := f.CopyInto(ctx, made, limit); err != nil {
		return err
	}
	if err := c.takeOver(f, made); err != nil {
		return err
	}
	c.keepTime(in, name, f.Info)
	if c.sync && dir.SyncTakesWriter {
		return made.Sync()
	}
	return nil
}

// takeOver gives a copied file what the original has besides its content.
func (c *treeCopy) takeOver(f, made *dir.File) error {
	from, err := templateOf(f, !c.faithful)
	if err != nil {
		return err
	}
	lost, err := (&newFile{from: from}).takeOver(made)
	c.lost |= lost
	return err
}

// syncEach is how many names of a new tree are synced one by one. If there are more, the whole file
// system is synced, where possible: a thousand single syncs take a second.
const syncEach = 32

// syncAll makes the copy survive a power cut.
func (c *treeCopy) syncAll(ctx context.Context) error {
	if c.names > syncEach && c.to.SyncAll() == nil {
		return nil
	}
	return dir.WalkTree(ctx, c.to, c.newName, dir.Visitor{Enter: syncFile, Leave: syncFolder})
}

func syncFile(e dir.TreeEntry) error {
	if !e.Info.Mode.IsRegular() || dir.SyncTakesWriter { // copyFile has synced it then
		return nil
	}
	f, err := e.Dir.Open(e.Name, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

func syncFolder(e dir.TreeEntry) error {
	folder, err := e.Dir.Sub(e.Name)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

// copied is a copy of a file or a tree, as what a step brings.
type copied struct {
	from     dir.Folder
	name     string
	found    *dir.Info         // see treeCopy, as for largest and faithful
	largest  int64             //
	faithful bool              //
	hashed   bool              // its fingerprint is taken
	agreed   string            // tag of what is copied, which must not change meanwhile; "" for none
	explain  func(error) error // names the path that an error is about
}

func (n *copied) make(ctx context.Context, w *Workspace, s *step) error {
	c := treeCopy{from: n.from, name: n.name, to: s.p.Folder, newName: s.temp, found: n.found, largest: n.largest, faithful: n.faithful,
		sync: !w.noSync}
	ctx, cancel := halfTime(ctx)
	defer cancel()
	err := c.copy(ctx)
	if err == nil && n.agreed != "" && !isTreeAt(n.from, n.name, n.agreed) {
		err = dir.ErrCollision
	}
	if err == nil && n.hashed {
		s.newTag, err = fingerprint(ctx, s.p.Folder, s.temp)
	}
	s.lost = c.lost
	return n.explain(err)
}

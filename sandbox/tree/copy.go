package tree

import (
	"cmp"
	"context"
	"io/fs"
	"math"
	"os"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/disk/system"
	"fsbox/sandbox/disk/walk"
	"fsbox/sandbox/policy"
)

// Copier copies a file, or a folder with everything in it, to a free name in another folder.
// Links are copied as links.
type Copier struct {
	From     dir.Folder
	Name     string
	To       dir.Folder
	NewName  string
	Found    *stat.Info // what was found at name, and is to be copied; nil for anything
	Largest  int64      // bytes that a file may have; 0 for any number
	Faithful bool       // also copy the owner, as far as possible, and leave out special files; else the copy belongs to the process
	Sync     bool

	at *walk.Descent // the current folder of the copy
	id string        // ID of the copy's top folder

	names   int // how many were made
	Lost    rights.Lost
	LeftOut int // number of special files
}

// Copy makes the copy. If it fails, the caller removes what there is of it.
func (c *Copier) Copy(ctx context.Context) error {
	c.at = walk.Descend(c.To)
	defer c.at.Close()
	err := walk.Tree(ctx, c.From, c.Name, walk.Visitor{
		Enter: func(e walk.Entry) error { return c.enter(ctx, e) },
		Leave: c.leave, Attributes: true,
	})
	if err == nil && c.Sync {
		err = c.syncAll(ctx)
	}
	return err
}

// nameOf is the name of an entry in the copy.
func (c *Copier) nameOf(e walk.Entry) string {
	if e.Path == "" {
		return c.NewName
	}
	return e.Name
}

func (c *Copier) enter(ctx context.Context, e walk.Entry) error {
	if err := isFound(e, c.Found); err != nil {
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
		return fserr.PathInItself
	case e.Path != "" && policy.IsOwn(e.Name): // another call is at work there
		return walk.ErrSkipped
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
	case c.Faithful:
		c.LeftOut++
		return nil
	}
	return &fserr.PathError{Type: stat.TypeName(e.Info.Mode), Err: fserr.ErrNotFile}
}

func (c *Copier) makeFolder(in dir.Folder, name string) error {
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
func (c *Copier) leave(e walk.Entry) error {
	folder, err := c.at.Here()
	if err != nil {
		return err
	}
	made, err := folder.Lstat(".")
	if err != nil {
		return err
	}
	from := rights.Rights{Of: e.Info, Attributes: e.Attributes, IsCopy: !c.Faithful, MayLack: true}
	mode, lost, err := from.Give(folder, made)
	if err != nil {
		return err
	}
	switch c.Lost |= lost; {
	case !c.Faithful:
		mode = mode&^fs.ModeSetuid | made.Mode&fs.ModeSetgid
	case lost&rights.LostOwner != 0:
		mode &^= stat.SetID
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
func (c *Copier) keepTime(in dir.Folder, name string, original stat.Info) {
	if c.Faithful && original.Changed != 0 {
		_ = in.Chtimes(name, original.Modified)
	}
}

func (c *Copier) copyFile(ctx context.Context, e walk.Entry, in dir.Folder, name string) error {
	f, err := e.Dir.Open(e.Name, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	if f.Info.ID() != e.Info.ID() {
		return fserr.ErrBusy
	}
	made, err := in.Create(name, 0o600)
	if err != nil {
		return err
	}
	defer made.Close()
	if err := f.CopyInto(ctx, made, cmp.Or(c.Largest, math.MaxInt64)); err != nil {
		return err
	}
	if err := c.takeOver(f, made); err != nil {
		return err
	}
	c.keepTime(in, name, f.Info)
	if c.Sync && system.SyncTakesWriter {
		return made.Sync()
	}
	return nil
}

// takeOver gives a copied file what the original has besides its content.
func (c *Copier) takeOver(f, made *openfile.File) error {
	from, err := RightsOf(f, !c.Faithful)
	if err != nil {
		return err
	}
	lost, err := TakeOver(made, from, nil)
	c.Lost |= lost
	return err
}

// syncEach is how many names of a new tree are synced one by one. If there are more, the whole file
// system is synced, where possible: a thousand single syncs take a second.
const syncEach = 32

// syncAll makes the copy survive a power cut.
func (c *Copier) syncAll(ctx context.Context) error {
	if c.names > syncEach && c.To.SyncAll() == nil {
		return nil
	}
	return walk.Tree(ctx, c.To, c.NewName, walk.Visitor{Enter: syncFile, Leave: syncFolder})
}

func syncFile(e walk.Entry) error {
	if !e.Info.Mode.IsRegular() || system.SyncTakesWriter { // copyFile has synced it then
		return nil
	}
	f, err := e.Dir.Open(e.Name, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

func syncFolder(e walk.Entry) error {
	folder, err := e.Dir.Sub(e.Name)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

// RightsOf gives the rights of a file to another one.
func RightsOf(f *openfile.File, isCopy bool) (*rights.Rights, error) {
	carried, err := f.Attributes()
	return &rights.Rights{Of: f.Info, Attributes: carried, IsCopy: isCopy}, err
}

// TakeOver gives a new file the owner and attributes of another one, if from is set, and the mode
// that change makes of the mode so far, if that is set. It sets the mode last: an access control
// list changes it.
func TakeOver(f *openfile.File, from *rights.Rights, change func(fs.FileMode) fs.FileMode) (lost rights.Lost, err error) {
	var mode fs.FileMode
	if from != nil {
		if mode, lost, err = from.Give(f, f.Info); err != nil {
			return lost, err
		}
		if mode&stat.SetID != 0 && !from.IsCopy {
			lost |= rights.LostSetID
		}
	}
	if change != nil {
		mode = change(mode &^ stat.SetID)
	}
	mode &^= stat.SetID
	if mode == f.Info.Mode && (from == nil || len(from.Attributes) == 0) { // it was made with it
		return lost, nil
	}
	return lost, f.Chmod(mode)
}

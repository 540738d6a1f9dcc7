package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// revival makes again what a call removed, under a name that must be free.
type revival struct {
	w        *Workspace
	ctx      context.Context
	f        history.Saved // the removed file, link or folder
	p        *place
	content  []byte    // content of a file, target of a link
	template *template // of a file
	lost     Lost
}

func (r *revival) isTree() bool { return r.f.Mode.IsDir() && r.f.Kept != "" }

// check makes sure that the kept content is whole, and that the policy allows it at this place.
func (r *revival) check() (err error) {
	switch {
	case r.isTree():
		return r.checkTree()
	case r.f.Mode.IsDir():
		return nil
	}
	if r.content, err = r.w.history.Content(r.ctx, r.f); err == nil && r.f.Mode.IsRegular() {
		r.template, err = r.w.keptTemplate(r.f)
	}
	return err
}

func (r *revival) checkTree() error {
	kept, err := r.w.history.Kept(r.f)
	if err != nil {
		return err
	}
	if !dir.Exists(kept, r.f.Kept) {
		return r.f.Gone()
	}
	look := surveyor{w: r.w, tops: []treeTop{{r.p.asked, r.p.path, true}}}
	found, err := look.look(r.ctx, kept, r.f.Kept)
	if err != nil {
		return err
	}
	if strings.HasPrefix(r.f.Old, dir.StateTag) {
		if int64(found.entries) < r.f.Added {
			return r.f.Damaged()
		}
		r.f.Old = dir.StateTag + found.stamp // what somebody wrote into it while it was removed is restored with it
		return nil
	}
	tag, err := fingerprint(r.ctx, kept, r.f.Kept)
	if err == nil && tag != r.f.Old {
		err = r.f.Damaged()
	}
	return err
}

// created describes the restored file or folder for the journal.
func (r *revival) created() history.Saved {
	made := history.Saved{Path: r.p.path, Action: history.Created, Mode: r.f.Mode, New: r.f.Old}
	if r.f.Mode.IsDir() && r.f.Kept == "" {
		made.New = emptyTag(r.f.Mode)
	}
	return made
}

// undone describes it for the report of the undo.
func (r *revival) undone() Undone {
	u := Undone{Path: r.f.Path, Action: history.Created}
	if r.f.Mode.IsRegular() {
		u.ETag = dir.ContentETag(r.content)
	}
	return u
}

// make makes a file, a link or an empty folder.
func (r *revival) make() error {
	dir, name := r.p.folder, r.p.name
	var err error
	switch {
	case r.f.Mode.IsDir():
		if err = dir.Mkdir(name, 0o700); err == nil {
			err = chmodFolder(dir, name, r.f.Mode)
		}
	case r.f.Mode&fs.ModeSymlink != 0:
		err = dir.Symlink(string(r.content), name)
	default:
		err = r.makeFile()
	}
	if err != nil {
		return err
	}
	return r.w.syncNames(dir)
}

func chmodFolder(in dir.Folder, name string, mode fs.FileMode) error {
	dir, err := in.Sub(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Chmod(mode &^ fs.ModeType)
}

// makeFile first writes the file under a temporary name.
func (r *revival) makeFile() error {
	folder := r.p.folder
	hidden := clearStaged(folder)
	err := r.write(hidden)
	if err == nil {
		err = dir.MoveFree(folder, hidden, r.p.name)
	}
	if err != nil {
		_ = folder.Remove(hidden)
	}
	return err
}

// makeAs makes a file or a link under a hidden name.
func (r *revival) makeAs(hidden string) error {
	if r.f.Mode&fs.ModeSymlink != 0 {
		return r.p.folder.Symlink(string(r.content), hidden)
	}
	return r.write(hidden)
}

func (r *revival) write(name string) error {
	f, err := r.p.folder.Create(name, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err = f.Write(r.content); err == nil {
		var mode fs.FileMode
		if mode, r.lost, err = r.template.give(f); err == nil {
			err = f.Chmod(mode)
		}
	}
	if err == nil && !r.w.noSync {
		err = f.Sync()
	}
	return err
}

// makeTree moves a tree back out of the state folder, or copies it.
func (r *revival) makeTree(b *history.Entry) (noted bool, err error) {
	noted, err = r.moveTree(b)
	if errors.Is(err, errElsewhere) {
		noted, err = r.copyTree(b)
	}
	if err != nil {
		return false, err
	}
	return noted, r.w.syncNames(r.p.folder)
}

func (r *revival) moveTree(b *history.Entry) (noted bool, err error) {
	return r.w.history.TakeOut(r.ctx, b, func(kept dir.Folder) error {
		err := kept.Move(r.f.Kept, r.p.folder, r.p.name, dir.IfFree)
		if isElsewhere(err) {
			return errElsewhere
		}
		return err
	})
}

func (r *revival) copyTree(b *history.Entry) (noted bool, err error) {
	kept, err := r.w.history.Kept(r.f)
	if err != nil {
		return false, err
	}
	folder := r.p.folder
	hidden := clearStaged(folder)
	c := treeCopy{from: kept, name: r.f.Kept, to: folder, newName: hidden, faithful: true, sync: !r.w.noSync}
	if err := c.run(r.ctx); err != nil {
		return false, unwrapTree(err)
	}
	r.lost = c.lost
	if b.Files[0].New, err = fingerprint(r.ctx, folder, hidden); err == nil {
		err = dir.MoveFree(folder, hidden, r.p.name)
	}
	if err != nil {
		_ = discard(folder, hidden)
		return false, unwrapTree(err)
	}
	return r.w.history.Note(r.ctx, b), nil
}

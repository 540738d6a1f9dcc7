package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// revival makes again what a call removed, at a place that must be free.
type revival struct {
	w       *Workspace
	ctx     context.Context
	f       Saved // what was removed
	p       *place
	content []byte // of a file, text of a link
}

func (r *revival) isTree() bool { return r.f.Mode.IsDir() && r.f.Kept != "" }

// check makes sure that what was kept is whole, and that the policy lets it back in.
func (r *revival) check() (err error) {
	switch {
	case r.isTree():
		return r.checkTree()
	case r.f.Mode.IsDir():
		return nil
	}
	r.content, err = r.w.keptContent(r.ctx, r.f)
	return err
}

func (r *revival) checkTree() error {
	s, err := r.w.state.get(false)
	if err != nil || s == nil {
		return backupError(errors.Join(err, fs.ErrNotExist))
	}
	gone := backupError(fmt.Errorf("what was kept of %q is gone or damaged", r.f.Path))
	if !exists(s.kept, r.f.Kept) {
		return gone
	}
	look := surveyor{w: r.w, tops: []treeTop{{r.p.asked, r.p.path, true}}}
	found, err := look.look(r.ctx, s.kept, r.f.Kept)
	if err != nil {
		return err
	}
	if strings.HasPrefix(r.f.Old, stateTag) {
		if int64(found.entries) < r.f.Added {
			return gone
		}
		r.f.Old = stateTag + found.stamp // what somebody wrote into it while it was removed comes back, too
		return nil
	}
	tag, err := fingerprint(r.ctx, s.kept, r.f.Kept)
	if err == nil && tag != r.f.Old {
		err = gone
	}
	return err
}

// created is what the journal says of it.
func (r *revival) created() Saved {
	made := Saved{Path: r.p.path, Action: Created, Mode: r.f.Mode, New: r.f.Old}
	if r.f.Mode.IsDir() && r.f.Kept == "" {
		made.New = emptyTag(r.f.Mode)
	}
	return made
}

// undone is what the undo's report says of it.
func (r *revival) undone() Undone {
	u := Undone{Path: r.f.Path, Action: Created}
	if r.f.Mode.IsRegular() {
		u.ETag = contentETag(r.content)
	}
	return u
}

// make makes a file, a link or an empty folder.
func (r *revival) make() error {
	dir, name := r.p.folder, r.p.name
	var err error
	switch {
	case r.f.Mode.IsDir():
		if err = dir.mkdir(name, 0o700); err == nil {
			err = chmodFolder(dir, name, r.f.Mode)
		}
	case r.f.Mode&fs.ModeSymlink != 0:
		err = dir.symlink(string(r.content), name)
	default:
		err = r.makeFile()
	}
	if err != nil {
		return err
	}
	return r.w.settle(dir)
}

func chmodFolder(in folder, name string, mode fs.FileMode) error {
	dir, err := in.sub(name)
	if err != nil {
		return err
	}
	defer dir.close()
	return dir.chmod(mode &^ fs.ModeType)
}

// makeFile writes the file under the name for the way first.
func (r *revival) makeFile() error {
	dir := r.p.folder
	hidden := clearStaged(dir)
	err := r.write(hidden)
	if err == nil {
		err = moveFree(dir, hidden, r.p.name)
	}
	if err != nil {
		_ = dir.remove(hidden)
	}
	return err
}

// makeAs makes a file or a link under a name that nobody looks at.
func (r *revival) makeAs(hidden string) error {
	if r.f.Mode&fs.ModeSymlink != 0 {
		return r.p.folder.symlink(string(r.content), hidden)
	}
	return r.write(hidden)
}

func (r *revival) write(name string) error {
	f, err := r.p.folder.create(name, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err = f.Write(r.content); err == nil {
		err = f.chmod(r.f.Mode &^ fs.ModeType)
	}
	if err == nil && !r.w.noSync {
		err = f.sync()
	}
	return err
}

// makeTree moves a tree back out of the state folder, or copies it.
func (r *revival) makeTree(b *Backup) error {
	err := r.w.journal(r.ctx, b, func(s *state) error {
		err := s.kept.move(r.f.Kept, r.p.folder, r.p.name, ifFree)
		if err != nil && isElsewhere(err) {
			return errElsewhere
		}
		return err
	})
	if errors.Is(err, errElsewhere) {
		b.ID = newID(b.Time) // that one is taken out of the journal
		return r.copyTree(b)
	}
	if err != nil {
		return err
	}
	return r.w.settle(r.p.folder)
}

func (r *revival) copyTree(b *Backup) error {
	s, err := r.w.state.get(false)
	if err != nil {
		return err
	}
	dir := r.p.folder
	hidden := clearStaged(dir)
	c := treeCopy{from: s.kept, name: r.f.Kept, to: dir, newName: hidden, faithful: true, sync: !r.w.noSync}
	if err := c.run(r.ctx); err != nil {
		return unwrapTree(err)
	}
	if b.Files[0].New, err = fingerprint(r.ctx, dir, hidden); err == nil {
		err = r.w.journal(r.ctx, b, func(*state) error { return moveFree(dir, hidden, r.p.name) })
	}
	if err != nil {
		_ = discard(dir, hidden)
		return unwrapTree(err)
	}
	return r.w.settle(dir)
}

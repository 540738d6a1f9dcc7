package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// Delete removes a file, a symbolic link itself, or a folder. A folder disappears at once or not at
// all: first every path in it is checked against the policy, nothing may be mounted in it
// (ErrBusy), and without Recursive it must be empty (ErrNotEmpty). FIFOs, sockets and devices are
// removed without being opened; no backup is kept of one that is removed by itself.
func (w *Workspace) Delete(ctx context.Context, t Target) (*Done, error) {
	return retryOnCollision(w.shown(t.Path), func() (*Done, error) { return deleteOnce(ctx, w, t) })
}

func deleteOnce(ctx context.Context, w *Workspace, t Target) (*Done, error) {
	p, err := w.locate(t.Path, purpose{write: true})
	if err != nil {
		return nil, err
	}
	defer p.close()
	switch {
	case p.name == ".":
		return nil, p.fail(dir.PathRoot)
	case !p.exists:
		return nil, p.fail(dir.ErrNotFound)
	case p.info.Mode.IsRegular():
		return deleteFile(ctx, w, t)
	case t.IfMatch != "":
		return nil, p.fail(dir.ErrNoETag)
	}
	d := deletion{hold: hold{w: w, ctx: ctx}, t: t, p: p, found: &survey{}}
	defer d.release()
	err = p.fail(d.remove())
	return reported(&Done{Path: p.asked, Existed: true, Mode: p.info.Mode, Entries: d.found.entries, Unkept: d.unkept,
		BackupID: d.backupID}, err)
}

// deleteFile removes a regular file: a transaction with one change.
func deleteFile(ctx context.Context, w *Workspace, t Target) (*Done, error) {
	t.Large = true
	done, err := commitOne(ctx, w, Change{Target: t, Remove: true})
	if dir.IsClean(err, dir.ErrNotFile) {
		return nil, dir.ErrCollision // it was a regular file a moment ago
	}
	return done, err
}

// deletion removes what isn't a regular file.
type deletion struct {
	hold
	t     Target
	p     *place
	found *survey // of a folder

	unkept int // number of special files in it that undo can't bring back
}

func (d *deletion) remove() error {
	if err := refuseMount(d.p); err != nil {
		return err
	}
	isTree := d.p.info.Mode.IsDir()
	if isTree {
		if err := d.survey(); err != nil {
			return err
		}
	}
	if d.t.DryRun {
		return nil
	}
	if err := d.lock(d.p); err != nil {
		return err
	}
	if isTree {
		return d.removeTree()
	}
	return d.removeName()
}

// removeName removes a link or a special file.
func (d *deletion) removeName() error {
	if !d.p.info.IsLink() {
		return d.take(nil)
	}
	saved, from, err := d.keepable(d.p)
	if err != nil {
		return err
	}
	return d.take(history.NewEntry(d.t.Tool, d.t.Undoes, saved), from)
}

// take runs a plan that takes the name away. The entry is nil if nothing is kept.
func (d *deletion) take(e *history.Entry, from ...history.Source) error {
	s := &step{p: d.p, info: d.p.info}
	if d.p.info.Mode.IsDir() {
		s.tree = d.found.tag
	}
	return (&plan{hold: &d.hold, steps: []*step{s}, entry: e, sources: from}).run()
}

// removed describes the file at a place for the journal, before it is removed.
func (p *place) removed() history.Item {
	return history.Item{Path: p.path, Kind: history.Take, Mode: p.info.Mode, Size: p.info.Size,
		Restores: history.RestoreAll, Stamp: p.info.ChangeStamp()}
}

// survey looks through the folder, and refuses it if it can't be removed.
func (d *deletion) survey() error {
	names, err := namesIn(d.ctx, d.p)
	if err != nil {
		return err
	}
	if len(names) > 0 && !d.t.Recursive { // before the whole tree is read
		return dir.ErrNotEmpty
	}
	s := surveyor{w: d.w, tops: []treeTop{{d.p.asked, d.p.path, true}}, remove: true, move: true}
	if d.found, err = s.survey(d.ctx, d.p.folder, d.p.name); err != nil {
		return err
	}
	if err := d.w.checkTag(d.p, d.found.tag); err != nil {
		return err
	}
	if d.found.entries > 0 && !d.t.Recursive {
		return dir.ErrNotEmpty
	}
	return nil
}

// removeTree removes a folder with everything in it. If the state folder is on the same file
// system, one rename turns the folder into its own backup. Else the folder is copied there first.
func (d *deletion) removeTree() error {
	if !d.w.history.Off {
		if err := d.keepByMove(d.treeEntry()); !isElsewhere(err) {
			return err
		}
	}
	e := d.treeEntry() // another one: the first was removed from the journal
	return d.take(e, history.Source{Link: func(kept dir.Folder, _ string) (bool, error) { return true, d.copyTo(kept, &e.Items[0]) }})
}

// treeEntry describes a folder that is kept whole.
func (d *deletion) treeEntry() *history.Entry {
	saved := d.p.removed()
	saved.Size, saved.Entries, saved.Old = d.found.bytes, d.found.entries, d.found.tag
	e := history.NewEntry(d.t.Tool, d.t.Undoes, saved)
	e.Items[0].Kept = e.KeptName(0)
	return e
}

// keepByMove moves a tree into the state folder. If somebody wrote into the tree after the survey,
// that is moved with it, and comes back with an undo; but if the folder was empty then, or somebody
// agreed to the removal of what was in it, it is moved back.
func (d *deletion) keepByMove(e *history.Entry) error {
	kept, err := d.w.history.KeptFolder()
	if err != nil {
		return err
	}
	s := &step{p: &place{asked: d.p.asked, folder: kept, name: e.Items[0].Kept}, from: d.p, info: d.p.info, tree: d.w.treeAgreed(d.p, d.found)}
	if d.found.entries == 0 {
		s.tree = d.found.tag
	}
	return (&plan{hold: &d.hold, steps: []*step{s}, entry: e, sources: []history.Source{{Empty: true}}}).run()
}

// isElsewhere reports errors of a rename into the state folder, or out of it, after which a copy
// may still work: another file system, a folder that may not be moved to another parent, no space
// in the state folder.
func isElsewhere(err error) bool {
	return err != nil && dir.IsClean(dir.Classify(err), syscall.EXDEV, dir.ErrUnsupported, dir.ErrPermission, dir.ErrNoSpace)
}

// copyTo puts a copy of the tree into the state folder.
func (d *deletion) copyTo(kept dir.Folder, f *history.Item) error {
	if d.found.bytes > history.MaxBytes {
		return history.TooMuch(d.found.bytes)
	}
	ctx, cancel := halfTime(d.ctx)
	defer cancel()
	c := treeCopy{from: d.p.folder, name: d.p.name, to: kept, newName: f.Kept, faithful: true}
	err := c.copy(ctx)
	if d.unkept, f.Lost = c.leftOut, c.lost; err == nil {
		f.Old, err = fingerprint(ctx, kept, f.Kept)
	}
	if err != nil {
		clearing, cancel := clearingTime(d.ctx)
		defer cancel()
		_ = dir.RemoveTree(clearing, kept, f.Kept) // what is left has no entry in the journal, and is removed with others of that kind
	}
	if at, ok := errors.AsType[*dir.TreeError](err); ok && errors.Is(at.Err, fs.ErrPermission) { // the state folder is this user's
		return history.Failed(fmt.Errorf("%q: %v", d.p.asked+"/"+at.Path, dir.Classify(at.Err)))
	}
	return unwrapTree(err)
}

// namesIn lists the folder at a place.
func namesIn(ctx context.Context, p *place) ([]dir.Dirent, error) {
	folder, err := p.folder.Sub(p.name)
	if err != nil {
		if dir.IsAny(dir.Classify(notFollowed(err)), dir.ErrNotFound, dir.ErrBusy, dir.ErrNotFolder) {
			return nil, dir.ErrCollision // it was a folder a moment ago
		}
		return nil, err
	}
	defer folder.Close()
	return dir.List(ctx, folder)
}

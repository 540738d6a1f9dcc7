package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// Removal says what Delete removes, and how.
type Removal struct {
	Path      string
	Recursive bool   // remove folders with everything in them, not only empty ones
	IfMatch   string // etag that a file must have; "" for any
	DryRun    bool   // do everything except change the disk
	Tool      string // the command, for the journal
	undoes    string // ID of the backup that this call takes back
}

// Deleted reports what Delete did.
type Deleted struct {
	Path     string      // relative to the root, links not resolved
	Mode     fs.FileMode // type and permission bits of the removed file or folder
	Entries  int         // number of names in a removed folder, its own not counted
	BackupID string      // "" if none is kept
}

// Delete removes a file, a symbolic link itself, or a folder. A folder disappears at once or not at
// all: first every path in it is checked against the policy, nothing may be mounted in it
// (ErrBusy), and without Recursive it must be empty (ErrNotEmpty). FIFOs, sockets and devices are
// removed without being opened; no backup is kept of one that is removed by itself.
func (w *Workspace) Delete(ctx context.Context, r Removal) (*Deleted, error) {
	return retryOnCollision(w.named(r.Path), func() (*Deleted, error) { return w.deleteOnce(ctx, r) })
}

func (w *Workspace) deleteOnce(ctx context.Context, r Removal) (*Deleted, error) {
	p, err := w.locate(r.Path, purpose{write: true})
	if err != nil {
		return nil, err
	}
	defer p.close()
	switch {
	case p.name == ".":
		return nil, p.fail(dir.PathRoot)
	case !p.exists:
		if !r.DryRun {
			w.tidy(ctx, p)
		}
		return nil, p.fail(dir.ErrNotFound)
	case p.info.Mode.IsRegular():
		return w.deleteFile(ctx, r, p)
	case r.IfMatch != "":
		return nil, p.fail(dir.ErrNoETag)
	}
	d := deletion{hold: hold{w: w, ctx: ctx}, r: r, p: p, done: &Deleted{Path: p.asked, Mode: p.info.Mode}}
	defer d.release()
	if err = d.run(); err != nil && !errors.Is(err, dir.ErrDurability) {
		return nil, own(p, err)
	}
	return d.done, own(p, err)
}

// deleteFile removes a regular file: a transaction with one change.
func (w *Workspace) deleteFile(ctx context.Context, r Removal, p *place) (*Deleted, error) {
	all, err := w.transactOne(ctx, Change{Remove: true,
		Target: Target{Path: r.Path, IfMatch: r.IfMatch, Large: true, DryRun: r.DryRun, Tool: r.Tool, Undoes: r.undoes}})
	if errors.Is(err, dir.ErrNotFile) {
		return nil, dir.ErrCollision // it was a regular file a moment ago
	}
	if len(all) == 0 {
		return nil, err
	}
	return &Deleted{Path: p.asked, Mode: p.info.Mode, BackupID: all[0].BackupID}, err
}

// deletion removes what isn't a regular file.
type deletion struct {
	hold
	r     Removal
	p     *place
	found *survey // of a folder
	done  *Deleted
}

func (d *deletion) run() error {
	if err := refuseMount(d.p); err != nil {
		return err
	}
	if d.p.info.Mode.IsDir() {
		if err := d.survey(); err != nil {
			return err
		}
	}
	if d.r.DryRun {
		return nil
	}
	if err := d.lock(d.p); err != nil {
		return err
	}
	if d.found != nil {
		return d.removeTree()
	}
	return d.removeName()
}

// removeName removes a link or a special file.
func (d *deletion) removeName() error {
	entry := history.NewEntry(d.r.Tool, d.r.undoes, d.p.removed())
	var sources []history.Source
	if d.p.info.IsLink() {
		text, err := d.p.folder.Readlink(d.p.name)
		if err != nil {
			return dir.ErrCollision // it was a link a moment ago
		}
		entry.Files[0].Old, entry.Files[0].Size = dir.ContentETag([]byte(text)), int64(len(text))
		sources = []history.Source{{Content: []byte(text)}}
	}
	return d.take(&plan{entry: entry, sources: sources, needed: true})
}

// take runs a plan that takes the name away.
func (d *deletion) take(p *plan) error {
	p.hold = &d.hold
	p.steps = []*step{{p: d.p, info: d.p.info, tree: d.found}}
	err := p.run()
	if p.kept && (err == nil || errors.Is(err, dir.ErrDurability)) {
		d.done.BackupID = p.entry.ID
	}
	return err
}

// removed describes the file at a place for the journal, before it is removed.
func (p *place) removed() history.Saved {
	return history.Saved{Path: p.path, Action: history.Removed, Mode: p.info.Mode, Size: p.info.Size,
		Restores: history.RestoreAll, Stamp: p.info.ChangeStamp()}
}

// survey looks through the folder, and refuses it if it can't be removed.
func (d *deletion) survey() error {
	names, err := namesIn(d.ctx, d.p)
	if err != nil {
		return err
	}
	if len(names) > 0 && !d.r.Recursive { // before the whole tree is read
		return dir.ErrNotEmpty
	}
	s := surveyor{w: d.w, tops: []treeTop{{d.p.asked, d.p.path, true}}, remove: true, move: true}
	if d.found, err = s.look(d.ctx, d.p.folder, d.p.name); err != nil {
		return err
	}
	if d.found.entries > 0 && !d.r.Recursive {
		return dir.ErrNotEmpty
	}
	d.done.Entries = d.found.entries
	return nil
}

// removeTree removes a folder with everything in it. If the state folder is on the same file
// system, one rename turns the folder into its own backup. Else the folder is copied there first.
func (d *deletion) removeTree() error {
	if d.w.history.Off {
		return d.take(&plan{})
	}
	entry := d.treeEntry()
	err := d.keepByMove(entry)
	if errors.Is(err, errElsewhere) {
		entry = d.treeEntry() // the other one was removed from the journal
		if err := d.keepByCopy(entry); err != nil {
			return err
		}
		return d.take(&plan{entry: entry, kept: true})
	}
	if err == nil || errors.Is(err, dir.ErrDurability) {
		d.done.BackupID = entry.ID
	}
	return err
}

// treeEntry describes a folder that is kept whole.
func (d *deletion) treeEntry() *history.Entry {
	saved := d.p.removed()
	saved.Size, saved.Added, saved.Old = d.found.bytes, int64(d.found.entries), dir.StateTag+d.found.stamp
	e := history.NewEntry(d.r.Tool, d.r.undoes, saved)
	e.Files[0].Kept = e.KeptName(0)
	return e
}

// errElsewhere says that a rename can't reach the state folder.
var errElsewhere = errors.New("on another file system")

// keepByMove moves a tree into the state folder. Its entry is written first: content without an
// entry is removed. If somebody wrote into the tree after the survey, that is moved with it, and
// comes back with an undo; but if the folder was empty then, it is moved back.
func (d *deletion) keepByMove(e *history.Entry) error {
	return d.w.history.Journal(d.ctx, e, func(kept dir.Folder) error {
		if err := d.ctx.Err(); err != nil {
			return err
		}
		s := &step{p: &place{folder: kept, name: e.Files[0].Kept}, from: d.p, info: d.p.info}
		if d.found.entries == 0 {
			s.tree = d.found
		}
		p := plan{hold: &d.hold, steps: []*step{s}}
		err := p.apply(s)
		if isElsewhere(err) {
			return errElsewhere
		}
		if err != nil {
			return err
		}
		return p.syncAll()
	})
}

// isElsewhere reports errors of a rename after which a copy may still work: another file system, a
// folder that may not be moved to another parent, no space in the state folder.
func isElsewhere(err error) bool {
	var left *dir.RollbackError
	switch {
	case err == nil, errors.As(err, &left):
		return false
	case errors.Is(err, syscall.EXDEV):
		return true
	}
	kind := dir.Classify(err)
	return errors.Is(kind, dir.ErrUnsupported) || errors.Is(kind, dir.ErrPermission) || errors.Is(kind, dir.ErrNoSpace)
}

// keepByCopy puts a copy of a tree into the state folder.
func (d *deletion) keepByCopy(e *history.Entry) error {
	f := &e.Files[0]
	if d.found.bytes > history.MaxBytes {
		return history.Failed(&TreeSizeError{Bytes: d.found.bytes, MaxBytes: history.MaxBytes})
	}
	kept, err := d.w.history.KeptFolder()
	if err != nil {
		return err
	}
	c := treeCopy{from: d.p.folder, name: d.p.name, to: kept, newName: f.Kept, faithful: true}
	if err = c.run(d.ctx); err == nil {
		f.Old, err = fingerprint(d.ctx, kept, f.Kept)
	}
	if err == nil {
		err = d.w.history.Journal(d.ctx, e, func(dir.Folder) error { return nil })
	}
	if err != nil {
		_ = discard(kept, f.Kept)
		return history.Failed(unwrapTree(err))
	}
	return nil
}

// namesIn lists the folder at a place.
func namesIn(ctx context.Context, p *place) ([]dir.Dirent, error) {
	folder, err := p.folder.Sub(p.name)
	if err != nil {
		kind := dir.Classify(notFollowed(err))
		if errors.Is(kind, dir.ErrNotFound) || errors.Is(kind, dir.ErrBusy) || errors.Is(kind, dir.ErrNotFolder) {
			return nil, dir.ErrCollision // it was a folder a moment ago
		}
		return nil, err
	}
	defer folder.Close()
	return folder.List(ctx)
}

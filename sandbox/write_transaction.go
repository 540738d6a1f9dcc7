package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// Rewrite replaces the content of one file by what change returns, or creates the file: a
// transaction with one change. If somebody who doesn't take the lock changes the file meanwhile,
// everything starts again with the content that is there then.
//
// Files larger than the workspace's Whole limit are refused with ErrTooLarge, unless Large is set.
// A symbolic link that stays inside is followed, and the file it leads to is written. An error that
// wraps ErrDurability means that the new content is in place but may not survive a power cut.
func (w *Workspace) Rewrite(ctx context.Context, t Target, change func(old []byte, existed bool) ([]byte, error)) (*Rewritten, error) {
	done, err := w.Commit(ctx, []Change{{Target: t, Make: change}})
	if len(done) == 0 {
		return nil, err
	}
	return done[0], err
}

// Commit makes all of the changes or none, in any folders of the workspace; the result has one
// entry for each. All are planned before the first is made. If several can't be made, the error is
// a *ChangesError. If a call is killed part-way, the next call that writes takes its changes back.
func (w *Workspace) Commit(ctx context.Context, changes []Change) ([]*Rewritten, error) {
	for try := range maxCollisions {
		done, err := w.transact(ctx, changes, try > 0)
		if !errors.Is(err, dir.ErrCollision) {
			return done, err
		}
	}
	return nil, &dir.PathError{Path: w.named(changes[0].Path), Err: dir.ErrBusy}
}

// transact tries once. disturbed says that an earlier try collided: somebody else is changing the
// same files.
func (w *Workspace) transact(ctx context.Context, changes []Change, disturbed bool) ([]*Rewritten, error) {
	t := &transaction{hold: hold{w: w, ctx: ctx}, tool: changes[0].Tool, undoes: changes[0].Undoes, dry: changes[0].DryRun,
		changes: len(changes), copies: disturbed}
	defer t.close()
	if err := t.locate(changes); err != nil {
		return nil, t.checkRest(err)
	}
	if !t.dry {
		if err := t.lockAll(); err != nil {
			return nil, err
		}
	}
	if err := t.each(t.prepare); err != nil {
		return nil, err
	}
	var err error
	if !t.dry {
		err = t.unlessDone(t.carryOut())
	}
	if err != nil && !errors.Is(err, dir.ErrDurability) {
		return nil, err
	}
	return t.report(err)
}

// transactOne is transact with one change, for a caller that starts again after a collision. It
// tries up to three times, from the second time on with a copy of the old file. On gocryptfs and
// bindfs a second name for the old file would look like a change by somebody else, because new
// times show late there. The first try sees the times from when the name was added, the second
// those from when it was removed.
func (w *Workspace) transactOne(ctx context.Context, c Change) (done []*Rewritten, err error) {
	for try := range 3 {
		if done, err = w.transact(ctx, []Change{c}, try > 0); !errors.Is(err, dir.ErrCollision) {
			break
		}
	}
	return done, err
}

// each runs do for all writes. Collisions and cancellation end it at once; other errors are
// collected, one for each change.
func (t *transaction) each(do func(*write) error) error {
	var failed []FailedChange
	for _, s := range t.writes {
		if s.unfit {
			continue
		}
		err := do(s)
		var refused *refusal
		switch {
		case err == nil:
			continue
		case errors.Is(err, syscall.EMFILE), errors.Is(err, dir.ErrOpenFiles): // the others would fail in the same way
			return s.p.fail(err)
		case errors.Is(err, dir.ErrCollision), isOwn(err) && !errors.As(err, &refused):
			return err
		case !isOwn(err):
			err = s.p.fail(err)
		}
		failed = append(failed, FailedChange{s.index, err})
	}
	slices.SortStableFunc(failed, func(a, b FailedChange) int { return cmp.Compare(a.Index, b.Index) })
	failed = slices.CompactFunc(failed, func(a, b FailedChange) bool { return a.Index == b.Index })
	switch {
	case len(failed) == 0:
		return nil
	case t.changes == 1:
		return failed[0].Err
	}
	return &ChangesError{failed}
}

// locate finds the places, and checks each: it must be in the workspace, the policy must allow it,
// and the target must admit it.
func (t *transaction) locate(changes []Change) error {
	var failed []FailedChange
	for i, c := range changes {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		err := t.locateOne(i, c)
		if errors.Is(err, dir.ErrOpenFiles) {
			return err // the other changes would fail in the same way
		}
		if err != nil {
			failed = append(failed, FailedChange{i, err})
		}
	}
	switch {
	case len(failed) == 1 && len(changes) == 1:
		return failed[0].Err
	case len(failed) > 0:
		return &ChangesError{failed}
	case len(changes) > 1:
		return t.untangle()
	}
	return nil
}

// untangle handles paths that several changes lead to. A file may get the name of one that is moved
// or removed: together, these are one replacement. Everything else is an error.
func (t *transaction) untangle() error {
	at := map[string]*write{}
	var failed []FailedChange
	for _, s := range t.writes {
		other := at[s.p.path]
		switch {
		case other == nil:
			at[s.p.path] = s
		case other.remove != s.remove:
			gone, comes := other, s
			if s.remove {
				gone, comes = s, other
			}
			gone.merged, comes.occupied, comes.target.Creation = true, false, MustExist
			at[s.p.path] = comes
		default:
			failed = append(failed, FailedChange{s.index, s.p.fail(fmt.Errorf("%w: %w", dir.ErrInvalidPath, &SameFileError{other.p.asked}))})
		}
	}
	for _, s := range t.writes {
		if s.occupied {
			failed = append(failed, FailedChange{s.index, s.p.fail(dir.ErrExists)})
		}
	}
	if len(failed) > 0 {
		return &ChangesError{failed}
	}
	// A moved file is read before its content is used.
	slices.SortStableFunc(t.writes, func(a, b *write) int {
		switch {
		case a.remove == b.remove:
			return 0
		case a.remove:
			return -1
		}
		return 1
	})
	return nil
}

func (t *transaction) locateOne(i int, c Change) error {
	s := &write{index: i, target: c.Target, make: c.Make, remove: c.Remove}
	if c.From != "" {
		gone := &write{index: i, target: Target{Path: c.From, IfMatch: c.IfMatch}, remove: true, movedFrom: true}
		if err := t.find(gone); err != nil {
			return err
		}
		s.source, s.target.IfMatch = gone, ""
	}
	return t.find(s)
}

func (t *transaction) find(s *write) error {
	p, err := t.w.locate(s.target.Path, purpose{follow: !s.remove, write: true, file: s.target.Creation != MustExist})
	if err != nil {
		return err
	}
	t.share(p)
	s.p = p
	t.writes = append(t.writes, s)
	err = s.target.admits(p)
	if errors.Is(err, dir.ErrExists) && t.changes > 1 { // another change may remove it
		s.occupied = true
		return nil
	}
	if err != nil && !t.dry {
		t.w.tidy(t.ctx, p)
	}
	return p.fail(err)
}

// share lets a place use the open folder of another one, so that a transaction of thousands of
// files holds few descriptors.
func (t *transaction) share(p *place) {
	if t.changes == 1 || len(p.opened) == 0 {
		return
	}
	names := strings.Split(p.path, "/")
	path := join(names[:len(names)-max(1, len(p.missing))])
	shared, known := t.folders[path]
	if !known {
		if t.folders == nil {
			t.folders = map[string]dir.Folder{}
		}
		t.folders[path] = p.folder
		return
	}
	a, errA := dir.FolderID(shared)
	b, errB := dir.FolderID(p.folder)
	if errA == nil && errB == nil && a == b {
		p.close()
		p.folder = shared
	}
}

// close frees everything that the transaction holds.
func (t *transaction) close() {
	for _, s := range t.writes {
		s.p.close()
	}
	t.release()
}

func (t *transaction) lockAll() error {
	places := make([]*place, len(t.writes))
	for i, s := range t.writes {
		places[i] = s.p
	}
	return t.lock(places...)
}

// checkRest adds the other changes that can't be made to those that can't be located, so that the
// caller learns of all at once.
func (t *transaction) checkRest(err error) error {
	var located, prepared *ChangesError
	if !errors.As(err, &located) {
		return err
	}
	t.dry = true // nothing is locked
	failed := map[int]bool{}
	for _, f := range located.Failed {
		failed[f.Index] = true
	}
	for _, s := range t.writes {
		s.unfit = failed[s.index]
	}
	if errors.As(t.each(t.prepare), &prepared) {
		located.Failed = append(located.Failed, prepared.Failed...)
		slices.SortStableFunc(located.Failed, func(a, b FailedChange) int { return cmp.Compare(a.Index, b.Index) })
	}
	return located
}

// carryOut makes the changes that change something.
func (t *transaction) carryOut() error {
	p, done, err := t.compile()
	defer done()
	if t.plan = p; err != nil || len(p.steps) == 0 {
		return err
	}
	return p.run()
}

// compile makes the plan. done closes the sources of the old contents.
func (t *transaction) compile() (p *plan, done func(), err error) {
	var opened []*dir.File
	done = func() {
		for _, f := range opened {
			f.Close()
		}
	}
	p = &plan{hold: &t.hold, entry: history.NewEntry(t.tool, t.undoes)}
	for _, s := range t.writes {
		if !s.changed {
			continue
		}
		made, makes := len(t.made), len(s.p.missing) > 1
		if err := t.makeParents(s.p); err != nil {
			return p, done, err
		}
		if makes && made == len(t.made) { // folders that were made are needed to remove them again
			t.share(s.p)
		}
		large, err := t.add(p, s)
		if err != nil {
			return p, done, own(s.p, err)
		}
		if large != nil {
			opened = append(opened, large)
		}
	}
	return p, done, nil
}

// add adds one write to the plan and its entry. A large file is opened, to be read in parts.
func (t *transaction) add(p *plan, s *write) (large *dir.File, err error) {
	saved := t.saved(s)
	from := history.Source{Content: s.old, Empty: !s.p.exists}
	if s.p.exists {
		s.kept = p.entry.KeptName(len(p.entry.Files))
		saved.Kept, from.Present, p.needed = s.kept, &s.info, true
		if !t.copies {
			from.Link = s.link
		}
		if saved.Restores == history.RestoreAll {
			from.Owner, from.Carried = &s.info, s.carried
		}
	}
	if t.isPartial(s) {
		if large, err = s.p.open(0); err != nil {
			return nil, err
		}
		from.File = large
	}
	p.steps = append(p.steps, &s.step)
	p.entry.Files, p.sources = append(p.entry.Files, saved), append(p.sources, from)
	return large, nil
}

// saved describes a write for the journal.
func (t *transaction) saved(s *write) history.Saved {
	f := history.Saved{Path: s.p.path, Action: history.Created, Old: s.oldTag, New: s.newTag}
	if s.p.exists {
		f.Mode, f.Size, f.FileID = s.info.Mode, s.info.Size, s.info.ID()
	}
	mode := f.Mode &^ fs.ModeType
	switch {
	case s.remove:
		f.Action, f.Restores = history.Removed, history.RestoreAll
	case !s.p.exists:
		f.Added = int64(s.p.parents)
	case s.isForeign():
		f.Action, f.Restores = history.Replaced, history.RestoreAll
	case s.target.mode(mode) != mode:
		f.Action, f.Restores = history.Replaced, history.RestoreMode
	default:
		f.Action = history.Replaced
	}
	return f
}

// report says what happened for each change. A failed sync after the commit still has a result: the
// content is in place.
func (t *transaction) report(failed error) ([]*Rewritten, error) {
	all := make([]*Rewritten, t.changes)
	for _, s := range t.writes {
		if s.movedFrom {
			continue
		}
		r := &Rewritten{Path: s.p.asked, Existed: s.p.exists, Changed: s.changed, Old: s.old, New: s.content, Links: s.info.Links,
			Partial: t.isPartial(s), ParentsCreated: s.p.newParents(), Mode: s.info.Mode &^ fs.ModeType, Lost: s.lost}
		if s.source != nil {
			r.Old, r.Mode, r.Links = s.source.old, s.source.info.Mode&^fs.ModeType, s.source.info.Links
		}
		if !t.dry && t.plan.kept && s.changed {
			r.BackupID = t.plan.entry.ID
		}
		all[s.index] = r
		switch {
		case t.dry && s.source != nil:
			r.ETag = s.source.oldTag
		case t.dry:
			r.ETag = s.oldTag
		case !s.remove:
			r.ETag = t.etag(s)
		}
	}
	return all, failed
}

// etag is the etag of the new file. A long one was described while it was open, and not by its
// name: the etag is for what was written.
func (t *transaction) etag(s *write) string {
	if s.changed && int64(len(s.content)) > t.w.whole {
		return dir.StateETag(s.made)
	}
	return s.newTag
}

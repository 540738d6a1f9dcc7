package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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
func (w *Workspace) Rewrite(ctx context.Context, t WriteOptions, change func(old []byte, existed bool) ([]byte, error)) (*Done, error) {
	return commitOne(ctx, w, Change{WriteOptions: t, Make: change})
}

func commitOne(ctx context.Context, w *Workspace, c Change) (*Done, error) {
	done, err := w.Commit(ctx, []Change{c})
	if len(done) == 0 {
		return nil, err
	}
	return done[0], err
}

// Commit makes all of the changes or none, in any folders of the workspace; the result has one
// entry for each. All are planned before the first is made. If several can't be made, the error is
// a *ChangesError. If a call is killed part-way, the next call that writes takes its changes back.
func (w *Workspace) Commit(ctx context.Context, changes []Change) ([]*Done, error) {
	tries := 0
	return retryOnCollision(w.Shown(changes[0].Path), func() ([]*Done, error) {
		tries++
		return transact(ctx, w, changes, tries > 1)
	})
}

// transact tries once. After a collision somebody else is changing the same files, so from the
// second time on the old files are copied: keeping a file itself fails whenever somebody has it
// open. On gocryptfs and bindfs it would fail every time: new times show late there, so each try
// would take the second name that the one before added, or removed, for somebody else's change.
func transact(ctx context.Context, w *Workspace, changes []Change, again bool) ([]*Done, error) {
	t := &transaction{lockSet: lockSet{w: w, ctx: ctx, above: changes[0].above}, changes: changes, dry: changes[0].DryRun, copies: again,
		failed: map[int]error{}, folders: map[string]dir.Folder{}}
	defer t.release()
	if err := t.locate(); err != nil {
		return nil, err
	}
	t.dry = t.dry || len(t.failed) > 0 // then it only looks for more that can't be made: the caller learns of all at once
	if err := t.prepareAll(); err != nil {
		return nil, err
	}
	if t.dry {
		return t.report(), nil
	}
	err := t.make()
	for t.canRetryOtherwise(err) {
		err = t.make()
	}
	err = t.rollbackUnlessCommitted(err)
	return reported(t.report(), err)
}

// make makes the changes.
func (t *transaction) make() error {
	p, err := t.compile()
	if err != nil || len(p.steps) == 0 {
		return err
	}
	if m := t.writes[0].move; m != nil {
		return m.explain(p.run())
	}
	return p.run()
}

// canRetryOtherwise reports whether the change may be made in another way, which make takes next.
func (t *transaction) canRetryOtherwise(err error) bool {
	if m := t.writes[0].move; m != nil {
		return m.canRetryOtherwise(err)
	}
	t.trees = t.trees || t.moved
	return t.moved && isElsewhere(err)
}

// prepareAll takes the locks and prepares all writes.
func (t *transaction) prepareAll() error {
	if !t.dry {
		if err := t.lock(t.places...); err != nil {
			return err
		}
	}
	for _, s := range t.writes {
		if t.failed[s.index] != nil {
			continue
		}
		if err := t.fail(s.index, s.p, t.prepare(s)); err != nil {
			return err
		}
		if !s.movedFrom {
			t.planned(s)
		}
	}
	return t.failure()
}

// fail notes that a change can't be made. It returns errors that end the whole call at once: a
// collision, a cancellation, and what the other changes would meet as well.
func (t *transaction) fail(index int, p *Target, err error) error {
	var refused *CallerError
	switch {
	case err == nil:
		return nil
	case dir.IsAny(err, syscall.EMFILE, dir.ErrOpenFiles, dir.ErrCollision), IsRefused(err) && !errors.As(err, &refused):
		return p.Fail(err)
	}
	t.failed[index] = p.Fail(err)
	return nil
}

// failure is the error for all changes that can't be made.
func (t *transaction) failure() error {
	switch {
	case len(t.failed) == 0:
		return nil
	case len(t.changes) == 1:
		return t.failed[0]
	}
	e := &ChangesError{}
	for _, i := range slices.Sorted(maps.Keys(t.failed)) {
		e.Failed = append(e.Failed, FailedChange{i, t.failed[i]})
	}
	return e
}

// locate finds the targets, and checks each: it must be in the workspace, the policy must allow it,
// and the target must admit it.
func (t *transaction) locate() error {
	for i, c := range t.changes {
		err := t.ctx.Err()
		if err == nil {
			err = t.fail(i, &Target{Asked: c.Path}, t.locateOne(i, c))
		}
		if err != nil {
			return err
		}
	}
	if len(t.changes) > 1 && len(t.failed) == 0 {
		t.resolveConflicts()
	}
	return nil
}

// resolveConflicts handles paths that several changes lead to. A file may get the name of one that
// is moved or removed: together, these are one replacement. Everything else is an error.
func (t *transaction) resolveConflicts() {
	at := map[string]*write{}
	for _, s := range t.writes {
		other := at[s.p.Path]
		switch {
		case other == nil:
			at[s.p.Path] = s
		case other.remove != s.remove && (other.p.Asked == s.p.Asked || !other.p.ViaLink && !s.p.ViaLink):
			gone, comes := other, s
			if s.remove {
				gone, comes = s, other
			}
			gone.merged, comes.occupied, comes.target.Creation = true, false, MustExist
			at[s.p.Path] = comes
		default:
			t.failed[s.index] = s.p.Fail(fmt.Errorf("%w: %w", dir.ErrInvalidPath, &SameFileError{other.p.Asked}))
		}
	}
	for _, s := range t.writes {
		if s.occupied {
			t.failed[s.index] = s.p.Fail(dir.ErrExists)
		}
	}
}

func (t *transaction) locateOne(i int, c Change) error {
	s := &write{index: i, target: c.WriteOptions, make: c.Make, copy: c.copy, remove: c.Remove, back: c.back}
	if c.move != nil {
		m, err := begin(&t.lockSet, *c.move, Purpose{Write: true}, Purpose{Write: true})
		if err == nil {
			t.writes = append(t.writes, &write{index: i, step: step{p: m.to}, target: c.WriteOptions, changed: true, move: m})
		}
		return err
	}
	if c.From != "" {
		gone := &write{index: i, target: WriteOptions{Path: c.From, IfMatch: c.IfMatch}, remove: true, movedFrom: true}
		if err := t.find(gone); err != nil {
			return err
		}
		s.source, s.target.IfMatch = gone, ""
	}
	return t.find(s)
}

func (t *transaction) find(s *write) error {
	why := Purpose{Follow: !s.remove && s.back == nil, Write: true,
		File: s.target.Creation != MustExist && (s.back == nil || !s.back.f.Mode.IsDir())}
	p, err := t.opened(t.w.Locate(s.target.Path, why))
	if err != nil {
		return err
	}
	t.share(p)
	s.p = p
	t.writes = append(t.writes, s)
	if tag := t.w.TagAgreed(p); s.target.IfMatch == "" && p.Info.Mode.IsRegular() {
		s.target.IfMatch = tag
	}
	err = s.target.admits(p)
	if errors.Is(err, dir.ErrExists) && len(t.changes) > 1 { // another change may remove it
		s.occupied = true
		return nil
	}
	return p.Fail(err)
}

// share lets a target use the open folder of another one, so that a transaction of thousands of
// files holds few descriptors.
func (t *transaction) share(p *Target) {
	if len(t.changes) == 1 || len(p.opened) == 0 {
		return
	}
	names := strings.Split(p.Path, "/")
	path := join(names[:len(names)-max(1, len(p.Missing))])
	shared, known := t.folders[path]
	if !known {
		t.folders[path] = p.Folder
		return
	}
	if isSameFolder(shared, p.Folder) {
		p.Close()
		p.Folder = shared
	}
}

func isSameFolder(a, b dir.Folder) bool {
	idA, errA := a.Index()
	idB, errB := b.Index()
	return errA == nil && errB == nil && idA == idB
}

// compile makes a plan of the changes that change something.
func (t *transaction) compile() (*plan, error) {
	p := &plan{lockSet: &t.lockSet, entry: history.NewEntry(t.changes[0].Tool, t.changes[0].Undoes)}
	p.grow(len(t.writes))
	order := map[bool]int{true: -1} // removals first: a name that differs in case only is free then
	slices.SortStableFunc(t.writes, func(a, b *write) int { return cmp.Compare(order[a.remove], order[b.remove]) })
	for _, s := range t.writes {
		if !s.changed {
			continue
		}
		if err := t.add(p, s); err != nil {
			return nil, err
		}
	}
	return p, t.noteAbove(p.entry)
}

// add adds one write to the plan and its entry.
func (t *transaction) add(p *plan, s *write) error {
	if len(s.p.Missing) > 1 {
		if err := t.makeParents(s.p); err != nil {
			return err
		}
		t.share(s.p)
	}
	switch {
	case s.move != nil:
		return s.move.addTo(p)
	case s.back != nil:
		t.addBack(p, s)
		return nil
	case s.p.Exists && !s.p.Info.Mode.IsRegular():
		return s.p.Fail(t.addRemoval(p, s))
	}
	saved := t.saved(s)
	if s.p.Exists {
		s.kept = p.entry.KeptName(len(p.entry.Items))
		saved.Kept = s.kept
	}
	p.add(&s.step, saved, t.source(s, saved))
	return nil
}

// addBack adds what comes back. As a rule a tree is moved out of the state folder.
func (t *transaction) addBack(p *plan, s *write) {
	made := &s.step
	if t.moved = s.back.isTree() && !t.trees; t.moved {
		made = s.back.moving(s.p)
	} else {
		s.creates = s.back.creation()
	}
	p.add(made, s.back.f.Inverse(), history.Source{Empty: true})
}

// source is what the old content is kept from. A file that isn't held in memory is opened, to be
// read in parts.
func (t *transaction) source(s *write, saved history.Item) history.Source {
	if !s.p.Exists {
		return history.Source{Empty: true}
	}
	from := history.Source{Content: s.old, Present: &s.info}
	if !t.copies {
		from.Link = s.link
	}
	if saved.Restores == history.RestoreAll {
		from.Owner, from.Carried = &s.info, s.carried
	}
	if s.isUnread() {
		from.File = func() (*dir.File, error) { return s.p.OpenSame(s.info) }
	}
	return from
}

// saved describes a write for the journal.
func (t *transaction) saved(s *write) history.Item {
	f := history.Item{Path: s.p.Path, Kind: history.Give, Old: s.oldTag, New: s.newTag}
	if s.p.Exists {
		f.Mode, f.Size, f.FileID = s.info.Mode, s.info.Size, s.info.ID()
	}
	mode := f.Mode &^ fs.ModeType
	switch {
	case s.remove:
		f.Kind, f.Restores = history.Take, history.RestoreAll
	case !s.p.Exists: // nothing to restore
	case s.isForeign():
		f.Kind, f.Restores = history.Exchange, history.RestoreAll
	case s.target.mode(mode) != mode:
		f.Kind, f.Restores = history.Exchange, history.RestoreMode
	default:
		f.Kind = history.Exchange
	}
	return f
}

// report says what happened for each change.
func (t *transaction) report() []*Done {
	all := make([]*Done, len(t.changes))
	for _, s := range t.writes {
		if s.movedFrom {
			continue
		}
		if s.move != nil {
			all[s.index] = s.move.report()
			continue
		}
		d := t.done(s)
		if t.changes[s.index].Planned != nil { // which has had the contents
			d.Old, d.New, d.Partial = nil, nil, true
		}
		d.Lost, d.Unkept = s.lost, s.unkept
		if s.changed {
			d.BackupID = t.backupID
		}
		d.ETag = t.etag(s)
		all[s.index] = d
	}
	return all
}

// done is what a write comes to.
func (t *transaction) done(s *write) *Done {
	d := &Done{Path: s.p.Asked, Existed: s.p.Exists, Changed: s.changed, Old: s.old, New: s.content, Links: s.info.Links,
		Partial: s.isPartial(), ParentsCreated: s.p.NewParents(), Mode: s.info.Mode}
	if s.found != nil {
		d.Entries = s.found.entries
	}
	if s.source != nil {
		d.Old, d.Mode, d.Links = s.source.old, s.source.info.Mode, s.source.info.Links
	}
	d.NewMode = s.newMode(d.Mode &^ fs.ModeType)
	return d
}

// etag is that of the file that is there after the call, "" for none.
func (t *transaction) etag(s *write) string {
	switch {
	case t.dry && s.source != nil:
		return s.source.oldTag
	case t.dry:
		return s.oldTag
	case s.remove, s.back != nil:
		return ""
	case s.changed && (s.made.Size > t.w.whole || !isContentTag(s.newTag)):
		return dir.StateETag(s.made) // of what was written, not of what has its name by now
	}
	return s.newTag
}

// newMode is the permission bits of the new file, given those of the old one; 0 for none.
func (s *write) newMode(mode fs.FileMode) fs.FileMode {
	switch {
	case s.remove, s.back != nil:
		return 0
	case s.target.template != nil:
		return s.target.template.Of.Mode &^ fs.ModeType &^ dir.SetID
	}
	return s.target.mode(mode)
}

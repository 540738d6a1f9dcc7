package transaction

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"syscall"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/tree"
)

// Rewrite replaces the content of one file by what change returns, or creates the file: a
// transaction with one change. If somebody who doesn't take the lock changes the file meanwhile,
// everything starts again with the content that is there then.
//
// Files larger than the workspace's Whole limit are refused with ErrTooLarge, unless Large is set.
// A symbolic link that stays inside is followed, and the file it leads to is written. An error that
// wraps ErrDurability means that the new content is in place but may not survive a power cut.
func Rewrite(ctx context.Context, w *sandbox.Workspace, t WriteOptions, change func(old []byte, existed bool) ([]byte,
	error)) (*Done, error) {
	return commitOne(ctx, w, Change{WriteOptions: t, Make: change})
}

func commitOne(ctx context.Context, w *sandbox.Workspace, c Change) (*Done, error) {
	done, err := Commit(ctx, w, []Change{c})
	if len(done) == 0 {
		return nil, err
	}
	return done[0], err
}

// Commit makes all of the changes or none, in any folders of the workspace; the result has one
// entry for each. All are planned before the first is made. If several can't be made, the error is
// a *ChangesError. If a call is killed part-way, the next call that writes takes its changes back.
func Commit(ctx context.Context, w *sandbox.Workspace, changes []Change) ([]*Done, error) {
	files := keptItself
	return plan.RetryOnCollision(ctx, w.Shown(changes[0].Path), func() ([]*Done, error) {
		done, err := transact(ctx, w, changes, files)
		files = keptAsCopy
		return done, err
	})
}

// transact tries once. After a collision somebody else is changing the same files, so from the
// second time on the old files are copied: keeping a file itself fails whenever somebody has it
// open. On gocryptfs and bindfs it would fail every time: new times show late there, so each try
// would take the second name that the one before added, or removed, for somebody else's change.
func transact(ctx context.Context, w *sandbox.Workspace, changes []Change, files backups) ([]*Done, error) {
	t := &Transaction{LockSet: plan.LockSet{Workspace: w, Ctx: ctx, Above: changes[0].Above}, Changes: changes,
		dry: changes[0].DryRun, files: files,
		Failed: map[int]error{}, folders: map[string]dir.Folder{}}
	defer t.Release()
	if err := t.Locate(); err != nil {
		return nil, err
	}
	t.dry = t.dry || len(t.Failed) > 0 // then it only looks for more that can't be made: the caller learns of all at once
	if err := t.Prepare(); err != nil {
		return nil, err
	}
	if t.dry {
		return t.report(), nil
	}
	err := t.make()
	for t.canRetryOtherwise(err) {
		err = t.make()
	}
	err = t.RollbackUnlessCommitted(err)
	return reported(t.report(), err)
}

// make makes the changes.
func (t *Transaction) make() error {
	p, err := t.Compile()
	if err != nil || len(p.Steps) == 0 {
		return err
	}
	return t.Run(p)
}

// Run carries out the plan of the changes.
func (t *Transaction) Run(p *plan.Plan) error {
	if m := t.writes[0].move; m != nil {
		return m.explain(p.Run())
	}
	return p.Run()
}

// canRetryOtherwise reports whether the change may be made in another way, which make takes next.
func (t *Transaction) canRetryOtherwise(err error) bool {
	if m := t.writes[0].move; m != nil {
		return m.canRetryOtherwise(err)
	}
	if !slices.ContainsFunc(t.writes, t.movesTree) {
		return false
	}
	t.trees = keptAsCopy
	return isElsewhere(err)
}

// movesTree reports whether a write moves a tree into the state folder, or out of it.
func (t *Transaction) movesTree(s *write) bool {
	isKept := s.found != nil && !t.Workspace.History().Off || s.kind == restores && s.back.IsTree()
	return t.trees == keptItself && isKept
}

// Prepare takes the locks and prepares all writes.
func (t *Transaction) Prepare() error {
	if !t.dry {
		if err := t.Lock(t.Targets...); err != nil {
			return err
		}
	}
	for _, s := range t.writes {
		if t.Failed[s.index] != nil {
			continue
		}
		if err := t.fail(s.index, s.Target, t.prepareOne(s)); err != nil {
			return err
		}
		if s.kind != leaves {
			t.planned(s)
		}
	}
	return t.failure()
}

// fail notes that a change can't be made. It returns errors that end the whole call at once: a
// collision, a cancellation, and what the other changes would meet as well.
func (t *Transaction) fail(index int, p *sandbox.Target, err error) error {
	switch {
	case err == nil:
		return nil
	case fserr.IsAny(err, syscall.EMFILE, fserr.ErrOpenFiles, fserr.ErrCollision),
		sandbox.IsRefused(err) && !errors.As(err, new(*sandbox.CallerError)):
		return p.Fail(err)
	}
	t.Failed[index] = p.Fail(err)
	return nil
}

// failure is the error for all changes that can't be made.
func (t *Transaction) failure() error {
	switch {
	case len(t.Failed) == 0:
		return nil
	case len(t.Changes) == 1:
		return t.Failed[0]
	}
	e := &ChangesError{}
	for _, i := range slices.Sorted(maps.Keys(t.Failed)) {
		e.Failed = append(e.Failed, FailedChange{i, t.Failed[i]})
	}
	return e
}

// Locate finds the targets, and checks each: it must be in the workspace, the policy must allow it,
// and the target must admit it.
func (t *Transaction) Locate() error {
	for i, c := range t.Changes {
		err := t.Ctx.Err()
		if err == nil {
			err = t.fail(i, &sandbox.Target{Asked: c.Path}, t.locateOne(i, c))
		}
		if err != nil {
			return err
		}
	}
	if len(t.Changes) > 1 && len(t.Failed) == 0 {
		t.resolveConflicts()
	}
	return nil
}

// resolveConflicts handles paths that several changes lead to. A file may get the name of one that
// is moved or removed: together, these are one replacement. Everything else is an error.
func (t *Transaction) resolveConflicts() {
	at := map[string]*write{}
	for _, s := range t.writes {
		other := at[s.Target.Path]
		switch {
		case other == nil:
			at[s.Target.Path] = s
		case other.frees() != s.frees() && (other.Target.Asked == s.Target.Asked || !other.Target.ViaLink && !s.Target.ViaLink):
			gone, comes := other, s
			if s.frees() {
				gone, comes = s, other
			}
			gone.successor, comes.target.Creation = comes, MustExist
			at[s.Target.Path] = comes
		default:
			t.Failed[s.index] = s.Target.Fail(fmt.Errorf("%w: %w", fserr.ErrInvalidPath, &SameFileError{other.Target.Asked}))
		}
	}
	for _, s := range t.writes {
		if errors.Is(s.target.admits(s.Target), fserr.ErrExists) { // nothing takes away what has the path
			t.Failed[s.index] = s.Target.Fail(fserr.ErrExists)
		}
	}
}

func (t *Transaction) locateOne(i int, c Change) error {
	s := &write{index: i, target: c.WriteOptions, make: c.Make, copy: c.Copy, back: c.Back}
	switch {
	case c.Remove:
		s.kind = removes
	case c.Back != nil:
		s.kind = restores
	}
	if c.Move != nil {
		m, err := begin(&t.LockSet, *c.Move, sandbox.Purpose{Write: true}, sandbox.Purpose{Write: true})
		if err == nil {
			t.writes = append(t.writes, &write{index: i, Step: plan.Step{Target: m.to}, target: c.WriteOptions, changed: true, kind: moves, move: m})
		}
		return err
	}
	if c.From != "" {
		gone := &write{index: i, target: WriteOptions{Path: c.From, IfMatch: c.IfMatch}, kind: leaves}
		if err := t.find(gone); err != nil {
			return err
		}
		s.source, s.target.IfMatch = gone, ""
	}
	return t.find(s)
}

func (t *Transaction) find(s *write) error {
	why := sandbox.Purpose{Follow: s.kind == writes, Write: true, Opens: s.kind != restores && s.target.Creation != MustCreate,
		File: s.target.Creation != MustExist && (s.kind != restores || !s.back.Item.Mode.IsDir())}
	p, err := t.Opened(t.Workspace.Locate(s.target.Path, why))
	if err != nil {
		return err
	}
	t.share(p)
	s.Target = p
	p.Opens = s.kind != restores && p.Asks()
	t.writes = append(t.writes, s)
	if tag := t.Workspace.TagAgreed(p); s.target.IfMatch == "" && p.Info.Mode.IsRegular() {
		s.target.IfMatch = tag
	}
	err = s.target.admits(p)
	if err != nil && !p.Exists {
		err = plan.ConfirmMissing(t.Ctx, t.Workspace, p, t.dry, err)
	}
	if errors.Is(err, fserr.ErrExists) && len(t.Changes) > 1 { // another change may remove it: see resolveConflicts
		return nil
	}
	return p.Fail(err)
}

// share lets a target use the open folder of another one, so that a transaction of thousands of
// files holds few descriptors.
func (t *Transaction) share(p *sandbox.Target) {
	if len(t.Changes) == 1 || !p.HasOpen() {
		return
	}
	path := p.FolderPath()
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

// Compile makes a plan of the changes that change something.
func (t *Transaction) Compile() (*plan.Plan, error) {
	p := &plan.Plan{LockSet: &t.LockSet, Entry: history.NewEntry(t.Changes[0].Tool, t.Changes[0].Undoes)}
	p.Grow(len(t.writes))
	order := map[bool]int{true: -1} // removals first: a name that differs in case only is free then
	slices.SortStableFunc(t.writes, func(a, b *write) int { return cmp.Compare(order[a.frees()], order[b.frees()]) })
	for _, s := range t.writes {
		if !s.changed {
			continue
		}
		if err := t.add(p, s); err != nil {
			return nil, err
		}
	}
	return p, t.NoteAbove(p.Entry)
}

// add adds one write to the plan and its entry.
func (t *Transaction) add(p *plan.Plan, s *write) error {
	if len(s.Target.Missing) > 1 {
		if err := t.MakeParents(s.Target); err != nil {
			return err
		}
		t.share(s.Target)
	}
	switch {
	case s.kind == moves:
		return s.move.addTo(p)
	case s.kind == restores:
		t.addBack(p, s)
		return nil
	case s.Target.Exists && !s.Target.Info.Mode.IsRegular():
		return s.Target.Fail(t.addRemoval(p, s))
	}
	saved := t.saved(s)
	if s.Target.Exists {
		s.Kept = p.Entry.KeptName(len(p.Entry.Items))
		saved.Kept = s.Kept
	}
	p.Add(&s.Step, saved, t.source(s, saved))
	return nil
}

// addBack adds what comes back. As a rule a tree is moved out of the state folder.
func (t *Transaction) addBack(p *plan.Plan, s *write) {
	made := &s.Step
	if t.movesTree(s) {
		made = s.back.moving(s.Target)
	} else {
		s.Creates = s.back.creation()
	}
	p.Add(made, s.back.Item.Inverse(), history.Source{Empty: true})
}

// source is what the old content is kept from. A file that isn't held in memory is opened, to be
// read in parts.
func (t *Transaction) source(s *write, saved history.Item) history.Source {
	if !s.Target.Exists {
		return history.Source{Empty: true}
	}
	from := history.Source{Content: s.old, Present: &s.Info}
	if t.files == keptItself {
		from.Link = s.Link
	}
	if saved.Restores == history.RestoreAll {
		from.Owner, from.Carried = &s.Info, s.carried
	}
	if s.isUnread() {
		from.File = func() (*openfile.File, error) { return s.Target.OpenSame(s.Info) }
	}
	return from
}

// saved describes a write for the journal.
func (t *Transaction) saved(s *write) history.Item {
	f := history.Item{Path: s.Target.Path, Kind: history.Create, Old: s.OldTag, New: s.NewTag}
	if s.Target.Exists {
		f.Mode, f.Size, f.FileID = s.Info.Mode, s.Info.Size, s.Info.ID()
	}
	mode := f.Mode &^ fs.ModeType
	switch {
	case s.frees():
		f.Kind, f.Restores = history.Remove, history.RestoreAll
	case !s.Target.Exists: // nothing to restore
	case s.isForeign():
		f.Kind, f.Restores = history.Replace, history.RestoreAll
	case s.target.mode(mode) != mode:
		f.Kind, f.Restores = history.Replace, history.RestoreMode
	default:
		f.Kind = history.Replace
	}
	return f
}

// report says what happened for each change.
func (t *Transaction) report() []*Done {
	all := make([]*Done, len(t.Changes))
	for _, s := range t.writes {
		if s.kind == leaves {
			continue
		}
		if s.kind == moves {
			all[s.index] = s.move.report()
			continue
		}
		d := t.done(s)
		if t.Changes[s.index].Planned != nil { // which has had the contents
			d.Old, d.New, d.Partial = nil, nil, true
		}
		d.Lost, d.Unkept = s.Lost, s.unkept
		if s.changed {
			d.BackupID = t.BackupID
		}
		d.ETag = t.etag(s)
		all[s.index] = d
	}
	return all
}

// done is what a write comes to.
func (t *Transaction) done(s *write) *Done {
	d := &Done{Path: s.Target.Asked, Existed: s.Target.Exists, Changed: s.changed, Old: s.old, New: s.content, Links: s.Info.Links,
		Partial: s.isPartial(), ParentsCreated: s.Target.NewParents(), Mode: s.Info.Mode}
	if s.found != nil {
		d.Entries = s.found.Entries
	}
	if s.source != nil {
		d.Old, d.Mode, d.Links = s.source.old, s.source.Info.Mode, s.source.Info.Links
	}
	d.NewMode = s.newMode(d.Mode &^ fs.ModeType)
	return d
}

// etag is that of the file that is there after the call, "" for none.
func (t *Transaction) etag(s *write) string {
	switch {
	case t.dry && s.source != nil:
		return s.source.OldTag
	case t.dry:
		return s.OldTag
	case s.frees(), s.kind == restores:
		return ""
	case s.changed && (s.Made.Size > t.Workspace.Whole() || !tree.IsContentTag(s.NewTag)):
		return openfile.StateETag(s.Made) // of what was written, not of what has its name by now
	}
	return s.NewTag
}

// newMode is the permission bits of the new file, given those of the old one; 0 for none.
func (s *write) newMode(mode fs.FileMode) fs.FileMode {
	switch {
	case s.frees(), s.kind == restores:
		return 0
	case s.target.Rights != nil:
		return s.target.Rights.Of.Mode &^ fs.ModeType &^ stat.SetID
	}
	return s.target.mode(mode)
}

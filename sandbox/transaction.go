package sandbox

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// transaction carries out a list of changes. It finds the places, locks their folders, plans every
// change, keeps the old content, writes the new files beside their final names, and then gives each
// its name. Until that last part nothing visible has changed; from there on each step can be taken
// back.
type transaction struct {
	w       *Workspace
	ctx     context.Context
	tool    string
	undoes  string
	dry     bool
	copies  bool // always copy old files: keeping the file itself fails whenever somebody has it open
	changes int
	steps   []*step
	work    []*step         // the steps that change something
	locked  map[string]bool // folders by ID
	unlock  []func()
	backup  *history.Entry
	held    int64 // bytes of old content in memory
	kept    bool  // the backup is in the journal
	record  *history.Record
}

// step is one name that a transaction changes.
type step struct {
	index     int // index of its change
	target    Target
	make      func(old []byte, existed bool) ([]byte, error)
	remove    bool
	source    *step // of a moved file: the step that removes it from its old path
	movedFrom bool  // this is such a step

	occupied bool // the path of a new file is taken
	merged   bool // the file is removed, but another step puts a file at the same path
	unfit    bool // its change can't be made

	p *place

	old     []byte
	info    dir.Info // of the file that has the name now
	carried dir.Attributes
	content []byte
	tag     string // etag of content, if known
	changed bool

	parents     int
	undoParents func()
	file        *dir.File      // the new file; it may have no name yet
	temp        string         // temporary name, first of the new file, then of the old one
	named       bool           // a file has the temporary name
	staged      dir.Identity   // of the new file
	made        dir.Info       // of the new file, fully written
	lost        Lost           // what the new file lacks that the old one had
	keptAs      *history.Saved // the old file in the state folder, if the file itself is kept
	done        bool           // the new file has its name
}

// transact tries once. disturbed says that an earlier try collided: somebody else is changing the
// same files.
func (w *Workspace) transact(ctx context.Context, changes []Change, disturbed bool) (_ []*Rewritten, err error) {
	t := &transaction{w: w, ctx: ctx, tool: changes[0].Tool, undoes: changes[0].Undoes, dry: changes[0].DryRun, changes: len(changes),
		copies: disturbed}
	defer t.release()
	if err := t.locate(changes); err != nil {
		return nil, t.checkRest(err)
	}
	if err := t.lock(); err != nil {
		return nil, err
	}
	if err := t.each(t.prepare); err != nil {
		return nil, err
	}
	if !t.dry {
		err = t.carryOut()
	}
	if err != nil && !errors.Is(err, dir.ErrDurability) {
		return nil, err
	}
	return t.report(err)
}

// transactOne is transact with one change, for a caller that starts again after a collision. It
// tries up to three times, from the second time on with a copy of the old file. A second name for
// the old file would look like a change by somebody else on gocryptfs and bindfs, where the new
// times show late: after the name is added, to the first try; after it is removed, to the second.
func (w *Workspace) transactOne(ctx context.Context, c Change) (done []*Rewritten, err error) {
	for try := range 3 {
		if done, err = w.transact(ctx, []Change{c}, try > 0); !errors.Is(err, dir.ErrCollision) {
			break
		}
	}
	return done, err
}

// each runs do for all steps. Collisions and cancellation end it at once; other errors are
// collected, one for each change.
func (t *transaction) each(do func(*step) error) error {
	var failed []FailedChange
	for _, s := range t.steps {
		if s.unfit {
			continue
		}
		err := do(s)
		var refused *refusal
		switch {
		case err == nil:
			continue
		case errors.Is(err, syscall.EMFILE), errors.Is(err, dir.ErrOpenFiles): // the other steps would fail in the same way
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

// carryOut makes the planned changes, or leaves everything as it was.
func (t *transaction) carryOut() error {
	for _, s := range t.steps {
		if s.changed {
			t.work = append(t.work, s)
		}
	}
	if len(t.work) == 0 {
		return nil
	}
	err := t.attempt()
	if err == nil || errors.Is(err, dir.ErrDurability) {
		return err
	}
	return errors.Join(err, t.takeBack())
}

func (t *transaction) attempt() error {
	if err := t.eachUntil(t.makeParents); err != nil {
		return err
	}
	t.name()
	prepare := t.prepareOne
	if len(t.work) > 1 {
		prepare = t.prepareAll
	}
	if err := prepare(); err != nil {
		return err
	}
	if err := t.ctx.Err(); err != nil {
		return err
	}
	if err := t.eachUntil(t.apply); err != nil {
		return err
	}
	if t.makesOne() {
		t.kept = t.w.history.Note(t.ctx, t.backup)
	}
	return t.finish()
}

// prepareAll first records what is going to happen, so that files with temporary names and entries
// of the journal are found again after a kill.
func (t *transaction) prepareAll() error {
	t.backup = t.entry()
	var err error
	if t.record, err = t.w.history.Begin(t.backup); err != nil {
		return err
	}
	if err := t.keep(); err != nil {
		return err
	}
	if err := t.stageAll(); err != nil {
		return err
	}
	return t.markStaged()
}

func (t *transaction) prepareOne() error {
	if err := t.stage(t.work[0]); err != nil {
		return own(t.work[0].p, err)
	}
	t.backup = t.entry()
	if t.makesOne() { // note adds the entry later
		return nil
	}
	return t.keep()
}

// makesOne reports a transaction that only makes one new file.
func (t *transaction) makesOne() bool { return len(t.work) == 1 && !t.work[0].p.exists }

// eachUntil runs do for the steps until one fails.
func (t *transaction) eachUntil(do func(*step) error) error {
	for _, s := range t.work {
		if err := do(s); err != nil {
			return own(s.p, err)
		}
	}
	return nil
}

func (t *transaction) makeParents(s *step) error {
	if len(s.p.missing) <= 1 {
		return nil
	}
	s.parents = len(s.p.missing) - 1
	var err error
	if s.undoParents, err = t.w.makeParents(s.p); err != nil {
		return err
	}
	id, err := dir.FolderID(s.p.folder)
	if err != nil {
		return err
	}
	return t.lockFolder(s.p, id)
}

// entry is the transaction's entry for the journal.
func (t *transaction) entry() *history.Entry {
	b := history.NewEntry(t.tool, t.undoes)
	for i, s := range t.work {
		b.Files = append(b.Files, s.saved(t.w))
		if s.p.exists {
			b.Files[i].Kept = b.KeptName(i)
		}
	}
	return b
}

// markStaged adds the IDs of the new files to the record. No new file gets its name before that, so
// that a recovery never takes another file for one of them.
func (t *transaction) markStaged() error {
	if t.record == nil {
		return nil
	}
	for i, s := range t.work {
		if !s.p.exists {
			t.backup.Files[i].FileID = s.made.ID()
		}
	}
	return t.w.history.Update(t.record, t.backup)
}

// keep puts the old content of the steps into the state folder, and the entry into the journal.
func (t *transaction) keep() error {
	sources := make([]history.Source, len(t.work))
	needed := false
	for i, s := range t.work {
		sources[i] = history.Source{Content: s.old, Empty: !s.p.exists}
		if !t.copies {
			sources[i].Link = s.link
		}
		if s.p.exists {
			sources[i].Present = &s.info
		}
		if t.backup.Files[i].Restores == history.RestoreAll {
			sources[i].Owner, sources[i].Carried = &s.info, s.carried
		}
		needed = needed || s.p.exists
		if !s.isPartial(t.w) {
			continue
		}
		f, err := s.p.open(os.O_RDONLY)
		if err != nil {
			return own(s.p, err)
		}
		defer f.Close()
		sources[i].File = f
	}
	var err error
	t.kept, err = t.w.history.Keep(t.ctx, t.backup, sources, needed)
	if err != nil {
		return own(t.work[0].p, err)
	}
	return nil
}

// saved describes a step for the journal.
func (s *step) saved(w *Workspace) history.Saved {
	f := history.Saved{Path: s.p.path, Temp: s.temp}
	if s.p.exists {
		f.Mode, f.Size, f.FileID = s.info.Mode, s.info.Size, s.info.ID()
		f.Old = dir.ContentETag(s.old)
		if s.isPartial(w) {
			f.Old = dir.StateETag(s.info)
		}
	}
	switch {
	case s.remove:
		f.Action, f.Restores = history.Removed, history.RestoreAll
		return f
	case s.p.exists:
		f.Action = history.Replaced
		if mode := f.Mode &^ fs.ModeType; s.isForeign() {
			f.Restores = history.RestoreAll
		} else if s.target.mode(mode) != mode {
			f.Restores = history.RestoreMode
		}
	default:
		f.Action, f.Added = history.Created, int64(s.parents)
	}
	f.New = dir.ContentETag(s.content)
	if int64(len(s.content)) <= w.whole {
		s.tag = f.New
	}
	return f
}

// takeBack undoes what a failed transaction did, the last step first. If a file can't be put back,
// all its files are left: the next call tries again, with the record.
func (t *transaction) takeBack() error {
	var left error
	restored := true
	for i := len(t.work) - 1; i >= 0; i-- {
		s := t.work[i]
		if s.done {
			if err := t.w.restore(context.WithoutCancel(t.ctx), s.p, t.backup.Files[i]); err != nil {
				left, restored = errors.Join(left, err), false
				continue
			}
		}
		if s.named {
			if err := s.p.folder.Remove(s.temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
				left = errors.Join(left, err)
			}
		}
		if s.undoParents != nil {
			s.undoParents()
		}
	}
	if t.kept && restored {
		t.w.history.Drop(t.backup)
	}
	if left == nil && t.record != nil {
		t.record.End()
	}
	return dir.LeftBehind(left)
}

// release frees everything that the transaction holds.
func (t *transaction) release() {
	for _, s := range t.steps {
		if s.file != nil {
			s.file.Close()
		}
		s.p.close()
	}
	for _, unlock := range t.unlock {
		unlock()
	}
	if t.record != nil {
		t.record.Close()
	}
}

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
)

// transaction carries out a list of changes: it finds the places, locks their folders, plans every change, keeps what they
// take away, writes the new files beside their places, and then puts each where it belongs. Up to that last part nothing
// that the caller can see has changed; from there on what is done can be taken back.
type transaction struct {
	w       *Workspace
	ctx     context.Context
	tool    string
	undoes  string
	dry     bool
	copies  bool // keep no old file itself: who opens it would stop the call once more
	changes int
	steps   []*step
	work    []*step         // those that change something
	locked  map[string]bool // folders by identity
	unlock  []func()
	backup  *Backup
	held    int64 // bytes of old content in memory
	kept    bool  // the backup stands in the journal
	pending *pending
}

// step is one name that a transaction changes.
type step struct {
	index  int // of its change
	target Target
	make   func(old []byte, existed bool) ([]byte, error)
	remove bool
	source *step // of a file that moves: the step that takes it away
	half   bool  // it is that step

	occupied bool // something stands where a new file is to be
	merged   bool // another step puts a file in the place of the one that goes away
	unfit    bool // its change can't be made

	p *place

	old     []byte
	info    dir.Info // of what stands there
	carried dir.Attributes
	content []byte
	tag     string // etag of content, once it is known
	changed bool

	parents     int
	undoParents func()
	file        *dir.File    // the new content, without a name yet
	temp        string       // what the new content is called, then the old one
	named       bool         // temp exists
	staged      dir.Identity // of the new file
	made        dir.Info     // the new file, all written
	lost        Lost         // of what the old file had
	keptAs      string       // what the old file is called in the state folder, if it is kept itself
	done        bool         // the place holds the new content
}

// transact makes one try. One that comes after a collision is disturbed: somebody is at the same files.
func (w *Workspace) transact(ctx context.Context, changes []Change, disturbed bool) (_ []*Rewritten, err error) {
	t := &transaction{w: w, ctx: ctx, tool: changes[0].Tool, undoes: changes[0].Undoes, dry: changes[0].DryRun, changes: len(changes),
		copies: disturbed}
	defer t.release()
	if err := t.locate(changes); err != nil {
		return nil, t.judgeRest(err)
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

// transactOne is transact for a caller that begins anew after a collision. It makes some tries itself, the later ones with a copy
// of the old file. On gocryptfs and bindfs its second name, made or removed, shows late in the times of the first one, and so
// looks like somebody's change: to the first try when it is made, to the second when it is removed.
func (w *Workspace) transactOne(ctx context.Context, c Change) (done []*Rewritten, err error) {
	for try := range 3 {
		if done, err = w.transact(ctx, []Change{c}, try > 0); !errors.Is(err, dir.ErrCollision) {
			break
		}
	}
	return done, err
}

// each does something with all steps. Collisions and the end of the caller's patience end it at once; other errors are
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
		case errors.Is(err, syscall.EMFILE), errors.Is(err, dir.ErrOpenFiles): // it is the same for the rest
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
		t.kept = t.w.note(t.ctx, t.backup)
	}
	return t.finish()
}

// prepareAll announces first what is going to happen: what is staged under a name, or stands in the journal, must be found again
// after a kill.
func (t *transaction) prepareAll() error {
	t.backup = t.entry()
	var err error
	if t.pending, err = t.w.announce(t.backup); err != nil {
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
	if t.makesOne() { // see note
		return nil
	}
	return t.keep()
}

// makesOne reports a transaction that does nothing but make a new file.
func (t *transaction) makesOne() bool { return len(t.work) == 1 && !t.work[0].p.exists }

// eachUntil does something with the steps until one fails.
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

// entry is what the journal is to say.
func (t *transaction) entry() *Backup {
	b := newBackup(t.tool)
	b.Undoes = t.undoes
	for i, s := range t.work {
		b.Files = append(b.Files, s.saved(t.w))
		if s.p.exists {
			b.Files[i].Kept = b.keptName(i)
		}
	}
	return b
}

// keep puts what the steps take away into the state folder, and the whole of it into the journal.
func (t *transaction) keep() error {
	sources := make([]source, len(t.work))
	needed := false
	for i, s := range t.work {
		sources[i] = source{content: s.old, empty: !s.p.exists}
		if !t.copies {
			sources[i].step = s
		}
		if s.p.exists {
			sources[i].stood = &s.info
		}
		if t.backup.Files[i].like == likeKept {
			sources[i].owner, sources[i].carried = &s.info, s.carried
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
		sources[i].file = f
	}
	var err error
	t.kept, err = t.w.keep(t.ctx, t.backup, sources, needed)
	if err != nil {
		return own(t.work[0].p, err)
	}
	return nil
}

// saved is what the journal says of a step.
func (s *step) saved(w *Workspace) Saved {
	f := Saved{Path: s.p.path, temp: s.temp}
	if s.p.exists {
		f.Mode, f.Size, f.ino = s.info.Mode, s.info.Size, s.info.ID()
		f.Old = dir.ContentETag(s.old)
		if s.isPartial(w) {
			f.Old = dir.StateETag(s.info)
		}
	}
	switch {
	case s.remove:
		f.Action, f.like = Removed, likeKept
		return f
	case s.p.exists:
		f.Action = Replaced
		if mode := f.Mode &^ fs.ModeType; s.isForeign() {
			f.like = likeKept
		} else if s.target.mode(mode) != mode {
			f.like = likeMode
		}
	default:
		f.Action, f.Added = Created, int64(s.parents)
	}
	f.New = dir.ContentETag(s.content)
	if int64(len(s.content)) <= w.whole {
		s.tag = f.New
	}
	return f
}

// takeBack undoes what a failed transaction did, the last part first. Of a file that can't be put back everything stays: the next
// call tries it again, by the record.
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
		t.w.drop(t.backup)
	}
	if left == nil && t.pending != nil {
		t.pending.end()
	}
	return dir.LeftBehind(left)
}

// release gives back what the transaction holds.
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
	if t.pending != nil {
		t.pending.close()
	}
}

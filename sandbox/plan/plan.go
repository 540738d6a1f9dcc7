package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/walk"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/tree"
)

// Plan is a change: the steps that it takes, and how the journal describes it. run makes it whole
// or not at all: see doc.go.
type Plan struct {
	*LockSet
	Steps         []*Step
	Entry         *history.Entry   // without items for the removal of a special file, of which nothing is kept
	sources       []history.Source // of the old contents, one for each item of the entry; nil for what is new
	Ready         func()           // is called when everything that arrives is made, before the entry is kept; may be nil
	MayLackRecord bool             // do without a record if there is no state folder

	InJournal bool // the entry is
	Record    *history.Record
}

// Grow makes room for so many steps: append would take too much for thousands.
func (p *Plan) Grow(n int) {
	p.Steps = slices.Grow(p.Steps, n)
	p.Entry.Items, p.sources = slices.Grow(p.Entry.Items, n), slices.Grow(p.sources, n)
}

// Add adds a step, and what the journal says of it.
func (p *Plan) Add(s *Step, saved history.Item, from history.Source) {
	p.Steps = append(p.Steps, s)
	p.Note(saved, from)
}

// Note adds what the journal says of a name.
func (p *Plan) Note(saved history.Item, from history.Source) {
	p.Entry.Items, p.sources = append(p.Entry.Items, saved), append(p.sources, from)
}

// recorded describes the plan for its record.
func (p *Plan) recorded() *history.Entry {
	r := *p.Entry
	r.Items = make([]history.Item, len(p.Steps))
	for i, s := range p.Steps {
		f := s.recorded()
		if s.Temp == FixedTemp {
			f.Temp = "" // who locks the folder looks after that: see clearFolder
		}
		if f.Kind == history.Rename && s.Target.Folder.System().Shared && s.Info.Mode.IsRegular() {
			f.New = tree.LongTag(s.Info) // until a recovery, another file may get its inode number: see renameBack
		}
		r.Items[i] = f
	}
	return &r
}

// Run makes the change, or leaves everything as it was.
func (p *Plan) Run() error {
	defer p.Close()
	p.Name()
	err := p.Prepare()
	if err == nil {
		err = Make(p.Ctx, p.Workspace, p.carryOut)
	}
	if err == nil {
		err = p.Finish()
	} else {
		err = p.rollBack(err)
		NoteUndone(p.Ctx, err)
	}
	for _, s := range p.Steps {
		p.Lost |= s.Lost
	}
	if p.InJournal {
		p.BackupID = p.Entry.ID
	}
	return err
}

// rollBack undoes a plan that failed, and returns its error. What can't be undone now is for who
// locks the folders next, unless it was set aside.
func (p *Plan) rollBack(err error) error {
	left := p.Revert(err)
	_, isAside := errors.AsType[*asideError](left)
	p.abandoned = left != nil && !isAside
	return rolledBack(err, left)
}

// carryOut makes the steps.
func (p *Plan) carryOut() error {
	if !p.isSingle() {
		if err := p.Check(); err != nil {
			return err
		}
	}
	for _, s := range p.Steps {
		if err := cmp.Or(p.Ctx.Err(), p.checkFor(s)); err != nil {
			return err
		}
		if !s.Target.Opens { // else unchanged asks for it
			if err := p.refresh(s.Target); err != nil {
				return s.Target.Fail(err)
			}
		}
		if err := p.apply(s); err != nil {
			return s.culprit(err).Fail(err)
		}
	}
	if !p.makesOne() {
		return nil
	}
	return p.Steps[0].Target.Fail(p.keepEntry())
}

// Prepare makes what arrives, and keeps what is destroyed. What is going to be done is recorded
// first, so that files with temporary names are found again after a kill, and, of several steps,
// entries of the journal. Their record has what arrives before any of it gets its name, so that a
// recovery never takes another file for it.
func (p *Plan) Prepare() error {
	s := p.Steps[0]
	if err := p.announce(); err != nil {
		return s.Target.Fail(err)
	}
	if _, isFile := s.Creates.(*NewFile); isFile && s.Target.Exists && p.isSingle() {
		s.meanwhile = p.Keep
	}
	if err := p.stageAll(); err != nil {
		return err
	}
	if p.Record != nil {
		if err := p.Workspace.History().Begin(p.Record, p.recorded()); err != nil {
			return err
		}
	}
	switch {
	case s.meanwhile != nil: // it is kept already
		return nil
	case p.makesOne(): // its entry comes after it: see carryOut
		p.Entry.Items[0].New = s.NewTag
		return nil
	}
	return p.Keep()
}

// announce records the temporary names of the plan. Without backups one of a single step does
// without a state folder.
func (p *Plan) announce() (err error) {
	isOne := p.isSingle()
	switch {
	case !isOne:
		p.Record, err = p.Workspace.History().Announce(p.recorded())
	case p.Steps[0].From == nil:
		err = p.Workspace.History().Note(p.recorded())
	}
	isRemoval := len(p.Steps) == 1 && p.Steps[0].kind() == history.Remove
	if p.Workspace.History().Off && (isOne || isRemoval || p.MayLackRecord) && errors.Is(err, fserr.ErrBackup) {
		return nil
	}
	return err
}

// isSingle reports whether a plan is one step that is made or not, whenever the call is killed, and
// needs no record. On SMB a replacement isn't (see replaceInTwo), nor a removal (see removeAgain).
func (p *Plan) isSingle() bool { return len(p.Steps) == 1 && !p.Steps[0].mayStay() }

// makesOne reports whether a plan only makes one thing that is new, or moves it out of the state
// folder.
func (p *Plan) makesOne() bool {
	s := p.Steps[0]
	return len(p.Steps) == 1 && !s.Target.Exists && (s.Creates != nil || s.From.Path == "") // which no target in the state folder has
}

// Keep puts the old contents into the state folder, and the entry into the journal.
func (p *Plan) Keep() error {
	if p.Ready != nil {
		p.Ready()
	}
	if len(p.sources) == 0 {
		return nil
	}
	for i, s := range p.Steps {
		if n, ok := s.Creates.(*NewFile); ok && (n.Later != nil || n.Copy != nil) && p.Entry.Items[i].Path == s.Target.Path {
			p.Entry.Items[i].New = s.NewTag
		}
	}
	return p.Steps[0].Target.Fail(p.keepEntry())
}

// keepEntry adds the plan to the journal. It comes last for a plan that only makes one thing, which
// destroys nothing: so no entry tells of something that a killed call never made, and if it is
// missing, somebody has removed it.
func (p *Plan) keepEntry() (err error) {
	p.Entry.Made = p.made
	p.InJournal, err = p.Workspace.History().Keep(p.Ctx, p.Entry, p.sources)
	return err
}

// Name gives every step its temporary name.
func (p *Plan) Name() {
	if s := p.Steps[0]; p.isSingle() {
		if s.Temp = FixedTemp; !s.onlyRenames() {
			s.Temp = freeTemp(s.Target.Folder, FixedTemp)
		}
		return
	}
	id := rand.Uint64()
	for i, s := range p.Steps {
		s.Temp = s.tempOf(fmt.Sprintf("%s%016x-%d", policy.TransPrefix, id, i))
	}
}

// Revert undoes what a failed plan did, the last step first. If something can't be put back, all
// that is left of its step stays: the next call tries again, with the record. A temporary name that
// can't be removed is no error, and left to the next call as well. cause is why the plan failed:
// after a rename that came half way, its entry may be needed to restore something.
func (p *Plan) Revert(cause error) error {
	var left, litter error
	ctx := context.WithoutCancel(p.Ctx)
	clearing, cancel := ClearingTime(p.Ctx)
	defer cancel()
	for i := len(p.Steps) - 1; i >= 0; i-- {
		s := p.Steps[i]
		if s.Done {
			if err := RestoreStep(ctx, s.Target, s.From, s.recorded()); err != nil {
				left = errors.Join(left, s.Target.Fail(err))
				continue
			}
		}
		if s.HasTemp {
			litter = cmp.Or(litter, walk.Remove(clearing, s.Target.Folder, s.Temp))
		}
		if !s.Done && strings.Contains(s.Temp, newMark) {
			_ = s.Target.Folder.RemoveFolder(AsideOf(s.Temp)) // see bar
		}
	}
	if p.InJournal && left == nil && (p.Steps[0].From == nil || !errors.As(cause, new(*fserr.RollbackError))) {
		p.Workspace.History().Drop(p.Entry)
		p.InJournal = false
	}
	switch {
	case left == nil && litter == nil && slices.ContainsFunc(p.Steps, (*Step).mayStay):
		p.Record.EndLate(true, true)
	case left == nil && litter == nil:
		p.Record.End()
	case litter != nil && p.isSingle():
		p.Workspace.History().LeaveNotes()
	}
	return left
}

// Finish makes the new names survive a power cut, and removes what was displaced.
func (p *Plan) Finish() error {
	if p.Record == nil {
		clean := p.clean(false)
		err := p.syncAll() // a displaced file has a name no longer than needed, but of a tree all is there or nothing
		clean = errors.Join(clean, p.clean(true))
		if p.Steps[0].HasTemp {
			p.Workspace.History().LeaveNotes()
		}
		return cmp.Or(clean, err)
	}
	err := p.syncAll()
	if failed := p.Workspace.History().Commit(p.Record); err == nil {
		err = p.Steps[0].Target.Fail(failed)
	}
	p.leaveOld()
	clean := errors.Join(p.clean(false), p.clean(true))
	for _, s := range p.Steps {
		if s.HasTemp {
			return cmp.Or(clean, err) // the next call tries again, with the record
		}
	}
	if failed := p.syncAll(); err == nil { // a power cut could restore a removed file, and no record would name it
		err = failed
	}
	if slices.ContainsFunc(p.Steps, (*Step).mayStay) {
		p.Record.EndLate(false, slices.ContainsFunc(p.Steps, func(s *Step) bool { return s.kind() == history.Remove }))
		for _, s := range p.Steps {
			if s.mayStay() && s.Target.Lock != nil && s.Target.Lock.Old == "" {
				s.Target.Lock.FreedAs = func() string { return AsideOf(s.Temp) } // where removeAgain looks
			}
		}
	} else {
		p.Record.End()
	}
	return cmp.Or(clean, err)
}

// leaveOld leaves an old file of each folder to the end of the lock there: see dirlock.Lock.Old. If
// the call is killed before that, removeAgain looks for it.
func (p *Plan) leaveOld() {
	for _, s := range p.Steps {
		l := s.Target.Lock
		if s.HasTemp && s.mayStay() && !s.Info.Mode.IsDir() && l != nil && l.HasFile() && l.Old == "" && !p.abandoned {
			s.HasTemp, l.Old = false, s.Temp
		}
	}
}

// mayStay reports whether what a step removes or replaces may come back: see removeAgain.
func (s *Step) mayStay() bool {
	return s.Target.Exists && (s.From == nil || s.replacesFile()) && s.Target.Folder.System().LosesTarget
}

// clean removes the displaced files, or the displaced folders. A file that can't be removed is
// removed by the next call that writes there.
func (p *Plan) clean(folders bool) (left error) {
	for _, s := range p.Steps {
		switch {
		case s.inPlace && folders:
			left = errors.Join(left, s.Target.Fail(removeWhole(s.Target.Folder, s.Target.Name)))
		case s.HasTemp && s.Info.Mode.IsDir() && folders:
			err := s.Target.Fail(removeWhole(s.Target.Folder, s.Temp))
			s.HasTemp, left = err != nil, errors.Join(left, err)
		case s.HasTemp && !s.Info.Mode.IsDir() && !folders:
			s.HasTemp = s.Target.Folder.Remove(s.Temp) != nil
		}
	}
	return left
}

// removeWhole removes a tree whose removal was decided: mostly it has a temporary name by now.
func removeWhole(in dir.Folder, name string) error {
	if err := walk.Remove(context.Background(), in, name); err != nil {
		return &fserr.RollbackError{Made: true, Err: fserr.Classify(tree.Unwrap(err))}
	}
	return nil
}

// syncAll syncs every folder once.
func (p *Plan) syncAll() (failed error) {
	synced := map[dir.Folder]bool{} // places in one folder share it
	for _, s := range p.Steps {
		for _, at := range [...]*sandbox.Target{s.Target, s.From} {
			if at == nil || synced[at.Folder] {
				continue
			}
			synced[at.Folder] = true
			if err := SyncNames(p.Workspace, at.Folder); err != nil {
				failed = at.Fail(err)
			}
		}
	}
	return failed
}

// Close lets other processes find the record. The last look at a new file that is too long for an
// etag of its content is after it got its name, which changes its state.
func (p *Plan) Close() {
	for _, s := range p.Steps {
		if s.Made.Size <= p.Workspace.Whole() && (tree.IsContentTag(s.NewTag) || !s.Made.Mode.IsRegular()) {
			continue
		}
		if now, err := s.Target.Folder.Lstat(s.Target.Name); err == nil && now.ID() == s.Made.ID() {
			s.Made = now
		}
	}
	p.Record.Close()
}

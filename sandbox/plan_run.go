package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// run makes the change, or leaves everything as it was.
func (p *plan) run() error {
	defer p.close()
	p.name()
	err := p.prepare()
	if err == nil {
		err = p.w.changing(p.ctx, p.carryOut)
	}
	if err == nil {
		err = p.finish()
	} else {
		err = rolledBack(err, p.takeBack(err))
		takenBack(p.ctx, err)
	}
	for _, s := range p.steps {
		p.lost |= s.lost
	}
	if p.inJournal {
		p.backupID = p.entry.ID
	}
	return err
}

// carryOut makes the steps.
func (p *plan) carryOut() error {
	if len(p.steps) > 1 {
		if err := p.check(); err != nil {
			return err
		}
	}
	for _, s := range p.steps {
		if err := cmp.Or(p.ctx.Err(), p.checkFor(s)); err != nil {
			return err
		}
		p.refresh(s.p)
		if err := p.apply(s); err != nil {
			return s.culprit(err).Fail(err)
		}
	}
	if !p.makesOne() {
		return nil
	}
	return p.steps[0].p.Fail(p.keepEntry())
}

// prepare makes what arrives, and keeps what is destroyed. What is going to be done is recorded
// first, so that files with temporary names are found again after a kill, and, of several steps,
// entries of the journal. Their record has what arrives before any of it gets its name, so that a
// recovery never takes another file for it.
func (p *plan) prepare() error {
	s := p.steps[0]
	if err := p.announce(); err != nil {
		return s.p.Fail(err)
	}
	if _, isFile := s.creates.(*newFile); isFile && s.p.Exists && len(p.steps) == 1 {
		s.meanwhile = p.keep
	}
	if err := p.stageAll(); err != nil {
		return err
	}
	if p.record != nil {
		if err := p.w.history.Begin(p.record, p.recorded()); err != nil {
			return err
		}
	}
	switch {
	case s.meanwhile != nil: // it is kept already
		return nil
	case p.makesOne(): // its entry comes after it: see carryOut
		p.entry.Items[0].New = s.newTag
		return nil
	}
	return p.keep()
}

// announce records the temporary names of the plan. Without backups one of a single step does
// without a state folder.
func (p *plan) announce() (err error) {
	isOne := len(p.steps) == 1
	switch {
	case !isOne:
		p.record, err = p.w.history.Announce(p.recorded())
	case p.steps[0].from == nil:
		err = p.w.history.Note(p.recorded())
	}
	if p.w.history.Off && (isOne || p.mayLackRecord) && errors.Is(err, dir.ErrBackup) {
		return nil
	}
	return err
}

// makesOne reports whether a plan only makes one thing that is new, or moves it out of the state
// folder.
func (p *plan) makesOne() bool {
	s := p.steps[0]
	return len(p.steps) == 1 && !s.p.Exists && (s.creates != nil || s.from.Path == "") // which no target in the state folder has
}

// keep puts the old contents into the state folder, and the entry into the journal.
func (p *plan) keep() error {
	if p.ready != nil {
		p.ready()
	}
	if len(p.sources) == 0 {
		return nil
	}
	for i, s := range p.steps {
		if n, ok := s.creates.(*newFile); ok && (n.later != nil || n.copy != nil) && p.entry.Items[i].Path == s.p.Path {
			p.entry.Items[i].New = s.newTag
		}
	}
	return p.steps[0].p.Fail(p.keepEntry())
}

// keepEntry adds the plan to the journal. It comes last for a plan that only makes one thing, which
// destroys nothing: so no entry tells of something that a killed call never made, and if it is
// missing, somebody has removed it.
func (p *plan) keepEntry() (err error) {
	p.entry.Made = p.made
	p.inJournal, err = p.w.history.Keep(p.ctx, p.entry, p.sources)
	return err
}

// name gives every step its temporary name.
func (p *plan) name() {
	if len(p.steps) == 1 {
		p.steps[0].temp = freeTemp(p.steps[0].p.Folder, fixedTemp)
		return
	}
	id := rand.Uint64()
	for i, s := range p.steps {
		s.temp = fmt.Sprintf("%s%016x-%d", policy.TransPrefix, id, i)
	}
}

// takeBack undoes what a failed plan did, the last step first. If something can't be put back, all
// that is left of its step stays: the next call tries again, with the record. A temporary name that
// can't be removed is no error, and left to the next call as well. cause is why the plan failed:
// after a rename that came half way, its entry may be needed to restore something.
func (p *plan) takeBack(cause error) error {
	var left, litter error
	ctx := context.WithoutCancel(p.ctx)
	clearing, cancel := clearingTime(p.ctx)
	defer cancel()
	for i := len(p.steps) - 1; i >= 0; i-- {
		s := p.steps[i]
		if s.done {
			if err := restore(ctx, s.p, s.from, s.recorded()); err != nil {
				left = errors.Join(left, err)
				continue
			}
		}
		if s.hasTemp {
			litter = cmp.Or(litter, dir.RemoveTree(clearing, s.p.Folder, s.temp))
		}
	}
	var half *dir.RollbackError
	if p.inJournal && left == nil && (p.steps[0].from == nil || !errors.As(cause, &half)) {
		p.w.history.Drop(p.entry)
		p.inJournal = false
	}
	switch {
	case left == nil && litter == nil:
		p.record.End()
	case litter != nil && len(p.steps) == 1:
		p.w.history.LeaveNotes()
	}
	return left
}

// finish makes the new names survive a power cut, and removes what was displaced.
func (p *plan) finish() error {
	if p.record == nil {
		clean := p.clean(false)
		err := p.syncAll() // a displaced file has a name no longer than needed, but of a tree all is there or nothing
		clean = errors.Join(clean, p.clean(true))
		if p.steps[0].hasTemp {
			p.w.history.LeaveNotes()
		}
		return cmp.Or(clean, err)
	}
	err := p.syncAll()
	if failed := p.w.history.Commit(p.record); err == nil {
		err = p.steps[0].p.Fail(failed)
	}
	clean := errors.Join(p.clean(false), p.clean(true))
	for _, s := range p.steps {
		if s.hasTemp {
			return cmp.Or(clean, err) // the next call tries again, with the record
		}
	}
	if failed := p.syncAll(); err == nil { // a power cut could restore a removed file, and no record would name it
		err = failed
	}
	p.record.End()
	return cmp.Or(clean, err)
}

// clean removes the displaced files, or the displaced folders. A file that can't be removed is
// removed by the next call that writes there.
func (p *plan) clean(folders bool) (left error) {
	for _, s := range p.steps {
		switch {
		case s.inPlace && folders:
			left = errors.Join(left, s.p.Fail(removeWhole(s.p.Folder, s.p.Name)))
		case s.hasTemp && s.info.Mode.IsDir() && folders:
			err := s.p.Fail(removeWhole(s.p.Folder, s.temp))
			s.hasTemp, left = err != nil, errors.Join(left, err)
		case s.hasTemp && !s.info.Mode.IsDir() && !folders:
			s.hasTemp = s.p.Folder.Remove(s.temp) != nil
		}
	}
	return left
}

// removeWhole removes a tree whose removal was decided: mostly it has a temporary name by now.
func removeWhole(in dir.Folder, name string) error {
	if err := dir.RemoveTree(context.Background(), in, name); err != nil {
		return &dir.RollbackError{Made: true, Err: dir.Classify(unwrapTree(err))}
	}
	return nil
}

// syncAll syncs every folder once.
func (p *plan) syncAll() (failed error) {
	synced := map[dir.Folder]bool{} // places in one folder share it
	for _, s := range p.steps {
		for _, at := range [...]*Target{s.p, s.from} {
			if at == nil || synced[at.Folder] {
				continue
			}
			synced[at.Folder] = true
			if err := p.w.syncNames(at.Folder); err != nil {
				failed = at.Fail(err)
			}
		}
	}
	return failed
}

// close lets other processes find the record. The last look at a new file that is too long for an
// etag of its content is after it got its name, which changes its state.
func (p *plan) close() {
	for _, s := range p.steps {
		if s.made.Size <= p.w.whole && (isContentTag(s.newTag) || !s.made.Mode.IsRegular()) {
			continue
		}
		if now, err := s.p.Folder.Lstat(s.p.Name); err == nil && now.ID() == s.made.ID() {
			s.made = now
		}
	}
	p.record.Close()
}

package sandbox

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
)

// locate finds the places, and judges each by the wall, the policy, and what is expected there.
func (t *transaction) locate(changes []Change) error {
	var failed []FailedChange
	for i, c := range changes {
		if err := t.locateOne(i, c); err != nil {
			failed = append(failed, FailedChange{i, err})
		}
	}
	switch {
	case len(failed) == 1 && len(changes) == 1:
		return failed[0].Err
	case len(failed) > 0:
		return &ChangesError{failed}
	}
	return nil
}

func (t *transaction) locateOne(i int, c Change) error {
	s := &step{index: i, target: c.Target, make: c.Make, remove: c.Make == nil}
	if c.From != "" {
		gone := &step{index: i, target: Target{Path: c.From, IfMatch: c.IfMatch}, remove: true}
		if err := t.find(gone); err != nil {
			return err
		}
		s.source, s.target.IfMatch = gone, ""
	}
	return t.find(s)
}

func (t *transaction) find(s *step) error {
	p, err := t.w.locate(s.target.Path, purpose{follow: !s.remove, write: true, file: s.target.Creation != MustExist})
	if err != nil {
		return err
	}
	s.p = p
	t.steps = append(t.steps, s)
	if err := s.target.admits(p); err != nil {
		return p.fail(err)
	}
	return nil
}

// lock takes the locks of all folders in the order of their identity, so that two transactions can't wait for each other.
func (t *transaction) lock() error {
	if t.dry {
		return nil
	}
	var open []*place
	for _, s := range t.steps {
		if len(s.p.missing) <= 1 {
			open = append(open, s.p)
		}
	}
	if len(t.steps) == 1 && len(open) == 1 {
		return t.lockFolder(open[0], "")
	}
	type lockable struct {
		p  *place
		id string
	}
	all := make([]lockable, 0, len(open))
	for _, p := range open {
		id, err := folderID(p.folder)
		if err != nil {
			return p.fail(err)
		}
		all = append(all, lockable{p, id})
	}
	slices.SortStableFunc(all, func(a, b lockable) int { return cmp.Compare(a.id, b.id) })
	for _, l := range all {
		if err := t.lockFolder(l.p, l.id); err != nil {
			return err
		}
	}
	return nil
}

func folderID(dir folder) (string, error) {
	info, err := dir.lstat(".")
	return info.ID(), err
}

// lockFolder locks the folder that holds the place, unless it is locked already.
func (t *transaction) lockFolder(p *place, id string) error {
	if id != "" && t.locked[id] {
		return nil
	}
	unlock, err := t.w.lock(t.ctx, p)
	if err != nil {
		return own(p, err)
	}
	t.unlock = append(t.unlock, unlock)
	if id != "" {
		if t.locked == nil {
			t.locked = map[string]bool{}
		}
		t.locked[id] = true
	}
	return nil
}

// own wraps an error about a place, but for the caller's own and for collisions.
func own(p *place, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, errCollision) || isOwn(err) {
		return err
	}
	return p.fail(err)
}

// lock takes the lock of the folder that holds the place.
func (w *Workspace) lock(ctx context.Context, p *place) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	unlock, err = p.folder.lock(ctx)
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(unlock), nil
}

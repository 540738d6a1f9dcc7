package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"fsbox/sandbox/dir"
)

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
	at := map[string]*step{}
	var failed []FailedChange
	for _, s := range t.steps {
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
	for _, s := range t.steps {
		if s.occupied {
			failed = append(failed, FailedChange{s.index, s.p.fail(dir.ErrExists)})
		}
	}
	if len(failed) > 0 {
		return &ChangesError{failed}
	}
	// A moved file is read before its content is used.
	slices.SortStableFunc(t.steps, func(a, b *step) int {
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
	s := &step{index: i, target: c.Target, make: c.Make, remove: c.Remove}
	if c.From != "" {
		gone := &step{index: i, target: Target{Path: c.From, IfMatch: c.IfMatch}, remove: true, movedFrom: true}
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

// lock takes the locks of all folders in the order of their IDs, so that two transactions never
// wait for each other.
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
		id, err := dir.FolderID(p.folder)
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

// lockFolder locks the folder of a place, unless it is locked already.
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

// own wraps an error about a place, except refusals of the caller's function, cancellation and
// collisions.
func own(p *place, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, dir.ErrCollision) || isOwn(err) {
		return err
	}
	return p.fail(err)
}

// lock takes the lock of a place's folder, and removes what a killed call left there.
func (w *Workspace) lock(ctx context.Context, p *place) (unlock func(), err error) {
	unlock, err = p.folder.Lock(ctx)
	if err != nil {
		return nil, err
	}
	if foldersLock {
		w.clear(ctx, p)
	}
	return sync.OnceFunc(unlock), nil
}

// lockPlaces locks the folders of several places, in the order of their IDs, so that two calls
// never wait for each other.
func (w *Workspace) lockPlaces(ctx context.Context, places ...*place) (unlock func(), err error) {
	type lockable struct {
		p  *place
		id string
	}
	all := make([]lockable, len(places))
	for i, p := range places {
		id, err := dir.FolderID(p.folder)
		if err != nil {
			return nil, p.fail(err)
		}
		all[i] = lockable{p, id}
	}
	slices.SortStableFunc(all, func(a, b lockable) int { return cmp.Compare(a.id, b.id) })
	var held []func()
	release := func() {
		for _, unlock := range held {
			unlock()
		}
	}
	for i, l := range all {
		if i > 0 && l.id == all[i-1].id {
			continue
		}
		unlock, err := w.lock(ctx, l.p)
		if err != nil {
			release()
			return nil, own(l.p, err)
		}
		held = append(held, unlock)
	}
	return release, nil
}

package plan

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/history"
)

// Onset tells whether a call has begun to change files. Until then, who waits for the call can
// forbid it: a call that isn't back in time can be answered truly, whatever it is doing.
type Onset struct {
	stage atomic.Int32

	mutex    sync.Mutex
	told     []string
	repaired []*history.Entry
}

// note notes a killed call that was undone for this one.
func (o *Onset) note(e *history.Entry) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.repaired = append(o.repaired, e)
}

// NewestRepaired is the newest call that was undone for this one and fits; nil for none.
func (o *Onset) NewestRepaired(fits func(*history.Entry) bool) (newest *history.Entry) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, e := range o.repaired {
		if fits(e) && (newest == nil || e.ID > newest.ID) {
			newest = e
		}
	}
	return newest
}

// tell notes what a recovery has to say that came up in the middle of the call.
func (o *Onset) tell(sentences []string) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.told = append(o.told, sentences...)
}

// Told is what the recoveries in the middle of a call had to say.
func Told(ctx context.Context) []string {
	o := OnsetOf(ctx)
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return slices.Clone(o.told)
}

// Stage is how far a call has come with its change.
type Stage int32

const (
	Unchanged Stage = iota // the call has changed nothing
	Changing               // it is making its change, or taking it back
	Changed                // its change is made
	Forbidden              // it has changed nothing, and never will
)

// onsetKey is the key of the Onset in a context.
type onsetKey struct{}

// WithOnset makes a context for one call that changes files.
func WithOnset(ctx context.Context, o *Onset) context.Context {
	return context.WithValue(ctx, onsetKey{}, o)
}

// Forbid keeps the call from changing files, unless it has begun to: then it gives the stage.
func (o *Onset) Forbid() Stage {
	if o.stage.CompareAndSwap(int32(Unchanged), int32(Forbidden)) {
		return Unchanged
	}
	if stage := Stage(o.stage.Load()); stage != Forbidden {
		return stage
	}
	return Unchanged
}

// OnsetOf is the Onset of a call; one that nobody forbids if it has none.
func OnsetOf(ctx context.Context) *Onset {
	if o, ok := ctx.Value(onsetKey{}).(*Onset); ok {
		return o
	}
	return new(Onset)
}

// Make makes a change with do, unless that is forbidden by now. A change that only could not be
// synced is made.
func Make(ctx context.Context, w *sandbox.Workspace, do func() error) error {
	if w.IsStill() {
		return sandbox.ErrNotAsAgreed
	}
	o := OnsetOf(ctx)
	if !o.stage.CompareAndSwap(int32(Unchanged), int32(Changing)) && Stage(o.stage.Load()) == Forbidden {
		return cmp.Or(ctx.Err(), context.Canceled)
	}
	err := do()
	if err == nil || errors.Is(err, fserr.ErrDurability) {
		o.stage.Store(int32(Changed))
	}
	return err
}

// NoteUndone notes that a change has failed with err, which says whether anything is left of it.
func NoteUndone(ctx context.Context, err error) {
	if err != nil && !errors.As(err, new(*fserr.RollbackError)) {
		OnsetOf(ctx).stage.CompareAndSwap(int32(Changing), int32(Unchanged))
	}
}

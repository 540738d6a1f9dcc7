package plan

import (
	"cmp"
	"os"
	"slices"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dirlock"
	"fsbox/sandbox/disk/fserr"
)

// awaitWhole makes sure that no change of several steps is half made where this call has locked:
// Recover looks before the call has its locks, and while it waits for them, or just before, their
// holder may be killed. If there is such a change, it frees the locks, since a recovery takes some
// as well, and begins the call again when all is whole.
func (h *LockSet) awaitWhole(places ...*sandbox.Target) error {
	if dead, alive := h.halfMade(places); !dead && !alive {
		return nil
	}
	h.unlock()
	tries := 0
	err := dirlock.UntilFree(h.Ctx, func() error {
		if tries++; tries%looksAgain != 1 {
			return fserr.ErrBusy
		}
		if dead, alive := h.halfMade(places); alive && !dead {
			return fserr.ErrBusy
		}
		return nil
	})
	if err != nil {
		return places[0].Fail(err)
	}
	told, err := Recover(h.Ctx, h.Workspace)
	OnsetOf(h.Ctx).tell(told)
	return cmp.Or(err, error(fserr.ErrCollision))
}

// looksAgain is at how many tries for a lock once is looked again: a look reads whole records.
const looksAgain = 10

// halfMade looks for killed calls that nobody has tried to repair yet, and for living ones at these
// places. This call has the locks, so a living one is a recovery, which takes them one by one, or
// it works above or below.
func (h *LockSet) halfMade(places []*sandbox.Target) (dead, alive bool) {
	var paths []string
	for _, p := range places {
		paths = append(paths, p.Path)
	}
	tried := h.Workspace.Tried()
	for _, u := range h.Workspace.History().Underway(h.Ctx, os.O_RDWR) {
		dead = dead || u.IsDead && !slices.Contains(tried, u.Record)
		alive = alive || !u.IsDead && u.Entry != nil && concerns(u.Entry, paths)
	}
	return dead, alive
}

package history

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// GapError says that a call after another one is no longer kept, so that all of the calls since then
// can't be taken back together.
type GapError struct{ ID string }

func (e *GapError) Error() string {
	return fmt.Sprintf("not all calls since backup %q are kept any more", e.ID)
}

// Since reads the entries from the one with an ID on, newest first; none if that isn't kept.
// *GapError if one after it isn't kept any more.
func (s *Store) Since(ctx context.Context, id string) (found []*Entry, err error) {
	var isGap bool
	err = s.locked(ctx, func(state *state) error {
		all, gap, err := state.read(ctx)
		if err != nil {
			return err
		}
		root := state.reading()
		kept := retained(all, time.Now())
		gap = newestGap(gap, all, kept)
		kept = slices.DeleteFunc(kept, func(e *Entry) bool { return !root.owns(e) })
		if first := slices.IndexFunc(kept, func(e *Entry) bool { return e.ID == id }); first >= 0 {
			found = kept[first:]
			isGap = gap != nil && gap.Time.After(found[0].Time)
		}
		return nil
	})
	if isGap {
		return nil, &GapError{id}
	}
	slices.Reverse(found)
	return found, err
}

// newestGap is the newest entry that isn't kept: gap, or one of all; nil for none. What is kept has
// the order of all.
func newestGap(gap *Entry, all, kept []*Entry) *Entry {
	for _, e := range all {
		switch {
		case len(kept) > 0 && kept[0] == e:
			kept = kept[1:]
		case gap == nil || e.Time.After(gap.Time):
			gap = e
		}
	}
	return gap
}

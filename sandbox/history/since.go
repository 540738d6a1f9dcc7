package history

import (
	"context"
	"fmt"
	"slices"
)

// GapError says that a call after another one is no longer kept, so that all of the calls since
// then can't be undone together.
type GapError struct{ ID string }

func (e *GapError) Error() string {
	return fmt.Sprintf("not all calls since backup %q are kept any more", e.ID)
}

// Since reads the entries from the one with an ID on, newest first; none if that isn't kept.
// *GapError if one after it isn't kept any more.
func (s *Store) Since(ctx context.Context, id string) (found []*Entry, err error) {
	var gap error // not one of the state folder
	err = s.withJournal(ctx, func(state *state, all past) error {
		kept := all.retained()
		entries := kept.ofRoot(rootIDOf(state.root))
		first := slices.IndexFunc(entries, func(e *Entry) bool { return e.ID == id })
		if first >= 0 {
			found = entries[first:]
		}
		if first >= 0 && kept.gap != nil && kept.gap.Time.After(found[0].Time) {
			gap = &GapError{id}
		}
		return nil
	})
	if gap != nil {
		return nil, gap
	}
	slices.Reverse(found)
	return found, err
}

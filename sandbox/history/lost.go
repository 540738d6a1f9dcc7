package history

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
)

// The journal isn't synced, so a power cut may destroy its newest entries while the content they
// kept survives: displaced files reach the disk when their folders are synced. Undo must not take
// an older call for the newest then.

// LostError says that the journal lost the entry of a call. It is an ErrBackup.
type LostError struct {
	ID     string
	Newest bool // the call is newer than all entries
}

func (e *LostError) Error() string {
	if e.Newest {
		return fmt.Sprintf("the newest call (backup %q) can't be undone: the journal lost its entry", e.ID)
	}
	return fmt.Sprintf("the journal lost the entry of backup %q", e.ID)
}

func (e *LostError) Is(target error) bool { return target == fserr.ErrBackup }

// clockGrain is how much the clock of a file system may be late: one tick of the slowest kernel
// timer, and a bit more.
const clockGrain = 20 * time.Millisecond

// idTime is the time in a call's ID.
func idTime(id string) (time.Time, bool) {
	if len(id) <= suffixLength {
		return time.Time{}, false
	}
	millis, err := strconv.ParseInt(id[:len(id)-suffixLength], 36, 64)
	return time.UnixMilli(millis), err == nil
}

// isDisplaced reports whether a kept file is the one that the call displaced, not a copy: it is
// older than the call.
func (s *state) isDisplaced(name string, call time.Time) bool {
	info, err := s.kept.Lstat(name)
	return err == nil && (info.Mode.IsDir() || info.Links == 1) && info.Modified.Before(call.Add(-clockGrain))
}

// Lost finds the newest call of this root that is newer than all entries, has no entry, and whose
// displaced file is kept; "" for none. Copies don't count, nor files that still have their other
// name: a call that was killed before it changed anything leaves those as well.
func (s *Store) Lost(ctx context.Context) (id string, err error) {
	err = s.withJournal(ctx, func(state *state, all past) error {
		newest := time.Unix(0, rootIDOf(state.root).born)
		for _, b := range all.entries {
			if at, ok := idTime(b.ID); ok && at.After(newest) {
				newest = at
			}
		}
		names, err := dir.List(ctx, state.kept)
		for _, e := range names {
			call, _, _ := strings.Cut(e.Name, "-")
			if at, ok := idTime(call); ok && at.After(newest) && state.isDisplaced(e.Name, at) {
				id, newest = call, at
			}
		}
		return err
	})
	return id, err
}

// IsLost reports whether content is kept for a call without an entry, of this root or another.
func (s *Store) IsLost(ctx context.Context, id string) (lost bool, err error) {
	err = s.withJournal(ctx, func(state *state, all past) error {
		known := slices.ContainsFunc(all.entries, func(e *Entry) bool { return e.ID == id })
		lost = !known && isOneName(id) && dir.Exists(state.kept, (&Entry{ID: id}).KeptName(0))
		return nil
	})
	return lost, err
}

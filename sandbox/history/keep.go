package history

import (
	"context"
	"errors"
	"fmt"
	"os"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
)

// Source is where the old content of a path is taken from: from its file, which gets a second name,
// from memory, or from the file where it isn't held in memory.
type Source struct {
	Empty   bool                                                        // there is nothing to keep
	Link    func(kept dir.Folder, name string) (linked bool, err error) // gives the file itself a name; nil if it must be copied
	Content []byte
	File    func() (*openfile.File, error) // opens it; nil if Content has it all

	Present *stat.Info // the file that has the name now: see Item.Stamp
	Owner   *stat.Info // of a file that is removed: the kept copy gets this owner, if the state folder's file system can have it
	Carried rights.Attributes
}

// Keep puts the old content of a call's paths into the state folder, one Source a path, none if all
// are empty, and adds the call to the journal. kept says whether there is an entry now: not if the
// store is off.
func (s *Store) Keep(ctx context.Context, e *Entry, sources []Source) (kept bool, err error) {
	if s.Off {
		return false, nil
	}
	err = s.alone(ctx, func(state *state) error { return state.keep(ctx, e, sources) })
	if !errors.Is(err, fserr.ErrCollision) {
		err = Failed(err)
	}
	return err == nil, err
}

// alone calls do with the state folder, which is made if it is missing, while nobody else can
// change it.
func (s *Store) alone(ctx context.Context, do func(*state) error) error {
	return s.evenIfRemoved(func(state *state) error { return state.alone(ctx, do) })
}

// evenIfRemoved calls do with the state folder, and once more if somebody has removed that folder
// since it was opened.
func (s *Store) evenIfRemoved(do func(*state) error) (err error) {
	for range 2 {
		state, missing := s.get(true)
		if missing != nil {
			return missing
		}
		if err = do(state); !errors.Is(err, os.ErrNotExist) {
			break
		}
		s.forget()
	}
	return err
}

func (s *state) keep(ctx context.Context, e *Entry, sources []Source) error {
	for i, from := range sources {
		if !from.Empty {
			e.Items[i].Kept = e.KeptName(i)
			if err := s.store(ctx, &e.Items[i], from); err != nil {
				s.removeAll(e)
				return err
			}
		}
		if from.Present != nil {
			e.Items[i].Stamp = from.Present.ChangeStamp() // after store: it may give the file a second name, which changes the stamp
		}
	}
	grown, err := s.record(e)
	if err != nil {
		s.removeAll(e)
		return err
	}
	if isPruneDue(e, grown) {
		_ = s.prune(ctx) // the next call tries again
	}
	return nil
}

// KeptName is the name of the n-th path's old content in the state folder.
func (e *Entry) KeptName(n int) string { return fmt.Sprintf("%s-%d", e.ID, n) }

// store keeps one content. A copy is not synced: a power cut may destroy the backups of the last
// seconds, and their checksums show it.
func (s *state) store(ctx context.Context, e *Item, from Source) error {
	if from.Link != nil {
		if linked, err := from.Link(s.kept, e.Kept); linked || err != nil {
			return err
		}
	}
	var old *openfile.File
	if from.File != nil {
		var err error
		if old, err = from.File(); err != nil {
			return err
		}
		defer old.Close()
		if old.Info.Size > MaxBytes {
			return TooMuch(old.Info.Size)
		}
	}
	f, err := dir.CreatePrivate(s.kept, e.Kept)
	if err != nil {
		return err
	}
	defer f.Close()
	if from.Owner != nil {
		had := rights.Rights{Of: *from.Owner, Attributes: from.Carried, MayLack: true}
		mode, lost, err := had.Give(f, f.Info)
		if err != nil {
			return err
		}
		e.Mode, e.Lost = mode|e.Mode.Type(), lost
	}
	if old != nil {
		return old.CopyInto(ctx, f, MaxBytes)
	}
	_, err = f.Write(from.Content)
	return err
}

// ErrTooMuch says that content is larger than all that is kept: no other state folder takes it.
var ErrTooMuch = errors.New("more than is kept of all files together")

// TooMuch makes the error for content of that many bytes.
func TooMuch(size int64) error {
	return &fserr.KindError{Kind: fserr.ErrBackup, Cause: fmt.Errorf("%d bytes are %w", size, ErrTooMuch)}
}

// removeAll removes the content that a call kept.
func (s *state) removeAll(e *Entry) {
	for _, f := range e.Items {
		if f.Kept != "" {
			_ = s.removeKept(f.Kept)
		}
	}
}

// Drop removes a call from the journal: it changed nothing after all. If that fails, undo finds
// that there is nothing to undo. Of an entry whose content was never kept the ID is enough.
func (s *Store) Drop(e *Entry) {
	_ = s.locked(context.Background(), func(state *state) error {
		err := state.void(e.ID)
		if err == nil {
			state.removeAll(e)
		}
		return err
	})
}

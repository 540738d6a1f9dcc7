package history

import (
	"context"
	"os"
	"strings"

	"fsbox/sandbox/disk/dir"
)

// list lists the records that aren't the notes of this process. It fails with fs.ErrNotExist if
// somebody removed the state folder.
func (s *Store) list(ctx context.Context, state *state) (names []string, err error) {
	entries, err := dir.List(ctx, state.pending)
	for _, e := range entries {
		if !s.isNoted(e.Name) {
			names = append(names, e.Name)
		}
	}
	return names, err
}

// mayHaveSteps reports whether steps may have been made under a record with this name that a
// recovery undoes; or folders made, that it removes.
func mayHaveSteps(record string) bool {
	return !strings.HasSuffix(record, newSuffix) && !strings.HasSuffix(record, doneSuffix) && !IsLate(record)
}

// Underway is what a record says of a call that may be half made.
type Underway struct {
	Record string // its name
	Entry  *Entry // nil if it can't be read
	IsDead bool   // its process was killed: else that, or a recovery, is at work
}

// Underway lists the calls that may be half made. It changes nothing. flag says how records are
// opened: os.O_RDWR, or os.O_RDONLY for a call that reads only, which leaves records of folders
// out. Of a living call that only makes folders there is no entry: nobody has to wait for it.
func (s *Store) Underway(ctx context.Context, flag int) (all []Underway) {
	state, err := s.get(false)
	if err != nil || state == nil {
		return nil
	}
	names, _ := s.list(ctx, state) // with an error, Recover has told, or the change will fail
	for _, name := range names {
		if mayHaveSteps(name) && !(flag == os.O_RDONLY && IsOfFolders(name)) {
			all = append(all, state.look(ctx, name, flag))
		}
	}
	return all
}

// look reads one record. Whoever could have its lock, except its process or a recovery, has the
// lock of the state folder: see Adopt.
func (s *state) look(ctx context.Context, name string, flag int) Underway {
	u := Underway{Record: name}
	_ = s.alone(ctx, func(*state) error {
		r, err := s.adopt(name, flag)
		if u.IsDead = r != nil || err != nil; r != nil {
			u.Entry, _ = r.Read(ctx)
			r.Close()
		}
		return nil
	})
	if !u.IsDead && !isAnnounced(name) {
		u.Entry = s.peek(ctx, name)
	}
	return u
}

// peek reads a record that another process has locked, if the system allows that.
func (s *state) peek(ctx context.Context, name string) *Entry {
	f, err := s.pending.Open(name, os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer f.Close()
	e, _ := (&Record{s: s, id: name, file: f}).Read(ctx)
	return e
}

package history

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"fsbox/sandbox/dir"
)

// Record describes a change of several steps while it is under way. The process that makes the
// change holds the record's lock. A nil Record is one that nobody needs.
type Record struct {
	Done bool // the change is committed: only temporary files are left

	s    *state
	id   string
	file *dir.File
}

// Begin records what is going to happen, in a way that survives a power cut.
func (s *Store) Begin(e *Entry) (r *Record, err error) {
	line := e.encode()
	if err := checkEntry(line); err != nil {
		return nil, err
	}
	err = s.evenIfRemoved(context.Background(), func(state *state) error {
		r, err = state.begin(e.ID)
		return err
	})
	if err == nil {
		err = r.write(line, !s.NoSync)
	}
	if err == nil && !s.NoSync {
		err = r.s.pending.Sync()
	}
	if err != nil {
		r.End()
		r.Close()
		return nil, Failed(err)
	}
	return r, nil
}

// Update replaces what the record says: the last whole line counts.
func (s *Store) Update(r *Record, e *Entry) error { return Failed(r.write(e.encode(), !s.NoSync)) }

func (r *Record) write(line []byte, sync bool) error {
	_, err := r.file.Write(line)
	if err == nil && sync {
		err = r.file.Sync()
	}
	return err
}

// begin makes an empty record, locked. The state folder is locked meanwhile: a record that nobody
// has locked belongs to a dead process.
func (s *state) begin(id string) (*Record, error) {
	f, err := s.pending.Create(id, privateMode&0o666)
	if err != nil {
		return nil, err
	}
	return &Record{s: s, id: id, file: f}, f.TryLock()
}

// Commit notes that the change is made: from here on a recovery only cleans up. An error that wraps
// dir.ErrDurability says that a recovery after a power cut may still take it back.
func (s *Store) Commit(r *Record) error {
	err := r.s.pending.Move(r.id, r.s.pending, r.id+doneSuffix, dir.Over)
	if err == nil {
		r.id += doneSuffix
	}
	if err == nil && !s.NoSync {
		err = r.s.pending.Sync()
	}
	return dir.Unsynced(err)
}

// End removes the record.
func (r *Record) End() {
	if r != nil {
		_ = r.s.pending.Remove(r.id)
	}
}

// Close lets other processes find the record, if it was not removed.
func (r *Record) Close() {
	if r != nil {
		r.file.Close()
	}
}

// maxRecord is the longest record that is read, in bytes: two entries of the greatest length, the
// second with the IDs of the new files.
const maxRecord = 4 * maxEntry

// Read returns the last entry of a record; nil if a kill or a power cut tore the first one: nothing
// was done by then.
func (r *Record) Read(ctx context.Context) (last *Entry, err error) {
	content, err := r.file.ReadAll(ctx, maxRecord)
	if err != nil || len(bytes.Trim(content, "\x00")) == 0 {
		return nil, err
	}
	for line := range strings.Lines(string(content)) {
		if e, ok := decode(line); ok {
			last = e
		}
	}
	if last == nil && bytes.HasSuffix(content, []byte("\n")) {
		return nil, errForeignRecord
	}
	return last, nil
}

// errForeignRecord says that a record is whole but can't be read: another program wrote it, or a
// later version of this one.
var errForeignRecord = errors.New("its record can't be read")

// Records lists the names of all records. It is no error if somebody removed the state folder.
func (s *Store) Records(ctx context.Context) ([]string, error) {
	state, err := s.get(false)
	if err != nil || state == nil {
		return nil, nil // the call that needs the folder reports the error
	}
	entries, err := dir.List(ctx, state.pending)
	if errors.Is(err, fs.ErrNotExist) { // it is made again when needed
		s.forget()
		return nil, nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name
	}
	return names, err
}

// Adopt takes over the record of a dead process, locked; nil if the process is alive, or if another
// one was faster.
func (s *Store) Adopt(ctx context.Context, name string) (r *Record, err error) {
	opened, err := s.get(false)
	if err != nil || opened == nil {
		return nil, err
	}
	err = opened.alone(ctx, func(s *state) error {
		r, err = s.adopt(name, os.O_RDWR)
		return err
	})
	return r, err
}

// adopt is called with the state folder locked, so nobody else tries the record's lock meanwhile.
func (s *state) adopt(name string, flag int) (*Record, error) {
	f, err := s.pending.Open(name, flag)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = f.TryLock()
	if now, statErr := s.pending.Lstat(name); err == nil && statErr == nil && now.ID() == f.Info.ID() {
		return &Record{s: s, id: name, file: f, Done: strings.HasSuffix(name, doneSuffix)}, nil
	}
	f.Close()
	if errors.Is(err, dir.ErrBusy) {
		err = nil
	}
	return nil, err
}

// SetAside moves a record, of whatever type, out of the folder of records. It is kept for people to
// look at.
func (s *Store) SetAside(record string) (name string, err error) {
	state, err := s.get(true)
	if err != nil {
		return "", err
	}
	name = "unrecovered-" + record
	return name, state.pending.Move(record, state.dir, name, dir.Over)
}

// Unfinished describes calls that were killed part-way and not committed. It changes nothing. What
// can't be read is left out: calls that write report that.
func (s *Store) Unfinished(ctx context.Context) (all []*Entry) {
	state, err := s.get(false)
	if err != nil || state == nil {
		return nil
	}
	names, err := dir.List(ctx, state.pending)
	if err != nil {
		return nil
	}
	for _, n := range names {
		if strings.HasSuffix(n.Name, doneSuffix) {
			continue // only temporary files are left
		}
		if e := state.cutShort(ctx, n.Name); e != nil {
			all = append(all, e)
		}
	}
	return all
}

// cutShort reads the record of a dead process; nil if the process is alive, or if it isn't a
// record.
func (s *state) cutShort(ctx context.Context, name string) (e *Entry) {
	_ = s.alone(ctx, func(*state) error {
		r, err := s.adopt(name, os.O_RDONLY)
		if err == nil && r != nil {
			e, err = r.Read(ctx) // nil with every error
			r.Close()
		}
		return err
	})
	return e
}

package history

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
)

// Record describes a change while it is under way. The process that makes the change holds the
// record's lock. A nil Record is one that nobody needs.
type Record struct {
	Done bool // no step is to be undone: only temporary files and empty folders are left

	s    *state
	id   string
	file *openfile.File
}

// Announce records which temporary names a change of several steps is going to use, before it makes
// anything, in a way that survives a power cut.
func (s *Store) Announce(e *Entry) (*Record, error) { return s.begin(e, newSuffix, true) }

// AnnounceFolders records folders that go if they are empty when the call has ended: those that it
// makes, if it is cut short, or those that it undoes.
func (s *Store) AnnounceFolders(e *Entry) (*Record, error) { return s.begin(e, foldersSuffix, false) }

// errNoFolder says that there is no state folder, and none is made.
var errNoFolder = errors.New("there is no state directory")

func (s *Store) begin(e *Entry, suffix string, sync bool) (r *Record, err error) {
	line := e.encode()
	if err := checkEntry(line); err != nil {
		return nil, err
	}
	if state, err := s.get(false); s.Off && !sync && state == nil { // no folder is made only for what can be done without
		return nil, Failed(cmp.Or(err, errNoFolder))
	}
	err = s.evenIfRemoved(func(state *state) error {
		r, err = state.begin(e.ID, suffix)
		return err
	})
	if err == nil {
		err = r.write(line, sync && !s.NoSync)
	}
	if err != nil {
		r.End()
		r.Close()
		return nil, Failed(err)
	}
	return r, nil
}

// Add adds to a record of folders.
func (s *Store) Add(r *Record, e *Entry) error { return Failed(r.write(e.encode(), false)) }

// Begin notes, in a way that survives a power cut, that the steps of an announced change begin:
// from here on a recovery takes them back. A record with this name is whole, or was damaged.
func (s *Store) Begin(r *Record, e *Entry) error {
	err := r.write(e.encode(), !s.NoSync)
	if err == nil {
		err = r.rename(strings.TrimSuffix(r.id, newSuffix), s.NoSync)
	}
	return Failed(err)
}

func (r *Record) rename(name string, noSync bool) error {
	err := r.s.pending.Move(r.id, r.s.pending, name, dir.Over)
	if err == nil {
		r.id = name
	}
	if err == nil && !noSync {
		err = r.s.pending.Sync()
	}
	return err
}

func (r *Record) write(line []byte, sync bool) error {
	_, err := r.file.Write(line)
	if err == nil && sync {
		err = r.file.Sync()
	}
	return err
}

// begin makes an empty record, locked. Before it is locked, another call may take it for the record
// of a dead process, and remove it. Then there is one with another name.
func (s *state) begin(id, suffix string) (r *Record, err error) {
	for range maxBeginnings {
		name := id + suffix
		f, err := dir.CreatePrivate(s.pending, name)
		if err != nil {
			return nil, err
		}
		r, err = s.lock(f, name)
		if r != nil || err != nil {
			return r, err
		}
		id = newID(time.Now())
	}
	return nil, fserr.ErrBusy
}

// maxBeginnings is how often in a row another call may be so fast. Eight that did nothing else, on
// two busy cores, were so 16 times (2026-11-29).
const maxBeginnings = 64

// lock locks a record that was opened by its name; nil if another process has it, or if that name
// is gone.
func (s *state) lock(f *openfile.File, name string) (*Record, error) {
	err := f.TryLock()
	if err == nil {
		if now, err := s.pending.Lstat(name); err == nil && now.ID() == f.Info.ID() {
			return &Record{s: s, id: name, file: f, Done: isAnnounced(name) || strings.HasSuffix(name, doneSuffix)}, nil
		}
	}
	f.Close()
	if errors.Is(err, fserr.ErrBusy) {
		err = nil
	}
	return nil, err
}

// Commit notes that the change is made: from here on a recovery only cleans up. An error that wraps
// fserr.ErrDurability says that a recovery after a power cut may still undo it.
func (s *Store) Commit(r *Record) error {
	return fserr.Unsynced(r.rename(r.id+doneSuffix, s.NoSync))
}

// When the files of a change that is done are looked for once more, counted from its end: see
// EndLate. A client of SMB closes a file up to a second after its last program has (Linux 6.1). A
// server that is killed forgets the removals of files that a client still has open. The second look
// is at several changes together, since it takes a call over the wire to find their folder.
const (
	lateAfter  = 2 * time.Second
	againAfter = 30 * time.Second
	againUntil = 2 * againAfter
	looksUntil = time.Hour
	maxLooks   = 64 // so that no call takes long
)

// EndLate is End for a change whose old files may still be there although they are removed: a
// later call removes them again. It does so twice if the change was undone, since a rename of it
// may still be made, or another machine may hinder that; and if it removes what had a name, since
// another machine may think that this is to be put back.
func (r *Record) EndLate(undone, removes bool) {
	if r == nil {
		return
	}
	late := strings.TrimSuffix(r.id, doneSuffix)
	if undone {
		late += undoneMark
	}
	if !undone && !removes {
		late += againMark
	}
	late += lateSuffix
	if r.s.pending.Chtimes(r.id, time.Now()) != nil || r.rename(late, true) != nil {
		r.End()
	}
}

// NoteLate makes such a record for what isn't a change.
func (s *Store) NoteLate(e *Entry) error {
	r, err := s.begin(e, doneSuffix, false)
	if err == nil {
		r.EndLate(false, false)
		r.Close()
	}
	return err
}

// IsLate reports whether a name is that of a record that was ended so.
func IsLate(record string) bool { return strings.HasSuffix(record, lateSuffix) }

// IsUndone reports whether the change of a late record was undone.
func IsUndone(record string) bool { return IsLate(record) && strings.Contains(record, undoneMark) }

// DueLate picks from the names of records, sorted, those of ended changes that are to be looked at
// now.
func (s *Store) DueLate(records []string) (due []string) {
	opened, err := s.get(false)
	if err != nil || opened == nil {
		return nil
	}
	isLater := false // a second look is due
	for _, name := range records {
		if !IsLate(name) || len(due) == maxLooks {
			continue
		}
		isSecond := strings.HasSuffix(name, againMark+lateSuffix)
		after := lateAfter
		switch {
		case isSecond && isLater:
			after = againAfter
		case isSecond:
			after = againUntil
		}
		id, _, _ := strings.Cut(name, ".")
		if began, ok := idTime(id); ok && time.Since(began) < after { // a look at each of thousands would take long
			continue
		}
		info, err := opened.pending.Lstat(name)
		if err == nil && time.Since(info.Modified) >= after {
			due = append(due, name)
			isLater = isLater || isSecond
		}
	}
	return due
}

// AdoptLate takes over such a record; nil if another call has.
func (s *Store) AdoptLate(name string) (*Record, error) {
	opened, err := s.get(false)
	if err != nil || opened == nil {
		return nil, err
	}
	return opened.adopt(name, os.O_RDWR)
}

// EndLook notes that the files of a late record were looked for. After the second time it is
// removed. again says that they couldn't be, so that the next call tries again, for some time.
func (r *Record) EndLook(again bool) {
	if info, err := r.s.pending.Lstat(r.id); again && err == nil && time.Since(info.Modified) < looksUntil {
		return
	}
	begin := strings.TrimSuffix(r.id, lateSuffix)
	if strings.HasSuffix(begin, againMark) || r.rename(begin+againMark+lateSuffix, true) != nil {
		r.End()
	}
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

// Read returns the last entry of a record, or one with all that is only announced. A kill or a
// power cut may tear that: then the whole lines count, and it returns nil without any. In all other
// records the last line must be whole.
func (r *Record) Read(ctx context.Context) (last *Entry, err error) {
	content, err := r.file.ReadAll(ctx, maxRecord)
	if err != nil {
		return nil, err
	}
	isWhole := false
	for line := range bytes.Lines(content) {
		var e *Entry
		if e, isWhole = decode(line); !isWhole {
			continue
		}
		if last != nil && isAnnounced(r.id) {
			e.Items = append(last.Items, e.Items...)
		}
		last = e
	}
	if !isWhole && !isAnnounced(r.id) {
		return nil, errUnreadable
	}
	return last, nil
}

// IsAnnounced reports whether the call of the record has made no step.
func (r *Record) IsAnnounced() bool { return isAnnounced(r.id) }

// isAnnounced reports whether no step was made under a record with this name.
func isAnnounced(name string) bool {
	return strings.HasSuffix(name, newSuffix) || IsOfFolders(name)
}

// errUnreadable says that a record is damaged, or that another program wrote it, or a later version
// of this one.
var errUnreadable = errors.New("its record can't be read, and what it changed may be half made")

// Records lists the names of all records but its own notes, in the order in which they are to be
// recovered: a folder that goes is empty only when all else is done. It is no error if somebody
// removed the state folder.
func (s *Store) Records(ctx context.Context) ([]string, error) {
	state, err := s.get(false)
	if err != nil || state == nil {
		return nil, nil // the call that needs the folder reports the error
	}
	names, err := s.list(ctx, state)
	if errors.Is(err, fs.ErrNotExist) { // it is made again when needed
		s.forget()
		return nil, nil
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
	return names, err
}

func rank(record string) int {
	if IsOfFolders(record) {
		return 1
	}
	return 0
}

// IsOfFolders reports whether a name is that of a record of folders: see AnnounceFolders.
func IsOfFolders(record string) bool { return strings.HasSuffix(record, foldersSuffix) }

// Adopt takes over the record of a dead process, locked; nil if the process is alive, or if another
// one was faster. Records that only announce need no lock of the state folder: no reading call
// looks at them, so whoever has their lock is their process, or one that adopts them.
func (s *Store) Adopt(ctx context.Context, name string) (r *Record, err error) {
	opened, err := s.get(false)
	if err != nil || opened == nil {
		return nil, err
	}
	if isAnnounced(name) {
		return opened.adopt(name, os.O_RDWR)
	}
	err = opened.alone(ctx, func(s *state) error {
		r, err = s.adopt(name, os.O_RDWR)
		return err
	})
	return r, err
}

// adopt is called with the state folder locked where reading calls may have the record's lock for a
// moment.
func (s *state) adopt(name string, flag int) (*Record, error) {
	f, err := s.pending.Open(name, flag)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s.lock(f, name)
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

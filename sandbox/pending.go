package sandbox

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"fsbox/sandbox/dir"
)

// pending is the record of a change that takes several steps, while it is under way. The process
// that makes the change holds the record's lock.
type pending struct {
	s    *state
	id   string
	file *dir.File
}

// announce records what is going to happen, in a way that survives a power cut.
func (w *Workspace) announce(b *Backup) (*pending, error) {
	s, p, err := w.beginRecord(b.ID)
	if err != nil {
		return nil, backupError(err)
	}
	line := b.encode()
	if err = checkEntry(line); err == nil {
		_, err = p.file.Write(line)
	}
	if err == nil && !w.noSync {
		if err = p.file.Sync(); err == nil {
			err = s.pending.Sync()
		}
	}
	if err != nil {
		p.end()
		p.close()
		return nil, backupError(err)
	}
	return p, nil
}

// beginRecord makes an empty record in the state folder. Somebody may have removed that folder
// since it was opened; then it is made again.
func (w *Workspace) beginRecord(id string) (s *state, p *pending, err error) {
	for range 2 {
		if s, err = w.state.get(true); err != nil {
			return nil, nil, err
		}
		if p, err = s.begin(id); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		w.state.lost()
	}
	return s, p, err
}

// markStaged adds the IDs of the new files to the record, in a line that replaces the one before.
// No new file gets its name before that, so that a recovery never takes another file for one of
// them.
func (t *transaction) markStaged() error {
	if t.pending == nil {
		return nil
	}
	for i, s := range t.work {
		if !s.p.exists {
			t.backup.Files[i].ino = s.made.ID()
		}
	}
	_, err := t.pending.file.Write(t.backup.encode())
	if err == nil && !t.w.noSync {
		err = t.pending.file.Sync()
	}
	if err != nil {
		return backupError(err)
	}
	return nil
}

// begin makes an empty record, locked. The state folder is locked meanwhile: a record that nobody
// has locked belongs to a dead process.
func (s *state) begin(id string) (*pending, error) {
	unlock, err := s.lock(context.Background())
	if err != nil {
		return nil, err
	}
	defer unlock()
	f, err := s.pending.Create(id, privateMode&0o666)
	if err != nil {
		return nil, err
	}
	p := &pending{s: s, id: id, file: f}
	if err := f.TryLock(); err != nil {
		p.end()
		p.close()
		return nil, err
	}
	return p, nil
}

// adopt takes over the record of a dead process, locked; nil if the process is alive, or if another
// one was faster.
func (s *state) adopt(ctx context.Context, id string) (*pending, error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	f, err := s.pending.Open(id, os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = f.TryLock()
	if now, statErr := s.pending.Lstat(id); err == nil && statErr == nil && now.ID() == f.Info.ID() {
		return &pending{s: s, id: id, file: f}, nil
	}
	f.Close()
	if errors.Is(err, dir.ErrBusy) {
		err = nil
	}
	return nil, err
}

// commit marks the transaction as done: from here on a recovery only cleans up. An error that wraps
// ErrDurability says that a recovery after a power cut may still take it back.
func (p *pending) commit(sync bool) error {
	err := p.s.pending.Move(p.id, p.s.pending, p.id+doneSuffix, dir.Over)
	if err == nil {
		p.id += doneSuffix
	}
	if err == nil && sync {
		err = p.s.pending.Sync()
	}
	if err != nil {
		return &dir.KindError{Kind: dir.ErrDurability, Cause: err}
	}
	return nil
}

// end removes the record, if there is one.
func (p *pending) end() {
	if p != nil {
		_ = p.s.pending.Remove(p.id)
	}
}

// endIfGone closes a record, and removes it if the hidden file that it mentions is gone.
func (p *pending) endIfGone(folder dir.Folder, hidden string) {
	if !dir.Exists(folder, hidden) {
		p.end()
	}
	p.close()
}

func (p *pending) close() {
	if p != nil {
		p.file.Close()
	}
}

// maxRecord is the longest record that is read, in bytes: two entries of the greatest length, the
// second with the IDs of the new files.
const maxRecord = 4 * maxEntry

// read returns the last entry of a record; nil if a kill or a power cut tore the first one: nothing
// was done by then.
func (p *pending) read(ctx context.Context) (*Backup, error) {
	content, err := p.file.ReadAll(ctx, maxRecord)
	if err != nil {
		return nil, err
	}
	if len(bytes.Trim(content, "\x00")) == 0 {
		return nil, nil
	}
	b := lastWhole(string(content))
	if b == nil && bytes.HasSuffix(content, []byte("\n")) {
		return nil, errForeignRecord
	}
	return b, nil
}

// errForeignRecord says that a record is whole but can't be read: another program wrote it, or a
// later version of this one.
var errForeignRecord = errors.New("its record can't be read")

// lastWhole reads the last whole line of a record; nil if there is none.
func lastWhole(record string) (last *Backup) {
	for line := range strings.Lines(record) {
		if b, ok := decodeBackup(line); ok {
			last = b
		}
	}
	return last
}

// setRecordAside moves a record, of whatever type, out of the folder of records. It is kept for
// people to look at.
func (s *state) setRecordAside(id string) (name string, err error) {
	name = "unrecovered-" + id
	return name, s.pending.Move(id, s.dir, name, dir.Over)
}

// emptyTime is the modification time that the folder of records gets when it is found empty. The
// system sets another one with the next record, so calls that only read see with one look whether
// there can be records.
var emptyTime = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// markEmpty notes that there are no records, if that isn't noted yet. New records are made under
// the same lock.
func (s *state) markEmpty(ctx context.Context) error {
	info, err := s.dir.Lstat(pendingName)
	if err != nil || info.Modified.Equal(emptyTime) {
		return err
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if entries, err := s.pending.List(ctx); err != nil || len(entries) > 0 {
		return err
	}
	return s.dir.Chtimes(pendingName, emptyTime)
}

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// pending is the record of a transaction of several files while it is under way. The process that is at it holds its lock.
type pending struct {
	s    *state
	id   string
	file *File
}

// announce writes down what is going to happen, and makes that survive a power cut.
func (w *Workspace) announce(b *Backup) (*pending, error) {
	s, err := w.state.get(true)
	if err != nil {
		return nil, err
	}
	p, err := s.begin(b.ID)
	if err != nil {
		return nil, backupError(err)
	}
	line := b.encode()
	if err = checkEntry(line); err == nil {
		_, err = p.file.Write(line)
	}
	if err == nil && !w.noSync {
		if err = p.file.sync(); err == nil {
			err = s.pending.sync()
		}
	}
	if err != nil {
		p.end()
		p.close()
		return nil, backupError(err)
	}
	return p, nil
}

// markStaged adds to the record which of the files are new, in a line that replaces the one before. None has its place before
// that, so that a recovery takes no other file for one of them.
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
		err = t.pending.file.sync()
	}
	if err != nil {
		return backupError(err)
	}
	return nil
}

// begin makes an empty record, locked. Where nobody holds the lock of a record, its process is dead: hence the state folder's.
func (s *state) begin(id string) (*pending, error) {
	unlock, err := s.lock(context.Background())
	if err != nil {
		return nil, err
	}
	defer unlock()
	f, err := s.pending.create(id, privateMode&0o666)
	if err != nil {
		return nil, err
	}
	p := &pending{s: s, id: id, file: f}
	if err := f.tryLock(); err != nil {
		p.end()
		p.close()
		return nil, err
	}
	return p, nil
}

// adopt takes over the record of a dead process, locked; nil if that lives, or if another process was faster.
func (s *state) adopt(ctx context.Context, id string) (*pending, error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	f, err := s.pending.open(id, os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = f.tryLock()
	if now, statErr := s.pending.lstat(id); err == nil && statErr == nil && now.ID() == f.Info.ID() {
		return &pending{s: s, id: id, file: f}, nil
	}
	f.Close()
	if errors.Is(err, ErrBusy) {
		err = nil
	}
	return nil, err
}

// commit marks the transaction as through: from here on a recovery only cleans up. An error that wraps ErrDurability says that
// a recovery may take it back all the same.
func (p *pending) commit(sync bool) error {
	err := p.s.pending.move(p.id, p.s.pending, p.id+doneSuffix, over)
	if err == nil {
		p.id += doneSuffix
	}
	if err == nil && sync {
		err = p.s.pending.sync()
	}
	if err != nil {
		return &kindError{kind: ErrDurability, cause: err}
	}
	return nil
}

// end removes the record; there may be none.
func (p *pending) end() {
	if p != nil {
		_ = p.s.pending.remove(p.id)
	}
}

// endIfGone closes a record, and removes it unless what it is about is still there.
func (p *pending) endIfGone(dir folder, hidden string) {
	if !exists(dir, hidden) {
		p.end()
	}
	p.close()
}

func (p *pending) close() {
	if p != nil {
		p.file.Close()
	}
}

// Recover takes back what a killed process left half done in this workspace, and removes what it left behind. Calls that
// write do it first; it costs next to nothing where there is nothing to do.
func (w *Workspace) Recover(ctx context.Context) error {
	s, err := w.state.get(false)
	if err != nil || s == nil {
		return nil // the call that needs the folder says so
	}
	entries, err := s.pending.list(ctx)
	if errors.Is(err, fs.ErrNotExist) { // somebody removed the folder: it is made again when it is needed
		w.state.lost()
		return nil
	}
	if err != nil {
		return backupError(err)
	}
	for _, e := range entries {
		if err := w.recoverOne(ctx, s, e.Name); err != nil {
			return err
		}
	}
	return nil
}

// maxRecord is the longest record that is read, in bytes: one of a call whose entry the journal takes is far below.
const maxRecord = 256 << 20

func (w *Workspace) recoverOne(ctx context.Context, s *state, name string) error {
	p, err := s.adopt(ctx, name)
	if err != nil {
		return backupError(err)
	}
	if p == nil {
		return nil
	}
	defer p.close()
	content, err := p.file.ReadAll(ctx, maxRecord)
	if err != nil {
		return backupError(err)
	}
	if b := lastWhole(string(content)); b != nil {
		if err := w.settlePending(ctx, b, strings.HasSuffix(name, doneSuffix)); err != nil {
			return err
		}
	}
	p.end() // one that isn't whole was killed before it did anything
	return nil
}

// lastWhole reads the last line of a record that a kill didn't tear; nil if there is none.
func lastWhole(record string) (last *Backup) {
	for line := range strings.Lines(record) {
		if b, ok := decodeBackup(line); ok {
			last = b
		}
	}
	return last
}

// settlePending takes a transaction back, or cleans up after one that is through.
func (w *Workspace) settlePending(ctx context.Context, b *Backup, done bool) error {
	for i := len(b.Files) - 1; i >= 0; i-- {
		f := b.Files[i]
		if f.Action == movesOver || f.Action == movesBack {
			return w.settleMove(ctx, b.ID, f)
		}
		p, err := w.find(request{asked: f.Path, names: strings.Split(f.Path, "/")}, false)
		if errors.Is(err, ErrBusy) || errors.Is(err, ErrInputOutput) {
			return err
		}
		if err != nil {
			continue // its folder is gone
		}
		err = w.settleFile(ctx, p, f, done)
		p.close()
		if err != nil {
			return p.unsettled(err)
		}
	}
	if !done {
		w.drop(b)
	}
	return nil
}

// unsettled tells a call that it fails for what an earlier one left, perhaps far from its own path.
func (p *place) unsettled(err error) error {
	if isOwn(err) || errors.Is(err, ErrBusy) {
		return own(p, err)
	}
	if errors.Is(err, ErrDurability) {
		err = ErrInputOutput // it says that a change is in place: the earlier one, perhaps, but not that of this call
	}
	return &PathError{Path: p.asked, Err: fmt.Errorf("a call that was killed can't be taken back here: %w", classify(err))}
}

func (w *Workspace) settleFile(ctx context.Context, p *place, f Saved, done bool) error {
	if p.viaLink || len(p.missing) > 1 {
		return nil
	}
	unlock, err := w.lock(ctx, p)
	if err != nil {
		return err
	}
	defer unlock()
	if !done {
		if err := w.restore(ctx, p, f); err != nil {
			return err
		}
	}
	if err := p.folder.remove(f.temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return w.settle(p.folder)
}

// restore brings one file of a transaction back to what it was, however far that had come. What somebody else has put there
// since stays.
func (w *Workspace) restore(ctx context.Context, p *place, f Saved) error {
	dir := p.folder
	if err := joinOld(dir, f); err != nil {
		return err
	}
	now := w.contentAt(ctx, dir, p.name)
	if err := ctx.Err(); err != nil {
		return err // what could not be read is not what somebody has changed
	}
	if f.Old == "" {
		if isMade(p, f) && now == f.New {
			return dir.remove(p.name)
		}
		return nil
	}
	aside, err := dir.lstat(f.temp)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the old file never left its place
	}
	if err != nil {
		return err
	}
	isOld := w.isOld(ctx, dir, f, aside)
	switch {
	case !isOld && w.isStaged(ctx, p, f):
		return ctx.Err()
	case !exists(dir, p.name):
		return moveFree(dir, f.temp, p.name)
	case isOld && now != "" && now == f.New:
		return w.swapOld(ctx, p, f)
	}
	s := step{p: p, temp: f.temp}
	return s.setAside(ErrBusy) // somebody else's file has the name, or this one: both stay
}

// joinOld gives an old file that replaceInTwo had put away the name that it has elsewhere.
func joinOld(dir folder, f Saved) error {
	aside := f.temp + oldSuffix
	if !exists(dir, aside) {
		return nil
	}
	_ = dir.remove(f.temp)
	return moveFree(dir, aside, f.temp)
}

// isMade reports that what stands at the place is the file that a transaction made, as far as the system tells.
func isMade(p *place, f Saved) bool {
	now, err := p.folder.lstat(p.name)
	return err == nil && f.ino != "" && (now.isSame(f.ino) || now.ino == 0)
}

// isOld reports that what has the temporary name is the old file. Its content tells where the system doesn't.
func (w *Workspace) isOld(ctx context.Context, dir folder, f Saved, aside Info) bool {
	return aside.isSame(f.ino) || (f.Old != f.New && w.contentAt(ctx, dir, f.temp) == f.Old)
}

// isStaged reports that what has the temporary name is the new file, or as much of it as was written.
func (w *Workspace) isStaged(ctx context.Context, p *place, f Saved) bool {
	if hasID(p, f.ino) {
		return true // the old one still stands in its place
	}
	staged := w.contentAt(ctx, p.folder, f.temp)
	return ctx.Err() != nil || (f.New != "" && staged == f.New)
}

// swapOld exchanges the new file with the old one, and looks whether what it got is the new one.
func (w *Workspace) swapOld(ctx context.Context, p *place, f Saved) error {
	dir := p.folder
	err := dir.move(f.temp, dir, p.name, swapping)
	if errors.Is(err, ErrUnsupported) {
		return dir.move(f.temp, dir, p.name, over)
	}
	if err != nil {
		return err
	}
	if w.contentAt(context.WithoutCancel(ctx), dir, f.temp) != f.New {
		s := step{p: p, temp: f.temp}
		return s.setAside(ErrBusy)
	}
	return nil
}

// contentAt is the content etag of a regular file, "" if there is none.
func (w *Workspace) contentAt(ctx context.Context, dir folder, name string) string {
	f, err := dir.open(name, os.O_RDONLY)
	if err != nil {
		return ""
	}
	defer f.Close()
	hashed, err := f.hash(ctx)
	if err != nil {
		return ""
	}
	return hashed
}

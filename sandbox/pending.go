package sandbox

import (
	"context"
	"errors"
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
	f, err := s.pending.create(b.ID, privateMode&0o666)
	if err != nil {
		return nil, backupError(err)
	}
	p := &pending{s: s, id: b.ID, file: f}
	err = f.tryLock()
	if err == nil {
		_, err = f.Write(b.encode())
	}
	if err == nil && !w.noSync {
		if err = f.sync(); err == nil {
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

func (w *Workspace) recoverOne(ctx context.Context, s *state, name string) error {
	f, err := s.pending.open(name, os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another process was faster
	}
	if err != nil {
		return backupError(err)
	}
	p := &pending{s: s, id: name, file: f}
	defer p.close()
	if errors.Is(f.tryLock(), ErrBusy) {
		return nil // its process lives
	}
	if now, err := s.pending.lstat(name); err != nil || now.ID() != f.Info.ID() {
		return nil
	}
	content, err := f.ReadAll(ctx, maxJournal)
	if err != nil {
		return backupError(err)
	}
	b, whole := decodeBackup(string(content))
	if whole {
		if err := w.settlePending(ctx, b, strings.HasSuffix(name, doneSuffix)); err != nil {
			return err
		}
	}
	p.end() // one that isn't whole was killed before it did anything
	return nil
}

// settlePending takes a transaction back, or cleans up after one that is through.
func (w *Workspace) settlePending(ctx context.Context, b *Backup, done bool) error {
	for i := len(b.Files) - 1; i >= 0; i-- {
		f := b.Files[i]
		if f.Action == movesOver || f.Action == movesBack {
			return w.settleMove(ctx, b.ID, f)
		}
		p, err := w.find(request{asked: f.Path, names: strings.Split(f.Path, "/")}, false)
		if err != nil {
			continue // its folder is gone
		}
		err = w.settleFile(ctx, p, f, done)
		p.close()
		if err != nil {
			return p.fail(err)
		}
	}
	if !done {
		w.drop(b)
	}
	return nil
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
	if aside := f.temp + oldSuffix; f.ino != "" {
		if old, err := dir.lstat(aside); err == nil && old.ID() == f.ino { // see replaceInTwo
			_ = dir.remove(f.temp)
			if err := dir.move(aside, dir, f.temp, ifFree); err != nil {
				return err
			}
		}
	}
	now := w.contentAt(ctx, dir, p.name)
	if f.Old == "" {
		if f.New != "" && now == f.New {
			return dir.remove(p.name)
		}
		return nil
	}
	old, err := dir.lstat(f.temp)
	if err != nil || old.ID() != f.ino {
		return nil // the old file never left its place
	}
	if now == f.New { // "" = "" where the file was taken away
		if now == "" {
			return dir.move(f.temp, dir, p.name, ifFree)
		}
		err := dir.move(f.temp, dir, p.name, swapping)
		if errors.Is(err, ErrUnsupported) {
			err = dir.move(f.temp, dir, p.name, over)
		}
		return err
	}
	s := step{p: p, temp: f.temp, info: old}
	return s.setAside(ErrBusy) // somebody else's file has the name: both stay
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

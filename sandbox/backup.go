package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"fsbox/sandbox/dir"
)

// What is kept, at most. The newest backup is kept in any case.
const (
	maxVersions  = 20                 // of one path
	maxAge       = 7 * 24 * time.Hour //
	maxKeptBytes = 256 << 20          // of all content together
)

// keep puts the old content of a call's files into the state folder and writes the call into the journal. A call that needs
// no backup, since it takes nothing away, goes on where there is no state folder.
func (w *Workspace) keep(ctx context.Context, b *Backup, sources []source, needed bool) (kept bool, err error) {
	if !w.backups {
		return false, nil
	}
	for again := false; ; again = true {
		err := w.keepIn(ctx, b, sources)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, os.ErrNotExist) && !again:
			w.state.lost() // somebody removed the folder: make it again
		case errors.Is(err, dir.ErrCollision):
			return false, err
		case !needed && !isOwn(err):
			return false, nil
		default:
			return false, backupError(err)
		}
	}
}

// source is where the old content of a file comes from: from its step, from memory, or from an open file that is too large for
// that.
type source struct {
	step    *step // nil if the file must not be kept itself, only copied
	content []byte
	file    *dir.File
	empty   bool // there is nothing to keep

	stood   *dir.Info // what has the name now: see Saved.mark
	owner   *dir.Info // of a file that goes away: kept with what is kept, as far as the state folder's file system can
	carried dir.Attributes
}

func (w *Workspace) keepIn(ctx context.Context, b *Backup, sources []source) error {
	s, err := w.state.get(true)
	if err != nil {
		return err
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	var bytes int64
	for i, from := range sources {
		if !from.empty {
			b.Files[i].Kept = b.keptName(i)
			if err := s.store(ctx, &b.Files[i], from); err != nil {
				s.forget(b)
				return err
			}
			bytes += b.Files[i].KeptSize()
		}
		if from.stood != nil {
			b.Files[i].mark = from.stood.ChangeStamp() // after store, which may give the file another name
		}
	}
	line := s.lineOf(b)
	grown, err := s.recordLine(line)
	if err != nil {
		s.forget(b)
		return err
	}
	if isPruneDue(b, bytes, int64(len(line)), grown) {
		_ = s.prune(ctx) // it is tried again with the next one
	}
	return nil
}

// keptName is what the old content of the n-th path is called in the state folder.
func (b *Backup) keptName(n int) string { return fmt.Sprintf("%s-%d", b.ID, n) }

// note writes a call that made something new into the journal, now that it is there. Before that there is nothing to lose, and
// so no entry tells of something that a killed call never made: what is gone, somebody has taken away.
func (w *Workspace) note(ctx context.Context, b *Backup) (noted bool) {
	sources := make([]source, len(b.Files))
	for i := range sources {
		sources[i].empty = true
	}
	noted, err := w.keep(context.WithoutCancel(ctx), b, sources, false)
	return noted && err == nil
}

// lock keeps other processes out of the state folder. It is taken last and held for a moment only.
func (s *state) lock(ctx context.Context) (func(), error) {
	return s.dir.Lock(ctx)
}

// store keeps one content. A copy is not synced: a power cut may take backups of the last seconds, and the checksum of
// what is kept tells.
func (s *state) store(ctx context.Context, saved *Saved, from source) error {
	if from.step != nil {
		if linked, err := s.link(saved.Kept, from.step); linked || err != nil {
			return err
		}
	}
	f, err := s.kept.Create(saved.Kept, privateMode&0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	if from.owner != nil {
		_, _ = f.TakeOwner(*from.owner)
		_ = f.SetAttributes(from.carried)
	}
	if from.file == nil {
		_, err := f.Write(from.content)
		return err
	}
	if from.file.Info.Size > maxKeptBytes {
		return backupError(fmt.Errorf("%d bytes are more than is kept of all files together", from.file.Info.Size))
	}
	block := make([]byte, dir.ReadBlock)
	for at := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := from.file.ReadAt(block, at)
		if err != nil && err != io.EOF {
			return err
		}
		if _, err := f.Write(block[:n]); err != nil {
			return err
		}
		if at += int64(n); err == io.EOF {
			return nil
		}
	}
}

// forget removes what a call kept.
func (s *state) forget(b *Backup) {
	for _, f := range b.Files {
		if f.Kept != "" {
			_ = s.removeKept(f.Kept)
		}
	}
}

// drop takes a call back out of the journal: it changed nothing after all.
func (w *Workspace) drop(b *Backup) {
	s, err := w.state.get(false)
	if err != nil || s == nil {
		return
	}
	unlock, err := s.lock(context.Background())
	if err != nil {
		return // it stays, and undo finds that it has nothing to take back
	}
	defer unlock()
	if s.void(b.ID) == nil {
		s.forget(b)
	}
}

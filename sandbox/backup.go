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

// Bounds of what is kept. The newest backup is always kept.
const (
	maxVersions  = 20                 // of one path
	maxAge       = 7 * 24 * time.Hour //
	maxKeptBytes = 256 << 20          // bytes, of all kept content together
)

// keep puts the old content of a call's files into the state folder and adds the call to the
// journal. If needed is false, the call goes on without a state folder: it destroys nothing, and so
// can do without a backup.
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

// source is where the old content of a file is taken from: from the step that read it, from memory,
// or from an open file that is too large for memory.
type source struct {
	step    *step // nil if the content must be copied, and the file itself not kept
	content []byte
	file    *dir.File
	empty   bool // there is nothing to keep

	present *dir.Info // the file that has the name now: see Saved.stamp
	owner   *dir.Info // of a file that is removed: the kept copy gets this owner, if the state folder's file system can have it
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
		if from.present != nil {
			b.Files[i].stamp = from.present.ChangeStamp() // after store: it may give the file a second name, which changes the stamp
		}
	}
	line := s.lineOf(b)
	grown, err := s.recordLine(line)
	if err != nil {
		s.forget(b)
		return err
	}
	if isPruneDue(b, bytes, int64(len(line)), grown) {
		_ = s.prune(ctx) // the next call tries again
	}
	return nil
}

// keptName is the name of the n-th path's old content in the state folder.
func (b *Backup) keptName(n int) string { return fmt.Sprintf("%s-%d", b.ID, n) }

// note adds a call that made something new to the journal, after it is made. Nothing old can be
// lost by such a call, so its entry can wait. In this way no entry tells of something that a killed
// call never made: if it is missing, somebody has removed it.
func (w *Workspace) note(ctx context.Context, b *Backup) (noted bool) {
	sources := make([]source, len(b.Files))
	for i := range sources {
		sources[i].empty = true
	}
	noted, err := w.keep(context.WithoutCancel(ctx), b, sources, false)
	return noted && err == nil
}

// lock keeps other processes out of the state folder. It is taken after all other locks, and held
// only briefly.
func (s *state) lock(ctx context.Context) (func(), error) {
	return s.dir.Lock(ctx)
}

// store keeps one content. A copy is not synced: a power cut may destroy the backups of the last
// seconds, and their checksums show it.
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

// forget removes the content that a call kept.
func (s *state) forget(b *Backup) {
	for _, f := range b.Files {
		if f.Kept != "" {
			_ = s.removeKept(f.Kept)
		}
	}
}

// drop removes a call from the journal: it changed nothing after all.
func (w *Workspace) drop(b *Backup) {
	s, err := w.state.get(false)
	if err != nil || s == nil {
		return
	}
	unlock, err := s.lock(context.Background())
	if err != nil {
		return // the entry is not removed, and undo finds that there is nothing to take back
	}
	defer unlock()
	if s.void(b.ID) == nil {
		s.forget(b)
	}
}

package sandbox

import (
	"context"
	"errors"
	"os"
	"time"
)

// held is a file of the journal, open under the lock of its folder.
type held struct {
	p      *place
	file   *File
	unlock func()
}

func (h *held) close() {
	if h.file != nil {
		h.file.Close()
	}
	if h.unlock != nil {
		h.unlock()
	}
	h.p.close()
}

// hold opens the file that an append changed. It must have size bytes, and the first of them, up to behind, must be as the tag says.
func (w *Workspace) hold(ctx context.Context, f Saved, size, behind int64, tag string) (_ *held, err error) {
	p, err := w.locate(inRoot(f.Path), purpose{write: true})
	if err != nil {
		return nil, err
	}
	h := &held{p: p}
	defer func() {
		if err != nil {
			h.close()
			err = own(p, err)
		}
	}()
	if !p.exists || !p.info.Mode.IsRegular() {
		return nil, &StaleError{}
	}
	if h.unlock, err = w.lock(ctx, p); err != nil {
		return nil, err
	}
	if err := p.mayWrite(p.info); err != nil {
		return nil, err
	}
	if h.file, err = p.open(os.O_RDWR | os.O_APPEND); err != nil {
		return nil, err
	}
	if h.file.Info.Size != size {
		return nil, w.staleNow(ctx, h.file)
	}
	same, err := h.file.begins(ctx, behind, tag)
	if err == nil && !same {
		err = w.staleNow(ctx, h.file)
	}
	return h, err
}

func (w *Workspace) staleNow(ctx context.Context, f *File) error {
	etag, err := w.ETag(ctx, f, nil)
	if err != nil {
		return err
	}
	return &StaleError{Current: etag}
}

// cutBack takes back an append, in place as it was made: who holds the file open goes on with it.
func (w *Workspace) cutBack(ctx context.Context, b *Backup, dryRun bool) (*UndoReport, error) {
	f := b.Files[0]
	h, err := w.hold(ctx, f, f.Size+f.Added, f.Size, f.Old)
	if err != nil {
		return nil, err
	}
	defer h.close()
	tail := make([]byte, f.Added)
	if n, err := h.file.ReadAt(tail, f.Size); ignoreEOF(err) != nil || int64(n) != f.Added || contentETag(tail) != f.New {
		return nil, own(h.p, errors.Join(ignoreEOF(err), w.staleNow(ctx, h.file)))
	}
	report := &UndoReport{}
	if !dryRun {
		cut := &Backup{ID: newID(time.Now()), Time: time.Now(), Tool: undoTool, Undoes: b.ID, Files: []Saved{{Path: f.Path, Action: Cut,
			Mode: h.file.Info.Mode, Size: f.Size + f.Added, Added: f.Added, Old: contentETag(tail), New: f.Old}}}
		kept, err := w.keep(ctx, cut, []source{{content: tail, stood: &h.file.Info}}, true)
		if err != nil {
			return nil, own(h.p, err)
		}
		if kept {
			report.BackupID = cut.ID
		}
		if err := w.truncateHeld(ctx, h, f); err != nil {
			if kept {
				w.drop(cut)
			}
			return nil, own(h.p, err)
		}
	}
	return w.inPlace(ctx, h, f, report, dryRun)
}

// truncateHeld cuts off what an append added, unless the file grew or was replaced while that was kept.
func (w *Workspace) truncateHeld(ctx context.Context, h *held, f Saved) error {
	now, err := h.file.stat()
	if err == nil && (now.Size != f.Size+f.Added || !h.p.leadsTo(h.file)) {
		err = w.staleNow(ctx, h.file)
	}
	if err != nil {
		return err
	}
	return h.file.truncate(f.Size)
}

// extendAgain takes back a cutBack.
func (w *Workspace) extendAgain(ctx context.Context, b *Backup, dryRun bool) (*UndoReport, error) {
	f := b.Files[0]
	h, err := w.hold(ctx, f, f.Size-f.Added, f.Size-f.Added, f.New)
	if err != nil {
		return nil, err
	}
	defer h.close()
	tail, err := w.keptContent(ctx, f)
	if err != nil {
		return nil, own(h.p, err)
	}
	report := &UndoReport{}
	if !dryRun {
		if report.BackupID, err = w.addKept(ctx, h.p, h.file, tail, f.New, undoTool); err != nil {
			return nil, own(h.p, err)
		}
	}
	return w.inPlace(ctx, h, f, report, dryRun)
}

// inPlace syncs and describes a file that was changed in place.
func (w *Workspace) inPlace(ctx context.Context, h *held, f Saved, report *UndoReport, dryRun bool) (*UndoReport, error) {
	var failed error
	if !dryRun && !w.noSync {
		if err := h.file.sync(); err != nil {
			failed = own(h.p, &kindError{kind: ErrDurability, cause: err})
		}
	}
	done := Undone{Path: f.Path, Action: Replaced}
	if now, err := h.file.stat(); err == nil {
		h.file.Info = now
	}
	done.ETag, _ = w.ETag(context.WithoutCancel(ctx), h.file, nil)
	report.Restored = []Undone{done}
	return report, failed
}

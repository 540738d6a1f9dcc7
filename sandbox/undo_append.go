package sandbox

import (
	"context"
	"errors"
	"os"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// held is a file that an append changed, open, with its folder locked.
type held struct {
	p      *place
	file   *dir.File
	unlock func()
}

func (h *held) close() {
	if h.file != nil {
		h.file.Close()
	}
	h.free()
	h.p.close()
}

// free releases the lock.
func (h *held) free() {
	if h.unlock != nil {
		h.unlock()
	}
}

// hold opens the file that an append changed. It must have size bytes, and its first beginning
// bytes must be as the tag says. A dry run locks nothing, because taking the lock removes files of
// killed calls.
func (w *Workspace) hold(ctx context.Context, f history.Saved, size, beginning int64, tag string, dryRun bool) (_ *held, err error) {
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
		return nil, &dir.StaleError{}
	}
	if !dryRun {
		if h.unlock, err = w.lock(ctx, p); err != nil {
			return nil, err
		}
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
	same, err := h.file.Begins(ctx, beginning, tag)
	if err == nil && !same {
		err = w.staleNow(ctx, h.file)
	}
	return h, err
}

func (w *Workspace) staleNow(ctx context.Context, f *dir.File) error {
	etag, err := w.ETag(ctx, f, nil)
	if err != nil {
		return err
	}
	return &dir.StaleError{Current: etag}
}

// cutBack takes back an append in place, so that a process that has the file open sees it.
func (w *Workspace) cutBack(ctx context.Context, b *history.Entry, dryRun bool) (*UndoReport, error) {
	f := b.Files[0]
	h, err := w.hold(ctx, f, f.Size+f.Added, f.Size, f.Old, dryRun)
	if err != nil {
		return nil, err
	}
	defer h.close()
	tail := make([]byte, f.Added)
	if n, err := h.file.ReadAt(tail, f.Size); dir.IgnoreEOF(err) != nil || int64(n) != f.Added || dir.ContentETag(tail) != f.New {
		return nil, own(h.p, errors.Join(dir.IgnoreEOF(err), w.staleNow(ctx, h.file)))
	}
	report := &UndoReport{}
	if dryRun {
		return w.inPlace(ctx, h, f, report, true)
	}
	if h.file.Info.AllowsInPlace() {
		if report.BackupID, err = w.cutKept(ctx, h, f, tail, b.ID); err == nil {
			return w.inPlace(ctx, h, f, report, false)
		}
	}
	if err != nil && !errors.Is(err, errLinked) {
		return nil, own(h.p, err)
	}
	h.free()
	return w.undoByRewrite(ctx, b, func(old []byte) ([]byte, bool) {
		fits := int64(len(old)) == f.Size+f.Added && dir.IsTagOf(f.Old, old[:f.Size]) && dir.ContentETag(old[f.Size:]) == f.New
		if !fits {
			return nil, false
		}
		return old[:f.Size:f.Size], true
	})
}

// cutKept cuts off what an append added, with an entry in the journal.
func (w *Workspace) cutKept(ctx context.Context, h *held, f history.Saved, tail []byte, undoes string) (backupID string, err error) {
	cut := history.NewEntry(undoTool, undoes, history.Saved{Path: f.Path, Action: history.Cut, Mode: h.file.Info.Mode,
		Size: f.Size + f.Added, Added: f.Added, Old: dir.ContentETag(tail), New: f.Old})
	kept, err := w.history.Keep(ctx, cut, []history.Source{{Content: tail, Present: &h.file.Info}}, true)
	if err != nil {
		return "", err
	}
	if err := w.truncateHeld(ctx, h, f); err != nil {
		if kept {
			w.history.Drop(cut)
		}
		return "", err
	}
	if !kept {
		return "", nil
	}
	return cut.ID, nil
}

// truncateHeld cuts off what an append added, unless the file grew or was replaced meanwhile.
func (w *Workspace) truncateHeld(ctx context.Context, h *held, f history.Saved) error {
	err := h.p.hasOneName(ctx, h.file)
	if errors.Is(err, dir.ErrCollision) {
		return w.staleNow(ctx, h.file)
	}
	if err != nil {
		return err
	}
	if now, err := h.file.Stat(); err != nil || now.Size != f.Size+f.Added {
		return errors.Join(err, w.staleNow(ctx, h.file))
	}
	return h.file.Truncate(f.Size)
}

// extendAgain takes back a cutBack.
func (w *Workspace) extendAgain(ctx context.Context, b *history.Entry, dryRun bool) (*UndoReport, error) {
	f := b.Files[0]
	h, err := w.hold(ctx, f, f.Size-f.Added, f.Size-f.Added, f.New, dryRun)
	if err != nil {
		return nil, err
	}
	defer h.close()
	tail, err := w.history.Content(ctx, f)
	if err != nil {
		return nil, own(h.p, err)
	}
	report := &UndoReport{}
	if dryRun {
		return w.inPlace(ctx, h, f, report, true)
	}
	if h.file.Info.AllowsInPlace() {
		if report.BackupID, err = w.addKept(ctx, h.p, h.file, tail, f.New, undoTool); err == nil {
			return w.inPlace(ctx, h, f, report, false)
		}
	}
	if err != nil && !errors.Is(err, errLinked) {
		return nil, own(h.p, err)
	}
	h.free()
	return w.undoByRewrite(ctx, b, func(old []byte) ([]byte, bool) {
		return append(old[:len(old):len(old)], tail...), int64(len(old)) == f.Size-f.Added && dir.IsTagOf(f.New, old)
	})
}

// undoByRewrite is for files with other names, perhaps outside of the workspace: the content under
// those must not change. restore returns the content to write, or false if the file isn't as the
// call left it.
func (w *Workspace) undoByRewrite(ctx context.Context, b *history.Entry, restore func(old []byte) ([]byte, bool)) (*UndoReport, error) {
	f := b.Files[0]
	target := Target{Path: inRoot(f.Path), Tool: undoTool, Undoes: b.ID}
	done, err := w.transactOne(ctx, Change{Target: target, Make: func(old []byte, _ bool) ([]byte, error) {
		content, fits := restore(old)
		if !fits {
			return nil, &dir.PathError{Path: f.Path, Err: &dir.StaleError{Current: dir.ContentETag(old)}}
		}
		return content, nil
	}})
	if len(done) == 0 {
		return nil, staleIfChanged(err)
	}
	return &UndoReport{BackupID: done[0].BackupID, Lost: done[0].Lost,
		Restored: []Undone{{Path: f.Path, Action: history.Replaced, ETag: done[0].ETag}}}, err
}

// inPlace syncs and describes a file that was changed in place.
func (w *Workspace) inPlace(ctx context.Context, h *held, f history.Saved, report *UndoReport, dryRun bool) (*UndoReport, error) {
	var failed error
	if !dryRun && !w.noSync {
		if err := h.file.Sync(); err != nil {
			failed = own(h.p, &dir.KindError{Kind: dir.ErrDurability, Cause: err})
		}
	}
	done := Undone{Path: f.Path, Action: history.Replaced}
	if now, err := h.file.Stat(); err == nil {
		h.file.Info = now
	}
	done.ETag, _ = w.ETag(context.WithoutCancel(ctx), h.file, nil)
	report.Restored = []Undone{done}
	return report, failed
}

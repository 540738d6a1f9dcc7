package sandbox

import (
	"context"
	"errors"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// The undo of an append, and the undo of that, change the file in place, so that a process that has
// it open sees it.

// regrowth is an append that is taken back, or made again.
type regrowth struct {
	*undoing
	f         history.Saved
	size      int64  // of the file now
	beginning int64  // how many bytes of it must be unchanged
	tag       string // describes them
	tail      []byte // what is cut off, or added again
	old       []byte // the content before, for the report; nil of a long file
}

func (u *undoing) takeBackInPlace() (*UndoReport, error) {
	f := u.b.Files[0]
	r := regrowth{undoing: u, f: f, size: f.Size + f.Added, beginning: f.Size, tag: f.Old}
	if f.Action == history.Cut {
		r.size, r.beginning, r.tag = f.Size-f.Added, f.Size-f.Added, f.New
	}
	p, err := u.w.locate(inRoot(f.Path), purpose{write: true})
	if err != nil {
		return nil, err
	}
	defer p.close()
	if !p.exists || !p.info.Mode.IsRegular() {
		return nil, p.fail(&dir.StaleError{})
	}
	report, err := r.at(p)
	if errors.Is(err, errLinked) {
		return r.byRewrite()
	}
	return report, own(p, err)
}

// at changes the file at a place. It must have the size and the beginning that the call left.
func (r *regrowth) at(p *place) (*UndoReport, error) {
	i, err := r.w.openInPlace(r.ctx, p, r.dry)
	if err != nil {
		return nil, err
	}
	defer i.close()
	if err := r.check(i); err != nil {
		return nil, err
	}
	if r.old, err = i.file.ReadUpTo(r.ctx, r.w.whole); err != nil {
		return nil, err
	}
	report := &UndoReport{}
	if !r.dry {
		if !i.file.Info.AllowsInPlace() {
			return nil, errLinked
		}
		if report.BackupID, err = r.change(i); err != nil {
			return nil, err
		}
	}
	return report, r.finish(i, report)
}

// check makes sure that nobody has changed the file since, and reads what is cut off or added.
func (r *regrowth) check(i *inPlace) (err error) {
	same := i.file.Info.Size == r.size
	if same {
		same, err = i.file.Begins(r.ctx, r.beginning, r.tag)
	}
	switch {
	case err != nil:
		return err
	case !same:
		return staleNow(i)
	case r.f.Action == history.Cut:
		r.tail, err = r.w.history.Content(r.ctx, r.f)
		return err
	}
	r.tail = make([]byte, r.f.Added)
	n, err := i.file.ReadAt(r.tail, r.f.Size)
	if err = dir.IgnoreEOF(err); err != nil || int64(n) != r.f.Added || dir.ContentETag(r.tail) != r.f.New {
		return errors.Join(err, staleNow(i))
	}
	return nil
}

func staleNow(i *inPlace) error {
	etag, err := i.w.ETag(i.ctx, i.file, nil)
	if err != nil {
		return err
	}
	return &dir.StaleError{Current: etag}
}

// change cuts off what the append added, or adds it again.
func (r *regrowth) change(i *inPlace) (backupID string, err error) {
	if r.f.Action == history.Cut {
		return i.extend(r.tail, r.f.New, undoTool, r.b.ID)
	}
	e := history.NewEntry(undoTool, r.b.ID, history.Saved{Path: r.f.Path, Action: history.Cut, Mode: i.file.Info.Mode,
		Size: r.size, Added: r.f.Added, Old: dir.ContentETag(r.tail), New: r.f.Old})
	backupID, err = i.change(e, history.Source{Content: r.tail}, func() error { return r.cut(i) })
	if errors.Is(err, dir.ErrCollision) {
		err = staleNow(i)
	}
	return backupID, err
}

// cut cuts off what the append added, unless the file grew meanwhile.
func (r *regrowth) cut(i *inPlace) error {
	if now, err := i.file.Stat(); err != nil || now.Size != r.size {
		return errors.Join(err, staleNow(i))
	}
	return i.file.Truncate(r.f.Size)
}

// byRewrite is for files with other names, perhaps outside of the workspace: the content under
// those must not change.
func (r *regrowth) byRewrite() (*UndoReport, error) {
	target := Target{Path: inRoot(r.f.Path), Tool: undoTool, Undoes: r.b.ID}
	done, err := r.w.transactOne(r.ctx, Change{Target: target, Make: func(old []byte, _ bool) ([]byte, error) {
		n := r.beginning
		same := int64(len(old)) == r.size && dir.IsTagOf(r.tag, old[:n])
		if r.f.Action == history.Cut && same {
			return append(old[:n:n], r.tail...), nil
		}
		if same && dir.ContentETag(old[n:]) == r.f.New {
			return old[:n:n], nil
		}
		return nil, &dir.PathError{Path: r.f.Path, Err: &dir.StaleError{Current: dir.ContentETag(old)}}
	}})
	if len(done) == 0 {
		return nil, staleIfChanged(err)
	}
	return &UndoReport{BackupID: done[0].BackupID, Lost: done[0].Lost,
		Restored: []Undone{{Path: r.f.Path, Action: history.Replaced, ETag: done[0].ETag, Old: done[0].Old, New: done[0].New}}}, err
}

// resized is the content after the change.
func (r *regrowth) resized(old []byte) []byte {
	if r.f.Action == history.Cut {
		return append(old[:len(old):len(old)], r.tail...)
	}
	return old[:min(r.f.Size, int64(len(old)))]
}

// finish syncs and describes a file that was changed in place.
func (r *regrowth) finish(i *inPlace, report *UndoReport) (failed error) {
	if !r.dry && !r.w.noSync {
		if err := i.file.Sync(); err != nil {
			failed = &dir.KindError{Kind: dir.ErrDurability, Cause: err}
		}
	}
	if now, err := i.file.Stat(); err == nil {
		i.file.Info = now
	}
	done := Undone{Path: r.f.Path, Action: history.Replaced, Partial: r.old == nil && r.size > 0}
	if !done.Partial {
		done.Old, done.New = r.old, r.resized(r.old)
	}
	done.ETag, _ = r.w.ETag(context.WithoutCancel(r.ctx), i.file, nil)
	report.Restored = []Undone{done}
	return failed
}

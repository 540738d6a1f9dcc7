package undo

import (
	"context"
	"errors"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/pathname"
	"fsbox/sandbox/history"
	"fsbox/sandbox/transaction"
)

// The undo of an append, and the undo of that, change the file in place, so that a process that has
// it open sees it.

// appendUndo takes an append back, or takes that back: then it is made again.
type appendUndo struct {
	*undoing
	f, inverse history.Item
	tail       []byte // what is cut off, or added again
}

func (u *undoing) revertInPlace() (*Report, error) {
	f := u.b.Items[0]
	r := appendUndo{undoing: u, f: f, inverse: f.Inverse()}
	p, err := u.w.Locate(pathname.InRoot(f.Path), sandbox.Purpose{Write: true})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if !p.Exists || !p.Info.Mode.IsRegular() {
		return nil, p.Fail(&fserr.StaleError{})
	}
	report, err := r.at(p)
	if errors.Is(err, transaction.ErrLinked) { // perhaps a name outside of the workspace: the content under that must not change
		return u.revertTogether([]*history.Entry{u.b}, u.b.ID)
	}
	return report, p.Fail(err)
}

// at changes the file at a target. It must have the size and the beginning that the call left.
func (r *appendUndo) at(p *sandbox.Target) (*Report, error) {
	i, err := transaction.OpenInPlace(r.ctx, r.w, p, r.dry)
	if err != nil {
		return nil, err
	}
	defer i.Release()
	if err := r.check(i); err != nil {
		return nil, err
	}
	old, err := i.File.ReadUpTo(r.ctx, r.w.Held())
	if err != nil {
		return nil, err
	}
	if !r.dry {
		if !i.File.Info.AllowsInPlace() {
			return nil, transaction.ErrLinked
		}
		if err := r.change(i); err != nil {
			return nil, err
		}
	}
	return r.finish(i, old)
}

// check makes sure that nobody has changed the file since, and reads what is cut off or added.
func (r *appendUndo) check(i *transaction.InPlace) (err error) {
	same := i.File.Info.Size == r.inverse.Size
	if same {
		length, tag := beginning(r.inverse)
		same, err = i.File.Begins(r.ctx, length, tag)
	}
	switch {
	case err != nil:
		return err
	case !same:
		return staleNow(i)
	case r.inverse.Kind == history.Extend:
		r.tail, err = r.w.History().Content(r.ctx, r.f)
		return err
	}
	r.tail = make([]byte, r.f.AppendedBytes)
	n, err := i.File.ReadAt(r.tail, r.f.Size)
	if err = fserr.IgnoreEOF(err); err != nil || int64(n) != r.f.AppendedBytes || openfile.ContentETag(r.tail) != r.f.New {
		return errors.Join(err, staleNow(i))
	}
	return nil
}

func staleNow(i *transaction.InPlace) error {
	etag, err := i.Workspace.ETag(i.Ctx, i.File, nil)
	if err != nil {
		return err
	}
	return &fserr.StaleError{Current: etag}
}

// change cuts off what the append added, or adds it again.
func (r *appendUndo) change(i *transaction.InPlace) error {
	r.inverse.Mode = i.File.Info.Mode
	e := history.NewEntry(undoTool, r.b.ID, r.inverse)
	if r.inverse.Kind == history.Extend {
		return i.Change(e, history.Source{Empty: true}, func() error { return i.Add(r.tail) })
	}
	err := i.Change(e, history.Source{Content: r.tail}, func() error { return r.cut(i) })
	if errors.Is(err, fserr.ErrCollision) {
		err = staleNow(i)
	}
	return err
}

// cut cuts off what the append added, unless the file grew meanwhile.
func (r *appendUndo) cut(i *transaction.InPlace) error {
	if now, err := i.File.Stat(); err != nil || now.Size != r.inverse.Size {
		return errors.Join(err, staleNow(i))
	}
	return i.Cut(r.f.Size)
}

// finish syncs and describes a file that was changed in place.
func (r *appendUndo) finish(i *transaction.InPlace, old []byte) (_ *Report, failed error) {
	if !r.dry && !r.w.NoSync() {
		failed = fserr.Unsynced(i.File.Sync())
	}
	if now, err := i.File.Stat(); err == nil {
		i.File.Info = now
	}
	done := Undone{Done: transaction.Done{Path: r.f.Path, Partial: old == nil && r.inverse.Size > 0}, Kind: history.Replace}
	if !done.Partial {
		done.Old, done.New = old, resized(r.inverse, old, r.tail)
	}
	done.ETag, _ = r.w.ETag(context.WithoutCancel(r.ctx), i.File, nil)
	report := &Report{Restored: []Undone{done}, BackupID: i.BackupID}
	r.show(report)
	return report, failed
}

// beginning is the part of a file that an Extend or a Cut leaves alone: how many bytes it has, and
// the tag that describes them.
func beginning(f history.Item) (length int64, tag string) {
	if f.Kind == history.Cut {
		return f.Size - f.AppendedBytes, f.New
	}
	return f.Size, f.Old
}

// resized is the content after an Extend by tail or a Cut, given the content before.
func resized(f history.Item, old, tail []byte) []byte {
	if f.Kind == history.Extend {
		return append(old[:len(old):len(old)], tail...)
	}
	n := min(f.Size-f.AppendedBytes, int64(len(old)))
	return old[:n:n]
}

package sandbox

import (
	"context"
	"math"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// maxHeldFile is the size, in bytes, up to which a file is held in memory where that isn't needed: to
// show what becomes of it, and to tell whether it changes at all. It is the default of the Whole
// limit, which bounds what has to be held.
const maxHeldFile = 10 << 20

// held is up to which size, in bytes, a file is held in memory where that isn't needed.
func (w *Workspace) held() int64 { return min(w.whole, maxHeldFile) }

// original is a file whose content another one gets unchanged. A long one is never in memory.
type original struct {
	file    *dir.File // open already, else
	open    func() (*dir.File, error)
	limit   int64  // bytes that it may have, 0 for any number
	held    int64  // from more bytes on it is long
	tag     string // content etag that it must have; "" for any content
	changed error  // if it hasn't that

	unreadable func(error) error // explains an error of reading it; may be nil
}

// kept is the kept content of a file.
func (w *Workspace) kept(f history.Item) *original {
	o := &original{held: w.held(), changed: f.Damaged(), unreadable: f.Unreadable}
	o.open = func() (*dir.File, error) { return w.history.OpenWhole(f) }
	if isContentTag(f.Old) {
		o.tag = f.Old
	}
	return o
}

// opened opens the file, for as long as close isn't called.
func (o *original) opened() (f *dir.File, close func(), err error) {
	if o.file != nil {
		return o.file, func() {}, nil
	}
	if f, err = o.open(); err != nil {
		return nil, nil, err
	}
	return f, func() { f.Close() }, nil
}

// content opens the file, checks it, and reads it if it isn't long; isLong says so. tag is its
// content etag, "" for a long one of which none is known.
func (o *original) content(ctx context.Context) (content []byte, tag string, isLong bool, err error) {
	f, done, err := o.opened()
	if err != nil {
		return nil, "", false, err
	}
	defer done()
	switch isLong = f.Info.Size > o.held; {
	case o.limit > 0 && f.Info.Size > o.limit:
		return nil, "", isLong, &dir.SizeError{Size: f.Info.Size, Limit: o.limit}
	case !isLong:
		if content, err = f.ReadAll(ctx, o.held); err == nil {
			tag = dir.ContentETag(content)
		}
	case o.tag != "":
		tag, err = f.Hash(ctx)
	}
	switch {
	case err != nil && o.unreadable != nil:
		err = o.unreadable(err)
	case err == nil && o.tag != "" && tag != o.tag:
		err = o.changed
	}
	return content, tag, isLong, err
}

// copyTo writes the content of a long file into a new one.
func (o *original) copyTo(ctx context.Context, to *dir.File) error {
	f, done, err := o.opened()
	if err != nil {
		return err
	}
	defer done()
	limit := o.limit
	if limit == 0 {
		limit = math.MaxInt64
	}
	return f.CopyInto(ctx, to, limit)
}

// isSame reports whether what is at a place has the same content. Nearly always the size tells.
func (o *original) isSame(ctx context.Context, p *place, then dir.Info) (bool, error) {
	f, done, err := o.opened()
	if err != nil {
		return false, err
	}
	defer done()
	if f.Info.Size != then.Size {
		return false, nil
	}
	there, err := p.openSame(then)
	if err != nil {
		return false, err
	}
	defer there.Close()
	return there.Equals(ctx, f)
}

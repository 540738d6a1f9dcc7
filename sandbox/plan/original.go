package plan

import (
	"cmp"
	"context"
	"math"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/history"
	"fsbox/sandbox/tree"
)

// Original is a file whose content another one gets unchanged. A long one is never in memory.
type Original struct {
	File    *openfile.File // open already, else
	Open    func() (*openfile.File, error)
	kept    *history.Item // is it, in store, in place of both
	store   *history.Store
	Limit   int64  // bytes that it may have, 0 for any number
	Held    int64  // from more bytes on it is long
	Tag     string // content etag that it must have; "" for any content
	Changed error  // if it hasn't that, and isn't kept
}

// OpenFile opens the file, for as long as close isn't called.
func (o *Original) OpenFile() (f *openfile.File, close func(), err error) {
	if o.File != nil {
		return o.File, func() {}, nil
	}
	if o.kept != nil {
		f, err = o.store.OpenWhole(*o.kept)
	} else {
		f, err = o.Open()
	}
	if err != nil {
		return nil, nil, err
	}
	return f, func() { f.Close() }, nil
}

// Content opens the file, checks it, and reads it if it isn't long; isLong says so. tag is its
// content etag, "" for a long one of which none is known.
func (o *Original) Content(ctx context.Context) (Content []byte, tag string, isLong bool, err error) {
	f, done, err := o.OpenFile()
	if err != nil {
		return nil, "", false, err
	}
	defer done()
	switch isLong = f.Info.Size > o.Held; {
	case o.Limit > 0 && f.Info.Size > o.Limit:
		return nil, "", isLong, &fserr.SizeError{Size: f.Info.Size, Limit: o.Limit}
	case !isLong:
		if Content, err = f.ReadAll(ctx, o.Held); err == nil {
			tag = openfile.ContentETag(Content)
		}
	case o.Tag != "":
		tag, err = f.Hash(ctx)
	}
	switch {
	case err != nil && o.kept != nil:
		err = o.kept.Unreadable(err)
	case err != nil || o.Tag == "" || tag == o.Tag:
	case o.kept != nil:
		err = o.kept.Damaged()
	default:
		err = o.Changed
	}
	return Content, tag, isLong, err
}

// copyTo writes the content of a long file into a new one.
func (o *Original) copyTo(ctx context.Context, to *openfile.File) error {
	f, done, err := o.OpenFile()
	if err != nil {
		return err
	}
	defer done()
	return f.CopyInto(ctx, to, cmp.Or(o.Limit, math.MaxInt64))
}

// IsSame reports whether what is at a target has the same content. Nearly always the size tells.
func (o *Original) IsSame(ctx context.Context, p *sandbox.Target, then stat.Info) (bool, error) {
	f, done, err := o.OpenFile()
	if err != nil {
		return false, err
	}
	defer done()
	if f.Info.Size != then.Size {
		return false, nil
	}
	there, err := p.OpenSame(then)
	if err != nil {
		return false, err
	}
	defer there.Close()
	return there.Equals(ctx, f)
}

// KeptContent is the kept content of a file.
func KeptContent(w *sandbox.Workspace, f *history.Item) *Original {
	o := &Original{Held: w.Held(), kept: f, store: w.History()}
	if tree.IsContentTag(f.Old) {
		o.Tag = f.Old
	}
	return o
}

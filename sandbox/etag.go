package sandbox

import (
	"context"
	"strings"

	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
)

// ETag is the etag of an open file. content is its content if the caller has read it, else nil.
func (w *Workspace) ETag(ctx context.Context, f *openfile.File, content []byte) (string, error) {
	switch {
	case f.Info.Size > w.whole:
		return openfile.StateETag(f.Info), nil
	case content != nil:
		return openfile.ContentETag(content), nil
	case f.Info.Size > maxHeldFile:
		return f.Hash(ctx)
	}
	content, err := f.ReadUpTo(ctx, w.Held())
	switch {
	case err != nil:
		return "", err
	case content == nil:
		return w.ETag(ctx, f, nil) // it has grown: Info says how much
	}
	return openfile.ContentETag(content), nil
}

// CheckETag compares the etag that a caller sent with the file as it is. An empty one fits any
// file.
func (w *Workspace) CheckETag(ctx context.Context, ifMatch string, f *openfile.File, content []byte) error {
	if ifMatch == "" {
		return nil
	}
	if strings.HasPrefix(ifMatch, openfile.StateTag) && ifMatch == openfile.StateETag(f.Info) {
		return nil
	}
	current, err := w.ETag(ctx, f, content)
	if err != nil || ifMatch == current {
		return err
	}
	if strings.HasPrefix(ifMatch, openfile.ContentTag) && f.Info.Size > w.whole { // the etag was made under a larger limit
		hashed, err := f.Hash(ctx)
		if err != nil || hashed == ifMatch {
			return err
		}
	}
	return &fserr.StaleError{Current: current}
}

// Held is up to which size, in bytes, a file is held in memory where that isn't needed.
func (w *Workspace) Held() int64 { return min(w.whole, maxHeldFile) }

// maxHeldFile is the size, in bytes, up to which a file is held in memory where that isn't needed:
// to show what becomes of it, and to tell whether it changes at all. It is the default of the Whole
// limit, which bounds what has to be held.
const maxHeldFile = 10 << 20

// IdentityTag begins a tag that says only which file has a name, beside openfile.ContentTag and
// openfile.StateTag: see package tree.
const IdentityTag = "i"

// IsIdentity reports whether a tag is of that kind.
func IsIdentity(tag string) bool { return strings.HasPrefix(tag, IdentityTag) }

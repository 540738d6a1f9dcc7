package sandbox

import (
	"context"
	"os"
	"strings"

	"fsbox/sandbox/dir"
)

// ETag is the etag of an open file. content is its content if the caller has read it, else nil.
func (w *Workspace) ETag(ctx context.Context, f *dir.File, content []byte) (string, error) {
	switch {
	case f.Info.Size > w.whole:
		return dir.StateETag(f.Info), nil
	case content != nil:
		return dir.ContentETag(content), nil
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
	return dir.ContentETag(content), nil
}

// CheckETag compares the etag that a caller sent with the file as it is. An empty one fits any
// file.
func (w *Workspace) CheckETag(ctx context.Context, ifMatch string, f *dir.File, content []byte) error {
	if ifMatch == "" {
		return nil
	}
	if strings.HasPrefix(ifMatch, dir.StateTag) && ifMatch == dir.StateETag(f.Info) {
		return nil
	}
	current, err := w.ETag(ctx, f, content)
	if err != nil || ifMatch == current {
		return err
	}
	if strings.HasPrefix(ifMatch, dir.ContentTag) && f.Info.Size > w.whole { // the etag was made under a larger limit
		hashed, err := f.Hash(ctx)
		if err != nil || hashed == ifMatch {
			return err
		}
	}
	return &dir.StaleError{Current: current}
}

// hashAt is the content etag of a regular file.
func hashAt(ctx context.Context, in dir.Folder, name string) (string, error) {
	f, err := in.Open(name, os.O_RDONLY)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return f.Hash(ctx)
}

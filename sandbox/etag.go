package sandbox

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"strings"
)

// An etag is opaque to callers. Its first letter tells how it was made, so that any etag can be checked against a file
// whatever limits were in force when it was given: c for content, s for the state that the file system reports.
const (
	contentTag = "c"
	stateTag   = "s"
)

// etagBytes is how much of a SHA-256 an etag keeps: 128 bits, beyond any chance of two versions colliding.
const etagBytes = 16

func contentETag(content []byte) string {
	sum := sha256.Sum256(content)
	return contentTag + hex.EncodeToString(sum[:etagBytes])
}

// stateETag is for files too large to be hashed on every call: identity, size and both times.
func stateETag(i Info) string {
	var b []byte
	for _, v := range [...]uint64{i.dev, i.ino, uint64(i.Size), uint64(i.Modified.UnixNano()), uint64(i.changed)} {
		b = binary.BigEndian.AppendUint64(b, v)
	}
	sum := sha256.Sum256(b)
	return stateTag + hex.EncodeToString(sum[:etagBytes])
}

// ETag is the etag of an open file; content is its content where the caller has it, else nil.
func (w *Workspace) ETag(ctx context.Context, f *File, content []byte) (string, error) {
	if f.Info.Size > w.whole {
		return stateETag(f.Info), nil
	}
	if content == nil {
		var err error
		if content, err = f.ReadAll(ctx, w.whole); err != nil {
			return "", explain(f.Path, err)
		}
	}
	return contentETag(content), nil
}

// etagWith is the etag that a file would have with data added to it: of one too large to be hashed, that of its present state.
func (w *Workspace) etagWith(ctx context.Context, f *File, data []byte) (string, error) {
	if f.Info.Size+int64(len(data)) > w.whole {
		return stateETag(f.Info), nil
	}
	content, err := f.ReadAll(ctx, w.whole)
	return contentETag(append(content, data...)), err
}

// verify compares an etag that a caller sent with the file as it is. An empty one asks for nothing.
func (w *Workspace) verify(ctx context.Context, ifMatch string, f *File, content []byte) error {
	if ifMatch == "" {
		return nil
	}
	current, err := w.ETag(ctx, f, content)
	if err != nil {
		return err
	}
	if ifMatch == current || (strings.HasPrefix(ifMatch, stateTag) && ifMatch == stateETag(f.Info)) {
		return nil
	}
	if strings.HasPrefix(ifMatch, contentTag) && f.Info.Size > w.whole { // given under a larger limit
		hashed, err := f.hash(ctx)
		if err != nil || hashed == ifMatch {
			return err
		}
	}
	return &StaleError{Current: current}
}

// hash is contentETag for a file of any size.
func (f *File) hash(ctx context.Context) (string, error) {
	sum, block := sha256.New(), make([]byte, readBlock)
	for at := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n, err := f.ReadAt(block, at)
		sum.Write(block[:n])
		at += int64(n)
		switch {
		case err == io.EOF:
			return contentTag + hex.EncodeToString(sum.Sum(nil)[:etagBytes]), nil
		case err != nil:
			return "", err
		}
	}
}

package sandbox

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
	"math"
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

// ContentETag is the etag of a file that holds content and is small enough to be read whole.
func ContentETag(content []byte) string {
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

// hash is contentETag for a file of any size.
func (f *File) hash(ctx context.Context) (string, error) {
	sum := newContentSum()
	if err := sum.read(ctx, f, math.MaxInt64); err != io.EOF {
		return "", err
	}
	return sum.etag(), nil
}

// contentSum makes an etag of a content that comes in parts.
type contentSum struct {
	hash.Hash
	size int64 // bytes read so far
}

func newContentSum() *contentSum { return &contentSum{Hash: sha256.New()} }

// read takes the next bytes of a file, up to the one at end. io.EOF says that it ends before.
func (s *contentSum) read(ctx context.Context, f *File, end int64) error {
	block := make([]byte, min(readBlock, end))
	for s.size < end {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := f.ReadAt(block[:min(int64(len(block)), end-s.size)], s.size)
		_, _ = s.Write(block[:n])
		s.size += int64(n)
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *contentSum) etag() string { return contentTag + hex.EncodeToString(s.Sum(nil)[:etagBytes]) }

// edgesTag begins a tag of the edges of a content that is too long to be hashed on every call.
const edgesTag = "e"

// beginning describes what an append goes behind, so that its undo can tell whether that is still the same. sum goes on behind it;
// nil for a file of more than whole bytes, of which only the edges are looked at.
func (f *File) beginning(ctx context.Context, whole int64) (sum *contentSum, tag string, err error) {
	if f.Info.Size > whole {
		tag, err = f.edgesTag(f.Info.Size)
		return nil, tag, err
	}
	sum = newContentSum()
	if err := sum.read(ctx, f, f.Info.Size); err != nil {
		if err == io.EOF {
			err = errCollision // it was cut off meanwhile
		}
		return nil, "", err
	}
	return sum, sum.etag(), nil
}

func (f *File) edgesTag(size int64) (string, error) {
	edges, err := f.edgesTo(size)
	return edges.tag(), err
}

func (e Edges) tag() string {
	sum := newContentSum()
	_, _ = sum.Write(e.Head)
	_, _ = sum.Write(e.Tail)
	return edgesTag + sum.etag()
}

// isTagOf is begins for a content in memory.
func isTagOf(tag string, content []byte) bool {
	if strings.HasPrefix(tag, edgesTag) {
		return edgesOf(content, true).tag() == tag
	}
	return tag == "" || ContentETag(content) == tag
}

// begins reports that the first size bytes are what beginning had described; "" describes anything.
func (f *File) begins(ctx context.Context, size int64, tag string) (bool, error) {
	switch {
	case tag == "":
		return true, nil
	case strings.HasPrefix(tag, edgesTag):
		now, err := f.edgesTag(size)
		return now == tag, err
	}
	sum := newContentSum()
	if err := sum.read(ctx, f, size); err != nil {
		return false, ignoreEOF(err)
	}
	return sum.etag() == tag, nil
}

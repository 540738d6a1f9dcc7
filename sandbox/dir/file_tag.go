package dir

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
	ContentTag = "c"
	StateTag   = "s"
)

// EtagBytes is how much of a SHA-256 an etag keeps: 128 bits, beyond any chance of two versions colliding.
const EtagBytes = 16

// ContentETag is the etag of a file that holds content and is small enough to be read whole.
func ContentETag(content []byte) string {
	sum := sha256.Sum256(content)
	return ContentTag + hex.EncodeToString(sum[:EtagBytes])
}

// StateETag is for files too large to be hashed on every call: identity, size and both times.
func StateETag(i Info) string {
	var b []byte
	for _, v := range [...]uint64{i.Dev, i.Ino, uint64(i.Size), uint64(i.Modified.UnixNano()), uint64(i.Changed)} {
		b = binary.BigEndian.AppendUint64(b, v)
	}
	sum := sha256.Sum256(b)
	return StateTag + hex.EncodeToString(sum[:EtagBytes])
}

// Hash is contentETag for a file of any size.
func (f *File) Hash(ctx context.Context) (string, error) {
	sum := newContentSum()
	if err := sum.read(ctx, f, math.MaxInt64); err != io.EOF {
		return "", err
	}
	return sum.Etag(), nil
}

// ContentSum makes an etag of a content that comes in parts.
type ContentSum struct {
	hash.Hash
	Size int64 // bytes read so far
}

func newContentSum() *ContentSum { return &ContentSum{Hash: sha256.New()} }

// read takes the next bytes of a file, up to the one at end. io.EOF says that it ends before.
func (s *ContentSum) read(ctx context.Context, f *File, end int64) error {
	block := make([]byte, min(ReadBlock, end))
	for s.Size < end {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := f.ReadAt(block[:min(int64(len(block)), end-s.Size)], s.Size)
		_, _ = s.Write(block[:n])
		s.Size += int64(n)
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *ContentSum) Etag() string { return ContentTag + hex.EncodeToString(s.Sum(nil)[:EtagBytes]) }

// edgesTag begins a tag of the edges of a content that is too long to be hashed on every call.
const edgesTag = "e"

// Beginning describes what an append goes behind, so that its undo can tell whether that is still the same. sum goes on behind it;
// nil for a file of more than whole bytes, of which only the edges are looked at.
func (f *File) Beginning(ctx context.Context, whole int64) (sum *ContentSum, tag string, err error) {
	if f.Info.Size > whole {
		tag, err = f.edgesTag(f.Info.Size)
		return nil, tag, err
	}
	sum = newContentSum()
	if err := sum.read(ctx, f, f.Info.Size); err != nil {
		if err == io.EOF {
			err = ErrCollision // it was cut off meanwhile
		}
		return nil, "", err
	}
	return sum, sum.Etag(), nil
}

func (f *File) edgesTag(size int64) (string, error) {
	edges, err := f.edgesTo(size)
	return edges.tag(), err
}

func (e Edges) tag() string {
	sum := newContentSum()
	_, _ = sum.Write(e.Head)
	_, _ = sum.Write(e.Tail)
	return edgesTag + sum.Etag()
}

// IsTagOf is begins for a content in memory.
func IsTagOf(tag string, content []byte) bool {
	if strings.HasPrefix(tag, edgesTag) {
		return EdgesOf(content, true).tag() == tag
	}
	return tag == "" || ContentETag(content) == tag
}

// Begins reports that the first size bytes are what beginning had described; "" describes anything.
func (f *File) Begins(ctx context.Context, size int64, tag string) (bool, error) {
	switch {
	case tag == "":
		return true, nil
	case strings.HasPrefix(tag, edgesTag):
		now, err := f.edgesTag(size)
		return now == tag, err
	}
	sum := newContentSum()
	if err := sum.read(ctx, f, size); err != nil {
		return false, IgnoreEOF(err)
	}
	return sum.Etag() == tag, nil
}

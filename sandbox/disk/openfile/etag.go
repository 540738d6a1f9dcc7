package openfile

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
	"slices"
	"strings"

	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/stat"
)

// An etag is opaque to callers. Its first letter tells how it was made: c from the content, s from
// the state that the file system reports. So any etag can be checked against a file, whatever
// limits were in force when it was made.
const (
	ContentTag = "c"
	StateTag   = "s"
)

// EtagBytes is how many bytes of a SHA-256 an etag has: 128 bits, enough that two versions never
// collide.
const EtagBytes = 16

// ContentETag is the etag of a file that has this content and is small enough to be read whole.
func ContentETag(content []byte) string { return tagOf(ContentTag, content) }

// tagOf is the tag of a content.
func tagOf(letter string, content []byte) string {
	sum := sha256.Sum256(content)
	tag := append(make([]byte, 0, 4+2*EtagBytes), letter...)
	return string(hex.AppendEncode(tag, sum[:EtagBytes]))
}

// StateETag is the etag of a file that is too large to be hashed on every call. It is made from
// identity, size, and the times of the last write and the last change.
func StateETag(i stat.Info) string {
	var b []byte
	for _, v := range [...]uint64{i.Dev, i.Ino, uint64(i.Size), uint64(i.Modified.UnixNano()), uint64(i.Changed)} {
		b = binary.BigEndian.AppendUint64(b, v)
	}
	return tagOf(StateTag, b)
}

// Hash is ContentETag for a file of any size.
func (f *File) Hash(ctx context.Context) (string, error) {
	sum := newContentSum()
	if err := f.CopyTo(ctx, sum); err != nil {
		return "", err
	}
	return sum.Etag(), nil
}

// ContentSum makes an etag of a content that is written to it in parts.
type ContentSum struct {
	hash.Hash
	Size int64 // of the content that Beginning has read, in bytes
}

func newContentSum() *ContentSum { return &ContentSum{Hash: sha256.New()} }

// Etag is the etag of what was written so far.
func (s *ContentSum) Etag() string { return ContentTag + hex.EncodeToString(s.Sum(nil)[:EtagBytes]) }

// edgesTag is the first letter of a tag made from the edges of a content that is too long to be
// hashed on every call.
const edgesTag = "e"

// Beginning describes the content before an append, so that its undo can tell whether that content
// is still the same. The caller can continue with sum to get the etag after the append. Of a file
// of more than the given number of bytes, whole, only the edges are read: then sum is nil.
func (f *File) Beginning(ctx context.Context, whole int64) (sum *ContentSum, tag string, err error) {
	if f.Info.Size > whole {
		tag, err = f.edgesTag(f.Info.Size)
		return nil, tag, err
	}
	sum = newContentSum()
	sum.Size = f.Info.Size
	if err := f.copyPart(ctx, 0, sum.Size, sum); err != nil {
		if err == io.EOF {
			err = fserr.ErrCollision // somebody truncated it meanwhile
		}
		return nil, "", err
	}
	return sum, sum.Etag(), nil
}

func (f *File) edgesTag(size int64) (string, error) {
	edges, err := f.Edges(size)
	return edges.tag(), err
}

func (e Edges) tag() string { return tagOf(edgesTag+ContentTag, slices.Concat(e.Head, e.Tail)) }

// IsTagOf is Begins for a content in memory.
func IsTagOf(tag string, content []byte) bool {
	if strings.HasPrefix(tag, edgesTag) {
		return EdgesOf(content).tag() == tag
	}
	return tag == "" || ContentETag(content) == tag
}

// Begins reports whether the first size bytes are still as tag, made by Beginning, describes them.
// An empty tag fits any content.
func (f *File) Begins(ctx context.Context, size int64, tag string) (bool, error) {
	switch {
	case tag == "":
		return true, nil
	case strings.HasPrefix(tag, edgesTag):
		now, err := f.edgesTag(size)
		return now == tag, err
	}
	sum := newContentSum()
	if err := f.copyPart(ctx, 0, size, sum); err != nil {
		return false, fserr.IgnoreEOF(err)
	}
	return sum.Etag() == tag, nil
}

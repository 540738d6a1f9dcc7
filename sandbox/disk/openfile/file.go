// Package openfile is one open regular file: its content in whole and in parts, copies of it, and
// the etags made from it. Package dir opens files.
package openfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
)

// File is an open regular file. Info describes it at the time when it was opened.
type File struct {
	Handle
	Info stat.Info
	Path string // relative to the root, links not resolved; empty for files opened by name from a Folder
	Work *Work  // counts what ReadAt reads, nil for nothing
}

// New checks the file that was opened, not the name: another file may have taken the name
// meanwhile. Anything but a regular file is closed again.
func New(h Handle) (*File, error) {
	info, err := h.Stat()
	if err == nil && !info.Mode.IsRegular() {
		err = fserr.ErrNotFile
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return &File{Handle: h, Info: info}, nil
}

// Size is the file's size in bytes when it was opened.
func (f *File) Size() int64 { return f.Info.Size }

// ReadAt is as in io.ReaderAt. For a file with a Path, all errors except io.EOF have types of
// package fserr. For a file without one, they are the system's own.
func (f *File) ReadAt(b []byte, offset int64) (int, error) {
	n, err := f.Handle.ReadAt(b, offset)
	f.Work.AddBytes(n)
	return n, f.explain(err)
}

// explain is what the errors of a read become: see ReadAt.
func (f *File) explain(err error) error {
	if err == io.EOF || f.Path == "" {
		return err
	}
	return fserr.Explain(f.Path, err)
}

// ReadBlock is how many bytes are read between two checks of the context.
const ReadBlock = 1 << 20

// ReadAll returns the file's content, or a *SizeError if it has more than limit bytes. The size
// that the file system reports may be wrong, so ReadAll also counts the bytes it reads: a file that
// grows or never ends can't fill the memory.
func (f *File) ReadAll(ctx context.Context, limit int64) ([]byte, error) {
	if f.Info.Size > limit {
		return nil, &fserr.SizeError{Size: f.Info.Size, Limit: limit}
	}
	content, work := make([]byte, 0, f.Info.Size+1), WorkOf(ctx)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(content) == cap(content) {
			content = append(content, 0)[:len(content)]
		}
		free := content[len(content):min(cap(content), len(content)+ReadBlock)]
		n, err := f.ReadSome(free, int64(len(content)))
		content = content[:len(content)+n]
		work.AddBytes(n)
		size := int64(len(content))
		switch {
		case size > limit:
			return nil, &fserr.SizeError{Size: max(f.Info.Size, size), Limit: limit}
		case err == io.EOF, err == nil && 0 < n && n < len(free) && size == f.Info.Size: // short at the stated end: no need to ask again
			return content, nil
		case err != nil:
			return nil, fmt.Errorf("read: %w", f.explain(err))
		}
	}
}

// ReadUpTo is ReadAll for callers that handle longer files in another way. For a file of more than
// limit bytes it returns nil and no error, also if the file grew during the call. Info is updated
// then. A file with more content than its reported size, as in /proc, is still a *SizeError.
func (f *File) ReadUpTo(ctx context.Context, limit int64) ([]byte, error) {
	if f.Info.Size > limit {
		return nil, nil
	}
	content, err := f.ReadAll(ctx, limit)
	if errors.Is(err, fserr.ErrTooLarge) {
		if now, statErr := f.Stat(); statErr == nil && now.Size > limit {
			f.Info = now
			return nil, nil
		}
	}
	if err != nil {
		return nil, fserr.Explain(f.Path, err)
	}
	return content, nil
}

// TakeOff removes the last n bytes, which were added after the file was opened. It fails with
// ErrBusy if somebody else changed the size meanwhile.
func (f *File) TakeOff(n int) error {
	now, err := f.Stat()
	if err == nil && now.Size != f.Info.Size+int64(n) {
		err = fserr.ErrBusy
	}
	if err != nil {
		return err
	}
	return f.Truncate(f.Info.Size)
}

// Tail reads at most the last limit bytes of a file.
func (f *File) Tail(ctx context.Context, limit int64) (string, error) {
	from := max(0, f.Info.Size-limit)
	var text strings.Builder
	text.Grow(int(f.Info.Size - from))
	err := f.copyPart(ctx, from, f.Info.Size, &text)
	return text.String(), fserr.IgnoreEOF(err)
}

// Equals reports whether two files have the same content.
func (f *File) Equals(ctx context.Context, other *File) (bool, error) {
	same := &comparison{of: f, block: make([]byte, ReadBlock)}
	err := other.CopyTo(ctx, same)
	switch {
	case err == errDiffers:
		return false, nil
	case err != nil:
		return false, err
	}
	n, err := f.ReadSome(same.block[:1], same.at)
	return n == 0, fserr.IgnoreEOF(err)
}

// comparison compares what is written to it with a file.
type comparison struct {
	of    *File
	at    int64
	block []byte
}

var errDiffers = errors.New("the content differs")

func (c *comparison) Write(b []byte) (int, error) {
	block := c.block[:len(b)]
	n, err := c.of.ReadAt(block, c.at)
	if err := fserr.IgnoreEOF(err); err != nil {
		return 0, err
	}
	if c.at += int64(n); !bytes.Equal(block[:n], b) {
		return 0, errDiffers
	}
	return n, nil
}

// inKernel is from which size on, in bytes, a file is copied by the system itself where it can do
// that: below, asking whether it can costs as much as the copy.
const inKernel = 1 << 20

// CopyInto gives another file, which is empty, the content of this one, by a clone or within the
// kernel where the system has that. It fails with a *SizeError if there are more than limit bytes.
func (f *File) CopyInto(ctx context.Context, to *File, limit int64) error {
	if f.Info.Size > limit {
		return &fserr.SizeError{Size: f.Info.Size, Limit: limit}
	}
	done := int64(0)
	if f.Info.Size >= inKernel {
		var err error
		if done, err = copyInKernel(ctx, f, to); err != nil {
			return err
		}
	}
	err := fserr.IgnoreEOF(f.copyPart(ctx, done, limit, to))
	if err != nil || limit == math.MaxInt64 {
		return err
	}
	if n, _ := f.ReadSome(make([]byte, 1), limit); n > 0 { // it has grown
		return &fserr.SizeError{Size: limit + 1, Limit: limit}
	}
	return nil
}

// CopyTo writes the whole content of a file.
func (f *File) CopyTo(ctx context.Context, to io.Writer) error {
	return fserr.IgnoreEOF(f.copyPart(ctx, 0, math.MaxInt64, to))
}

// copyPart writes the content from offset at up to offset end. It returns io.EOF if the file ends
// before that.
func (f *File) copyPart(ctx context.Context, at, end int64, to io.Writer) error {
	const least = 4 << 10 // for files that are longer than the system says
	block, work := make([]byte, min(ReadBlock, end-at, max(f.Info.Size-at+1, least))), WorkOf(ctx)
	for at < end {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := f.ReadAt(block[:min(int64(len(block)), end-at)], at)
		if _, err := to.Write(block[:n]); err != nil {
			return err
		}
		work.AddBytes(n)
		if at += int64(n); err != nil {
			return err
		}
	}
	return nil
}

// Handle is what File needs from an open file.
type Handle interface {
	io.ReaderAt
	io.Writer
	io.Closer
	Stat() (stat.Info, error)
	// ReadSome is ReadAt with one call of the system, so that it may return fewer bytes and no
	// error.
	ReadSome(b []byte, offset int64) (int, error)
	Sync() error
	// StartSync begins what Sync does, without waiting for the disk, where the system can do that.
	StartSync()
	Truncate(size int64) error
	rights.Node
	// IsSettled reports whether nobody has the file open for writing. Where the system doesn't
	// tell, it isn't settled, and hasWriter is false as well.
	IsSettled() (isSettled, hasWriter bool)
	// Named tells what the server of an SMB share has under the name by which this file was opened. It
	// takes one call over the wire. Elsewhere, and where the system doesn't tell, it is NamesThis.
	Named() Named
	// CloseAtOnce says that Close closes the file on the server of an SMB share. Otherwise Linux does
	// so a second later, and gives this handle to whoever opens the file with the same flags before.
	CloseAtOnce()
	// TryLock takes the file's lock for this process, or fails with ErrBusy.
	TryLock() error
}

// Named is what a name leads to.
type Named int

// NamesThis is this file, as far as can be told.
const (
	NamesThis  Named = iota
	NamesOther       // a file with another number; or the numbers here are not those of the server
	NamesNone        // nothing: the file, or a folder above it, was removed or has another name
)

package dir

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// File is an open regular file. Info is as it was when the file was opened.
type File struct {
	Handle
	Info Info
	Path string // as it was asked, relative to the root; empty for files opened by name from a Folder
}

// newFile looks at what was opened, not at what was asked for: anything but a regular file is closed again.
func newFile(h Handle) (*File, error) {
	info, err := h.Stat()
	if err != nil {
		h.Close()
		return nil, err
	}
	if !info.Mode.IsRegular() {
		h.Close()
		return nil, ErrNotFile
	}
	return &File{Handle: h, Info: info}, nil
}

// Size is the file's size in bytes when it was opened.
func (f *File) Size() int64 { return f.Info.Size }

// ReadAt is io.ReaderAt. Its errors but io.EOF are of this package.
func (f *File) ReadAt(b []byte, offset int64) (int, error) {
	n, err := f.Handle.ReadAt(b, offset)
	if err != nil && err != io.EOF && f.Path != "" {
		err = Explain(f.Path, err)
	}
	return n, err
}

// ReadBlock is how much is read between two looks at the context, in bytes.
const ReadBlock = 1 << 20

// ReadAll returns the file's content, or a *SizeError if it has more than limit bytes. It trusts what it reads, not the
// size the file system states: sparse, growing and endless files cost at most limit bytes of memory.
func (f *File) ReadAll(ctx context.Context, limit int64) ([]byte, error) {
	if f.Info.Size > limit {
		return nil, &SizeError{Size: f.Info.Size, Limit: limit}
	}
	content := make([]byte, 0, f.Info.Size+1)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(content) == cap(content) {
			content = append(content, 0)[:len(content)]
		}
		n, err := f.ReadAt(content[len(content):min(cap(content), len(content)+ReadBlock)], int64(len(content)))
		content = content[:len(content)+n]
		switch {
		case int64(len(content)) > limit:
			return nil, &SizeError{Size: max(f.Info.Size, int64(len(content))), Limit: limit}
		case err == io.EOF:
			return content, nil
		case err != nil:
			return nil, fmt.Errorf("read: %w", err)
		}
	}
}

// ReadUpTo is ReadAll for callers who take longer files another way: nil for one of more than limit bytes, also if it grew to be that
// during the call. Info is then as it is now. A file that is longer than its size says, as in /proc, is a *SizeError still.
func (f *File) ReadUpTo(ctx context.Context, limit int64) ([]byte, error) {
	if f.Info.Size > limit {
		return nil, nil
	}
	content, err := f.ReadAll(ctx, limit)
	if errors.Is(err, ErrTooLarge) {
		if now, statErr := f.Stat(); statErr == nil && now.Size > limit {
			f.Info = now
			return nil, nil
		}
	}
	if err != nil {
		return nil, Explain(f.Path, err)
	}
	return content, nil
}

// endOfFile turns a read of nothing into io.EOF, as io.Reader wants it.
func endOfFile(n, want int, err error) (int, error) {
	switch {
	case err != nil:
		return 0, err
	case n == 0 && want > 0:
		return 0, io.EOF
	}
	return n, nil
}

func IgnoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// TakeOff takes n bytes that were added off a file again, unless it grew meanwhile.
func (f *File) TakeOff(n int) error {
	now, err := f.Stat()
	if err == nil && now.Size != f.Info.Size+int64(n) {
		err = ErrBusy
	}
	if err != nil {
		return err
	}
	return f.Truncate(f.Info.Size)
}

// TakeOwner gives a new file owner and group of another one, as far as this process may.
func (f *File) TakeOwner(from Info) (lost bool, err error) {
	if from.UID == f.Info.UID && from.GID == f.Info.GID {
		return false, nil
	}
	if err = f.chown(from); errors.Is(err, fs.ErrPermission) {
		lost, from.UID = true, f.Info.UID
		err = f.chown(from) // a group that this user is in
	}
	if errors.Is(err, fs.ErrPermission) {
		err = nil
	}
	return lost, err
}

// Tail reads at most the last limit bytes of a file.
func (f *File) Tail(ctx context.Context, limit int64) (string, error) {
	from := max(0, f.Info.Size-limit)
	var text strings.Builder
	text.Grow(int(f.Info.Size - from))
	block := make([]byte, min(ReadBlock, f.Info.Size-from))
	for at := from; at < f.Info.Size; {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n, err := f.ReadAt(block[:min(int64(len(block)), f.Info.Size-at)], at)
		text.Write(block[:n])
		if at += int64(n); err == io.EOF {
			break
		}
		if err != nil {
			return "", err
		}
	}
	return text.String(), nil
}

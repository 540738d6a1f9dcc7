package dir

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

// unseen is a file that the system tells nothing about.
type unseen struct{ Handle }

var errUnseen = errors.New("not told")

func (unseen) Stat() (Info, error) { return Info{}, errUnseen }

// TestCreatedLeavesNoName: a file that was made and can't be looked at is removed again.
func TestCreatedLeavesNoName(t *testing.T) {
	for _, portable := range []bool{false, true} {
		folder := opened(t, t.TempDir(), portable)
		made, err := folder.Create("new", 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := created(folder, "new", unseen{made.Handle}); !errors.Is(err, errUnseen) {
			t.Errorf("error %v", err)
		}
		if _, err := folder.Lstat("new"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the name is still there: %v", err)
		}
	}
}

// counted is an open file that counts how often it is read.
type counted struct {
	Handle
	content []byte
	reads   *int
}

// ReadSome gives what there is without io.EOF, as pread does.
func (c counted) ReadSome(b []byte, offset int64) (int, error) {
	*c.reads++
	n, err := bytes.NewReader(c.content).ReadAt(b, offset)
	if n > 0 {
		return n, nil
	}
	return n, err
}

// TestReadAllOnce: a file that has the size which the system reports takes one call. That it ends
// there shows by a read that gives less than was asked for.
func TestReadAllOnce(t *testing.T) {
	for _, content := range []string{"x", "five\n"} {
		reads := 0
		got, err := (&File{Handle: counted{content: []byte(content), reads: &reads}, Info: Info{Size: int64(len(content))}}).ReadAll(t.Context(),
			100)
		if err != nil || string(got) != content || reads != 1 {
			t.Errorf("%q: read %q in %d calls, %v", content, got, reads, err)
		}
	}
}

// TestIsRefused: a system that gives no such owner, mode or attribute is told from a disk that
// fails.
func TestIsRefused(t *testing.T) {
	for err, want := range map[error]bool{
		nil: false, syscall.EPERM: true, syscall.EACCES: true, syscall.EINVAL: true, syscall.ENOSYS: true,
		syscall.EOVERFLOW: true,
		syscall.EIO:       false, syscall.ENOSPC: false, syscall.EROFS: false, syscall.EEXIST: false,
		&os.PathError{Op: "chown", Path: "f", Err: syscall.EPERM}: true,
	} {
		if got := IsRefused(err); got != want {
			t.Errorf("%v: %v", err, got)
		}
	}
}

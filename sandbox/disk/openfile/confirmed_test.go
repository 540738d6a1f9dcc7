package openfile

import (
	"errors"
	"io"
	"strings"
	"testing"

	"fsbox/sandbox/disk/fserr"
)

// named is a file of which the server may have another one under its name.
type named struct {
	Handle
	io.ReaderAt
	isOther bool
	asked   int
	closed  int
}

func (h *named) ReadAt(b []byte, offset int64) (int, error)   { return h.ReaderAt.ReadAt(b, offset) }
func (h *named) ReadSome(b []byte, offset int64) (int, error) { return h.ReaderAt.ReadAt(b, offset) }
func (h *named) NamesOther() bool                             { h.asked++; return h.isOther }
func (h *named) Close() error                                 { h.closed++; return nil }

type folder struct{ closed int }

func (f *folder) Number() int { return -1 }
func (f *folder) Close()      { f.closed++ }

// TestConfirmed: a file gives nothing if the server has another one under its name, and is asked about
// once, when it is read.
func TestConfirmed(t *testing.T) {
	for _, isOther := range []bool{false, true} {
		in, of := &folder{}, &named{ReaderAt: strings.NewReader("text"), isOther: isOther}
		h := Confirmed(of, in)
		for _, read := range []func([]byte, int64) (int, error){h.ReadSome, h.ReadAt} {
			b := make([]byte, 4)
			n, err := read(b, 0)
			if isOther && (n != 0 || !errors.Is(err, fserr.ErrHeld)) || !isOther && (string(b[:n]) != "text" || err != nil) {
				t.Errorf("other %v: %q, %v", isOther, b[:n], err)
			}
		}
		h.Close()
		unread := Confirmed(of, in)
		unread.Close()
		if of.asked != 1 || of.closed != 2 || in.closed != 2 {
			t.Errorf("other %v: asked %d times, closed %d and %d times", isOther, of.asked, of.closed, in.closed)
		}
	}
}

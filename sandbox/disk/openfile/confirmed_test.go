package openfile

import (
	"errors"
	"io"
	"strings"
	"testing"

	"fsbox/sandbox/disk/fserr"
)

// closing is a file that counts how often it is closed.
type closing struct {
	Handle
	io.ReaderAt
	closed int
}

func (h *closing) ReadAt(b []byte, offset int64) (int, error)   { return h.ReaderAt.ReadAt(b, offset) }
func (h *closing) ReadSome(b []byte, offset int64) (int, error) { return h.ReaderAt.ReadAt(b, offset) }
func (h *closing) Close() error                                 { h.closed++; return nil }

// TestConfirmed: a file gives nothing if the server has another one under its name, and is asked about
// once, when it is read.
func TestConfirmed(t *testing.T) {
	for _, isOther := range []bool{false, true} {
		of, asked := &closing{ReaderAt: strings.NewReader("text")}, 0
		ask := func() bool { asked++; return isOther }
		h := Confirmed(of, ask)
		for _, read := range []func([]byte, int64) (int, error){h.ReadSome, h.ReadAt} {
			b := make([]byte, 4)
			n, err := read(b, 0)
			if isOther && (n != 0 || !errors.Is(err, fserr.ErrHeld)) || !isOther && (string(b[:n]) != "text" || err != nil) {
				t.Errorf("other %v: %q, %v", isOther, b[:n], err)
			}
		}
		h.Close()
		unread := Confirmed(of, ask)
		unread.Close()
		if asked != 1 || of.closed != 2 {
			t.Errorf("other %v: asked %d times, closed %d times", isOther, asked, of.closed)
		}
	}
}

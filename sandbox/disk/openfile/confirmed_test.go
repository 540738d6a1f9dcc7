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
	is     Named
	asked  int
	closed int
}

func (h *named) ReadAt(b []byte, offset int64) (int, error)   { return h.ReaderAt.ReadAt(b, offset) }
func (h *named) ReadSome(b []byte, offset int64) (int, error) { return h.ReaderAt.ReadAt(b, offset) }
func (h *named) Named() Named                                 { h.asked++; return h.is }
func (h *named) Close() error                                 { h.closed++; return nil }

type folder struct{ closed int }

func (f *folder) Named() Named { return NamesThis }
func (f *folder) Close()       { f.closed++ }

// TestConfirmed: a file gives nothing if the server has another one under its name, or none, and is asked
// about once, when it is read.
func TestConfirmed(t *testing.T) {
	for _, is := range []Named{NamesThis, NamesOther, NamesNone} {
		isOther := is != NamesThis
		in, of := &folder{}, &named{ReaderAt: strings.NewReader("text"), is: is}
		h := Confirmed(of, in)
		for _, read := range []func([]byte, int64) (int, error){h.ReadSome, h.ReadAt} {
			b := make([]byte, 4)
			n, err := read(b, 0)
			if isOther && (n != 0 || !errors.Is(err, fserr.ErrHeld)) || !isOther && (string(b[:n]) != "text" || err != nil) {
				t.Errorf("%d: %q, %v", is, b[:n], err)
			}
		}
		h.Close()
		unread := Confirmed(of, in)
		unread.Close()
		if of.asked != 1 || of.closed != 2 || in.closed != 2 {
			t.Errorf("%d: asked %d times, closed %d and %d times", is, of.asked, of.closed, in.closed)
		}
	}
}

// TestIsOther: a name that is gone is enough. A number tells only if that of the root is the server's.
func TestIsOther(t *testing.T) {
	all := []Named{NamesThis, NamesOther, NamesNone}
	want := map[Named][]bool{NamesThis: {false, false, false}, NamesOther: {true, false, true}, NamesNone: {true, true, true}}
	for _, file := range all {
		for i, root := range all {
			if got := IsOther(&named{is: file}, &named{is: root}); got != want[file][i] {
				t.Errorf("%d, root %d: %v", file, root, got)
			}
		}
	}
}

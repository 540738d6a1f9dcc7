package openfile

import (
	"bytes"
	"testing"

	"fsbox/sandbox/disk/stat"
)

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
		got, err := (&File{Handle: counted{content: []byte(content), reads: &reads}, Info: stat.Info{Size: int64(len(content))}}).ReadAll(t.Context(),
			100)
		if err != nil || string(got) != content || reads != 1 {
			t.Errorf("%q: read %q in %d calls, %v", content, got, reads, err)
		}
	}
}

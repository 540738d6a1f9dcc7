package history

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"os"
	"slices"

	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
)

// lines is an open journal, of which one line at a time is in memory: those of changes of 10,000
// files have 3 MB, and as much again when they are decoded.
type lines struct {
	f    *openfile.File // nil if there is no journal
	all  []span
	text []byte // of the line read last
}

// span is where a line is, in bytes, without its end.
type span struct{ at, size int64 }

// journal opens the journal, and finds its lines: those of its last journalTail bytes, the first of
// which may be torn.
func (s *state) journal(ctx context.Context) (*lines, error) {
	f, err := s.openJournal(os.O_RDONLY)
	if err != nil {
		return &lines{}, fserr.IgnoreMissing(err)
	}
	l := &lines{f: f}
	at := max(0, f.Info.Size-journalTail)
	start, block := at, make([]byte, min(openfile.ReadBlock, f.Info.Size-at))
	for at < f.Info.Size && err == nil {
		var n int
		if n, err = f.ReadAt(block[:min(int64(len(block)), f.Info.Size-at)], at); n == 0 {
			break // somebody cut it off
		}
		for i := 0; ; {
			end := bytes.IndexByte(block[i:n], '\n')
			if end < 0 {
				break
			}
			i += end + 1
			l.all = append(l.all, span{start, at + int64(i) - 1 - start})
			start = at + int64(i)
		}
		at += int64(n)
		err = cmp.Or(fserr.IgnoreEOF(err), ctx.Err())
	}
	if start < at { // a power cut may have taken no more than the end
		l.all = append(l.all, span{start, at - start})
	}
	if err != nil {
		l.close()
		return &lines{}, err
	}
	return l, nil
}

func (l *lines) close() {
	if l.f != nil {
		l.f.Close()
	}
}

// read reads a line. It is good until the next one is read.
func (l *lines) read(at span) ([]byte, error) {
	l.text = slices.Grow(l.text[:0], int(at.size))[:at.size]
	n, err := l.f.ReadAt(l.text, at.at)
	if int64(n) == at.size {
		err = nil
	} else if err == nil {
		err = io.ErrUnexpectedEOF
	}
	return l.text, err
}

// entry decodes a line; nil for one that was torn.
func (l *lines) entry(at span) (*Entry, error) {
	text, err := l.read(at)
	if err != nil {
		return nil, err
	}
	e, ok := decode(text)
	if !ok {
		return nil, nil
	}
	return e, nil
}

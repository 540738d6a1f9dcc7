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

// lines is an open journal, of which a block at a time is in memory: lines of changes of 10,000
// files have 3 MB, and as much again when they are decoded.
type lines struct {
	f     *openfile.File // nil if there is no journal
	all   []span
	block []byte // the bytes around the line read last
	from  int64  // where they begin
}

// lineBlock is how much of the journal is read at a time, in bytes. Read line by line, 1,500 writes
// of a batch took 13,000 calls more (2026-11-29).
const lineBlock = 64 << 10

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

// read reads a line. It is good until the next one is read. Lines may be read in both directions.
func (l *lines) read(at span) ([]byte, error) {
	end := at.at + at.size
	if at.at < l.from || end > l.from+int64(len(l.block)) {
		size := max(at.size, lineBlock)
		if at.at >= l.from {
			l.from = at.at
		} else {
			l.from = max(0, end-size)
		}
		l.block = slices.Grow(l.block[:0], int(size))[:size]
		n, err := l.f.ReadAt(l.block, l.from)
		if l.block = l.block[:n]; end > l.from+int64(n) {
			return nil, cmp.Or(err, io.ErrUnexpectedEOF)
		}
	}
	return l.block[at.at-l.from : end-l.from], nil
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

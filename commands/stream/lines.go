package stream

import (
	"bufio"
	"bytes"
	"io"
)

// MaxBytes is the most that one request may take, a write's content included.
const MaxBytes = 16 << 20

const (
	bufferBytes = 64 << 10 // are read at a time
	largeBytes  = 1 << 20  // from here on a text grows in large steps
	keptOfLong  = 512      // bytes of the beginning and of the end of a line that is too long
)

// byteOrderMark is that of UTF-8. PowerShell puts one before what it sends.
const byteOrderMark = "\ufeff"

// Line is one line of input.
type Line struct {
	Text []byte
	Long bool   // it is longer than MaxBytes: Text has its beginning
	End  []byte // of a long one
}

// Lines cuts a stream into lines. A line that is too long is read to its end without being kept.
type Lines struct {
	in    *bufio.Reader
	begun bool
	large func() // called before more of a line than largeBytes is read
}

// NewLines reads lines from in. It calls large before it reads more than a large part of a line.
func NewLines(in io.Reader, large func()) *Lines {
	return &Lines{in: bufio.NewReaderSize(in, bufferBytes), large: large}
}

// begin passes over a byte order mark.
func (l *Lines) begin() {
	if l.begun {
		return
	}
	l.begun = true
	if first, err := l.in.Peek(1); err != nil || first[0] != byteOrderMark[0] {
		return // no mark; the next read reports an error again
	}
	if mark, err := l.in.Peek(len(byteOrderMark)); err == nil && string(mark) == byteOrderMark {
		_, _ = l.in.Discard(len(mark)) // can't fail: Peek has read it
	}
}

// Next gives the next line that isn't blank. The error is io.EOF at the end.
func (l *Lines) Next() (Line, error) {
	l.begin()
	for {
		line, err := l.rest(nil)
		if line.Long || len(bytes.TrimSpace(line.Text)) > 0 {
			return line, nil // an error comes again with the next read
		}
		if err != nil {
			return Line{}, err
		}
	}
}

// rest reads to the end of the line, of which text holds the beginning.
func (l *Lines) rest(text []byte) (line Line, err error) {
	for line.Text = text; ; {
		part, err := l.in.ReadSlice('\n')
		if len(line.Text) >= largeBytes && len(line.Text)+len(part) > cap(line.Text) {
			l.large()
		}
		line.add(part)
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

func (l *Line) add(part []byte) {
	switch {
	case l.Long:
		l.keepEnd(part)
	case len(l.Text)+len(bytes.TrimRight(part, "\r\n")) > MaxBytes:
		l.Long = true
		l.keepEnd(l.Text)
		l.keepEnd(part)
		l.Text = bytes.Clone(l.Text[:keptOfLong])
	case len(l.Text) < largeBytes:
		l.Text = append(l.Text, part...)
	default:
		l.Text = extend(l.Text, part...)
	}
}

func (l *Line) keepEnd(part []byte) {
	l.End = append(l.End, part[max(0, len(part)-keptOfLong):]...)
	l.End = l.End[:copy(l.End, l.End[max(0, len(l.End)-keptOfLong):])]
}

// extend appends to the text of a request. A long one grows to four times its length: in the small
// steps of append, the old text and the new one take twice the memory.
func extend(text []byte, more ...byte) []byte {
	if len(text) >= largeBytes && len(text)+len(more) > cap(text) {
		text = append(make([]byte, 0, min(4*len(text), MaxBytes)+bufferBytes), text...)
	}
	return append(text, more...)
}

package mcp

import (
	"bufio"
	"bytes"
	"io"
)

// maxLine is the most bytes that one message may have, without its line end.
const maxLine = 16 << 20

// keptOfLong is how much of the beginning and of the end of a line that is too long is kept, in
// bytes: the id of the request is in one of the two.
const keptOfLong = 512

// byteOrderMark is that of UTF-8. PowerShell puts one before what it sends.
const byteOrderMark = "\ufeff"

// line is one line of input.
type line struct {
	text []byte
	long bool   // longer than maxLine; text has the beginning of it
	end  []byte // of a long one, its end
}

// lines cuts a stream into lines. A line that is too long is read to its end without being kept.
type lines struct {
	in    *bufio.Reader
	begun bool
	large func() // called before more of a line than smallMessage is read
}

func newLines(in io.Reader) *lines {
	return &lines{in: bufio.NewReaderSize(in, lineBuffer), large: func() {}}
}

const (
	lineBuffer   = 64 << 10 // how many bytes are read at a time
	smallMessage = 1 << 20  // bytes; more of a message than that is read when no call is open
)

// next gives the next line that isn't blank. The error is io.EOF after the last one.
func (l *lines) next() (line, error) {
	for {
		got, err := l.read()
		if !l.begun {
			got.text, l.begun = bytes.TrimPrefix(got.text, []byte(byteOrderMark)), true
		}
		got.text = bytes.TrimSpace(got.text)
		if len(got.text) > 0 {
			return got, nil // an error comes again with the next read
		}
		if err != nil {
			return line{}, err
		}
	}
}

func (l *lines) read() (got line, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		if !got.long && len(got.text) >= smallMessage && len(got.text)+len(part) > cap(got.text) {
			l.large()
			// In the small steps of append, the old text and the new one take twice the memory.
			got.text = append(make([]byte, 0, min(4*len(got.text), maxLine)+lineBuffer), got.text...)
		}
		got.add(part)
		if err != bufio.ErrBufferFull {
			return got, err
		}
	}
}

func (l *line) add(part []byte) {
	switch {
	case l.long:
		l.end = append(l.end, part...)
		l.end = l.end[max(0, len(l.end)-keptOfLong):]
	case len(l.text)+len(bytes.TrimRight(part, "\r\n")) > maxLine:
		l.long = true
		l.end = append(bytes.Clone(l.text[max(0, len(l.text)-keptOfLong):]), part...)
		l.end = bytes.Clone(l.end[max(0, len(l.end)-keptOfLong):])
		l.text = bytes.Clone(l.text[:keptOfLong])
	case len(l.text)+len(part) > cap(l.text) && len(l.text) > growing:
		l.text = append(make([]byte, 0, maxLine+len(part)), l.text...)
		l.text = append(l.text, part...)
	default:
		l.text = append(l.text, part...)
	}
}

// growing is the length, in bytes, from which a line gets as much memory as it may need at most.
// What it doesn't fill is never touched, so it costs less than copies that grow step by step.
const growing = 2 << 20

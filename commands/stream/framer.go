package stream

import (
	"bufio"
	"bytes"
	"io"

	"fsbox/commands/answer"
	"fsbox/commands/request"
	"fsbox/commands/verb"
)

// MaxRequestBytes is the most one request may take, a write's content included.
const MaxRequestBytes = 16 << 20

// Frame is one request's text as it came in, or the reason why there is none.
type Frame struct {
	Text []byte
	Fail *answer.Failure
	open bool // more may follow on its line
}

func tooLarge() Frame {
	return Frame{Fail: answer.Failf(answer.CodeInvalidInput, "the request is larger than %d bytes", MaxRequestBytes).
		WithHint("split it: write the first part, then append the others")}
}

// Framer cuts standard input into requests. It parses only as much JSON as it needs to find where
// an object ends, so that a mistake spoils one request and the next one is found again. Memory is
// bounded by MaxRequestBytes.
type Framer struct {
	in   *bufio.Reader
	skip bool // the rest of the current line is to be skipped

	begun bool
}

func NewFramer(in io.Reader) *Framer { return &Framer{in: bufio.NewReaderSize(in, framerBuffer)} }

// framerBuffer is how many bytes are read at a time.
const framerBuffer = 64 << 10

// begin passes over the byte order mark that PowerShell puts before what it sends.
func (f *Framer) begin() {
	if f.begun {
		return
	}
	f.begun = true
	if first, err := f.in.Peek(1); err != nil || first[0] != verb.ByteOrderMark[0] {
		return // no mark; the next read reports an error again
	}
	if mark, err := f.in.Peek(len(verb.ByteOrderMark)); err == nil && string(mark) == verb.ByteOrderMark {
		_, _ = f.in.Discard(len(mark)) // can't fail: Peek has read it
	}
}

// NextLine gives the next line that isn't blank: batch has one request a line. The error is io.EOF
// at the end.
func (f *Framer) NextLine() (Frame, error) {
	f.begin()
	for {
		line, err := f.rest(nil)
		if line.Fail != nil || len(bytes.TrimSpace(line.Text)) > 0 {
			return line, nil
		}
		if err != nil {
			return Frame{}, err
		}
	}
}

// rest reads to the end of the line, of which text holds the beginning.
func (f *Framer) rest(text []byte) (Frame, error) {
	large := false
	for {
		part, err := f.in.ReadSlice('\n')
		if len(text)+len(bytes.TrimRight(part, "\r\n")) > MaxRequestBytes {
			large = true
			text = nil
		}
		if !large {
			text = extend(text, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if large {
			return tooLarge(), err
		}
		return Frame{Text: text}, err
	}
}

// extend appends to the text of a request. A long one grows to four times its length: in the small
// steps of append, the old text and the new one take twice the memory.
func extend(text []byte, more ...byte) []byte {
	const long = 1 << 20
	if len(text) >= long && len(text)+len(more) > cap(text) {
		text = append(make([]byte, 0, min(4*len(text), MaxRequestBytes)+framerBuffer), text...)
	}
	return append(text, more...)
}

// GiveUpLine skips the rest of the line of a frame that was not JSON. It doesn't wait for input:
// the next read does the skipping.
func (f *Framer) GiveUpLine(bad Frame) { f.skip = bad.open }

// NextObject gives the next JSON object, which may span lines and may share its line with others.
// Anything else is a frame up to the end of its line. The error is io.EOF at the end.
func (f *Framer) NextObject() (Frame, error) {
	f.begin()
	if f.skip {
		f.skip = false
		if err := f.dropLine(); err != nil {
			return Frame{}, err
		}
	}
	c, err := f.skipBlanks()
	if err != nil {
		return Frame{}, err
	}
	if c != '{' && c != '[' {
		line, err := f.rest([]byte{c})
		if err == io.EOF {
			err = nil
		}
		return line, err
	}
	return f.object(c)
}

func (f *Framer) dropLine() error {
	for {
		if _, err := f.in.ReadSlice('\n'); err != bufio.ErrBufferFull {
			return err
		}
	}
}

func (f *Framer) skipBlanks() (byte, error) {
	for {
		c, err := f.in.ReadByte()
		if err != nil || !request.IsBlank(c) {
			return c, err
		}
	}
}

// object reads up to the bracket that closes the first one. It ends earlier at two mistakes: where
// a line ends inside a string, and before a line that begins with "{" where JSON allows no value.
// Such a line is taken for the next request, after one that was never closed.
func (f *Framer) object(first byte) (Frame, error) {
	o := scan{text: []byte{first}, open: []byte{first}, last: first}
	for len(o.open)+o.deeper > 0 {
		c, err := f.in.ReadByte()
		if err != nil {
			return o.frame(), nil // cut off: the parser says so
		}
		if c == '\n' && o.inString {
			o.take(c) // the parser tells that a line end doesn't belong there
			return o.frame(), nil
		}
		if c == '{' && o.lineStart && !o.inString && !o.wantsValue() {
			return o.frame(), f.in.UnreadByte()
		}
		o.take(c)
	}
	whole := o.frame()
	whole.open = true
	return whole, nil
}

// maxDepth is how deep the kinds of open brackets are remembered. The parser refuses deeper JSON
// anyway, from 10,000 on.
const maxDepth = 10_000

// scan is the state of finding an object's end.
type scan struct {
	text      []byte
	large     bool
	open      []byte // brackets that aren't closed yet
	deeper    int    // further open brackets, only counted: no valid request is so deep
	inString  bool
	escaped   bool
	lineStart bool // nothing but blanks since the last line end
	last      byte // last byte that isn't blank, outside strings
}

func (o *scan) take(c byte) {
	if len(o.text) == MaxRequestBytes {
		o.large, o.text = true, nil
	}
	if !o.large {
		o.text = extend(o.text, c)
	}
	switch {
	case o.escaped:
		o.escaped = false
	case o.inString:
		o.escaped = c == '\\'
		o.inString = c != '"'
	case c == '"':
		o.inString = true
	case (c == '{' || c == '[') && len(o.open) < maxDepth:
		o.open = append(o.open, c)
	case c == '{' || c == '[':
		o.deeper++
	case (c == '}' || c == ']') && o.deeper > 0:
		o.deeper--
	case c == '}' || c == ']':
		o.open = o.open[:len(o.open)-1]
	}
	if c == '\n' {
		o.lineStart = true
	} else if !request.IsBlank(c) {
		o.lineStart, o.last = false, c
	}
}

// wantsValue reports whether JSON allows a value to begin here.
func (o *scan) wantsValue() bool {
	inList := o.open[len(o.open)-1] == '['
	return o.last == ':' || (inList && (o.last == ',' || o.last == '['))
}

func (o *scan) frame() Frame {
	if o.large {
		return tooLarge()
	}
	return Frame{Text: o.text}
}

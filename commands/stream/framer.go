package stream

import (
	"bufio"
	"io"
)

// Frame is one request's text as it came in.
type Frame struct {
	Text []byte
	Long bool // it is longer than MaxBytes: there is no text
	open bool // more may follow on its line
}

// Framer cuts standard input into JSON objects. It parses only as much JSON as it needs to find
// where an object ends, so that a mistake spoils one request and the next one is found again.
// Memory is bounded by MaxBytes.
type Framer struct {
	lines *Lines
	in    *bufio.Reader // of lines
	skip  bool          // the rest of the current line is to be skipped
}

func NewFramer(in io.Reader) *Framer {
	lines := NewLines(in, func() {})
	return &Framer{lines: lines, in: lines.in}
}

// GiveUpLine skips the rest of the line of a frame that was not JSON. It doesn't wait for input:
// the next read does the skipping.
func (f *Framer) GiveUpLine(bad Frame) { f.skip = bad.open }

// NextObject gives the next JSON object, which may span lines and may share its line with others.
// Anything else is a frame up to the end of its line. The error is io.EOF at the end.
func (f *Framer) NextObject() (Frame, error) {
	f.lines.begin()
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
		line, err := f.lines.rest([]byte{c})
		if err == io.EOF {
			err = nil
		}
		return Frame{Text: line.Text, Long: line.Long}, err
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
		if err != nil || !isBlank(c) {
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
	long      bool
	open      []byte // brackets that aren't closed yet
	deeper    int    // further open brackets, only counted: no valid request is so deep
	inString  bool
	escaped   bool
	lineStart bool // nothing but blanks since the last line end
	last      byte // last byte that isn't blank, outside strings
}

func (o *scan) take(c byte) {
	if len(o.text) == MaxBytes {
		o.long, o.text = true, nil
	}
	if !o.long {
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
	} else if !isBlank(c) {
		o.lineStart, o.last = false, c
	}
}

// wantsValue reports whether JSON allows a value to begin here.
func (o *scan) wantsValue() bool {
	inList := o.open[len(o.open)-1] == '['
	return o.last == ':' || (inList && (o.last == ',' || o.last == '['))
}

func (o *scan) frame() Frame { return Frame{Text: o.text, Long: o.long} }

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

package textio

import (
	"bytes"

	"fsbox/textio/charset"
)

// unit finds a line feed, a carriage return, or both in a row, in the bytes of a file. Slices given
// to its methods begin at a multiple of a character's width, counted from the start of the text;
// offsets are in bytes.
type unit struct {
	char  byte   // the first character
	bytes []byte // all characters, in the file's encoding
	wide  int    // width of one of them in bytes: 1, 2 or 4
}

func newUnit(e *charset.Encoding, chars string) unit {
	u := unit{char: chars[0], wide: e.UnitWidth()}
	for i := range len(chars) {
		u.bytes = append(u.bytes, e.Unit(chars[i])...)
	}
	return u
}

// width is how many bytes a unit takes.
func (u unit) width() int { return len(u.bytes) }

// index is the offset of the first unit in b, or -1.
func (u unit) index(b []byte) int {
	if u.width() == 1 {
		return bytes.IndexByte(b, u.char)
	}
	for from := 0; from < len(b); {
		i := bytes.IndexByte(b[from:], u.char)
		if i < 0 {
			break
		}
		i = u.align(from + i)
		if bytes.HasPrefix(b[i:], u.bytes) {
			return i
		}
		from = i + u.wide
	}
	return -1
}

// lastIndex is the offset of the last unit in b, or -1.
func (u unit) lastIndex(b []byte) int {
	for {
		i := bytes.LastIndexByte(b, u.char)
		if i < 0 || u.width() == 1 {
			return i
		}
		i = u.align(i)
		if bytes.HasPrefix(b[i:], u.bytes) {
			return i
		}
		b = b[:i]
	}
}

// count is how many units b has.
func (u unit) count(b []byte) int64 {
	if u.wide == 1 {
		return int64(bytes.Count(b, u.bytes))
	}
	count := int64(0)
	for i := u.index(b); i >= 0; i = u.index(b) {
		count++
		b = b[i+u.width():]
	}
	return count
}

// begins and ends report whether b begins or ends with a unit.
func (u unit) begins(b []byte) bool { return bytes.HasPrefix(b, u.bytes) }

func (u unit) ends(b []byte) bool { return len(b)%u.wide == 0 && bytes.HasSuffix(b, u.bytes) }

func (u unit) align(i int) int { return i - i%u.wide }

// LineTally counts the lines of a text that is written to it in blocks, as openfile.File.CopyTo
// does with a file's. The length of each block, except the last, is a multiple of the width of a
// line feed. A byte order mark is text to it: a file with nothing else has one line. read and info
// don't count the mark: who is to agree with them takes it off first, as Describe does by
// charset.Encoding.BOM.
type LineTally struct {
	nl, cr     unit
	both       unit // cr, nl
	newlines   int64
	crlf       int64 // how many newlines come after a carriage return
	loneCR     bool  // there is a carriage return; it is a lone one while newlines is 0
	text       bool  // the text so far isn't empty
	final      bool  // the text so far ends with a line feed
	endsWithCR bool
}

// NewLineTally counts the lines of a text in an encoding, such as that of charset.Sniff; nil is
// UTF-8.
func NewLineTally(e *charset.Encoding) LineTally {
	return LineTally{nl: newUnit(e, "\n"), cr: newUnit(e, "\r"), both: newUnit(e, "\r\n")}
}

// Write counts the lines of a block. It never fails.
func (t *LineTally) Write(block []byte) (int, error) {
	if len(block) == 0 {
		return 0, nil
	}
	t.newlines += t.nl.count(block)
	if t.endsWithCR && t.nl.begins(block) {
		t.crlf++
	}
	if t.cr.index(block) >= 0 {
		t.loneCR = true
		t.crlf += t.both.count(block)
	}
	t.text, t.final, t.endsWithCR = true, t.nl.ends(block), t.cr.ends(block)
	return len(block), nil
}

// Lines is how many lines the text has; a last line without a line feed counts.
func (t *LineTally) Lines() int64 {
	if t.text && !t.final {
		return t.newlines + 1
	}
	return t.newlines
}

func (t *LineTally) eol() string {
	return nameEOL(t.newlines > t.crlf, t.crlf > 0, t.loneCR)
}

// nameEOL names the line ends of a text that has lone LFs, CRLFs, or a CR anywhere.
func nameEOL(lf, crlf, cr bool) string {
	switch {
	case lf && crlf:
		return "mixed"
	case lf:
		return "lf"
	case crlf:
		return "crlf"
	case cr:
		return "cr"
	}
	return "none"
}

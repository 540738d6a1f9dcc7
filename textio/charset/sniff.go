package charset

import (
	"bytes"
	"io"
	"unicode"
	"unicode/utf16"
)

// SniffLen is how many leading bytes of a file Sniff looks at.
const SniffLen = 8 << 10

// Head is what the first bytes of a file say about it. MediaType is "text/plain" for text and
// "application/octet-stream" for binary data without a known signature. BOM is the length of the
// byte order mark in bytes, 0 without one. Encoding is nil for binary files; for text without a BOM
// it is UTF-8, which Sniff assumes and does not check. Unmarked is the UTF-16 that a binary file
// looks like, which lacks only its byte order mark; nil for any other file.
type Head struct {
	Binary    bool
	MediaType string
	BOM       int
	Encoding  *Encoding
	Unmarked  *Encoding
}

// Sniff classifies a file by its first SniffLen bytes; more are ignored. A byte order mark of
// UTF-16 or UTF-32 makes it text; else a known signature or a NUL makes it binary.
func Sniff(head []byte) Head {
	head = head[:min(len(head), SniffLen)]
	e, bom := sniffBOM(head)
	if bom > 0 && e.UnitWidth() > 1 {
		return Head{MediaType: "text/plain", BOM: bom, Encoding: e}
	}
	if media, ok := sniffSignature(head); ok {
		return Head{Binary: true, MediaType: media}
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return Head{Binary: true, MediaType: "application/octet-stream", Unmarked: unmarked(head)}
	}
	return Head{MediaType: "text/plain", BOM: bom, Encoding: e}
}

// SniffAt classifies a file that isn't in memory.
func SniffAt(file io.ReaderAt) (Head, error) {
	start := make([]byte, SniffLen)
	n, err := file.ReadAt(start, 0)
	if err == io.EOF {
		err = nil
	}
	return Sniff(start[:n]), err
}

// sniffBOM returns the encoding whose byte order mark head begins with, and the mark's length;
// without one, UTF-8 and 0.
func sniffBOM(head []byte) (*Encoding, int) {
	if len(head) == 0 || (head[0] != 0 && head[0] < 0xef) { // no mark begins with such a byte
		return &unicodeEncodings[0], 0
	}
	// UTF-32LE's mark begins with UTF-16LE's, so the wide forms come first.
	for i := len(unicodeEncodings) - 1; i >= 0; i-- {
		e := &unicodeEncodings[i]
		if mark := e.BOM(); bytes.HasPrefix(head, mark) {
			return e, len(mark)
		}
	}
	return &unicodeEncodings[0], 0
}

// unmarked finds the UTF-16 in which all of head is text, some of it ASCII; nil if there is none.
func unmarked(head []byte) *Encoding {
	little, big := unicodeEncodings[1].asciiIn(head), unicodeEncodings[2].asciiIn(head)
	switch {
	case little > big:
		return &unicodeEncodings[1]
	case big > little:
		return &unicodeEncodings[2]
	}
	return nil
}

// asciiIn counts the units of UTF-16 that are ASCII; it is 0 if any unit isn't text, or if less
// than an eighth is ASCII: each language has more blanks, line ends and digits. A character that
// head cuts at its end doesn't count.
func (e *Encoding) asciiIn(head []byte) (n int) {
	least := len(head) / e.width / 8
	for len(head) >= e.width {
		r, size, ok := e.codePoint(head)
		if isCut := len(head) < 2*e.width && utf16.IsSurrogate(r); isCut {
			break
		}
		if !ok || !unicode.IsPrint(r) && r != '\n' && r != '\r' && r != '\t' {
			return 0
		}
		if r < unicode.MaxASCII {
			n++
		}
		head = head[size:]
	}
	if n < least {
		return 0
	}
	return n
}

package charset

import (
	"bytes"
)

// SniffLen is how many leading bytes of a file Sniff looks at.
const SniffLen = 8 << 10

// Head is what the first bytes of a file say about it. MediaType is "text/plain" for text and
// "application/octet-stream" for binary data without a known signature. BOM is the length of the
// byte order mark in bytes, 0 without one. Encoding is nil for binary files; for text without a BOM
// it is UTF-8, which Sniff assumes and does not check.
type Head struct {
	Binary    bool
	MediaType string
	BOM       int
	Encoding  *Encoding
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
		return Head{Binary: true, MediaType: "application/octet-stream"}
	}
	return Head{MediaType: "text/plain", BOM: bom, Encoding: e}
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

package lines

import "bytes"

// The two line ends. Nobody writes to them.
var (
	LF   = []byte("\n")
	CRLF = []byte("\r\n")
)

// WithLF returns text with each CRLF as LF: text itself if it has none.
func WithLF(text []byte) []byte {
	if !bytes.Contains(text, CRLF) {
		return text
	}
	return bytes.ReplaceAll(text, CRLF, LF)
}

// EndingAt returns the line ending whose \n is at offset.
func EndingAt(text []byte, offset int) []byte {
	if offset > 0 && text[offset-1] == '\r' {
		return CRLF
	}
	return LF
}

// TrimEnd returns a line without its ending.
func TrimEnd(line []byte) []byte {
	if bytes.HasSuffix(line, CRLF) {
		return line[:len(line)-2]
	}
	return bytes.TrimSuffix(line, LF)
}

// Length returns the length of text's first line with its ending.
func Length(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// AtStart reports whether a line begins at an offset.
func AtStart(text []byte, at int) bool { return at == 0 || text[at-1] == '\n' }

// Count counts the lines of a text, a last line without ending as well.
func Count(text []byte) int {
	n := bytes.Count(text, LF)
	if !AtStart(text, len(text)) {
		n++
	}
	return n
}

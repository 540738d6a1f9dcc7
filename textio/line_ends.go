package textio

import "bytes"

var (
	lineFeed = []byte("\n")
	crlf     = []byte("\r\n")
)

// withLF returns text with each CRLF as LF: text itself if it has none.
func withLF(text []byte) []byte {
	if !bytes.Contains(text, crlf) {
		return text
	}
	return bytes.ReplaceAll(text, crlf, lineFeed)
}

// lineEndingAt returns the line ending whose \n is at offset.
func lineEndingAt(text []byte, offset int) []byte {
	if offset > 0 && text[offset-1] == '\r' {
		return crlf
	}
	return lineFeed
}

func trimLineEnd(line []byte) []byte {
	if bytes.HasSuffix(line, crlf) {
		return line[:len(line)-2]
	}
	return bytes.TrimSuffix(line, lineFeed)
}

// lineLength returns the length of text's first line with its ending.
func lineLength(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

func atLineStart(text []byte, at int) bool { return at == 0 || text[at-1] == '\n' }

// lineCount counts a last line without ending as well.
func lineCount(text []byte) int {
	n := bytes.Count(text, lineFeed)
	if !atLineStart(text, len(text)) {
		n++
	}
	return n
}

package textio

import (
	"bytes"

	"fsbox/textio/lines"
)

// Line ends that can be asked for, besides the names that EOL gives.
const (
	autoEOL     = "auto" // those of the old text if they are all the same
	verbatimEOL = "verbatim"
)

// withEOL gives text the line ends asked for. With "verbatim", or "auto" and an old text with mixed
// line ends, nothing changes.
func withEOL(text []byte, eol string, old []byte) []byte {
	if eol == autoEOL {
		eol = EOL(old, nil)
	}
	switch eol {
	case "lf":
		return lines.WithLF(text)
	case "crlf":
		return bytes.ReplaceAll(lines.WithLF(text), lines.LF, lines.CRLF)
	case "cr":
		return bytes.ReplaceAll(lines.WithLF(text), lines.LF, []byte("\r"))
	}
	return text
}

// endsToCR tells whether withEOL made lone carriage returns of a text's line ends, which most
// programs then read as one line.
func endsToCR(text, made []byte) bool {
	return bytes.Contains(text, lines.LF) && !bytes.Contains(made, lines.LF)
}

// ownEOL names the line ends of content; binary content has none.
func ownEOL(content []byte, own Form, name string) string {
	if name == binaryName {
		return "none"
	}
	return EOL(content, own.Encoding)
}

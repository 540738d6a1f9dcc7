package textio

import (
	"bytes"

	"fsbox/textio/lines"
)

// Line ends that can be asked for, beside the names that EOL gives.
const (
	autoEOL     = "auto" // those of the old text if it is uniform
	verbatimEOL = "verbatim"
)

// withEOL gives text the line ends asked for. What isn't uniform, and "verbatim",
// changes nothing.
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

// endsToCR tells whether withEOL made lone carriage returns of a text's line ends,
// which make one line of it everywhere but in the program that wrote the file.
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

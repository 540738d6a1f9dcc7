package textio

import (
	"bytes"

	"fsbox/textio/lines"
)

// Values of eol that withEOL takes besides "lf", "crlf" and "cr".
const (
	autoEOL     = "auto" // those of the old text if they are all the same
	verbatimEOL = "verbatim"
)

// withEOL returns text with the line ends that eol names; "auto" means those of old, the old text.
// Nothing changes with "verbatim", or with "auto" if old has mixed line ends or none.
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

// endsToCR reports whether withEOL, which made made from text, turned the line ends into lone
// carriage returns. Most programs read such a text as one line.
func endsToCR(text, made []byte) bool {
	return bytes.Contains(text, lines.LF) && !bytes.Contains(made, lines.LF)
}

// ownEOL names the line ends of content. own and name come from ownForm; binary content has no line
// ends.
func ownEOL(content []byte, own Form, name string) string {
	if name == binaryName {
		return "none"
	}
	return EOL(content, own.Encoding)
}

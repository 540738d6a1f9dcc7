package commands

import (
	"fsbox/textio/charset"
)

// textForm is how a file's bytes become text that can be worked on, and the outcome bytes again. Most texts are worked on as
// they are; UTF-16 and UTF-32 go through a form of UTF-8 that keeps even broken text.
type textForm struct {
	path string
	head charset.Head
	mark []byte // the byte order mark of a wide text, which is not part of the text
	wide bool
}

// openText gives a file's text, or refuses what is none.
func openText(path string, old []byte) (textForm, []byte, error) {
	f := textForm{path: path, head: charset.Sniff(old[:min(len(old), charset.SniffLen)])}
	if f.head.Binary {
		return f, nil, binaryFailure(path, f.head).hint("only text files can be edited; replace the file with write")
	}
	if f.wide = f.head.Encoding.IsWide(); !f.wide {
		return f, old, nil
	}
	f.mark = old[:f.head.BOM:f.head.BOM]
	text, ok := f.head.Encoding.DecodeLossless(old[f.head.BOM:])
	if !ok {
		return f, nil, failf(CodeInvalidEncoding, "%q is not valid %s", path, f.head.Encoding.Name())
	}
	return f, text, nil
}

// maxText is how many bytes the text may have whose file may have limit bytes: a UTF-16 unit takes at most three bytes of
// UTF-8. The file itself is to be measured after close.
func (f textForm) maxText(limit int64) int64 {
	if f.wide {
		return 2 * limit
	}
	return limit
}

// close gives the bytes of a text.
func (f textForm) close(text []byte) ([]byte, error) {
	if !f.wide {
		return text, nil
	}
	encoded, err := f.head.Encoding.EncodeLossless(text)
	if err != nil {
		return nil, encodingFailure(f.head.Encoding, text, err)
	}
	return append(f.mark, encoded...), nil
}

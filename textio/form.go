package textio

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"fsbox/textio/charset"
	"fsbox/textio/edit"
	"fsbox/textio/lines"
)

// Form is how the bytes of a file hold text: their encoding, and how many bytes of byte order mark
// come first.
type Form struct {
	Encoding *charset.Encoding // nil is UTF-8
	BOM      int
}

// FormOf is the form of a file that begins with head. named is the encoding that a request names,
// nil if it names none: then head decides.
func FormOf(head charset.Head, named *charset.Encoding) Form {
	if named == nil || head.BOM > 0 && head.Encoding.Name() == named.Name() { // head has the mark of the one that is named
		return Form{Encoding: head.Encoding, BOM: head.BOM}
	}
	return Form{Encoding: named}
}

// FormFor is the form that text written to a file takes: that of FormOf, which is UTF-8 for an
// empty or binary file if none is named. A named UTF-16 or UTF-32 gets its byte order mark, by
// which alone Sniff recognises it, unless the file is binary.
func FormFor(head charset.Head, named *charset.Encoding) Form {
	f := FormOf(head, named)
	if named != nil && named.IsWide() && !head.Binary {
		f.BOM = len(named.BOM())
	}
	return f
}

// Decode gives the text of a file without its byte order mark, as charset.Encoding.Decode does.
func (f Form) Decode(content []byte) (text []byte, invalid bool) {
	return f.Encoding.Decode(content[min(f.BOM, len(content)):])
}

// Encode returns the bytes of a file for text. If f has a byte order mark, they begin with it,
// whether text has one or not. The error is a *charset.UnencodableError.
func (f Form) Encode(text []byte) ([]byte, error) {
	encoded, err := f.Encoding.Encode(bytes.TrimPrefix(text, []byte(charset.BOM)))
	if err != nil || f.BOM == 0 {
		return encoded, err
	}
	return slices.Concat(f.Encoding.BOM(), encoded), nil
}

// Open returns the text of a file for changes that keep every other byte: Close of an unchanged
// text gives the content again. In most encodings the text is the content itself, with its byte
// order mark and whatever is invalid. UTF-16 and UTF-32 are converted to a form of UTF-8 that keeps
// invalid units, without the byte order mark. ok is false if Close couldn't give the content again.
func (f Form) Open(content []byte) (text []byte, ok bool) {
	if !f.Encoding.IsWide() {
		return content, true
	}
	return f.Encoding.DecodeLossless(content[f.BOM:])
}

// Close returns the bytes of the file for a text that Open returned and that was changed since. The
// error is a *charset.UnencodableError.
func (f Form) Close(text []byte) ([]byte, error) {
	if !f.Encoding.IsWide() {
		return text, nil
	}
	return f.Encoding.AppendLossless(f.Encoding.BOM()[:f.BOM], text)
}

// MaxText bounds the bytes of a text from Open if the file may have limit bytes: a UTF-16 unit, two
// bytes, takes at most three in UTF-8, but no more than memory is reckoned for. The bound is rough,
// so the size of the file itself must be checked after Close.
func (f Form) MaxText(limit int64) int64 {
	if f.Encoding.IsWide() {
		return min(2*limit, max(limit, charset.WideRoom))
	}
	return limit
}

// markedAs is f with a byte order mark if content, the new text, begins with one and the encoding
// has one.
func (f Form) markedAs(content []byte) Form {
	if bytes.HasPrefix(content, []byte(charset.BOM)) {
		f.BOM = len(f.Encoding.BOM())
	}
	return f
}

// before is the form of the file's old content, f being that of the new. It is f, unless the byte
// order mark of the old content, or the lack of one, shows another form.
func (f Form) before(head charset.Head) Form {
	if !head.Binary && (head.BOM > 0 || f.Encoding.IsWide()) {
		return Form{Encoding: head.Encoding, BOM: head.BOM}
	}
	return f
}

// binaryName is given instead of the name of an encoding if the content isn't text.
const binaryName = "binary"

// ownForm returns the form of content as its bytes show it, and the form's name: that of the
// encoding, "unknown-8bit" for bytes that aren't UTF-8, or "binary".
func ownForm(content []byte) (own Form, name string) {
	head := charset.Sniff(content)
	own = FormOf(head, nil)
	switch {
	case head.Binary:
		return own, binaryName
	case own.Encoding.IsUTF8() && !utf8.Valid(content):
		return own, unknown8bit
	}
	return own, own.Encoding.Name()
}

// Mixes reports whether text put into the old content as UTF-8 gives it a second encoding.
func Mixes(old, text []byte) bool { return !charset.IsASCII(text) && !utf8.Valid(old) }

// isUTF8Text reports whether content may be given another encoding or other line ends: it is UTF-8,
// and Sniff doesn't take it for binary. Any other content is written unchanged.
func isUTF8Text(content []byte) bool { return utf8.Valid(content) && !charset.Sniff(content).Binary }

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

// A byte order mark belongs to the file. Who edits a text may have copied it from a diff, and leave
// it out of the replacement: it stays all the same.

// markedText is the text before a change as edits see it: with its byte order mark, also in UTF-16
// and UTF-32, if an edit asks for that.
func (c *Changed) markedText(edits []edit.Edit) []byte {
	asked := slices.ContainsFunc(edits, func(e edit.Edit) bool { return hasMark(e.Expected) })
	if asked && c.form.BOM > 0 && c.form.Encoding.IsWide() {
		return slices.Concat([]byte(charset.BOM), c.Before)
	}
	return c.Before
}

// keepMark gives the text after edits the byte order mark that it had, once. An edit of UTF-8 that
// does nothing else takes it away. The error is an *edit.NoChangeError.
func (c *Changed) keepMark(edits []edit.Edit) error {
	if c.form.BOM == 0 {
		return nil
	}
	rest := c.after
	for hasMark(rest) {
		rest = rest[len(charset.BOM):]
	}
	had, wide := bytes.TrimPrefix(c.Before, []byte(charset.BOM)), c.form.Encoding.IsWide()
	takes := func(e edit.Edit) bool {
		return hasMark(e.Expected) && bytes.Equal(e.Expected[len(charset.BOM):], e.Replacement)
	}
	switch {
	case hasMark(had): // the text begins with one more, as a character
		return nil
	case wide:
		c.after = rest
	case hasMark(c.after):
		c.after = c.after[len(c.after)-len(rest)-len(charset.BOM):]
	case slices.ContainsFunc(edits, takes):
		c.NoMark = true
	default:
		c.after = slices.Concat([]byte(charset.BOM), c.after)
	}
	if bytes.Equal(c.after, c.Before) {
		return &edit.NoChangeError{Edit: -1, Differs: edit.DiffersInMark}
	}
	return nil
}

func hasMark(text []byte) bool { return bytes.HasPrefix(text, []byte(charset.BOM)) }

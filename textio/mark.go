package textio

import (
	"bytes"
	"slices"

	"fsbox/textio/charset"
	"fsbox/textio/edit"
)

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

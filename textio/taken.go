package textio

import (
	"context"
	"fmt"
	"unicode/utf8"

	"fsbox/textio/charset"
	"fsbox/textio/edit"
)

// Taken is text of one file that is to be put into another.
type Taken struct {
	Text     []byte // whole lines, with LF
	encoding *charset.Encoding
}

// Take gives the text of lines of a file. limit bounds the file as that of Edit.
//
// Errors: *BinaryError, *InvalidTextError, *TextSizeError, *edit.StaleError, or that of ctx.
func Take(ctx context.Context, content []byte, parts []edit.Lines, limit int64) (taken []Taken, err error) {
	c, err := openText(content, limit)
	if err != nil {
		return nil, err
	}
	texts, err := edit.Take(ctx, c.Before, c.lineMark(), parts)
	for _, text := range texts {
		taken = append(taken, Taken{text, c.form.Encoding})
	}
	return taken, err
}

// Cut removes lines from a file, as far as they are to be cut.
//
// Errors: those of Take, and *edit.NamedTwiceError.
func Cut(ctx context.Context, old []byte, parts []edit.Lines, limits edit.Limits) (c Changed, err error) {
	if c, err = openText(old, limits.MaxSize); err != nil {
		return c, err
	}
	if c.after, err = edit.Cut(ctx, c.Before, c.lineMark(), parts); err != nil {
		return c, err
	}
	return c, c.close(old, limits.MaxSize, -1, false)
}

// lineMark is where the lines begin in the text.
func (c *Changed) lineMark() int {
	if c.form.Encoding.IsWide() { // the text has no mark
		return 0
	}
	return c.form.BOM
}

// ForeignTextError says that a text isn't valid UTF-8, so that it can't be told what it is in a
// file of the encoding Into.
type ForeignTextError struct{ Into string }

func (e *ForeignTextError) Error() string {
	return fmt.Sprintf("the text is in no known encoding, and can't be put into a file in %s", e.Into)
}

// Into gives the text for a file with that content. Bytes that aren't UTF-8 stay as they are in a
// file whose own encoding isn't known either, or that is ASCII so far. The error is a
// *ForeignTextError.
func (t Taken) Into(content []byte) ([]byte, error) {
	if utf8.Valid(t.Text) {
		return t.Text, nil
	}
	to := FormOf(charset.Sniff(content), nil).Encoding
	switch {
	case to.IsWide() || t.encoding.IsWide():
		if to.Name() == t.encoding.Name() {
			return t.Text, nil
		}
	case charset.IsASCII(content) || !utf8.Valid(content):
		return t.Text, nil
	}
	return nil, &ForeignTextError{to.Name()}
}

package textio

import (
	"bytes"
	"fmt"

	"fsbox/textio/charset"
	"fsbox/textio/diff"
)

// Want says which form new text is to take.
type Want struct {
	Encoding *charset.Encoding // nil: that of the file, or UTF-8 if it has none
	EOL      string            // auto (as the file has them), verbatim, lf or crlf
	Bytes    bool              // the content goes in as it is, text or not
}

// InvalidTextError says that bytes aren't valid in the encoding they are to be in.
type InvalidTextError struct{ Encoding string }

func (e *InvalidTextError) Error() string { return fmt.Sprintf("not valid %s", e.Encoding) }

// Composed is new content in the form that a file is to have.
type Composed struct {
	Content  []byte
	Encoding string // of Content: a name from charset.Encoding.Name, "unknown-8bit" or "binary"
	EOL      string // of Content, in the words of Facts
	ToCR     bool   // line ends became lone carriage returns
	Recoded  bool   // the old content was neither UTF-8 nor marked, and the new one is UTF-8 beyond ASCII
	Unmarked bool   // the content's byte order mark was left out, since the encoding has none
	Looked   string // the encoding that the old content looked like and the new one doesn't have, else ""
	Elision  Elision

	old, new Form
	isShown  bool // a diff can show the change: both sides are text
}

// Compose brings asked, the content that is to replace old, into the encoding and line ends that
// are wanted, or else into those of old. With no encoding named, content that isn't text goes in
// unchanged, and text that replaces a binary file stays UTF-8.
//
// Errors: *InvalidTextError, *charset.UnencodableError.
func Compose(asked, old []byte, want Want) (Composed, error) {
	head := charset.Sniff(old)
	isBinary := head.Binary && want.Encoding == nil
	nothing := len(old) == 0 || isBinary // old has no form that the new content could take
	form := FormFor(head, want.Encoding)
	c := Composed{old: form.before(head), new: form, isShown: !isBinary}
	if want.Bytes || want.Encoding == nil && !isUTF8Text(asked) {
		return c.verbatim(asked, want.EOL)
	}
	if head.Unmarked != nil && want.Encoding == nil {
		c.Looked = head.Unmarked.Name()
	}
	if c.new.BOM == 0 {
		c.new = c.new.markedAs(asked)
		c.Unmarked = c.new.BOM == 0 && bytes.HasPrefix(asked, []byte(charset.BOM))
	}
	var before []byte
	if !nothing {
		before, _ = c.old.Decode(old)
	}
	text := withEOL(asked, want.EOL, before)
	c.ToCR = endsToCR(asked, text)
	c.Recoded = want.Encoding == nil && !nothing && c.old.Encoding.IsUTF8() && Mixes(old, asked)
	var err error
	c.Content, err = c.new.Encode(text)
	c.Encoding, c.EOL = c.new.Encoding.Name(), EOL(text, nil)
	c.Elision, _ = FindElision(before, asked, before)
	return c, err
}

// verbatim takes content as it is, except for line ends that are wanted.
func (c Composed) verbatim(asked []byte, eol string) (Composed, error) {
	c.new, c.Encoding = ownForm(asked)
	c.isShown = c.isShown && c.Encoding != binaryName
	c.Content = asked
	if eol == "lf" || eol == "crlf" {
		text, ok := c.new.Encoding.DecodeLossless(asked[c.new.BOM:])
		if !ok {
			return c, &InvalidTextError{Encoding: c.new.Encoding.Name()}
		}
		var err error
		c.Content, err = c.new.Encoding.AppendLossless(asked[:c.new.BOM:c.new.BOM], withEOL(text, eol, nil))
		if err != nil {
			return c, err
		}
	}
	c.EOL = ownEOL(c.Content, c.new, c.Encoding)
	return c, nil
}

// Diff compares the contents before and after as texts. Binary content has no diff, which Truncated
// says unless both contents are the same.
func (c *Composed) Diff(path string, before, after []byte, created bool, maxLines int) diff.Printed {
	switch {
	case !created && bytes.Equal(before, after):
		return diff.Printed{}
	case !c.isShown:
		return diff.Printed{Truncated: true}
	}
	// UTF-8 is compared byte by byte, a byte order mark included: the diff may be applied
	if !c.old.Encoding.IsUTF8() || !c.new.Encoding.IsUTF8() {
		before, _ = c.old.Decode(before)
		after, _ = c.new.Decode(after)
	}
	return diff.Unified(path, before, after, created, maxLines)
}

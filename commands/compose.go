package commands

import (
	"unicode/utf8"

	"fsbox/textio"
	"fsbox/textio/charset"
)

// composed is new content in the form that the file is to have.
type composed struct {
	content  []byte
	old, new format
	encoding string // of the file, as the answer names it
	eol      string
	isShown  bool // in a diff: both sides are text
	toCR     bool // line ends became carriage returns
	omission textio.Omission
}

// isUTF8Text reports content that may be given another encoding or other line ends: UTF-8, and not binary by the test that reading
// goes by. All else is of worth only as it is.
func isUTF8Text(content []byte) bool { return utf8.Valid(content) && !charset.Sniff(content).Binary }

// What "encoding" says of content that is in no encoding that has a name: as info does of text (RFC 1428), and where info knows
// only a media type.
const (
	unknown8bit    = "unknown-8bit"
	binaryEncoding = "binary"
)

// ownFormat tells the format of content that nobody has given one, and what the answer calls it.
func ownFormat(content []byte) (own format, name string) {
	head := charset.Sniff(content)
	own = format{encoding: head.Encoding, bom: head.BOM}
	switch {
	case head.Binary:
		return own, binaryEncoding
	case own.isUTF8() && !utf8.Valid(content):
		return own, unknown8bit
	}
	return own, own.encoding.Name()
}

// nameEOL names the line ends of content; binary content has none.
func nameEOL(content []byte, own format, name string) string {
	if name == binaryEncoding {
		return "none"
	}
	return textio.EOL(content, own.encoding)
}

// compose brings the content into the encoding and the line ends that the file has or the request asks for. With "auto", what
// isn't text goes in as it is, and text in the place of a binary file, too.
func (w *Write) compose(old []byte, existed bool) (composed, error) {
	head, asked := charset.Sniff(old), []byte(*w.Content)
	nothing := len(old) == 0 || (head.Binary && w.Encoding == "auto") // that could give its format to the new content
	form, err := targetFormat(head, existed, w.Encoding)
	if err != nil {
		return composed{}, err
	}
	c := composed{old: form.ofOld(head), new: form, isShown: !head.Binary || w.Encoding != "auto"}
	if w.Encoding == "auto" && !isUTF8Text(asked) {
		return c.verbatim(asked, w.EOL)
	}
	if nothing {
		c.new = c.new.marked(*w.Content)
	}
	var before []byte
	if !nothing {
		before, _ = c.old.decode(old)
	}
	text := lineEnds(asked, w.EOL, before)
	c.toCR = endsToCR(asked, text)
	c.content, err = c.new.encode(text)
	c.encoding, c.eol = c.new.encoding.Name(), textio.EOL(c.content, c.new.encoding)
	c.omission, _ = textio.FindOmission(before, asked, before)
	return c, err
}

// verbatim takes content as it is, but for line ends that the request names.
func (c composed) verbatim(asked []byte, eol string) (composed, error) {
	c.new, c.encoding = ownFormat(asked)
	c.isShown = c.isShown && c.encoding != binaryEncoding
	c.content = asked
	if eol == "lf" || eol == "crlf" {
		text, ok := c.new.encoding.DecodeLossless(asked[c.new.bom:])
		if !ok {
			return c, failf(CodeInvalidEncoding, "the content is not valid %s", c.new.encoding.Name()).hint("leave eol out to write it as it is")
		}
		encoded, err := c.new.encoding.EncodeLossless(lineEnds(text, eol, nil))
		if err != nil {
			return c, err
		}
		c.content = append(asked[:c.new.bom:c.new.bom], encoded...)
	}
	c.eol = nameEOL(c.content, c.new, c.encoding)
	return c, nil
}

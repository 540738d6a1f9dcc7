package textio

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"fsbox/textio/diff"
	"fsbox/textio/lines"
)

// seen is content as those see it who read the file and know nothing else of it: UTF-16 and UTF-32
// by their byte order mark, all else as bytes, which are UTF-8 where they are text.
type seen struct {
	Form
	name string // of the encoding, as ownForm gives it
	text []byte // UTF-8, or bytes that aren't text
}

// see reads content. head is the beginning of the file if content begins later in it.
func see(content, head []byte) seen {
	s := seen{text: content}
	if head == nil {
		s.Form, s.name = ownForm(content)
	} else if s.Form, s.name = ownForm(head); s.name == unknown8bit || s.Encoding.IsUTF8() {
		_, s.name = ownForm(content) // head may end within a character
	}
	if s.name == binaryName || !s.Encoding.IsWide() {
		return s
	}
	if head != nil {
		s.BOM = 0
	}
	text, invalid := s.Decode(content)
	if invalid {
		s.name = binaryName
		return s
	}
	s.text = text
	return s
}

// Show is Diff for somebody who has to agree to the change: it goes by the bytes alone, whatever
// the request says of them, and shows bytes where there is no text. Of binary content that only
// goes, and of content that isn't known, there is no diff, which Truncated says. words say what the
// diff doesn't show. encoding is the one that the request names, "" for none.
func (c Contents) Show(encoding string, maxLines int) (d diff.Printed, words []string) {
	old, new := see(c.Old, c.Head), see(c.New, c.Head)
	switch {
	case c.Partial && len(c.New) == 0, c.Removed && old.name == binaryName:
		return diff.Printed{Truncated: true}, nil
	case c.Partial:
		c.Old, old = nil, seen{}
		words = old.becomes(new, true)
	case !c.Removed:
		words = old.becomes(new, c.Created || len(c.Old) == 0 && c.Head == nil)
	}
	d = c.print(old.text, new.text, maxLines)
	if encoding != "" && encoding != new.name {
		words = append(words, fmt.Sprintf("the request encodes its text as %s, but the file is read as %s", encoding, new.name))
	}
	if new.name != binaryName && new.Encoding.IsWide() && hidesASCII(d.Text, old, new) {
		words = append(words, "the bytes of its new text read as ASCII in places, and are shown after it")
		c.Path += " (bytes)"
		raw := c.print(c.Old, c.New, max(maxLines-strings.Count(d.Text, "\n"), 1))
		d.Text, d.Truncated = d.Text+raw.Text, d.Truncated || raw.Truncated
		d.Additions, d.Deletions = d.Additions+raw.Additions, d.Deletions+raw.Deletions
	}
	return d, words
}

// becomes says what a diff of the texts doesn't show. isNew is for a file that had no content.
func (s seen) becomes(new seen, isNew bool) (words []string) {
	say := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	switch {
	case isNew && new.name != "utf-8":
		say("the encoding is %s", new.name)
	case !isNew && len(new.text) > 0 && s.name != new.name:
		say("the encoding changes from %s to %s", s.name, new.name)
	}
	if s.name == binaryName || new.name == binaryName {
		return words
	}
	switch {
	case new.BOM > 0 && s.BOM == 0:
		say("it gets a byte order mark")
	case s.BOM > 0 && new.BOM == 0:
		say("it loses its byte order mark")
	}
	if len(s.text) == 0 || len(new.text) == 0 {
		return words
	}
	if from, to := EOL(s.text, nil), EOL(new.text, nil); from != to && from != "none" && to != "none" {
		say("the line ends change from %s to %s", from, to)
	}
	switch had, has := bytes.HasSuffix(s.text, lines.LF), bytes.HasSuffix(new.text, lines.LF); {
	case has && !had:
		say("the last line gets a line end")
	case had && !has:
		say("the last line has no line end any more")
	}
	return words
}

// hidesASCII reports whether text that is new, or in another encoding than before, has a character
// beyond ASCII with a byte in a wide encoding that is ASCII by itself. A program that knows ASCII
// only, such as a shell, reads it, and passes over NULs: one byte is enough to end a comment or a
// quoted text.
func hidesASCII(shown string, old, new seen) bool {
	for line := range strings.Lines(shown) {
		if line[0] == '+' && new.hidesASCII(line) {
			return true
		}
	}
	return old.name != new.name && new.hidesASCII(string(new.text))
}

func (s seen) hidesASCII(text string) bool {
	for _, r := range text {
		if r < utf8.RuneSelf {
			continue
		}
		if unit, err := s.Encoding.Encode([]byte(string(r))); err == nil && slices.ContainsFunc(unit, isASCIIText) {
			return true
		}
	}
	return false
}

// isASCIIText reports whether a byte is a character that a text in ASCII has.
func isASCIIText(c byte) bool { return c >= ' ' && c < 0x7f || c >= '\t' && c <= '\r' }

package textio

import (
	"fsbox/textio/charset"
	"fsbox/textio/diff"
)

// Contents is what a change does to the content of a file, for a diff of it.
type Contents struct {
	Path, From string // From is the old name of a file that was moved, else ""
	Old, New   []byte
	Created    bool // there was no file
	Removed    bool // there is none any more
	Partial    bool // Old and New are not all of it, or it is a folder
}

// Diff compares the contents as texts. There is none of binary content, and of partial content only
// that the file was moved; Truncated says so.
func (c Contents) Diff(maxLines int) diff.Printed {
	if c.Partial {
		moved := diff.Printed{}
		if c.From != "" {
			moved = diff.Moved(c.From, c.Path, nil, nil, maxLines)
		}
		moved.Truncated = true
		return moved
	}
	old, oldShown := shownText(c.Old)
	new, newShown := shownText(c.New)
	switch {
	case !oldShown || !newShown:
		return diff.Printed{Truncated: true}
	case c.Removed:
		return diff.Moved(c.Path, "", old, nil, maxLines)
	case c.From != "":
		return diff.Moved(c.From, c.Path, old, new, maxLines)
	}
	return diff.Unified(c.Path, old, new, c.Created, maxLines)
}

// shownText is the text of a content as a diff shows it: bytes as they are, UTF-16 and UTF-32 as
// UTF-8. It is false for binary content.
func shownText(content []byte) (text []byte, ok bool) {
	head := charset.Sniff(content)
	form := FormOf(head, nil)
	if head.Binary || !form.Encoding.IsWide() {
		return content, !head.Binary
	}
	text, _ = form.Decode(content)
	return text, true
}

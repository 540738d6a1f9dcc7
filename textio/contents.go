package textio

import (
	"fsbox/textio/charset"
	"fsbox/textio/diff"
)

// Contents has the content of a file before and after a change. Diff makes a diff of them.
type Contents struct {
	Path, From string // From is the old name of a file that was moved, else ""
	Old, New   []byte
	Head       []byte // of the file, if Old and New begin later in it; else nil
	Created    bool   // there was no file
	Removed    bool   // the file is gone
	Partial    bool   // Old or New lacks a part of the content, or Path is a folder
}

// Diff compares the contents as texts. Binary content has no diff, and partial content only the
// lines that say that the file was moved: Truncated is set then.
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
	if !oldShown || !newShown {
		return diff.Printed{Truncated: true}
	}
	return c.print(old, new, maxLines)
}

// print compares two texts as the content of the file before and after.
func (c Contents) print(old, new []byte, maxLines int) (d diff.Printed) {
	switch {
	case c.Removed:
		d = diff.Moved(c.Path, "", old, nil, maxLines)
	case c.From != "":
		d = diff.Moved(c.From, c.Path, old, new, maxLines)
	default:
		d = diff.Unified(c.Path, old, new, c.Created, maxLines)
	}
	d.Truncated = d.Truncated || c.Partial
	return d
}

// shownText is content as a diff shows it: UTF-16 and UTF-32 as UTF-8, any other text unchanged. ok
// is false for binary content.
func shownText(content []byte) (text []byte, ok bool) {
	head := charset.Sniff(content)
	form := FormOf(head, nil)
	if head.Binary || !form.Encoding.IsWide() {
		return content, !head.Binary
	}
	text, _ = form.Decode(content)
	return text, true
}

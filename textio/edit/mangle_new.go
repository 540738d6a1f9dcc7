package edit

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"fsbox/textio/anchor"
	"fsbox/textio/lines"
	"fsbox/textio/nearest"
)

// MangleTag is one more kind of mangling: a new text ends with the tag in which a model put it,
// such as </content>.
const MangleTag = "tag"

// MangleConflict is the last: a new text has the lines that git puts around two versions of a
// place, or of which blocks to search and replace consist.
const MangleConflict = "conflict"

// MangledNew says how a new text was mangled, one of the Mangle… constants, or "". old is the text
// before the change: entities that it has, too, are no sign. name is that of the file: in some
// kinds of files such signs are common, and don't count.
func MangledNew(name string, text, old []byte) string {
	ext := strings.ToLower(path.Ext(name))
	isIn := func(kinds string) bool { return ext != "" && slices.Contains(strings.Fields(kinds), ext[1:]) }
	switch {
	case hasConflict(text) && !hasConflict(old):
		return MangleConflict
	case hasAnchor(text) && !hasAnchor(old):
		return MangleLineNumbers
	case !isIn("md mdx markdown txt log csv tsv yaml yml patch diff") && numbersOrMarks(text) != "":
		return numbersOrMarks(text)
	case !isIn("md mdx markdown txt rst") && withoutFence(text) != nil:
		return MangleFence
	case !isIn(markup) && moreEntities(text, old):
		return MangleEntities
	case lacksLineEnds(text):
		return MangleEscapes
	case !isIn(markup) && endsWithTag(text):
		return MangleTag
	}
	return ""
}

// markup are the extensions of files in which entities and tags are common.
const markup = "html htm xhtml xml svg xaml plist resx vue svelte astro jsx tsx md mdx markdown rst php erb ejs hbs po tmpl"

// numbersOrMarks returns MangleLineNumbers or MangleDiffMarks if several lines begin with their
// numbers or with the marks of a diff, else "". Of lines with an anchor, one is enough.
func numbersOrMarks(text []byte) string {
	if digits := bytes.TrimLeft(text, "0123456789"); !hasLines(text) && len(withoutID(digits)) == len(digits) {
		return ""
	}
	if WithoutNumbers(text) != nil {
		return MangleLineNumbers
	}
	if old := oldSide(text); old != nil && text[0] != ' ' && bytes.Contains(text, []byte("\n+")) && bytes.ContainsAny(text[:1], "+-") {
		return MangleDiffMarks
	}
	return ""
}

// hasAnchor reports whether a line begins with an anchor, as read puts it before the line.
func hasAnchor(text []byte) bool {
	for line := range bytes.Lines(text) {
		if a, ok := anchor.Parse(string(lines.TrimEnd(line))); ok && bytes.HasPrefix(line[len(a.String()):], []byte("→")) {
			return true
		}
	}
	return false
}

// moreEntities reports whether text has HTML entities that old doesn't have. A string that is an
// entity and nothing else doesn't count: code that makes entities has it.
func moreEntities(text, old []byte) bool {
	if bytes.IndexByte(text, '&') < 0 {
		return false
	}
	for _, entity := range [...]string{"&lt;", "&gt;", "&amp;", "&quot;"} {
		if !bytes.Contains(text, []byte(entity)) || bytes.Contains(old, []byte(entity)) {
			continue
		}
		quoted := bytes.Count(text, []byte(`"`+entity+`"`)) + bytes.Count(text, []byte("'"+entity+"'"))
		if bytes.Count(text, []byte(entity)) > quoted {
			return true
		}
	}
	return false
}

// lacksLineEnds reports whether a text is one line with several \n, two characters each, outside of
// quotes.
func lacksLineEnds(text []byte) bool {
	if hasLines(text) {
		return false
	}
	first, rest, found := bytes.Cut(text, []byte(`\n`))
	inQuotes := bytes.Count(first, []byte(`"`))%2+bytes.Count(first, []byte("'"))%2+bytes.Count(first, []byte("`"))%2 > 0
	return found && !inQuotes && bytes.Contains(rest, []byte(`\n`))
}

// hasConflict reports whether a text has lines as git puts them around two versions of a place, or
// those of a block to search and replace.
func hasConflict(text []byte) bool {
	for line := range bytes.Lines(text) {
		if isBlockMark(line, " SEARCH", " REPLACE") {
			return true
		}
		mark, rest := line[:min(7, len(line))], line[min(7, len(line)):]
		if is := string(mark); (is == "<<<<<<<" || is == ">>>>>>>") && (len(rest) == 0 || strings.IndexByte(" \r\n", rest[0]) >= 0) {
			return true
		}
	}
	return false
}

// hasLines reports whether a text has several lines.
func hasLines(text []byte) bool { return bytes.Contains(bytes.TrimRight(text, "\n"), lines.LF) }

// endsWithTag reports whether the last line is the end of an element in which models put a text.
func endsWithTag(text []byte) bool {
	text = bytes.TrimRight(text, " \t\r\n")
	last := text[bytes.LastIndexByte(text, '\n')+1:]
	return slices.Contains([]string{"</content>", "</file_text>", "</file>", "</parameter>", "</invoke>", "</new_string>", "</new_text>",
		"</replacement_text>", "</contents>", "</code>"}, string(last))
}

// mangled tries each way to fix the expected text, in order. If the file has the fixed text, the
// result is that place, with the first difference to the text as it was sent. If it hasn't, but
// that text was certainly mangled in this way, the result is the regions most like the fixed text,
// if there are any. reason names the kind of mangling; it is "" if nothing was found, except for
// blocks and diffs: no file has such text.
func (c comparison) mangled() (found []nearest.Match, reason string) {
	text, expected := lines.WithLF(c.File.Bytes), lines.WithLF(c.Expected.Bytes)
	for m := range fixes(expected) {
		if at := bytes.Index(text, m.text); at >= 0 && len(bytes.TrimSpace(m.text)) > 0 {
			if place, differs := c.mangledPlace(text, expected, at, len(m.text)); differs {
				return []nearest.Match{place}, m.reason
			}
			continue
		}
		if m.sure && !(m.reason == MangleEscapes && c.isLikerThan(m.text)) {
			c.Expected = lines.Split(m.text)
			if found, _, _ = c.Nearest(); len(found) > 0 {
				return found, m.reason
			}
			if m.reason == MangleBlocks || m.reason == MangleDiffMarks {
				return nil, m.reason
			}
		}
	}
	return c.decoded(expected)
}

// maxDecoded bounds the file in which entities are looked for, in bytes: it is held some three
// times meanwhile.
const maxDecoded = 2 << 20

// decoded finds the expected text where the file has HTML entities for signs of it.
func (c comparison) decoded(expected []byte) (found []nearest.Match, reason string) {
	if len(c.File.Bytes) > maxDecoded || !bytes.ContainsAny(expected, `&<>"'`) {
		return nil, ""
	}
	plain := WithoutEntities(lines.WithLF(c.File.Bytes))
	at := bytes.Index(plain, expected)
	if at < 0 {
		return nil, ""
	}
	c.Region.Start = bytes.Count(plain[:at], lines.LF)
	c.Region.End = c.Region.Start + lines.Count(expected)
	return []nearest.Match{c.Render(c.FirstDifference())}, MangleDecoded
}

// isLikerThan reports whether the file has a region at least as much like the expected text as any
// is like the fixed one: then an escape in it, as in a format, is one in the file as well.
func (c comparison) isLikerThan(fixed []byte) bool {
	best := func(expected lines.Text) float64 {
		if regions := nearest.Regions(c.Ctx, c.File, expected); len(regions) > 0 {
			return regions[0].Score
		}
		return 0
	}
	sent := best(c.Expected)
	return sent > 0 && sent >= best(lines.Split(fixed))
}

// mangledPlace describes the place in the text, with line ends as LF, where the fixed expected
// text is. The difference is the first one to the text as it was expected. differs is false if the
// line there is as expected: then the file itself has what only looks mangled.
func (c comparison) mangledPlace(text, expected []byte, at, size int) (place nearest.Match, differs bool) {
	same := nearest.DiffersFrom(0, expected, text[at:], 0).ExpectedAt
	start, end := lineAround(text, at+same)
	d := nearest.Point{Line: bytes.Count(text[:start], lines.LF), Found: text[start:end], FoundAt: at + same - start}
	from, to := lineAround(expected, same)
	d.Expected, d.ExpectedAt = expected[from:to], same-from
	if d.FoundAt < len(d.Found)-1 && d.ExpectedAt < len(d.Expected) {
		d.Expected, d.Found = lines.TrimEnd(d.Expected), lines.TrimEnd(d.Found)
	}
	c.Region.Start = bytes.Count(text[:at], lines.LF)
	c.Region.End = c.Region.Start + bytes.Count(bytes.TrimSuffix(text[at:at+size], lines.LF), lines.LF) + 1
	return c.Render(d), !bytes.Equal(d.Expected, d.Found)
}

// lineAround returns the byte range of the line that offset at lies in, with its ending.
func lineAround(text []byte, at int) (start, end int) {
	start = bytes.LastIndexByte(text[:at], '\n') + 1
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return start, at + i + 1
	}
	return start, len(text)
}

package edit

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"fsbox/textio/anchor"
	"fsbox/textio/lines"
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

// hasConflict reports whether a text has lines as git puts them around two versions of a place.
func hasConflict(text []byte) bool {
	for line := range bytes.Lines(text) {
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

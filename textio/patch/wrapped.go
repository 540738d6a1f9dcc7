package patch

import (
	"bytes"
	"fmt"
	"slices"
)

// What programs and people put around each line of a patch, so that nothing in it can be read.

const (
	causeIndented = "the patch is indented: remove the blanks before its lines"
	causeOneLine  = "the patch is in one line, with \"\\n\" written out where a line should end"
)

// noPatch explains why a text has no patch in it.
func (l patchLines) noPatch() *SyntaxError {
	for i, line := range l {
		if hasAnyPrefix(line, "<<<<<<< ", "------- SEARCH") {
			return &SyntaxError{Line: i + 1, Cause: "these search and replace blocks are not a patch", None: true,
				Remedy: "send them with edit: what comes after SEARCH as expected_text, what comes after ======= as replacement_text"}
		}
		if cause, remedy := wrapping(line); cause != "" {
			return &SyntaxError{Line: i + 1, Cause: cause, Remedy: remedy}
		}
	}
	return &SyntaxError{Line: 1, Cause: "this is not a patch: neither \"--- \" and \"+++ \" lines nor \"*** Begin Patch\"", None: true}
}

// wrapping says what was put around a line that would begin a patch without it, "" if nothing was.
func wrapping(line []byte) (cause, remedy string) {
	inner := bytes.TrimLeft(line, " \t")
	switch {
	case len(inner) < len(line) && beginsPatch(inner):
		return causeIndented, ""
	case bytes.Contains(line, []byte(`\n@@`)) || bytes.Contains(line, []byte(`\n*** `)):
		return causeOneLine, ""
	case bytes.IndexByte(line, '\x1b') >= 0 && beginsPatch(withoutColour(line)):
		return "the patch has colour codes", "make it without colours, as with git diff --no-color, or remove the codes from each line"
	}
	if inner = bytes.TrimLeft(inner, "0123456789"); len(inner) < len(line) {
		inner = bytes.TrimLeft(inner, " :|\t")
		if inner = bytes.TrimPrefix(inner, []byte("→")); beginsPatch(inner) {
			return "the patch has line numbers before its lines", "remove them from each line"
		}
	}
	for _, sign := range [...]string{">", "|", "#", "//", "*", "+", "-"} {
		quoted, ok := bytes.CutPrefix(line, []byte(sign))
		if ok && beginsPatch(bytes.TrimLeft(quoted, ">| ")) {
			return fmt.Sprintf("the lines of the patch have %q before them", sign), "remove what is before each line"
		}
	}
	return "", ""
}

// beginsPatch reports whether a line is one that begins a patch, as programs write it.
func beginsPatch(line []byte) bool {
	return hasAnyPrefix(line, "diff --git ", "--- a/", "--- /dev/null", "@@ -") || isBeginMarker(line)
}

// withoutColour takes the escape sequences that set a colour off a line: ESC [ 1 ; 31 m.
func withoutColour(line []byte) []byte {
	var plain []byte
	for {
		before, after, found := bytes.Cut(line, []byte("\x1b["))
		plain = append(plain, before...)
		if !found {
			return plain
		}
		line = bytes.TrimPrefix(bytes.TrimLeft(after, "0123456789;"), []byte("m"))
	}
}

// LaterLines is added to the lines of what Rest leaves, so that they aren't taken for those of
// another patch: no patch has as many lines.
const LaterLines = 1 << 20

// Rest is the patch without some of its hunks, given by the lines in which they begin, and without
// whole sections. A section other than an update goes with any of its hunks. count is how many
// hunks are left, and a section without hunks counts as one.
func (p *Patch) Rest(hunks map[int]bool, sections map[*File]bool) (rest *Patch, count int) {
	rest = &Patch{Format: p.Format, Warnings: p.Warnings}
	for i := range p.Files {
		f := p.Files[i]
		fails := func(h Hunk) bool { return hunks[h.Line] }
		left := slices.DeleteFunc(slices.Clone(f.Hunks), fails)
		whole := len(left) == len(f.Hunks)
		if sections[&p.Files[i]] || !whole && (len(left) == 0 || f.Action != Update) {
			continue
		}
		if f.Line < LaterLines {
			f.Line += LaterLines
			for n := range left {
				left[n].Line += LaterLines
			}
		}
		f.Hunks = left
		rest.Files, count = append(rest.Files, f), count+max(1, len(left))
	}
	return rest, count
}

// With is the patch with the sections of another one after its own.
func (p *Patch) With(other *Patch) *Patch {
	return &Patch{Format: other.Format, Files: slices.Concat(p.Files, other.Files), Warnings: slices.Concat(p.Warnings, other.Warnings)}
}

package patch

import (
	"bytes"
	"fmt"
)

// What programs and people put around each line of a patch, so that nothing in it can be read.

const (
	causeIndented = "the patch is indented: take the blanks before its lines away"
	causeOneLine  = "the patch is in one line, with \"\\n\" written out where a line should end"
)

// noPatch explains why a text has no patch in it.
func (l patchLines) noPatch() *SyntaxError {
	for i, line := range l {
		if hasPrefix(line, "<<<<<<< ") {
			return &SyntaxError{Line: i + 1, Cause: "these blocks to search and replace are no patch, but texts for edit", None: true,
				Remedy: "send them with edit: what comes after SEARCH as expected_text, what comes after ======= as replacement_text"}
		}
		if cause, remedy := wrapping(line); cause != "" {
			return &SyntaxError{Line: i + 1, Cause: cause, Remedy: remedy}
		}
	}
	return &SyntaxError{Line: 1, Cause: "this is no patch: neither \"--- \" and \"+++ \" lines nor \"*** Begin Patch\"", None: true}
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
		return "the patch has colour codes", "make it without colours, as with git diff --no-color, or take the codes off each line"
	}
	if inner = bytes.TrimLeft(inner, "0123456789"); len(inner) < len(line) {
		inner = bytes.TrimLeft(inner, " :|\t")
		if inner = bytes.TrimPrefix(inner, []byte("→")); beginsPatch(inner) {
			return "the patch has line numbers before its lines", "take them off each line"
		}
	}
	for _, sign := range [...]string{">", "|", "#", "//", "*", "+", "-"} {
		quoted, ok := bytes.CutPrefix(line, []byte(sign))
		if ok && beginsPatch(bytes.TrimLeft(quoted, ">| ")) {
			return fmt.Sprintf("the lines of the patch have %q before them", sign), "take what is before each line off"
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

package patch

import (
	"bytes"
	"strconv"
)

// hunkHeader is a line that begins with "@@". Numbers are -1 where absent.
type hunkHeader struct {
	oldStart, oldCount, newStart, newCount int
	section                                string // what follows the numbers
}

func (h hunkHeader) numbered() bool { return h.oldStart >= 0 }

// hunk starts a Hunk from its header, which is in a line of the patch. Its place is after line
// oldStart, which is right for a hunk without old lines; check corrects it if the hunk has some.
func (h hunkHeader) hunk(line int) Hunk {
	if !h.numbered() {
		return Hunk{Line: line}
	}
	return Hunk{Line: line, Numbered: true, OldStart: h.oldStart, place: int32(h.oldStart), oldCount: int32(h.oldCount)}
}

// isFollowedBy reports whether next can be the header of the same file's next hunk: it begins after
// this one, and no lines come or go between the two.
func (h hunkHeader) isFollowedBy(next hunkHeader) bool {
	begin := func(start, count int) int { // a hunk without lines names the line before it
		if count == 0 {
			return start + 1
		}
		return start
	}
	kept := begin(next.oldStart, next.oldCount) - begin(h.oldStart, h.oldCount) - h.oldCount
	return kept >= 0 && kept == begin(next.newStart, next.newCount)-begin(h.newStart, h.newCount)-h.newCount
}

// parseHunkHeader reads "@@ -1,2 +3,4 @@ section" and what models make of it: "@@", "@@ @@", "@@
// ... @@", "@@ section", "@@ -1,2 +3,4".
func parseHunkHeader(line []byte) hunkHeader {
	rest := bytes.TrimRight(bytes.TrimPrefix(line, []byte("@@")), "\r")
	if h, tail, ok := parseHunkRanges(bytes.TrimLeft(rest, " ")); ok {
		h.section = string(bytes.TrimSpace(tail))
		return h
	}
	h := hunkHeader{oldStart: -1, oldCount: -1, newStart: -1, newCount: -1}
	if before, after, found := bytes.Cut(rest, []byte("@@")); found && len(bytes.Trim(before, " .-+0123456789,")) == 0 {
		h.section = string(bytes.TrimSpace(after))
		return h
	}
	rest = bytes.TrimSuffix(bytes.TrimRight(rest, " "), []byte(" @@"))
	if string(bytes.Trim(rest, " ")) != "..." {
		h.section = string(bytes.TrimPrefix(rest, []byte(" ")))
	}
	return h
}

// parseHunkRanges reads "-1,2 +3,4 @@" and returns what follows.
func parseHunkRanges(text []byte) (h hunkHeader, tail []byte, ok bool) {
	old, rest, added := bytes.Cut(text, []byte("+"))
	old, removed := bytes.CutPrefix(old, []byte("-"))
	tail = bytes.TrimLeft(rest, "0123456789,")
	if h.oldStart, h.oldCount, ok = parseHunkRange(bytes.TrimSpace(old)); ok {
		h.newStart, h.newCount, ok = parseHunkRange(rest[:len(rest)-len(tail)])
	}
	return h, bytes.TrimPrefix(bytes.TrimLeft(tail, " "), []byte("@@")), ok && added && removed
}

// parseHunkRange reads "12,3", or "12" for one line. Another comma ends it.
func parseHunkRange(text []byte) (start, count int, ok bool) {
	first, second, counted := bytes.Cut(text, []byte(","))
	if second, _, _ = bytes.Cut(second, []byte(",")); !counted {
		second = []byte("1")
	}
	start, err := parseNumber(first)
	count, countErr := parseNumber(second)
	return start, count, err == nil && countErr == nil
}

// parseNumber reads a decimal number of at most 30 bits: more than any file here has lines.
func parseNumber(text []byte) (int, error) {
	n, err := strconv.ParseUint(string(text), 10, 30)
	return int(n), err
}

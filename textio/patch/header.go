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
	if h.oldStart, h.oldCount, text, ok = parseHunkRange(text, '-'); !ok {
		return h, nil, false
	}
	if h.newStart, h.newCount, text, ok = parseHunkRange(bytes.TrimLeft(text, " "), '+'); !ok {
		return h, nil, false
	}
	return h, bytes.TrimPrefix(bytes.TrimLeft(text, " "), []byte("@@")), true
}

// parseHunkRange reads "-12,3", or "-12" for one line.
func parseHunkRange(text []byte, mark byte) (start, count int, tail []byte, ok bool) {
	if len(text) == 0 || text[0] != mark {
		return 0, 0, nil, false
	}
	if start, tail, ok = cutNumber(text[1:]); !ok {
		return 0, 0, nil, false
	}
	count = 1
	if hasPrefix(tail, ",") {
		if count, tail, ok = cutNumber(tail[1:]); !ok {
			return 0, 0, nil, false
		}
	}
	return start, count, tail, true
}

// cutNumber takes a decimal number of at most nine digits off the front: more than any file here
// has lines.
func cutNumber(text []byte) (n int, tail []byte, ok bool) {
	i := 0
	for i < len(text) && text[i] >= '0' && text[i] <= '9' {
		i++
	}
	if i == 0 || i > 9 {
		return 0, text, false
	}
	n, _ = strconv.Atoi(string(text[:i]))
	return n, text[i:], true
}

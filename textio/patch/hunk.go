package patch

import (
	"bytes"
	"slices"
)

// hunkBody is what was read of a hunk's lines. next is the line after them.
type hunkBody struct {
	lines   []HunkLine
	next    int
	counted bool // they are as many as the header says
	missing bool // the header says that there are more
}

// unifiedBody reads the lines of a hunk from line i on. The hunk ends where the counts in its
// header say, if its lines agree with them, else at the first line that doesn't look like one of a
// hunk.
func (l patchLines) unifiedBody(i int, header hunkHeader) hunkBody {
	if header.numbered() {
		if body := l.countedBody(i, header); body.counted {
			return body
		}
	}
	body := hunkBody{next: i}
	old, new := header.oldCount, header.newCount
	for ; body.next < len(l) && l.isBodyLine(body.next) && !(old <= 0 && new <= 0 && l.isSign(body.next)); body.next++ {
		body.lines = appendHunkLine(body.lines, l[body.next])
		old, new = countDown(l[body.next], old, new)
	}
	body.missing = header.numbered() && (old > 0 || new > 0)
	return body
}

// countDown takes a line of a hunk off the numbers of old and new lines that are still to come.
func countDown(line []byte, old, new int) (int, int) {
	if len(line) == 0 {
		return old - 1, new - 1
	}
	switch line[0] {
	case ' ', '\r':
		return old - 1, new - 1
	case '-':
		return old - 1, new
	case '+':
		return old, new - 1
	}
	return old, new
}

// countedBody reads as many old and new lines as the header says. counted is set if there are that
// many and what follows doesn't look like one more.
func (l patchLines) countedBody(i int, header hunkHeader) (body hunkBody) {
	old, new := header.oldCount, header.newCount
	body.lines = make([]HunkLine, 0, min(old+new, len(l)-i))
	for body.next = i; body.next < len(l) && (old > 0 || new > 0); body.next++ {
		line := l[body.next]
		isOther := len(line) > 0 && line[0] != '\r' && !hasAnyPrefix(line, " ", "-", "+", `\ `)
		if isOther || l.isSignature(body.next) || l.isNextFile(body.next, header) {
			return body
		}
		old, new = countDown(line, old, new)
		body.lines = appendHunkLine(body.lines, line)
	}
	if old != 0 || new != 0 {
		return body
	}
	if body.next < len(l) && isNoNewlineMark(l[body.next]) {
		body.lines = appendHunkLine(body.lines, l[body.next])
		body.next++
	}
	after := l.nextText(body.next)
	body.counted = after >= len(l) || l.isFileHeader(after) || !l.isBodyLine(after) || l.isSign(after) ||
		after > body.next && l.isBoundary(after)
	return body
}

// isNextFile reports whether the lines at i are the header of another file, although by its counts
// the hunk before goes on. It is one if its names show that, or if the hunk under it couldn't
// follow in the same file.
func (l patchLines) isNextFile(i int, header hunkHeader) bool {
	if !l.isFileHeader(i) {
		return false
	}
	old, new := parseSideName(l[i][4:]), parseSideName(l[i+1][4:])
	if old.null != new.null && old.ok() && new.ok() {
		return true
	}
	next := parseHunkHeader(l.at(i + 2))
	pair, same := pairNames(old.name, new.name)
	return same && pair.path != "" && l.has(i+2, "@@") && next.numbered() && (pair.prefixed() || !header.isFollowedBy(next))
}

// isBodyLine reports whether line i looks like a line of a hunk.
func (l patchLines) isBodyLine(i int) bool {
	line := l[i]
	if len(line) == 0 {
		return true
	}
	switch line[0] {
	case ' ', '+', '\r':
		return true
	case '-':
		return !(l.isFileHeader(i) && (l.has(i+2, "@@") || l.has(i, "--- /dev/null") || l.has(i+1, "+++ /dev/null"))) && !l.isSignature(i)
	}
	return isNoNewlineMark(line)
}

// isHeadless reports whether the lines from i on are a change, after no hunk header. Lines with
// dashes by themselves may be text that follows a diff, and a signature is.
func (l patchLines) isHeadless(i int) bool {
	for l.has(i, " ") || l.has(i, "--") || l.has(i, "- ") && !l.has(i, "-  ") {
		if string(bytes.TrimSpace(l.at(i))) == "--" {
			return false
		}
		i++
	}
	return hasAnyPrefix(l.at(i), "+", "-") && !l.has(i, "+++ ")
}

// isFileHeader reports whether "---" and "+++" lines begin at i.
func (l patchLines) isFileHeader(i int) bool {
	return l.has(i, "--- ") && l.has(i+1, "+++ ") && (i+2 >= len(l) || l.isBlank(i+2) || l.has(i+2, "@@"))
}

// isSignature reports whether line i begins what git format-patch puts last: a line of "-- " and
// one with its version.
func (l patchLines) isSignature(i int) bool {
	line := l.at(i)
	if !hasPrefix(line, "--") || len(bytes.TrimSpace(line)) != 2 {
		return false
	}
	version := l.at(i + 1)
	if len(version) == 0 || version[0] < '0' || version[0] > '9' || !bytes.ContainsRune(version, '.') {
		return false
	}
	after := l.nextText(i + 2)
	return after >= len(l) || l.has(after, "From ") || l.isWrapping(after)
}

// isSign reports whether line i begins a signature of any kind: it is "-- ", and no line follows
// that could belong to a hunk. It is only for lines after a complete hunk, since "-- " can also be
// a removed line.
func (l patchLines) isSign(i int) bool {
	if string(bytes.TrimRight(l.at(i), "\r")) != "-- " {
		return false
	}
	_, more := l.hunkLineAfter(i, false)
	return !more
}

// appendHunkLine appends a line of a hunk. A mark that the line before has no newline is noted on
// that line instead.
func appendHunkLine(lines []HunkLine, line []byte) []HunkLine {
	switch {
	case len(line) == 0 || line[0] == '\r':
		return append(lines, HunkLine{Op: ' ', Text: line})
	case line[0] != '\\':
		return append(lines, HunkLine{Op: line[0], Text: line[1:]})
	}
	if len(lines) > 0 {
		lines[len(lines)-1].NoNewline = true
	}
	return lines
}

// bareTail counts, among the last n lines before line next, the empty ones at the end: they lack
// even the blank of a context line.
func (l patchLines) bareTail(next, n int) int32 {
	bare := 0
	for bare < n && len(bytes.TrimRight(l[next-1-bare], "\r")) == 0 {
		bare++
	}
	return int32(bare)
}

func hasMarks(hunks []Hunk) bool {
	isMarked := func(line HunkLine) bool { return line.NoNewline }
	return slices.ContainsFunc(hunks, func(h Hunk) bool { return slices.ContainsFunc(h.Lines, isMarked) })
}

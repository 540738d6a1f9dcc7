package patch

import (
	"bytes"
	"slices"
	"strconv"
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
	switch {
	case len(line) == 0, line[0] == ' ', line[0] == '\r':
		return old - 1, new - 1
	case line[0] == '-':
		return old - 1, new
	case line[0] == '+':
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
	switch {
	case len(line) == 0, line[0] == ' ', line[0] == '+', line[0] == '\r':
		return true
	case line[0] == '-':
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

// What may follow a hunk. Some of these lines are beyond doubt no part of it (isStart); the others
// may also be context that has lost its leading blank (mayEnd).

// isStart reports whether something other than lines of a hunk begins at line i: the next hunk, the
// next file, a mail, a signature, the end of the text.
func (l patchLines) isStart(i int) bool {
	return i >= len(l) || hasAnyPrefix(l[i], "@@", "diff --git ") || l.isFileHeader(i) || l.isSignature(i) || isMailStart(l[i]) ||
		isBinaryNotice(l[i]) || isPatchMarker(l[i])
}

// isMailStart reports whether a line is the first of a mail from git format-patch: "From ", 40
// hexadecimal digits, and a date.
func isMailStart(line []byte) bool {
	id, ok := bytes.CutPrefix(line, []byte("From "))
	return ok && len(id) > 40 && id[40] == ' ' && len(bytes.Trim(id[:40], "0123456789abcdef")) == 0
}

// mayEnd reports whether line i can be what follows a hunk.
func (l patchLines) mayEnd(i int) bool {
	return l.isStart(i) || hasAnyPrefix(l[i], "diff ", "Index: ", "======", "From ", "Only in ", `\ `) || l.isWrapping(i)
}

// hunkLineAfter returns the next line after i that looks like one of a hunk. It looks as far as
// isStart allows, and with paragraph set only up to a blank line.
func (l patchLines) hunkLineAfter(i int, paragraph bool) (line int, found bool) {
	for i++; !l.isStart(i) && !(paragraph && l.isBlank(i)); i++ {
		if hasAnyPrefix(l[i], " ", "+", "-") && !l.isBlank(i) && !isUnderline(l[i]) {
			return i, true
		}
	}
	return 0, false
}

// isUnderline reports whether a line consists of dashes, as mails have them below words.
func isUnderline(line []byte) bool {
	return hasPrefix(line, "--") && len(bytes.Trim(line, "- \r")) == 0
}

// isBoundary reports whether line i ends a part of a mail: two dashes and a word, as git
// format-patch writes it with --attach and --inline, and after it no line that could belong to a
// hunk. It is only for lines after a complete hunk and a blank line, since it can also be a removed
// line.
func (l patchLines) isBoundary(i int) bool {
	line := bytes.TrimRight(l.at(i), " \r")
	if !hasPrefix(line, "--") || len(line) < 3 || len(line) > longestBoundary || bytes.IndexByte(line, ' ') >= 0 {
		return false
	}
	_, more := l.hunkLineAfter(i, false)
	return !more
}

// longestBoundary is two dashes before it, 70 characters of it, and two after it (RFC 2046, 5.1.1).
const longestBoundary = 74

// closesFence reports whether line i is a fence, and no other follows before something begins
// (isStart): then it closes a fence that was opened earlier.
func (l patchLines) closesFence(i int) bool {
	if !isFence(l.at(i)) {
		return false
	}
	for i++; !l.isStart(i); i++ {
		if isFence(l[i]) {
			return false
		}
	}
	return true
}

func isFence(line []byte) bool { return hasAnyPrefix(line, "```", "~~~") }

// checkEnd makes sure that a hunk, of which all lines before p.at have been read, doesn't go on in
// the lines from p.at on.
func (p *unifiedParser) checkEnd(body hunkBody) error {
	next := p.lines.nextText(p.at)
	if body.counted && next > p.at || p.lines.isStart(next) || body.counted && p.lines.isSign(next) {
		return nil
	}
	if !p.lines.mayEnd(next) {
		if !body.counted {
			return p.fail(next, "%s", p.lines.unmarked(next))
		}
		p.warn("line %d belongs to no hunk: it was ignored", next+1)
	}
	if _, more := p.lines.hunkLineAfter(next, body.counted); more && !(p.fenced && p.lines.closesFence(next)) {
		return p.fail(next, "%s", p.lines.unmarked(next))
	}
	return nil
}

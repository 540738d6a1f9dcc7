package patch

import "bytes"

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
	if !ok || len(id) < 41 || id[40] != ' ' {
		return false
	}
	return len(bytes.Trim(id[:40], "0123456789abcdef")) == 0
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
		p.warn("line %d belongs to no hunk: it was left out", next+1)
	}
	if _, more := p.lines.hunkLineAfter(next, body.counted); more && !(p.fenced && p.lines.closesFence(next)) {
		return p.fail(next, "%s", p.lines.unmarked(next))
	}
	return nil
}

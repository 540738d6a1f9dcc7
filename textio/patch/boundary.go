package patch

import "bytes"

// What may follow a hunk. After some of it, a hunk is at its end beyond doubt; the rest can also be
// context that has lost its leading blank.

// isStart reports whether line i begins what is no part of a hunk: the next one, the next file, a
// mail, a signature, the end of the text.
func (l patchLines) isStart(i int) bool {
	return i >= len(l) || hasAnyPrefix(l[i], "@@", "diff --git ") || l.isFileHeader(i) || l.isSignature(i) || isMailStart(l[i]) ||
		isBinaryNotice(l[i]) || isPatchMarker(l[i]) || l.isIndex(i)
}

// isIndex reports whether line i is one of those that svn or diff -r put above the header of a
// file.
func (l patchLines) isIndex(i int) bool {
	for n := 0; n < 3 && hasAnyPrefix(l.at(i), "Index: ", "======", "diff "); n++ {
		if i = l.nextText(i + 1); l.isFileHeader(i) {
			return true
		}
	}
	return false
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

// hunkLineAfter returns the next line after i that looks like one of a hunk, up to where something
// else begins: of a paragraph, up to its end.
func (l patchLines) hunkLineAfter(i int, paragraph bool) (line int, found bool) {
	for i++; !l.isStart(i) && !(paragraph && l.isBlank(i)); i++ {
		if hasAnyPrefix(l[i], " ", "+", "-") && !l.isBlank(i) {
			return i, true
		}
	}
	return 0, false
}

// closesFence reports whether line i is the last fence before something begins, and so the end of
// one that was opened.
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

// checkEnd makes sure that no line of a hunk follows the last that was read, line p.at being the
// next.
func (p *unifiedParser) checkEnd(body hunkBody) error {
	next := p.lines.nextText(p.at)
	if body.counted && next > p.at || p.lines.isStart(next) || body.counted && p.lines.isSign(next) {
		return nil
	}
	if !p.lines.mayEnd(next) {
		return p.fail(next, "%s", p.lines.unmarked(next))
	}
	if _, more := p.lines.hunkLineAfter(next, body.counted); more && !(p.fenced && p.lines.closesFence(next)) {
		return p.fail(next, "%s", p.lines.unmarked(next))
	}
	return nil
}

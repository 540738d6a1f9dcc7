package patch

// Prose before the first section can look like its header: a list with dashes, a separator of a
// mail. git apply and patch pass over what looks so, since no "@@ -" follows. Models leave the
// numbers out, so here something else has to show that the lines are words: nothing after them is a
// change, and a section as programs write it follows.

// skipWords passes over words that look like the header of the first section, and says so. It
// reports whether there were any.
func (p *unifiedParser) skipWords() bool {
	if len(p.files) > 0 {
		return false
	}
	section, found := p.lines.afterWords(p.at)
	if found {
		p.warn("line %d looks like the header of a file, but no change follows: it was taken for words", p.at+1)
		p.at = section
	}
	return found
}

// afterWords returns the line where the first section begins, if the two lines at i look like the
// names of one, and are words.
func (l patchLines) afterWords(i int) (section int, found bool) {
	if !l.has(i, "--- ") || !l.has(i+1, "+++ ") || l.isNumbered(i+2) {
		return 0, false
	}
	for i += 2; i < len(l); i++ {
		switch {
		case hasPrefix(l[i], "diff --git "), l.has(i, "--- ") && l.has(i+1, "+++ ") && l.isNumbered(i+2):
			return i, true
		case hasAnyPrefix(l[i], "+", "-") && !hasAnyPrefix(l[i], "--", "++ "), isPatchMarker(l[i]), isBinaryNotice(l[i]):
			return 0, false
		}
	}
	return 0, false
}

// isNumbered reports whether line i is the header of a hunk, with numbers.
func (l patchLines) isNumbered(i int) bool {
	return l.has(i, "@@") && parseHunkHeader(l[i]).numbered()
}

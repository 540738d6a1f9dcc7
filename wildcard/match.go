package wildcard

import "strings"

// match reports whether the pattern matches the whole of s.
//
// On a mismatch only the latest star, or else the latest wildDirs or wildRest, is tried again with
// more text, never an earlier one: whatever an earlier one could take in addition, the later one
// can take instead. So the work is bounded by len(s) squared however many stars there are.
func (w *wild) match(s string) bool {
	if w.by != nil {
		return w.matchSpelled(s)
	}
	if !w.anyCase && !strings.Contains(s, w.must) {
		return false // nearly every name ends here: without it, a glob such as **/*test*/**/*.go takes 5 % more (2026-11-29)
	}
	star, starEnd := -1, 0   // the op after the latest *, and where its text ends
	cross, crossEnd := -1, 0 // the same for the latest wildDirs or wildRest
	for op, i := 0, 0; ; {
		if op == len(w.ops) {
			if i == len(s) {
				return true
			}
		} else if n := w.step(op, s[i:]); n >= 0 {
			switch w.ops[op].kind {
			case wildStar:
				star, starEnd = op+1, i
			case wildDirs, wildRest:
				star, cross, crossEnd = -1, op+1, i
			}
			op, i = op+1, i+n
			continue
		}
		switch {
		case star >= 0 && starEnd < len(s) && s[starEnd] != '/':
			_, size := w.first(s[starEnd:])
			starEnd += size
			op, i = star, starEnd
		case cross >= 0:
			n := w.crossing(cross-1, s[crossEnd:])
			if n == 0 {
				return false
			}
			crossEnd += n
			op, i = cross, crossEnd // the latest star can't grow: it is at a slash or at the end
		default:
			return false
		}
	}
}

// step returns how many bytes the op takes from the start of s at its first try, -1 if it can't
// match here.
func (w *wild) step(op int, s string) int {
	switch o := &w.ops[op]; o.kind {
	case wildText:
		if w.anyCase {
			return foldedPrefix(s, o.text)
		}
		if strings.HasPrefix(s, o.text) {
			return len(o.text)
		}
		return -1
	case wildSet:
		return w.oneOf(&o.set, s)
	case wildBelow:
		if s != "" && s[0] != '/' {
			return -1
		}
		return len(s)
	case wildRest:
		if op == len(w.ops)-1 {
			return len(s)
		}
	}
	return 0
}

// oneOf returns the length of the first character of s, -1 if it isn't in the set, or is a slash.
func (w *wild) oneOf(set *charSet, s string) int {
	if s == "" || s[0] == '/' {
		return -1
	}
	c, size := w.first(s)
	if set.has(c) || w.anySet && set.hasInAnyCase(c) {
		return size
	}
	return -1
}

// crossing returns by how many bytes of s a wildDirs or wildRest grows at its next try, 0 if it
// can't. It grows to just after the next slash. A wildRest that a slash must follow grows to the
// next slash that is not the first byte.
func (w *wild) crossing(op int, s string) int {
	if w.ops[op].kind == wildDirs || s == "" {
		return strings.IndexByte(s, '/') + 1
	}
	return strings.IndexByte(s[1:], '/') + 1
}

// literal returns the text of a pattern without wildcards.
func (w *wild) literal() (text string, ok bool) {
	switch {
	case len(w.ops) == 0:
		return "", true
	case len(w.ops) == 1 && w.ops[0].kind == wildText:
		return w.ops[0].text, true
	}
	return "", false
}

// needs is Pattern.Needs for these patterns; path says that the pattern is for whole paths. Then
// only the text at its end is sure to be in the name: any other may be in the name of a folder
// above.
func (w *wild) needs(path bool) (text string, atStart, atEnd bool) {
	if n := len(w.ops); n > 0 && w.ops[n-1].kind == wildText {
		text, atEnd = w.ops[n-1].text, true
	}
	switch slash := strings.LastIndexByte(text, '/'); {
	case slash >= 0:
		return text[slash+1:], true, true
	case !path && len(text) < len(w.must) && strings.IndexByte(text, '.') < 0:
		return w.must, false, false
	}
	return text, false, atEnd
}

package wildcard

// Spelling says which texts are one name in different spellings. A text in its folded form has each
// of its characters as one or several others, of which some may not count.
type Spelling interface {
	Fold(text string) string   // the folded form of what a pattern has as it is
	From(folded []rune) []rune // all characters of which folding makes this
	Most() int                 // so many characters are made of one at most
	Ignores(folded rune) bool  // the character doesn't count
}

// CompileSpelled compiles a pattern that Expand gave, to be compared with the folded form of whole
// paths. It matches a path if, as it is written, it matches any spelling of the path: "k?ß" matches
// what "kßSS" is folded to.
func CompileSpelled(pattern string, by Spelling) Pattern {
	p := CompileAnyCase(pattern, false)
	if p.wild == nil {
		return p
	}
	p.wild.by = by
	for i := range p.wild.ops {
		if op := &p.wild.ops[i]; op.kind == wildText {
			op.folded = []rune(by.Fold(op.text))
		}
	}
	return p
}

// spelled is where in a folded text the ops so far may have ended.
type spelled struct {
	by   Spelling
	text []rune
	ends []bool // one more than text has
	next []bool
}

// matchSpelled is match for a pattern of CompileSpelled. Its work is bounded by the lengths of the
// pattern and the text, multiplied.
func (w *wild) matchSpelled(text string) bool {
	runes := []rune(text)
	s := spelled{by: w.by, text: runes, ends: make([]bool, len(runes)+1), next: make([]bool, len(runes)+1)}
	s.ends[0] = true
	for i := range w.ops {
		if !s.after(&w.ops[i]) {
			return false
		}
	}
	for i, isEnd := range s.ends {
		if isEnd && s.skip(i) == len(runes) {
			return true
		}
	}
	return false
}

// skip gives the index of the next character that counts.
func (s *spelled) skip(i int) int {
	for i < len(s.text) && s.by.Ignores(s.text[i]) {
		i++
	}
	return i
}

// after goes on by one op. It reports whether there is still a way to match.
func (s *spelled) after(op *wildOp) bool {
	if op.kind == wildText {
		for _, c := range op.folded {
			if !s.move(func(i int) {
				if i = s.skip(i); i < len(s.text) && s.text[i] == c {
					s.next[i+1] = true
				}
			}) {
				return false
			}
		}
		return true
	}
	reached := -1 // what follows was marked from an earlier end
	return s.move(func(i int) {
		switch op.kind {
		case wildSet:
			s.oneOf(&op.set, i)
		case wildStar:
			for s.next[i] = true; i < len(s.text) && s.text[i] != '/' && !s.next[i+1]; i++ {
				s.next[i+1] = true
			}
		case wildDirs:
			s.next[i] = true
			for ; i < len(s.text) && i >= reached; i++ {
				s.next[i+1] = s.next[i+1] || s.text[i] == '/'
				reached = i + 1
			}
		case wildRest:
			for ; i <= len(s.text) && !s.next[i]; i++ {
				s.next[i] = true
			}
		case wildBelow:
			if i = s.skip(i); i == len(s.text) || s.text[i] == '/' {
				s.next[len(s.text)] = true
			}
		}
	})
}

// move calls step for each of the ends, which marks the next ones.
func (s *spelled) move(step func(i int)) (some bool) {
	clear(s.next)
	for i, isEnd := range s.ends {
		if isEnd {
			step(i)
		}
	}
	s.ends, s.next = s.next, s.ends
	for _, isEnd := range s.ends {
		some = some || isEnd
	}
	return some
}

// oneOf marks where a character of a set may end that begins at i.
func (s *spelled) oneOf(set *charSet, i int) {
	var seen []rune
	for ; i < len(s.text) && s.text[i] != '/' && len(seen) < s.by.Most(); i++ {
		c := s.text[i]
		if s.by.Ignores(c) {
			s.next[i+1] = s.next[i+1] || len(seen) == 0 && set.has(c)
			continue
		}
		seen = append(seen, c)
		s.next[i+1] = s.next[i+1] || set.hasOneOf(s.by.From(seen))
	}
}

// hasOneOf reports whether some characters in the set are among these, of a negated set none that
// it names: "[!a]" hasn't "A" by another spelling of "a".
func (set *charSet) hasOneOf(all []rune) bool {
	for _, c := range all {
		if set.has(c) != set.negated {
			return !set.negated
		}
	}
	return set.negated && len(all) > 0
}

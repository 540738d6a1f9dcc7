package regex

import (
	"bytes"
	"regexp/syntax"
	"slices"
	"strings"

	"fsbox/search/match/literal"
)

// parts finds the parts of a text that have matches which may span lines. No match goes across the
// bounds of a part, so an engine need only look at these.
type parts struct {
	a     *automaton
	text  []byte
	at    int    // all before it is done
	state uint32 // at that place
	over  bool   // the end of the text is done

	head literal.Finder // finds something in the first line of every match; nil if nothing is known
	lit  int            // where that is next, at or after at; before at if it isn't known
}

// parts gives the search for the parts of a text that have matches; nil if the automaton is no use.
func (e *Expr) parts(text []byte, m *Memory) *parts {
	if e.code == nil || e.sprawls.Load() {
		return nil
	}
	p := &parts{a: m.automaton.prepare(e.code), text: text, head: e.head, lit: -1}
	if p.state = p.a.start; e.head == nil {
		p.lit = len(text)
	}
	return p
}

// next gives the next part that has a match, but the last one may have none. ok is false if the
// states take too much memory: then what begins at start is still to be searched.
func (p *parts) next() (start, end int, found, ok bool) {
	a, text, class, limit := p.a, p.text, &p.a.code.class, p.a.row(firstState)
	for start = p.at; p.at < len(text); {
		if !found && p.state < a.quiet && p.at > p.lit {
			p.skip()
			start = p.at
			continue
		}
		s, i, next, table := p.state, p.at, uint32(0), a.table
		for ; i < len(text); i++ {
			next = table[s+uint32(class[text[i]])]
			if next < a.quiet {
				if found || next < limit || i >= p.lit {
					break
				}
				start = i + 1
			}
			s = next
		}
		a.read += i - p.at
		if p.state, p.at = s, i; i == len(text) {
			break
		}
		if next == unmade {
			if a.size > maxAutomaton {
				return start, 0, false, false
			}
			next = a.step(s, text[i])
		}
		if next == a.row(matched) {
			found, next = true, a.past[s+uint32(class[text[i]])]
		}
		p.goTo(next, i)
		if next < a.quiet {
			if found {
				return start, i + 1, true, true
			}
			start = p.at
		}
	}
	if p.over {
		return start, 0, false, true
	}
	p.over = true
	return start, len(text), found || a.matchesAtEnd(p.state), true
}

// skip goes from a place where no match is under way to the next line in which one may begin.
func (p *parts) skip() {
	if p.lit, _ = p.head.Find(p.text, p.at); p.lit < 0 {
		p.lit, p.at, p.over = len(p.text), len(p.text), true
	} else if line := bytes.LastIndexByte(p.text[p.at:p.lit], '\n') + 1; line > 0 {
		p.at, p.state = p.at+line, p.a.start
	}
}

// goTo goes to the state after the byte at i. In a line that can't match any more, it goes to the
// next one.
func (p *parts) goTo(next uint32, i int) {
	p.state, p.at = next, i+1
	if next == p.a.row(dead) {
		p.state, p.at = p.a.start, nextLine(p.text, i)
	}
}

// headOf gives the search for something that is in the first line of every match, or begins there;
// nil if nothing is known that is worth it.
func headOf(tree *syntax.Regexp) literal.Finder {
	r := required(firstLine(tree))
	if !r.useful() {
		return nil
	}
	// of several strings that overlap, the one that begins later may be found first
	if len(r.texts) > 1 && slices.ContainsFunc(r.texts, func(text string) bool { return strings.Contains(text, "\n") }) {
		return nil
	}
	if found := literal.Search(r.texts, r.fold); len(found) == 1 {
		return found[0]
	}
	return nil
}

// firstLine gives an expression that every match begins with, and that reads no line end before its
// last string. It matches everything if nothing is known.
func firstLine(re *syntax.Regexp) *syntax.Regexp {
	none := &syntax.Regexp{Op: syntax.OpEmptyMatch}
	switch {
	case re.Op == syntax.OpLiteral || !readsLineEnd(re):
		return re
	case re.Op == syntax.OpAlternate:
		all := *re
		all.Sub = nil
		for _, sub := range re.Sub {
			all.Sub = append(all.Sub, firstLine(sub))
		}
		return &all
	case re.Op != syntax.OpConcat:
		return none
	}
	n := slices.IndexFunc(re.Sub, readsLineEnd)
	all := *re
	all.Sub = append(slices.Clone(re.Sub[:n]), firstLine(re.Sub[n]))
	return &all
}

// readsLineEnd reports whether what an expression matches may have a line end.
func readsLineEnd(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpAnyChar:
		return true
	case syntax.OpLiteral:
		return slices.Contains(re.Rune, '\n')
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			if re.Rune[i] <= '\n' && '\n' <= re.Rune[i+1] {
				return true
			}
		}
	}
	return slices.ContainsFunc(re.Sub, readsLineEnd)
}

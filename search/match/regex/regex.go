package regex

import (
	"regexp/syntax"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"fsbox/search/match/literal"
)

// Query is an expression in RE2 syntax, and what its matches must be.
type Query struct {
	Text       string
	IgnoreCase bool // Unicode simple folding
	WholeWord  bool // no letter, mark, digit or underscore right before or after a match
	Multiline  bool // matches may span lines; "." matches "\n" too
	Engine     Engine
}

// Engine says what finds the matches. Tests ask for one.
type Engine uint8

const (
	Either Engine = iota // package regexp for little text, then RE2 if it is available
	RE2                  // from the start
	Go                   // package regexp alone
)

// Error says why an expression can't be searched.
type Error struct {
	Message  string
	Position int // where the mistake is in Query.Text, in code points; -1 if unknown
}

func (e *Error) Error() string { return e.Message }

// Expr is a compiled expression. It is safe for use by many goroutines.
type Expr struct {
	Needs   []literal.Finder // every matching line has something that one of these finds; empty if nothing is known
	Spans   bool             // what Needs find may span lines
	KeepsCR bool             // the pattern asks for "\r"

	query  Query
	tree   *syntax.Regexp
	weight int
	code   *bytecode      // for the automaton: what a matching line contains; nil if that is impossible or no use
	head   literal.Finder // see parts
	splits bool           // RE2 would match inside characters, see program.pick

	thrashes atomic.Bool  // code makes too many states to save time
	explodes atomic.Bool  // RE2 would make too many as well
	sprawls  atomic.Bool  // code makes too many states for a text with matches across lines
	running  atomic.Int32 // number of calls of programs under way

	lines     *program // see lineFilter
	exact     *program // the expression itself
	later     *program // the expression for a text whose first character is only context: that is a match by itself
	wordStart *program // see wordAtStart
	wordLater *program // see wordAfter
}

// Memory is what the searches of one worker use, one after the other. The zero value is ready.
type Memory struct {
	automaton automaton // of the expression searched last
	hits      []int
	valid     []byte
}

// Compile prepares a query. One that can't be searched gives an *Error.
func Compile(q Query) (*Expr, error) {
	tree, err := parse(q)
	if err != nil {
		return nil, err
	}
	e := &Expr{query: q, tree: tree, weight: weigh(tree), KeepsCR: mentionsCR(q.Text), splits: hasOp(tree, syntax.OpNoWordBoundary)}
	if r := required(tree); r.useful() {
		e.Needs = literal.Search(r.texts, r.fold)
		e.Spans = slices.ContainsFunc(r.texts, func(text string) bool { return strings.Contains(text, "\n") })
	}
	e.lines = newProgram(e, func() string { return lineFilter(tree, q.WholeWord) })
	e.exact = newProgram(e, tree.String)
	e.later = newProgram(e, func() string { return `\A(?s:.)|` + withoutTextStart(tree).String() })
	e.wordStart = newProgram(e, func() string { return wordAtStart(tree) })
	e.wordLater = newProgram(e, func() string { return wordAfter(tree) })
	e.code, err = newBytecode(inLine(tree, q.WholeWord), q.Multiline)
	if e.code != nil && len(e.Needs) == 0 && !q.Multiline {
		e.Needs = literal.SearchShapes(shapesOf(tree, q.WholeWord))
	}
	if q.Multiline {
		e.head = headOf(tree)
	}
	return e, err
}

// Literal gives the string that the expression is equal to, if it is only a literal, and whether
// case is ignored.
func (e *Expr) Literal() (s string, fold, ok bool) {
	if e.tree.Op != syntax.OpLiteral || slices.Contains(e.tree.Rune, placeholder) { // which also matches an invalid byte
		return "", false, false
	}
	r := requiredLiteral(e.tree)
	if r == nil {
		return "", false, false
	}
	return r.texts[0], r.fold, true
}

// IsRunning reports whether a search is inside an engine, which can't be interrupted.
func (e *Expr) IsRunning() bool { return e.running.Load() > 0 }

const (
	// minReuse is how many bytes must be read for each state that is made: below that, RE2 is
	// faster.
	minReuse = 32

	// minReuseRE2 is the same for RE2, which makes states as well: below that, package regexp,
	// which makes none, is faster. In source code it is 50 and more for any expression we tried; in
	// text that is made to have many states, it is 1.
	minReuseRE2 = 4

	// maxHits is the most matching lines that an engine finds in one call.
	maxHits = 1024
)

// Lines gives an offset in each matching line of a text, ascending, in memory that the next call
// uses again. For whole words it may give lines that don't match: see lineFilter. If more is set,
// only the lines up to the last one given have been searched.
func (e *Expr) Lines(text []byte, m *Memory) (hits []int, more bool, err error) {
	text = m.Valid(text)
	if hits, ok := e.runAutomaton(text, m); ok {
		return hits, false, nil
	}
	matches, err := e.lines.all(text, maxHits)
	m.hits = m.hits[:0]
	for _, match := range matches {
		m.hits = append(m.hits, match[0])
	}
	return m.hits, len(m.hits) == maxHits, err
}

// MayMatch reports whether a text, by line one line or a piece of it, may match: it is false only
// if there is nothing of what every match has, or if the automaton finds no match.
func (e *Expr) MayMatch(text []byte, m *Memory) bool {
	if len(e.Needs) > 0 && !slices.ContainsFunc(e.Needs, func(f literal.Finder) bool { at, _ := f.Find(text, 0); return at >= 0 }) {
		return false
	}
	if e.query.Multiline {
		return true
	}
	hits, ok := e.runAutomaton(m.Valid(text), m)
	return !ok || len(hits) > 0
}

// runAutomaton gives an offset in each matching line of a valid text, as far as the automaton can
// tell: ok is false if it can't. An automaton with too many states gives up its memory. If it read
// few bytes for each state, it is not used again by line; if very few, RE2 isn't either.
func (e *Expr) runAutomaton(text []byte, m *Memory) (hits []int, ok bool) {
	if e.code == nil || e.thrashes.Load() {
		return nil, false
	}
	a := m.automaton.prepare(e.code)
	if hits, ok = a.find(text, m.hits[:0]); ok {
		m.hits = hits
		return hits, true
	}
	if a.isWasteful(minReuse) {
		e.thrashes.Store(true)
	}
	e.drop(a)
	return nil, false
}

// drop takes the memory of an automaton that has too many states.
func (e *Expr) drop(a *automaton) {
	if a.isWasteful(minReuseRE2) {
		e.explodes.Store(true)
	}
	a.drop()
}

// Matches finds up to n matches that don't overlap, as pairs of byte offsets. The text must be
// valid UTF-8.
func (e *Expr) Matches(text []byte, n int) ([][]int, error) { return e.exact.all(text, n) }

// Each yields the matches in a valid text, in order, without overlap, until yield returns false.
// They may span lines. Only the parts that the automaton finds are searched by an engine.
func (e *Expr) Each(text []byte, m *Memory, yield func(start, end int) bool) (err error) {
	each := eachMatch{e: e, text: text, last: -1, yield: yield}
	e.EachPart(text, m, func(start, end int) bool {
		err = each.in(start, end)
		return err == nil && !each.stopped
	})
	return err
}

// EachPart yields the parts of a valid text that may have matches, in order, until yield returns
// false. No match goes across the end of a part.
func (e *Expr) EachPart(text []byte, m *Memory, yield func(start, end int) (more bool)) {
	from, p := 0, e.parts(text, m)
	for p != nil {
		start, end, found, ok := p.next()
		if !ok { // too many states: the automaton isn't used again
			e.sprawls.Store(true)
			e.drop(p.a)
			from = start
			break
		}
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end++
		}
		if !found || !yield(runeStart(text, start), end) {
			return
		}
	}
	yield(runeStart(text, from), len(text))
}

// eachMatch yields the matches in parts of a text.
type eachMatch struct {
	e       *Expr
	text    []byte
	last    int // end of the match before; -1 if there is none
	yield   func(start, end int) bool
	stopped bool // yield has returned false
}

// in yields the matches of a part. An empty one right after another match doesn't count. The engine
// gets the characters around the part too, which assertions look at.
func (m *eachMatch) in(start, end int) error {
	from, to := start, end
	if m.e.asserts() {
		_, size := utf8.DecodeRune(m.text[to:])
		from, to = RuneBefore(m.text, from), to+size
	}
	for !m.stopped {
		matches, err := m.e.matchesAfter(m.text[:to], from)
		for _, match := range matches {
			s, e := match[0], match[1]
			if s < start || s >= end && end < len(m.text) || s == e && s == m.last {
				continue
			}
			if m.last = e; !m.yield(s, e) {
				m.stopped = true
				break
			}
		}
		if err != nil || len(matches) < wholeHits {
			return err
		}
		from = matches[len(matches)-1][1]
	}
	return nil
}

// wholeHits bounds the matches that an engine finds in one call.
const wholeHits = 64 << 10

// asserts reports whether what is around a match may matter.
func (e *Expr) asserts() bool { return e.code == nil || e.code.asserts }

// matchesAfter finds the matches after those that end at from, at most wholeHits.
func (e *Expr) matchesAfter(text []byte, from int) ([][]int, error) {
	if from == 0 {
		return e.Matches(text, wholeHits)
	}
	base, context := from, 0
	find := e.exact
	if e.asserts() {
		base, context, find = RuneBefore(text, from), 1, e.later
	}
	matches, err := find.all(text[base:], wholeHits+context)
	for _, match := range matches {
		match[0], match[1] = match[0]+base, match[1]+base
	}
	return matches[min(context, len(matches)):], err
}

// Word finds the first match at or after from that is a whole word. The text must be valid UTF-8.
func (e *Expr) Word(text []byte, from int) (start, end int, ok bool, err error) {
	base, find := 0, e.wordStart
	if from > 0 {
		base, find = RuneBefore(text, from), e.wordLater
	}
	start, end, ok, err = find.group(text[base:])
	return base + start, base + end, ok, err
}

// RuneBefore gives the start of the character that ends at at.
func RuneBefore(text []byte, at int) int {
	_, size := utf8.DecodeLastRune(text[:at])
	return at - size
}

// runeStart moves at back to where a character of a valid text begins.
func runeStart(text []byte, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// placeholder stands for an invalid byte while a regular expression runs. It is what Unicode calls
// "substitute": "." matches it, names and numbers don't.
const placeholder = 0x1A

// Valid returns text as valid UTF-8 of the same length: itself, or a copy with each invalid byte
// replaced, which is good until the next call.
func (m *Memory) Valid(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	m.valid = append(m.valid[:0], text...)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			m.valid[i] = placeholder
		}
		i += size
	}
	return m.valid
}

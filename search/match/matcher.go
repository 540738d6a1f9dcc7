package match

import (
	"context"
	"fmt"
	"io"
	"math"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"fsbox/textio/charset"
)

// Query is what to look for.
type Query struct {
	Text       string // a literal, or a regular expression if Regex is set; not empty
	Regex      bool   // Text is a regular expression in RE2 syntax
	IgnoreCase bool   // Unicode simple folding
	WholeWord  bool   // no letter, mark, digit or underscore right before or after a match
	Multiline  bool   // matches may span lines; "." matches "\n" too
	Portable   bool   // use package regexp even where RE2 is available
}

// PatternError says why a query can't be searched.
type PatternError struct {
	Message  string
	Position int // where the mistake is in Query.Text, in code points; -1 if unknown
}

func (e *PatternError) Error() string { return e.Message }

// TooLargeForMultilineError reports a file that a multiline search won't load.
type TooLargeForMultilineError struct {
	Size, Limit int64 // bytes
}

func (e *TooLargeForMultilineError) Error() string {
	return fmt.Sprintf("file of %d bytes is over the limit of %d for a multiline search", e.Size, e.Limit)
}

// LineOptions say how much of one file to report.
type LineOptions struct {
	Before, After int   // context lines around each match
	MaxLines      int   // matching lines to report; 0 = all
	MaxMultiline  int64 // largest file a multiline search loads, in bytes; 0 = 64 MiB, which is also the most
	CountOnly     bool  // count matching lines, yield none
	FirstOnly     bool  // stop at the first matching line, yield none: Count is 0 or 1
	Force         bool  // search a binary file too
}

// LineMatch is one matching line. Offsets are in code points from the start of the line; an invalid
// UTF-8 byte is one code point and shows as U+FFFD.
type LineMatch struct {
	Line, EndLine int64    // 1-based; EndLine > Line only for multiline matches
	Snippet       string   // the line without its end, of a multiline match all its lines, at most 200 code points
	SnippetStart  int      // code points of the line cut off in front of Snippet
	SnippetCut    bool     // Snippet is a part of the line
	Start, End    int      // the first match
	Submatches    [][2]int // the matches that begin in the snippet if they are several, else nil
	MoreMatches   bool     // the line has matches besides Start, End and Submatches
	Before, After []string // context lines, cut to 200 code points each
	ContextCut    bool     // at least one of them was longer
}

// LineResult sums up one file.
type LineResult struct {
	Count     int64 // matching lines found, at most MaxLines
	Binary    bool  // not searched: the file is binary
	Truncated bool  // stopped at MaxLines with at least one more matching line
}

// Buffers is the memory of one worker, reused from file to file. The zero value is ready; it must
// not be shared between goroutines. It grows with the longest line met, up to 1 MiB a buffer, and
// to the size of the file in a multiline search.
type Buffers struct {
	text, raw []byte
	gathered  []byte // candidate lines
	valid     []byte // copy of text that isn't valid UTF-8
	segments  []segment
	hits      []int
	spans     [][2]int
	before    []around // lines in front of a match
	blocks    blocks   // state for the current file: small, but kept here so that it isn't allocated for every file
	report    report
	cursor    cursor
	automaton automaton // of the matcher that used the buffers last
}

// Matcher finds the lines of a file that match a Query. It is safe for use by many goroutines.
//
// Lines end at "\n". A "\r" before it is not part of the line, unless the query asks for "\r". In
// invalid UTF-8, a literal is compared byte by byte; to a regular expression an invalid byte is the
// control character U+001A.
//
// A line longer than 1 MiB is searched in overlapping pieces. A literal is found all the same, but
// a regular expression takes a piece for the whole line, so matches of more than 64 KiB may come
// out cut, or be missed at a cut.
type Matcher struct {
	query   Query
	literal finder   // what to look for, if it is a plain string
	needs   []finder // otherwise: every match contains one of the strings that these find; empty if none are known
	keepCR  bool
	sizes   sizes

	quick     *bytecode                // the expression, to find matching lines without RE2; nil if that is impossible or no use
	thrashes  atomic.Bool              // quick makes too many states to save time
	explodes  atomic.Bool              // RE2 would make too many as well
	sample    *bytecode                // the same for a multiline search, see probe
	splits    bool                     // RE2 would match inside characters, see program.pick
	filter    *program                 // see lineFilter; in a multiline search, the expression itself
	exact     func() (*program, error) // the expression itself
	wordStart func() (*program, error) // see wordAtStart
	wordAfter func() (*program, error) // see wordAfter
	rest      func() (*program, error) // the expression for a text that begins after the start of the file
	after     func() (*program, error) // the same where the first character is only context: that is a match by itself

	running atomic.Int32 // number of calls of programs under way
}

// IsRunning reports whether a search is inside a regular expression, which can't be interrupted.
func (m *Matcher) IsRunning() bool { return m.running.Load() > 0 }

// Compile prepares a query. One that can't be searched gives a *PatternError.
func Compile(q Query) (*Matcher, error) {
	if q.Text == "" {
		return nil, &PatternError{"the query is empty", -1}
	}
	m := &Matcher{query: q}
	var err error
	if q.Regex {
		err = m.useExpression()
	} else {
		err = m.useLiteral(q.Text)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// useLiteral sets the matcher up for a plain string.
func (m *Matcher) useLiteral(s string) error {
	if at := strings.IndexByte(s, '\n'); at >= 0 && !m.query.Multiline {
		return patternErrorAt(s, at, acrossLines)
	}
	if m.query.IgnoreCase && !utf8.ValidString(s) {
		return patternErrorAt(s, invalidAt(s), "a search that ignores case needs valid UTF-8")
	}
	if m.query.Multiline {
		s = strings.ReplaceAll(s, "\r\n", "\n")
	}
	m.literal = newFinder(s, m.query.IgnoreCase)
	m.keepCR = strings.Contains(s, "\r")
	overlap := snippetRoom + 3*len(s) // a case variant may be three times as long
	m.sizes = sizes{blockStep, max(maxPiece, 4*overlap), overlap}
	return nil
}

// regexOverlap is how long a match across a cut in a long line may be, in bytes.
const regexOverlap = 64 << 10

// useExpression sets the matcher up for a regular expression, or for a literal if the expression is
// no more than that.
func (m *Matcher) useExpression() error {
	e, err := parse(m.query)
	if err != nil {
		return err
	}
	if s, fold, ok := e.literal(); ok {
		m.query.IgnoreCase = fold
		return m.useLiteral(s)
	}
	m.keepCR, m.splits = e.keepCR, hasOp(e.tree, syntax.OpNoWordBoundary)
	m.sizes = sizes{blockStep, maxPiece, regexOverlap}
	if r := required(e.tree); r.useful() {
		m.needs = r.search()
	}
	if m.query.Multiline {
		m.sample = newBytecode(inLine(e.tree, m.query.WholeWord))
	}
	return m.write(e)
}

// write sets up the programs. The one that every file needs is compiled at once, the others when
// first used.
func (m *Matcher) write(e *expression) error {
	lazy := func(expr func() string) func() (*program, error) {
		return sync.OnceValues(func() (*program, error) { return m.compile(expr()) })
	}
	multiline := m.query.Multiline
	m.exact = lazy(e.tree.String)
	m.wordStart = lazy(func() string { return wordAtStart(e.tree, multiline) })
	m.wordAfter = lazy(func() string { return wordAfter(e.tree, multiline) })
	m.rest = lazy(func() string { return withoutTextStart(e.tree).String() })
	m.after = lazy(func() string { return `\A(?s:.)|` + withoutTextStart(e.tree).String() })
	var err error
	switch {
	case !multiline:
		m.quick = newBytecode(inLine(e.tree, m.query.WholeWord))
		m.filter, err = m.compile(lineFilter(e.tree, m.query.WholeWord))
	case m.query.WholeWord:
		m.filter, err = m.wordStart()
	default:
		m.filter, err = m.exact()
	}
	return err
}

// Search yields the matching lines of the first size bytes of r, with size 0 of all of it, in
// order, until yield returns false. buf may be nil. It returns the error of ctx, of r, or a
// *TooLargeForMultilineError, along with what was found until then.
func (m *Matcher) Search(ctx context.Context, r io.ReaderAt, size int64, o LineOptions, buf *Buffers,
	yield func(LineMatch) bool) (LineResult, error) {
	if buf == nil {
		buf = new(Buffers)
	}
	src, rep := &buf.blocks, &buf.report
	*src = blocks{ctx: ctx, r: r, stated: size, end: size, sizes: m.sizes, buf: buf.text, raw: buf.raw}
	if size == 0 {
		src.end = math.MaxInt64 // in /proc all sizes are 0: the end of the file is found by reading
	}
	src.holes, _ = r.(Sparse)
	// if it is false, each \r is dropped later, from the lines that need it: see withoutCR
	src.foldCR = !m.keepCR && (m.query.Multiline || m.literal == nil && len(m.needs) == 0)
	defer func() { buf.text, buf.raw = src.buf, src.raw }()
	*rep = report{o: o, m: m, buf: buf, yield: yield, dropCR: !src.foldCR}
	if m.query.Multiline {
		return rep.searchWhole(src)
	}
	return rep.searchLines(src)
}

// spans appends to dst the matches that start in text[from:to] and don't overlap, at most limit of
// them. The text is one line, or with from > 0 a piece of it.
func (m *Matcher) spans(text []byte, from, to, limit int, buf *Buffers, dst [][2]int) ([][2]int, error) {
	switch {
	case m.literal != nil:
		m.eachLiteral(text, from, func(s, e int) bool {
			if s < to {
				dst = append(dst, [2]int{s, e})
			}
			return s < to && len(dst) < limit
		})
		return dst, nil
	case m.query.WholeWord:
		return m.wordSpans(text, from, to, limit, buf, dst)
	}
	return m.regexSpans(text, from, to, limit, buf, dst)
}

// eachLiteral yields the occurrences of the literal at or after from, without overlap.
func (m *Matcher) eachLiteral(text []byte, from int, yield func(start, end int) bool) {
	for {
		s, e := m.findLiteral(text, from)
		if s < 0 || !yield(s, e) {
			return
		}
		from = e
	}
}

// findLiteral finds the literal, as a whole word if so asked, at or after from.
func (m *Matcher) findLiteral(text []byte, from int) (int, int) {
	for {
		s, e := m.literal.find(text, from)
		if s < 0 || !m.query.WholeWord || charset.IsWholeWord(text, s, e) {
			return s, e
		}
		_, size := utf8.DecodeRune(text[s:])
		from = s + size
	}
}

// regexSpans is spans for a regular expression. The engine gets the character before from as well,
// for ^ and \b.
func (m *Matcher) regexSpans(text []byte, from, to, limit int, buf *Buffers, dst [][2]int) ([][2]int, error) {
	base := runeBefore(text, from)
	exact, err := m.exact()
	if err != nil {
		return dst, err
	}
	matches, err := exact.all(validText(text[base:], &buf.valid), limit+1)
	for _, match := range matches {
		if s := base + match[0]; s >= from && s < to && len(dst) < limit {
			dst = append(dst, [2]int{s, base + match[1]})
		}
	}
	return dst, err
}

// wordSpans uses the plain matches if all of them are whole words, as they mostly are. Otherwise it
// finds one whole word after the other: RE2 has no look-around, so the pattern for a whole word
// also matches the character after it, which may be the character before the next word.
func (m *Matcher) wordSpans(text []byte, from, to, limit int, buf *Buffers, dst [][2]int) ([][2]int, error) {
	text = validText(text, &buf.valid)
	dst, err := m.regexSpans(text, from, to, limit, buf, dst)
	if err != nil || !slices.ContainsFunc(dst, func(s [2]int) bool { return !charset.IsWholeWord(text, s[0], s[1]) }) {
		return dst, err
	}
	dst = dst[:0]
	err = m.eachWord(text, from, func(s, e int) bool {
		if s < to {
			dst = append(dst, [2]int{s, e})
		}
		return s < to && len(dst) < limit
	})
	return dst, err
}

// eachWord yields the whole words at or after from in valid text, without overlap. As in any other
// search, an empty match right after another match doesn't count.
func (m *Matcher) eachWord(text []byte, from int, yield func(start, end int) bool) error {
	for last := -1; from <= len(text); {
		s, e, ok, err := m.findWord(text, from)
		if err != nil || !ok || (s < e || s != last) && !yield(s, e) {
			return err
		}
		from, last = afterMatch(text, s, e), e
	}
	return nil
}

// findWord finds the first whole word at or after from in valid text.
func (m *Matcher) findWord(text []byte, from int) (start, end int, ok bool, err error) {
	base, find := 0, m.wordStart
	if from > 0 {
		base, find = runeBefore(text, from), m.wordAfter
	}
	p, err := find()
	if err != nil {
		return 0, 0, false, err
	}
	start, end, ok, err = p.group(text[base:])
	return base + start, base + end, ok, err
}

// runeBefore gives the start of the character that ends at at.
func runeBefore(text []byte, at int) int {
	_, size := utf8.DecodeLastRune(text[:at])
	return at - size
}

// TextSize is about how many bytes of an answer a line takes: its text, with that of its context,
// and its submatches as digits.
func (l *LineMatch) TextSize() int64 {
	size := len(l.Snippet)
	for _, around := range [...][]string{l.Before, l.After} {
		for _, text := range around {
			size += len(text)
		}
	}
	if n := len(l.Submatches); n > 0 {
		size += n * (len("[,],") + 2*len(strconv.Itoa(l.Submatches[n-1][1]))) // the numbers before it are not longer
	}
	return int64(size)
}

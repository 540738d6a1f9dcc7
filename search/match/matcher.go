package match

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fsbox/search/match/literal"
	"fsbox/search/match/regex"
	"fsbox/textio/anchor"
	"fsbox/textio/charset"
)

// Query is what to look for.
type Query struct {
	Text       string // a literal, or a regular expression if Regex is set; not empty
	Regex      bool   // Text is a regular expression in RE2 syntax
	IgnoreCase bool   // Unicode simple folding
	WholeWord  bool   // no letter, mark, digit or underscore right before or after a match
	Multiline  bool   // matches may span lines; "." matches "\n" too
	Engine     regex.Engine
}

// PatternError says why a query can't be searched.
type PatternError = regex.Error

// TooLargeForMultilineError reports a file that a multiline search won't load.
type TooLargeForMultilineError struct {
	Size, Limit int64 // bytes
}

func (e *TooLargeForMultilineError) Error() string {
	return fmt.Sprintf("file of %d bytes is over the limit of %d for a multiline search", e.Size, e.Limit)
}

// LineOptions say how much of one file to report.
type LineOptions struct {
	Before, After int      // context lines around each match
	MaxLines      int      // matching lines, or matches of a multiline search, to report; 0 = all
	MaxMultiline  int64    // largest file a multiline search loads, in bytes; 0 = 64 MiB, which is also the most
	CountOnly     bool     // count them, yield none
	FirstOnly     bool     // stop at the first matching line, yield none: Count is 0 or 1
	Force         bool     // search a binary file too
	Anchors       bool     // give lines their hashes, for IDs
	Workers       int      // goroutines that may search one large file; at most one if 0
	Else          *Matcher // of another query, for LineResult.Lacks; may be nil
	Also          *Also    // for LineResult.Also; may be nil
}

// LineMatch is one matching line, or one match of a multiline search. Offsets are in code points
// from the start of the line; an invalid UTF-8 byte is one code point and shows as U+FFFD.
type LineMatch struct {
	Line, EndLine int64         // 1-based; EndLine > Line only for multiline matches
	Nth           int           // of a multiline search: how many matches before it begin in the same line
	Snippet       string        // the line without its end, of a multiline match all its lines, at most 200 code points
	SnippetStart  int           // code points of the line cut off in front of Snippet
	Start, End    int           // the first match
	Submatches    [][2]int      // the matches that begin in the snippet if they are several, else nil
	Before, After []string      // context lines, cut to 200 code points each
	Anchored      *anchor.Lines // with LineOptions.Anchors: these lines, as yet without IDs
	SnippetCut    bool          // Snippet is a part of the line
	MoreMatches   bool          // the line has matches besides Start, End and Submatches
	ContextCut    bool          // a line of Before or After was longer
}

// LineResult sums up one file.
type LineResult struct {
	Count     int64 // matching lines, or matches of a multiline search, at most MaxLines
	Binary    bool  // not searched: the file is binary
	Truncated bool  // stopped at MaxLines with at least one more
	Lacks     bool  // of a search by line: there is no match, and certainly none of LineOptions.Else
	Also      AlsoResult
}

// Buffers is the memory of one worker, reused from file to file. The zero value is ready; it must
// not be shared between goroutines. It grows with the longest line met, up to 1 MiB a buffer, and
// to the size of the file in a multiline search.
type Buffers struct {
	text, raw []byte
	gathered  []byte // candidate lines
	segments  []segment
	spans     [][2]int
	before    []around // lines in front of a match
	blocks    blocks   // state for the current file: small, but kept here so that it isn't allocated for every file
	report    report
	cursor    cursor
	regex     regex.Memory
	other     regex.Memory // for LineOptions.Else
	also      *Buffers     // for LineOptions.Also
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
	literal literal.Finder // what to look for, if it is a plain string
	regex   *regex.Expr    // otherwise
	keepCR  bool
	sizes   sizes
}

// IsRunning reports whether a search is inside a regular expression, which can't be interrupted.
func (m *Matcher) IsRunning() bool { return m.regex != nil && m.regex.IsRunning() }

// Compile prepares a query. One that can't be searched gives a *PatternError.
func Compile(q Query) (*Matcher, error) {
	if q.Text == "" {
		return nil, &PatternError{Message: "the query is empty", Position: -1}
	}
	m := &Matcher{query: q}
	if q.Regex {
		return m, m.useExpression()
	}
	return m, m.useLiteral(q.Text)
}

// useLiteral sets the matcher up for a plain string.
func (m *Matcher) useLiteral(s string) error {
	if strings.Contains(s, "\n") && !m.query.Multiline {
		return &PatternError{Message: regex.AcrossLines, Position: -1}
	}
	if m.query.IgnoreCase && !utf8.ValidString(s) {
		return &PatternError{Message: "a search that ignores case needs valid UTF-8", Position: -1}
	}
	if m.query.Multiline {
		s = strings.ReplaceAll(s, "\r\n", "\n")
	}
	m.literal = literal.New(s, m.query.IgnoreCase)
	m.keepCR = strings.Contains(s, "\r")
	overlap := snippetRoom + 3*len(s) // a case variant may be three times as long
	m.sizes = newSizes(max(maxPiece, 4*overlap), overlap)
	return nil
}

// regexOverlap is how long a match across a cut in a long line may be, in bytes.
const regexOverlap = 64 << 10

// useExpression sets the matcher up for a regular expression, or for a literal if the expression is
// no more than that.
func (m *Matcher) useExpression() error {
	q := m.query
	e, err := regex.Compile(regex.Query{Text: q.Text, IgnoreCase: q.IgnoreCase, WholeWord: q.WholeWord, Multiline: q.Multiline,
		Engine: q.Engine})
	if err != nil {
		return err
	}
	if s, fold, ok := e.Literal(); ok {
		m.query.IgnoreCase = fold
		return m.useLiteral(s)
	}
	m.regex, m.keepCR = e, e.KeepsCR
	m.sizes = newSizes(maxPiece, regexOverlap)
	return nil
}

// LooksLikeRegex reports whether a query is a valid regular expression, and more likely meant as
// such than as plain text. What code has as well doesn't count, such as the || of a condition or
// the \n of a format, nor a sign that is also in the text that may be meant.
func LooksLikeRegex(query, text string) bool {
	telling := strings.NewReplacer("||", "", " | ", "", `\\`, "", `\n`, "", `\r`, "", `\t`, "", `\"`, "", `\'`, "").Replace(query)
	isSign := func(s string) bool { return strings.Contains(telling, s) && !strings.Contains(text, s) }
	if !slices.ContainsFunc([]string{"|", `\`, ".*", ".+", "]+"}, isSign) {
		return false
	}
	_, err := syntax.Parse(query, syntax.Perl)
	return err == nil
}

// RegexEngine is what runs regular expressions in this process: "re2", or "go" for package regexp,
// which is slower, if RE2 isn't available.
func RegexEngine() string { return regex.EngineName() }

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
	buf.text, buf.raw = nil, nil // until the end: see searchWhole
	if size == 0 {
		src.end = math.MaxInt64 // in /proc all sizes are 0: the end of the file is found by reading
	}
	// if it is false, each \r is dropped later, from the lines that need it: see withoutCR
	foldCR := !m.keepCR && (m.query.Multiline || m.regex != nil && len(m.regex.Needs) == 0)
	defer func() { buf.text, buf.raw = src.buf, src.raw }()
	*rep = report{o: o, m: m, buf: buf, yield: yield, foldCR: foldCR, anchors: anchors{wanted: o.Anchors},
		also: newCounter(o.Also, m, buf)}
	search := rep.searchLines
	if m.query.Multiline {
		search = rep.searchWhole
	}
	result, err := search(src)
	if o.Also != nil {
		result.Also = rep.also.result
	}
	return result, err
}

// mayMatch reports whether a block may have a match: it is false only if there certainly is none.
// all says that the block is the whole file.
func (m *Matcher) mayMatch(b block, all bool, mem *regex.Memory) bool {
	spans := m.query.Multiline && (m.regex == nil || m.regex.Spans)
	byEnd := spans || m.regex != nil && !m.query.Multiline // it matters how lines end
	switch {
	case b.piece, spans && !all, byEnd && bytes.IndexByte(b.text, '\r') >= 0:
		return true
	case m.literal != nil:
		at, _ := m.literal.Find(b.text, 0)
		return at >= 0
	}
	return m.regex.MayMatch(b.text, mem)
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
		s, e := m.literal.Find(text, from)
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
	base := regex.RuneBefore(text, from)
	matches, err := m.regex.Matches(buf.regex.Valid(text[base:]), limit+1)
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
	text = buf.regex.Valid(text)
	dst, err := m.regexSpans(text, from, to, limit, buf, dst)
	if err != nil || !slices.ContainsFunc(dst, func(s [2]int) bool { return !charset.IsWholeWord(text, s[0], s[1]) }) {
		return dst, err
	}
	dst = dst[:0]
	last := -1
	err = m.eachWord(text, from, &last, func(s, e int) bool {
		if s < to {
			dst = append(dst, [2]int{s, e})
		}
		return s < to && len(dst) < limit
	})
	return dst, err
}

// eachWord yields the whole words at or after from in valid text, without overlap. As in any other
// search, an empty match right after another match, which ends at last, doesn't count.
func (m *Matcher) eachWord(text []byte, from int, last *int, yield func(start, end int) bool) error {
	for from <= len(text) {
		s, e, ok, err := m.regex.Word(text, from)
		if err != nil || !ok || (s < e || s != *last) && !yield(s, e) {
			return err
		}
		from, *last = afterMatch(text, s, e), e
	}
	return nil
}

// TextSize is about how many bytes of an answer a line takes: its text, with that of its context,
// of which an empty line takes some as well, and its submatches as digits.
func (l *LineMatch) TextSize() int64 {
	size := len(l.Snippet)
	for _, around := range [...][]string{l.Before, l.After} {
		for _, text := range around {
			size += len(text) + len(`"",`)
		}
	}
	if n := len(l.Submatches); n > 0 {
		size += n * (len("[,],") + 2*len(strconv.Itoa(l.Submatches[n-1][1]))) // the numbers before it are not longer
	}
	return int64(size)
}

package match

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"regexp/syntax"
	"sync"
	"unicode/utf8"

	"github.com/wasilibs/go-re2"
)

// program is a compiled regular expression. RE2 runs in a memory of its own: each call copies the
// text there, so calls are worth their cost (some 300 ns) for whole blocks only. It is safe for use
// by many goroutines.
type program struct {
	engine engine
	frugal func() engine // the same expression for package regexp, see pick
	m      *Matcher
}

// engine is a regular expression compiled by RE2 or by package regexp. In valid UTF-8 both find the
// same matches.
type engine interface {
	FindAllIndex(text []byte, n int) [][]int
	FindSubmatchIndex(text []byte) []int
}

// startRE2 starts RE2 and reports whether it can be used. RE2 takes 4 GiB of address space, once
// for the whole process; where the process may not have that much, go-re2 panics.
// startRE2 also keeps RE2 from writing to stderr. RE2 logs there when a search outgrows its state
// cache, though it then finishes by other means. It has no option against that, but looks at
// os.Stderr only once, when it is first used.
var startRE2 = sync.OnceValue(func() (ok bool) {
	stderr := os.Stderr
	os.Stderr = nil // a nil *os.File refuses writes without a panic
	defer func() {
		os.Stderr = stderr
		ok = recover() == nil && ok
	}()
	re, err := re2.Compile("a")
	return err == nil && re.Match([]byte("a"))
})

// RegexEngine is what runs regular expressions in this process: "re2", or "go" for package regexp,
// which is slower, if RE2 isn't available. It starts RE2.
func RegexEngine() string {
	if startRE2() {
		return "re2"
	}
	return "go"
}

// compile compiles an expression with RE2, or with package regexp if the query asks for that or RE2
// isn't available.
func (m *Matcher) compile(expr string) (p *program, err error) {
	defer recoverRE2(&err)
	p = &program{m: m}
	if m.query.Portable || !startRE2() {
		p.engine, err = regexp.Compile(expr)
	} else {
		p.engine, err = re2.Compile(expr)
	}
	if err != nil {
		return nil, &PatternError{"the regular expression is too large", -1}
	}
	p.frugal = sync.OnceValue(func() engine {
		if e, err := regexp.Compile(expr); err == nil {
			return e
		}
		return p.engine
	})
	return p, nil
}

// pick gives the engine for a text. If an expression makes a new state for nearly every byte, RE2
// takes 40 MiB and more for them, and several times as long as package regexp, which makes none. A
// text much longer than a batch is part of one line, searched in one call that can't be
// interrupted: for such a text, package regexp is used as soon as the automaton has too many
// states. It is used for \B as well, which RE2 finds between the bytes of a character, too.
func (p *program) pick(text []byte) engine {
	if p.m.explodes.Load() || len(text) > 2*batchBytes && p.m.thrashes.Load() || p.m.splits {
		return p.frugal()
	}
	return p.engine
}

// recoverRE2 turns a panic into an error.
func recoverRE2(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("run RE2: %v", p)
	}
}

// all finds up to n matches that don't overlap, as pairs of byte offsets. The text must be valid
// UTF-8.
func (p *program) all(text []byte, n int) (matches [][]int, err error) {
	defer recoverRE2(&err)
	p.m.running.Add(1)
	defer p.m.running.Add(-1)
	return p.pick(text).FindAllIndex(text, n), nil
}

// group finds the first match and returns where its first group lies; ok is false if there is none.
// The text must be valid UTF-8.
func (p *program) group(text []byte) (start, end int, ok bool, err error) {
	defer recoverRE2(&err)
	p.m.running.Add(1)
	defer p.m.running.Add(-1)
	m := p.pick(text).FindSubmatchIndex(text)
	if len(m) < 4 {
		return 0, 0, false, nil
	}
	return m[2], m[3], true, nil
}

// The patterns of the programs of one search. Each contains the expression:

// lineFilter finds matching lines: its matches run to the end of the line, so there is one per
// line. For whole words it also finds lines where a letter outside ASCII touches the match, which
// report.hit rules out: the full class of letters takes milliseconds to compile, and most searches
// never need it.
func lineFilter(tree *syntax.Regexp, word bool) string { return inLine(tree, word) + "(?-s:.)*" }

// inLine is the pattern that a matching line contains. For whole words it only knows the letters of
// ASCII.
func inLine(tree *syntax.Regexp, word bool) string {
	body := "(?:" + tree.String() + ")"
	if word {
		body = `(?:(?m:^)|[^0-9A-Za-z_\n])` + body + `(?:[^0-9A-Za-z_\n]|(?m:$))`
	}
	return body
}

// wordAtStart finds a whole word, as its first group, in a text that begins where a line does.
func wordAtStart(tree *syntax.Regexp, multiline bool) string {
	return "(?:(?m:^)|" + notWordClass(multiline) + ")" + wordTail(tree, multiline)
}

// wordAfter finds a whole word, as its first group, in a text whose first character only shows
// what comes before.
func wordAfter(tree *syntax.Regexp, multiline bool) string {
	return notWordClass(multiline) + wordTail(tree, multiline)
}

func wordTail(tree *syntax.Regexp, multiline bool) string {
	return "(" + tree.String() + ")(?:" + notWordClass(multiline) + "|(?m:$))"
}

// notWordClass is the class of characters that are no part of a word, by the rule of
// charset.IsWord. It includes the line end if newline is set.
func notWordClass(newline bool) string {
	expr := `[^\pL\pM\p{Nd}_\n]`
	if newline {
		expr = `[^\pL\pM\p{Nd}_]`
	}
	class, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return expr
	}
	return class.String()
}

// placeholder stands for an invalid byte while a regular expression runs. It is what Unicode calls
// "substitute": "." matches it, names and numbers don't.
const placeholder = 0x1A

// validText returns text as valid UTF-8 of the same length: itself, or a copy in scratch with each
// invalid byte replaced.
func validText(text []byte, scratch *[]byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	*scratch = append((*scratch)[:0], text...)
	replaceInvalid(*scratch)
	return *scratch
}

func replaceInvalid(p []byte) {
	for i := 0; i < len(p); {
		r, size := utf8.DecodeRune(p[i:])
		if isInvalid(r, size) {
			p[i] = placeholder
		}
		i += size
	}
}

// trimNewline drops the line end of the last line, so that no empty line follows it.
func trimNewline(text []byte) []byte { return bytes.TrimSuffix(text, []byte("\n")) }

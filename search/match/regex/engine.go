package regex

import (
	"fmt"
	"os"
	"regexp"
	"sync"
	"sync/atomic"

	"github.com/wasilibs/go-re2"
)

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

// EngineName is what can run regular expressions in this process: "re2", or "go" for package
// regexp, which is slower, if RE2 isn't available. It starts RE2.
func EngineName() string {
	if startRE2() {
		return "re2"
	}
	return "go"
}

// program is a regular expression for both engines, each compiled when it is first used. RE2 runs
// in a memory of its own: each call copies the text there, so calls are worth their cost (some 300
// ns) for whole blocks only. It is safe for use by many goroutines.
type program struct {
	e     *Expr
	plain func() (engine, error) // package regexp
	fast  func() (engine, error) // RE2, or package regexp where RE2 can't run
	spent atomic.Int64           // what plain has taken so far, on the scale of smallWork
}

func newProgram(e *Expr, expr func() string) *program {
	p := &program{e: e}
	p.plain = sync.OnceValues(func() (engine, error) { return regexp.Compile(expr()) })
	p.fast = sync.OnceValues(func() (engine, error) {
		if !startRE2() {
			return p.plain()
		}
		if found, err := re2.Compile(expr()); err == nil {
			return found, nil
		}
		return p.plain()
	})
	return p
}

const (
	// smallWork is how much work package regexp does for a program before RE2 takes over, in bytes
	// of text times the weight of the expression: well below a millisecond. To start RE2 takes two.
	smallWork = 256 << 10

	// longLine is a text much longer than a search by line asks about: part of one line.
	longLine = 128 << 10
)

// pick gives the engine for a text. Package regexp searches the first texts, as RE2 would have to
// be started for them. Apart from that it is for expressions that make a new state for nearly every
// byte: RE2 takes 40 MiB and more for the states, and several times as long as package regexp,
// which makes none. A long line is searched in one call that can't be interrupted: there, package
// regexp is used as soon as the automaton has too many states. It is used for \B as well, which RE2
// finds between the bytes of a character, too.
func (p *program) pick(text []byte) (engine, error) {
	e := p.e
	small := e.query.Engine != RE2 && p.spent.Add(int64(len(text)*e.weight)) <= smallWork
	if small || e.query.Engine == Go || e.splits || e.explodes.Load() || len(text) > longLine && e.thrashes.Load() {
		if found, err := p.plain(); err == nil {
			return found, nil
		}
	}
	return p.fast()
}

// recoverRE2 turns a panic into an error.
func recoverRE2(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("run RE2: %v", p)
	}
}

// run finds something in a text with the engine for it. The text must be valid UTF-8.
func run[T any](p *program, text []byte, find func(engine) T) (found T, err error) {
	defer recoverRE2(&err)
	p.e.running.Add(1)
	defer p.e.running.Add(-1)
	engine, err := p.pick(text)
	if err != nil {
		return found, err
	}
	return find(engine), nil
}

// all finds up to n matches that don't overlap, as pairs of byte offsets.
func (p *program) all(text []byte, n int) ([][]int, error) {
	return run(p, text, func(e engine) [][]int { return e.FindAllIndex(text, n) })
}

// group finds the first match and gives where its first group lies; ok is false if there is none.
func (p *program) group(text []byte) (start, end int, ok bool, err error) {
	m, err := run(p, text, func(e engine) []int { return e.FindSubmatchIndex(text) })
	if len(m) < 4 {
		return 0, 0, false, err
	}
	return m[2], m[3], true, nil
}

package match

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// The dialect is that of regexp/syntax: the pattern is parsed by it, rewritten, and only then
// written out for RE2. So what RE2 alone accepts (\C) is refused, what Go alone accepts
// (\p{Letter}) works, and RE2 never sees a pattern that it would complain about.

// expression is a parsed regular expression, ready to be written out for RE2.
type expression struct {
	tree   *syntax.Regexp
	keepCR bool // the pattern asks for \r, so CRLF isn't folded into LF for it
}

// maxPatternBytes is the longest regular expression of a request, as long as a glob may be.
const maxPatternBytes = 8 << 10

// parse reads a query that is a regular expression.
func parse(q Query) (*expression, error) {
	if len(q.Text) > maxPatternBytes {
		return nil, &PatternError{"the regular expression is longer than 8,192 bytes", -1}
	}
	flags := syntax.Perl &^ syntax.OneLine // ^ and $ at line bounds
	if q.IgnoreCase {
		flags |= syntax.FoldCase
	}
	if q.Multiline {
		flags |= syntax.DotNL
	}
	tree, err := syntax.Parse(q.Text, flags)
	if err != nil {
		return nil, parseError(q.Text, err)
	}
	if !q.Multiline {
		if err := refuseAcrossLines(q.Text, tree); err != nil {
			return nil, err
		}
	}
	tree = rewrite(tree, q.Multiline)
	if weigh(tree) > maxWeight {
		return nil, &PatternError{"the regular expression is too large: with its repeats spelled out it takes more than 250,000 instructions", -1}
	}
	if reach(tree) > maxReach {
		return nil, &PatternError{"the regular expression is too large: so many parts in a row may be empty that there are more than 1,000,000 " +
			"ways past them", -1}
	}
	_, cr := mentions(q.Text, '\r')
	return &expression{tree: tree, keepCR: cr}, nil
}

// literal returns the string that the expression is equal to, if it is only a literal.
func (e *expression) literal() (s string, fold, ok bool) {
	if e.tree.Op != syntax.OpLiteral {
		return "", false, false
	}
	r := requiredLiteral(e.tree)
	if r == nil {
		return "", false, false
	}
	return r.texts[0], r.fold, true
}

func parseError(pattern string, err error) error {
	var bad *syntax.Error
	if !errors.As(err, &bad) {
		return &PatternError{err.Error(), -1}
	}
	return patternErrorAt(pattern, locate(pattern, bad), describe(bad))
}

// patternErrorAt turns a byte offset, -1 if unknown, into a position in code points.
func patternErrorAt(pattern string, at int, message string) *PatternError {
	if at >= 0 {
		at = utf8.RuneCountInString(pattern[:at])
	}
	return &PatternError{message, at}
}

func describe(err *syntax.Error) string {
	if op := lookaround(err.Expr); op != "" {
		return fmt.Sprintf("look-around is not supported: %q", op)
	}
	switch err.Code {
	case syntax.ErrInvalidEscape:
		if isBackreference(err.Expr) {
			return fmt.Sprintf("back-references are not supported: %q", err.Expr)
		}
	case syntax.ErrLarge, syntax.ErrNestingDepth:
		return "the " + err.Code.String()
	case syntax.ErrInvalidUTF8, syntax.ErrTrailingBackslash, syntax.ErrMissingParen, syntax.ErrUnexpectedParen:
		return err.Code.String()
	}
	return fmt.Sprintf("%s: %q", err.Code, err.Expr)
}

// lookaround returns the look-around operator that expr begins with, if any.
func lookaround(expr string) string {
	for _, op := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
		if strings.HasPrefix(expr, op) {
			return op
		}
	}
	return ""
}

func isBackreference(escape string) bool {
	return len(escape) >= 2 && '1' <= escape[1] && escape[1] <= '9'
}

const acrossLines = `a search by line can't match "\n"; set multiline to match across lines`

// refuseAcrossLines refuses what only makes sense in a multiline search.
func refuseAcrossLines(pattern string, tree *syntax.Regexp) error {
	if at, outside := asksForNewline(pattern, tree); at != absent {
		if !outside {
			at = -1
		}
		return patternErrorAt(pattern, at, acrossLines)
	}
	if hasOp(tree, syntax.OpBeginText, syntax.OpEndText) {
		return patternErrorAt(pattern, textBound(pattern),
			`\A and \z are the bounds of the file; a search by line has ^ and $, or set multiline`)
	}
	return nil
}

// absent says that a pattern doesn't ask for a line end.
const absent = -2

// asksForNewline finds a line end that a match would have to contain: at is absent if there is
// none, and known is false if its offset in the pattern is unknown. A line end that is one of
// several characters in a class, as in \s or [ \n], isn't needed: it is taken out of the class.
func asksForNewline(pattern string, tree *syntax.Regexp) (at int, known bool) {
	for t := range tokens(pattern) {
		if t.char == '\n' && !t.class {
			return t.start, true
		}
	}
	if !hasLiteral(tree, '\n') {
		return absent, false
	}
	return mentions(pattern, '\n')
}

func hasOp(re *syntax.Regexp, ops ...syntax.Op) bool {
	return slices.Contains(ops, re.Op) || slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return hasOp(sub, ops...) })
}

func hasLiteral(re *syntax.Regexp, r rune) bool {
	return re.Op == syntax.OpLiteral && slices.Contains(re.Rune, r) ||
		slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return hasLiteral(sub, r) })
}

// textBound gives the offset of the first \A or \z. If there is none, a flag such as (?-m) has
// turned ^ or $ into a text bound: then it gives the offset of the first "(?".
func textBound(pattern string) int {
	for t := range tokens(pattern) {
		switch pattern[t.start:t.end] {
		case `\A`, `\z`:
			return t.start
		}
	}
	return strings.Index(pattern, "(?")
}

// rewrite drops captures, which nothing reads. Unless matches may span lines, it also takes the
// line end out of every class. It changes the tree in place.
func rewrite(re *syntax.Regexp, multiline bool) *syntax.Regexp {
	for i, sub := range re.Sub {
		re.Sub[i] = rewrite(sub, multiline)
	}
	switch {
	case re.Op == syntax.OpCapture:
		return re.Sub[0]
	case multiline:
	case re.Op == syntax.OpAnyChar:
		re.Op = syntax.OpAnyCharNotNL
	case re.Op == syntax.OpCharClass:
		re.Rune = without(re.Rune, '\n')
		if len(re.Rune) == 0 {
			return &syntax.Regexp{Op: syntax.OpNoMatch}
		}
	}
	return re
}

// without takes a character out of a class, given as pairs of bounds.
func without(class []rune, r rune) []rune {
	var out []rune
	for i := 0; i+1 < len(class); i += 2 {
		lo, hi := class[i], class[i+1]
		if r < lo || hi < r {
			out = append(out, lo, hi)
			continue
		}
		if lo < r {
			out = append(out, lo, r-1)
		}
		if r < hi {
			out = append(out, r+1, hi)
		}
	}
	return out
}

// withoutTextStart gives the expression for a text that is the rest of a file: \A matches nowhere
// in it.
func withoutTextStart(re *syntax.Regexp) *syntax.Regexp {
	if re.Op == syntax.OpBeginText {
		return &syntax.Regexp{Op: syntax.OpNoMatch}
	}
	c := *re
	c.Sub = make([]*syntax.Regexp, len(re.Sub))
	for i, sub := range re.Sub {
		c.Sub[i] = withoutTextStart(sub)
	}
	return &c
}

// maxWeight bounds the size of the compiled program, in instructions as weigh estimates them, so
// that compiling takes some 0.2 s at most and RE2 stays far from its own limit of some two million;
// beyond that it writes to stderr.
const maxWeight = 250_000

// maxReach bounds the lists that RE2 makes when it flattens a program: for each instruction, all
// instructions that can follow it without a character in between. That is quadratic in parts that
// may be empty: a?a?a?...
const maxReach = 1_000_000

// reach counts the entries of the lists described at maxReach, and stops above maxReach. The tree
// must be below maxWeight.
func reach(tree *syntax.Regexp) int {
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return maxReach + 1
	}
	sum, seen := 0, make([]int, len(prog.Inst))
	for i := range prog.Inst {
		switch prog.Inst[i].Op {
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			sum += reachFrom(prog, prog.Inst[i].Out, i+1, seen)
		}
		if sum > maxReach {
			break
		}
	}
	return sum
}

// reachFrom counts the instructions that can follow without reading a character, beginning with
// from, together with those that read the next one. It sets seen to mark for each instruction
// visited.
func reachFrom(prog *syntax.Prog, from uint32, mark int, seen []int) (count int) {
	for stack := []uint32{from}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at >= uint32(len(seen)) || seen[at] == mark {
			continue // an instruction that no match reaches may lead to an index that doesn't exist
		}
		seen[at] = mark
		count++
		switch inst := &prog.Inst[at]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, inst.Arg, inst.Out)
		case syntax.InstNop, syntax.InstCapture, syntax.InstEmptyWidth:
			stack = append(stack, inst.Out)
		case syntax.InstRune:
			for i := 0; i+1 < len(inst.Rune); i += 2 {
				count += weighRange(inst.Rune[i], inst.Rune[i+1]) - 1
			}
		}
	}
	return count
}

// weigh estimates how many instructions RE2 will need, never less than it does.
func weigh(re *syntax.Regexp) int {
	sum := 2
	for _, sub := range re.Sub {
		sum += weigh(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		sum += weighLiteral(re)
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			sum += weighRange(re.Rune[i], re.Rune[i+1])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		sum += 12
	case syntax.OpRepeat:
		sum *= max(re.Min+1, re.Max, 1)
	}
	return min(sum, maxWeight+1)
}

func weighLiteral(re *syntax.Regexp) int {
	perRune := utf8.UTFMax
	if re.Flags&syntax.FoldCase != 0 {
		perRune *= maxLeads
	}
	return perRune * len(re.Rune)
}

// weighRange gives an upper bound for the byte ranges in the UTF-8 sequences of the characters from
// lo to hi.
func weighRange(lo, hi rune) int {
	low, high := max(utf8.RuneLen(lo), 1), utf8.RuneLen(hi)
	if high < 0 {
		high = utf8.UTFMax
	}
	return 2*(high-low) + 2*high - 1
}

// LooksLikeRegex reports whether a query is a valid regular expression, and more likely meant as
// such than as plain text.
func LooksLikeRegex(query string) bool {
	if !strings.ContainsAny(query, `|\`) && !strings.Contains(query, ".*") && !strings.Contains(query, ".+") &&
		!strings.Contains(query, "]+") {
		return false
	}
	_, err := syntax.Parse(query, syntax.Perl)
	return err == nil
}

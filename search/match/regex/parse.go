package regex

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxPatternBytes is the longest regular expression of a request, as long as a glob may be.
const maxPatternBytes = 8 << 10

// parse reads the text of a query.
//
// The dialect is that of regexp/syntax: the text is parsed by it, rewritten, and only then written
// out for RE2. So what RE2 alone accepts (\C) is refused, what Go alone accepts (\p{Letter}) works,
// and RE2 never sees a pattern that it would complain about.
func parse(q Query) (*syntax.Regexp, error) {
	if len(q.Text) > maxPatternBytes {
		return nil, &Error{"the regular expression is longer than 8,192 bytes", -1}
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
		return nil, &Error{"the regular expression is too large: with its repeats spelled out it takes more than 250,000 instructions", -1}
	}
	if reach(tree) > maxReach {
		return nil, &Error{"the regular expression is too large: so many parts in a row may be empty that there are more than 1,000,000 " +
			"ways past them", -1}
	}
	return tree, nil
}

func parseError(pattern string, err error) error {
	bad, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return &Error{err.Error(), -1}
	}
	return errorAt(pattern, locate(pattern, bad), describe(bad))
}

// errorAt turns a byte offset, -1 if unknown, into a position in code points.
func errorAt(pattern string, at int, message string) *Error {
	if at >= 0 {
		at = utf8.RuneCountInString(pattern[:at])
	}
	return &Error{message, at}
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

// AcrossLines is the message of an Error about a line end.
const AcrossLines = `a search by line can't match "\n"; set multiline to match across lines`

// refuseAcrossLines refuses what only makes sense in a multiline search. A line end that is one of
// several characters in a class, as in \s or [ \n], isn't needed: it is taken out of the class.
func refuseAcrossLines(pattern string, tree *syntax.Regexp) error {
	if readsLineEnd(tree) {
		if at := lineEndAt(pattern); at >= 0 || hasLiteral(tree, '\n') {
			return errorAt(pattern, at, AcrossLines)
		}
	}
	if hasOp(tree, syntax.OpBeginText, syntax.OpEndText) {
		return &Error{`\A and \z are the bounds of the file; a search by line has ^ and $, or set multiline`, -1}
	}
	return nil
}

func hasOp(re *syntax.Regexp, ops ...syntax.Op) bool {
	return slices.Contains(ops, re.Op) || slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return hasOp(sub, ops...) })
}

func hasLiteral(re *syntax.Regexp, r rune) bool {
	return re.Op == syntax.OpLiteral && slices.Contains(re.Rune, r) ||
		slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return hasLiteral(sub, r) })
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

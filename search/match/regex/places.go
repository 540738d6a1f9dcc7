package regex

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"slices"
	"sort"
	"strings"
)

// regexp/syntax keeps no positions. What is here finds them, so that an error can point at a place,
// and a line end asked for by name can be told from one that a class happens to hold.

// escape is an expression for one.
const escape = `\\(?:x[[:xdigit:]]{2}|[xpP]\{[^}]*\}?|[0-7]{1,3}|.?)`

// places cuts a pattern into pieces: a quoted text, an escape, a class, any other character. Each
// piece is a pair of byte offsets. It cuts a malformed pattern somehow.
func places(pattern string) [][]int {
	const quoted, class = `\\Q.*?(?:\\E|\z)`, `\[\^?\]?(?:\\.|\[:[^\]]*:\]|[^\]])*\]?`
	return cut(pattern, quoted+`|`+escape+`|`+class)
}

// cut cuts a text into what an expression matches, and single characters.
func cut(text, pieces string) [][]int {
	return regexp.MustCompile(`(?s)`+pieces+`|.`).FindAllStringIndex(text, -1)
}

// mentionsCR reports whether a pattern asks for "\r" by name: as itself or as an escape, but not in
// a class that excludes it.
func mentionsCR(pattern string) bool {
	if !slices.ContainsFunc([]string{"\r", `\r`, `\x`, `\0`, `\1`}, func(beginning string) bool { return strings.Contains(pattern, beginning) }) {
		return false // the usual case: it needs no pieces
	}
	for _, at := range places(pattern) {
		piece := pattern[at[0]:at[1]]
		switch {
		case strings.HasPrefix(piece, "[^"):
		case piece[0] == '[':
			for _, part := range cut(piece, escape) {
				if isNamed(piece[part[0]:part[1]], '\r') {
					return true
				}
			}
		case isNamed(piece, '\r'):
			return true
		}
	}
	return false
}

// isNamed reports whether a piece is a character, or an escape for it.
func isNamed(piece string, r rune) bool {
	if piece[0] != '\\' {
		return piece == string(r)
	}
	tree, err := syntax.Parse(piece, syntax.Perl)
	return err == nil && hasLiteral(tree, r)
}

// lineEndAt finds the line end that a pattern asks for outside of classes, as a byte offset, or -1.
func lineEndAt(pattern string) int {
	for _, at := range places(pattern) {
		piece := pattern[at[0]:at[1]]
		if raw := strings.IndexByte(piece, '\n'); raw >= 0 && piece[0] != '[' {
			return at[0] + raw
		}
		if piece[0] == '\\' && isNamed(piece, '\n') {
			return at[0]
		}
	}
	return -1
}

// locate finds the piece of the pattern that a parse error complains about, as a byte offset, or
// -1. The parser reads from left to right, so the shortest beginning of the pattern with the same
// error ends in that piece.
func locate(pattern string, err *syntax.Error) int {
	piece := err.Expr
	switch err.Code {
	case syntax.ErrTrailingBackslash:
		return len(pattern) - 1
	case syntax.ErrMissingParen:
		return unclosed(pattern)
	case syntax.ErrUnexpectedParen:
		piece = ")"
	case syntax.ErrLarge, syntax.ErrNestingDepth, syntax.ErrInvalidUTF8, syntax.ErrInvalidRepeatSize:
		return -1
	}
	end := sort.Search(len(pattern), func(n int) bool {
		_, failed := syntax.Parse(pattern[:n], syntax.Perl)
		same, ok := errors.AsType[*syntax.Error](failed)
		return ok && same.Code == err.Code && (same.Expr == err.Expr || err.Code == syntax.ErrUnexpectedParen)
	})
	return end - len(piece)
}

// unclosed finds the last parenthesis that is not closed.
func unclosed(pattern string) int {
	open := []int{-1}
	for _, at := range places(pattern) {
		switch pattern[at[0]:at[1]] {
		case "(":
			open = append(open, at[0])
		case ")":
			open = open[:max(1, len(open)-1)]
		}
	}
	return open[len(open)-1]
}

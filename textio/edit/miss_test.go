package edit

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"fsbox/textio/nearest"
)

func missOf(t testing.TB, content, expected, replacement string) *MatchNotFoundError {
	t.Helper()
	_, _, err := applyAll([]byte(content), oneEdit(expected, replacement))
	var miss *MatchNotFoundError
	if !errors.As(err, &miss) {
		t.Fatalf("got %v, want a miss", err)
	}
	return miss
}

func differs(line int64, column int, expected, found string) nearest.Difference {
	return nearest.Difference{Line: line, Column: column, Expected: expected, Found: found}
}

func TestAlreadyApplied(t *testing.T) {
	for _, tt := range []struct {
		content, expected, replacement string
		want                           bool
	}{
		{"x := 2\n", "x := 1", "x := 2", true},
		{"a\r\nnew line\r\n", "old line\n", "new line\n", true},
		{"hello\nworld\n", "hello world", "hello\nworld\n", true},
		{"K2\n", "nope", "K2", false},
		{"    \n\t\t  \n", "code", "    \n", false},
		{"x := 3\n", "x := 1", "x := 2", false},
		{"return nil\n", "return nil, err", "return nil", true},
		{"return nil\nreturn nil\n", "return nil, err", "return nil", false},
		{"if x { return nil, nil }\n", "return nil, err", "return nil", false},
		{"x := 3\n", "gone", "", false},
	} {
		if got := missOf(t, tt.content, tt.expected, tt.replacement).AlreadyApplied; got != tt.want {
			t.Errorf("%q -> %q in %q: got %v", tt.expected, tt.replacement, tt.content, got)
		}
	}
}

func withNumbers(text string) string {
	var out strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		fmt.Fprintf(&out, "%6d→%s", n, line)
	}
	return out.String()
}

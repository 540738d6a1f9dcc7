package match

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"fsbox/search/match/regex"
)

// TestEnginesAgree holds package regexp, as it runs where RE2 can't, against RE2: every expression
// of the tests, on their own texts and on random ones with all kinds of lines and bytes in them.
func TestEnginesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	pieces := append([]string{"\xff", "\xe6\x97", "\x00", "\ufffd", "x", "end", "func"}, textPieces...)
	for _, c := range searchCases {
		if !strings.Contains(c.flags, "e") {
			continue
		}
		q := parseQuery(c.flags, c.query)
		q.Engine = regex.RE2
		m := compileOK(t, q)
		q.Engine = regex.Go
		portable := compileOK(t, q)
		for i := range few(40) {
			text := c.text
			if i > 0 {
				text = randomText(r, pieces, r.IntN(60)) + c.text
			}
			agree(t, m, portable, text)
		}
	}
}

// agree compares what two matchers find.
func agree(t *testing.T, m, portable *Matcher, text string) {
	t.Helper()
	o := LineOptions{Before: 1, After: 1, Force: true}
	want, wantResult := grepText(t, m, text, o)
	got, result := grepText(t, portable, text, o)
	if !reflect.DeepEqual(got, want) || result != wantResult {
		t.Fatalf("%+v in %q:\nregexp %+v\nRE2    %+v", m.query, text, got, want)
	}
}

package edit

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsbox/textio/charset"
)

// modelFold is the folding of the unicode tier, written down as a list.
var modelFold = strings.NewReplacer("“", `"`, "”", `"`, "‘", "'", "’", "'", "–", "-", "—", "-", "−", "-", "…", "...", "\u00a0", " ",
	"\u3000", " ")

// modelIndented cuts a text into lines without LF or CRLF, and tells where each
// begins and where its content ends.
func modelIndented(text string) (lines []string, starts, ends []int) {
	at := 0
	for line := range strings.Lines(text) {
		content := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if !strings.HasSuffix(line, "\n") {
			content = line
		}
		lines, starts, ends = append(lines, content), append(starts, at), append(ends, at+len(content))
		at += len(line)
	}
	return lines, append(starts, at), ends
}

// modelWhole finds, place by place and line by line, where whole lines are the
// same under norm.
func modelWhole(text, expected string, norm func(string) string) (spans []Span) {
	lines, starts, ends := modelIndented(text)
	want, _, _ := modelIndented(strings.ReplaceAll(expected, "\r\n", "\n"))
	for first := 0; first+len(want) <= len(lines); first++ {
		last := first + len(want) - 1
		same := !strings.HasSuffix(expected, "\n") || ends[last] < starts[last+1]
		for i := range want {
			same = same && norm(lines[first+i]) == norm(want[i])
		}
		if !same {
			continue
		}
		span := Span{starts[first], starts[last+1]}
		if !strings.HasSuffix(expected, "\n") {
			span.End = ends[last]
		}
		spans = append(spans, span)
	}
	return spans
}

// modelStretch finds where a stretch of whole characters folds to the same.
func modelStretch(text, expected string) (spans []Span) {
	norm := func(s string) string { return modelFold.Replace(strings.ReplaceAll(s, "\r\n", "\n")) }
	var bounds []int
	for i := range text + "x" {
		if i == 0 || i == len(text) || text[i-1] != '\r' || text[i] != '\n' {
			bounds = append(bounds, i)
		}
	}
	for i, start := range bounds {
		for _, end := range bounds[i+1:] {
			if folded := norm(text[start:end]); folded == norm(expected) {
				spans = append(spans, Span{start, end})
				break
			} else if len(folded) > len(norm(expected)) {
				break
			}
		}
	}
	return spans
}

// modelTier finds the places of one tier. Of the tiers that translate
// indentation it has all places where the lines agree otherwise.
func modelTier(tier, text, expected string) []Span {
	bom := 0
	if strings.HasPrefix(text, "\ufeff") {
		bom = len("\ufeff")
	}
	text = text[bom:]
	var spans []Span
	switch tier {
	case TierTrailingBlanks:
		spans = modelWhole(text, expected, func(s string) string { return strings.TrimRight(s, " \t\r") })
	case TierIndentation:
		spans = modelWhole(text, expected, func(s string) string { return strings.Trim(s, " \t\r") })
	case TierUnicode:
		if spans = modelStretch(text, expected); len(spans) == 0 {
			spans = modelWhole(text, expected, func(s string) string { return strings.Trim(modelFold.Replace(s), " \t\r") })
		}
	}
	for i := range spans {
		spans[i].Start += bom
		spans[i].End += bom
	}
	return spans
}

// checkLenient holds a lenient edit against the model and returns how it went.
func checkLenient(t *testing.T, content, expected, replacement string) (outcome string) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%q: %q -> %q: %s", content, expected, replacement, fmt.Sprintf(format, args...))
	}
	original := []byte(content)
	out, results, err := applyAll(original, lenientEdits(expected, replacement))
	if string(original) != content {
		fail("content was written to")
	}
	strict, _, strictErr := applyAll(original, oneEdit(expected, replacement))
	var miss *MatchNotFoundError
	if !errors.As(strictErr, &miss) {
		if fmt.Sprint(err) != fmt.Sprint(strictErr) || !bytes.Equal(out, strict) {
			fail("an exact match must win: %v, %v", err, strictErr)
		}
		return "exact"
	}
	var several *PlacesError
	switch {
	case errors.As(err, &miss):
		for _, tier := range []string{TierTrailingBlanks} { // this tier asks for nothing but the lines
			if spans := modelTier(tier, content, expected); len(spans) > 0 && strings.Trim(modelFold.Replace(expected), " \t\r\n") != "" {
				fail("missed %v by %s", spans, tier)
			}
		}
		return "miss"
	case errors.As(err, &several):
		if spans := modelTier(several.Match, content, expected); len(spans) < 2 {
			fail("%v, but the model has %v", err, spans)
		}
		return "several"
	case err != nil:
		return "same"
	}
	checkLenientPlace(fail, content, expected, results[0].Tier, string(out))
	return results[0].Tier
}

// checkLenientPlace checks that a change lies in a place of the model, the only
// one except for places indented otherwise.
func checkLenientPlace(fail func(string, ...any), content, expected, tier, out string) {
	spans := modelTier(tier, content, expected)
	at := slices.IndexFunc(spans, func(s Span) bool {
		return strings.HasPrefix(out, content[:s.Start]) && strings.HasSuffix(out, content[s.End:])
	})
	if at < 0 {
		fail("%q, the model has %v by %s", out, spans, tier)
	}
	for i, span := range spans {
		if i != at && content[span.Start:span.End] == content[spans[at].Start:spans[at].End] {
			fail("changed %v, which is elsewhere as well: %v by %s", spans[at], spans, tier)
		}
	}
	if len(spans) > 1 && tier == TierTrailingBlanks {
		fail("the model has several places: %v", spans)
	}
}

// randomPiece is a part of a line.
func randomPiece(r *rand.Rand) string {
	pieces := []string{"a", "b", "ab", "c", `"a"`, "“a”", "it's", "it’s", "x - y", "x – y", "...", "…", "é", "a b", "a\u00a0b"}
	return pieces[r.IntN(len(pieces))]
}

func randomIndented(r *rand.Rand, n int) string {
	indents := []string{"", "", "\t", "\t\t", "  ", "    ", "        ", "\u00a0"}
	ends := []string{"\n", "\n", "\n", "\r\n", " \n", "\t\r\n"}
	var b strings.Builder
	if r.IntN(8) == 0 {
		b.WriteString("\ufeff")
	}
	for range n {
		b.WriteString(indents[r.IntN(len(indents))] + randomPiece(r) + ends[r.IntN(len(ends))])
	}
	text := b.String()
	if r.IntN(4) == 0 {
		text = strings.TrimRight(text, "\r\n")
	}
	return text
}

// disguise changes what the tiers forgive, in all lines alike.
func disguise(r *rand.Rand, text string) string {
	steps := []func(string) string{
		modelFold.Replace,
		func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") },
		func(s string) string { return strings.NewReplacer(" \n", "\n", "\t\r\n", "\n").Replace(s) },
		func(s string) string { return strings.ReplaceAll(s, "\t", "    ") },
		func(s string) string { return strings.ReplaceAll("\n"+s, "\n", "\n  ")[1:] },
		func(s string) string { return strings.ReplaceAll(s, `"`, "”") },
	}
	for _, step := range steps {
		if r.IntN(3) == 0 {
			text = step(text)
		}
	}
	return text
}

func TestLenientAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	outcomes := make(map[string]int)
	for range sized(6_000) {
		content := randomIndented(r, 1+r.IntN(8))
		lines := strings.SplitAfter(strings.TrimPrefix(content, "\ufeff"), "\n")
		from := r.IntN(len(lines))
		expected := strings.Join(lines[from:min(len(lines), from+1+r.IntN(4))], "")
		if expected == "" {
			continue
		}
		expected = disguise(r, expected)
		outcomes[checkLenient(t, content, expected, strings.Replace(expected, "a", randomPiece(r), 1)+randomPiece(r))]++
	}
	for _, outcome := range []string{"exact", TierTrailingBlanks, TierIndentation, TierUnicode, "miss", "several"} {
		if outcomes[outcome] < sized(40) {
			t.Errorf("outcome %q was seen %d times only", outcome, outcomes[outcome])
		}
	}
}

// An edit that only adds lines leaves all there was, to the byte: context is the
// file's.
func TestLenientInsertions(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	held := make(map[string]int)
	for range 15_000 {
		content := randomIndented(r, 1+r.IntN(8))
		lines := strings.SplitAfter(strings.TrimPrefix(content, "\ufeff"), "\n")
		from := r.IntN(len(lines))
		expected := disguise(r, strings.Join(lines[from:min(len(lines), from+1+r.IntN(4))], ""))
		if !strings.HasSuffix(expected, "\n") {
			continue
		}
		asked := strings.SplitAfter(strings.TrimSuffix(expected, "\n"), "\n")
		at := r.IntN(len(asked) + 1)
		asked[len(asked)-1] += "\n"
		replacement := strings.Join(slices.Insert(asked, at, "ADDED\n"), "")
		out, results, err := applyAll([]byte(content), lenientEdits(expected, replacement))
		if err != nil || results[0].Tier == TierExact { // which may begin within a line
			continue
		}
		i := bytes.Index(out, []byte("ADDED"))
		start, end := bytes.LastIndexByte(out[:i], '\n')+1, i+bytes.IndexByte(out[i:], '\n')+1
		if start == 0 {
			start = i - len(bytes.TrimPrefix(out[:i], []byte("\ufeff")))
		}
		if (results[0].Tier == TierEOL || results[0].Tier == TierUnicode) && string(out[:i])+string(out[end:]) == content {
			start = i // the place begins within a line, and so does the new one
		}
		if rest := string(out[:start]) + string(out[end:]); rest != content {
			t.Fatalf("%q: %q -> %q: got %q by %v", content, expected, replacement, out, results)
		}
		held[results[0].Tier]++
	}
	for _, tier := range []string{TierEOL, TierTrailingBlanks, TierIndentation, TierUnicode} {
		if held[tier] < 100 {
			t.Errorf("tier %q was seen %d times only", tier, held[tier])
		}
	}
}

func FuzzLenientEdits(f *testing.F) {
	for _, tt := range lenientCases {
		f.Add(tt.content, tt.expected, tt.replacement)
	}
	f.Fuzz(func(t *testing.T, content, expected, replacement string) {
		if len(content)+len(expected)+len(replacement) > 400 || expected == "" {
			return // the model is slow
		}
		for _, r := range content + expected {
			if folded, times := charset.Typewritten(r); (folded != r || times != 1) && modelFold.Replace(string(r)) == string(r) {
				return // the model's list is short
			}
		}
		checkLenient(t, content, expected, replacement)
	})
}

// No bytes, valid or not, make the matcher fail; what it changes holds together.
func FuzzLenientBytes(f *testing.F) {
	for _, tt := range lenientCases {
		f.Add([]byte(tt.content), []byte(tt.expected), []byte(tt.replacement))
	}
	f.Add([]byte("a \n\xe2\x80\n"), []byte("a\n\xe2\x80\n"), []byte("\x9c\n"))
	f.Fuzz(func(t *testing.T, content, expected, replacement []byte) {
		old := bytes.Clone(content)
		out, _, err := applyAll(content, []Edit{{Expected: expected, Replacement: replacement, Lenient: true}})
		if !bytes.Equal(content, old) || err == nil && bytes.Equal(out, old) {
			t.Errorf("%q became %q, %v", old, out, err)
		}
	})
}

package edit

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fsbox/textio/diff"
	"fsbox/textio/lines"
)

// modelEdit is the rules of one edit written down byte by byte, without regard
// to speed: the outcome of replacing every place that overlaps none before, their
// number, that of all places, and the tier.
func modelEdit(content []byte, e Edit) (out []byte, places, every int, tier string) {
	spans, every := modelFind(content, e)
	tier = "exact"
	if len(spans) == 0 {
		spans, every = modelFindEOL(content, e)
		tier = "eol"
	}
	tail := 0
	for _, s := range spans {
		out = append(out, content[tail:s.Start]...)
		ends := modelReplacedEndings(e, content, s)
		parts := modelParts(e, tier)
		for i, part := range parts {
			if i%2 > 0 {
				part = ends[i/2]
			}
			out = append(out, part...)
		}
		tail = s.End
	}
	return append(out, content[tail:]...), len(spans), every, tier
}

// modelReplacedEndings gives each line of the replacement a line end: a line that
// is kept its own, one between kept lines that of the line in the same position
// between them, or that of the new line before if there were fewer. The line before the first one
// is that of the file, or where the place begins within a line or at the top, that line. Which
// lines are kept, diff.Kept has to say: TestKept looks at that.
func modelReplacedEndings(e Edit, content []byte, s Span) (ends []string) {
	found := modelEndings(content[s.Start:s.End])
	own := modelEnding(content, s.Start)
	if before := modelEndings(content[:s.Start]); s.Start > 0 && content[s.Start-1] == '\n' {
		own = before[len(before)-1]
	}
	old, _ := cutLines(lines.WithLF(e.Expected))
	lines, _ := cutLines(lines.WithLF(e.Replacement))
	kept := diff.Kept(old, lines)
	for i := range lines {
		before, after := -1, len(kept)
		for j, n := range kept {
			switch {
			case n >= 0 && j <= i:
				before = j
			case n >= 0 && after == len(kept):
				after = j
			}
		}
		from, to := 0, len(old)
		if before >= 0 {
			from = kept[before] + 1
		}
		if after < len(kept) {
			to = kept[after]
		}
		n := from + i - before - 1
		if before == i {
			n, to = kept[i], len(old)
		}
		if n < to && n < len(found) {
			own = found[n]
		} else if n < to {
			own = modelEnding(content, s.End)
		}
		ends = append(ends, own)
	}
	return ends
}

// modelParts alternates lines and the line feeds to be translated. A text that is taken as it is
// has no such line feeds.
func modelParts(e Edit, tier string) []string {
	text, lf := string(e.Replacement), strings.NewReplacer("\r\n", "\n")
	if tier == "exact" && strings.Contains(text, "\r\n") || lf.Replace(text) == lf.Replace(string(e.Expected)) {
		return []string{text}
	}
	var parts []string
	for i, line := range strings.Split(lf.Replace(text), "\n") {
		if i > 0 {
			parts = append(parts, "\n")
		}
		parts = append(parts, line)
	}
	return parts
}

// modelWord is a character of a word.
var modelWord = regexp.MustCompile(`^[\pL\pM\p{Nd}_]$`)

// modelAdmits says whether an edit takes a place, by what is next to it.
func modelAdmits(content []byte, e Edit, start, end int) bool {
	if start > 0 && content[start] == '\n' && content[start-1] == '\r' {
		start--
	}
	_, before := utf8.DecodeLastRune(content[:start])
	_, after := utf8.DecodeRune(content[end:])
	return !e.WholeWord || !modelWord.Match(content[start-before:start]) && !modelWord.Match(content[end:end+after])
}

func modelFind(content []byte, e Edit) (spans []Span, every int) {
	expected := e.Expected
	for i, end := 0, 0; i < len(content); i++ {
		if !bytes.HasPrefix(content[i:], expected) || !modelAdmits(content, e, i, i+len(expected)) {
			continue
		}
		if every++; i < end {
			continue
		}
		start := i
		if content[i] == '\n' && i > end && content[i-1] == '\r' {
			start--
		}
		end = i + len(expected)
		spans = append(spans, Span{start, end})
	}
	return spans, every
}

// modelUnits cuts a text into bytes, a CRLF counting as one "\n".
func modelUnits(text []byte) (units []byte, starts []int) {
	for i := 0; i < len(text); i++ {
		starts = append(starts, i)
		if bytes.HasPrefix(text[i:], []byte("\r\n")) {
			i++
		}
		units = append(units, text[i])
	}
	return units, append(starts, len(text))
}

func modelFindEOL(content []byte, e Edit) (spans []Span, every int) {
	units, starts := modelUnits(content)
	want, _ := modelUnits(e.Expected)
	for i, end := 0, 0; i+len(want) <= len(units); i++ {
		if !bytes.Equal(units[i:i+len(want)], want) || !modelAdmits(content, e, starts[i], starts[i+len(want)]) {
			continue
		}
		if every++; i >= end {
			end = i + len(want)
			spans = append(spans, Span{starts[i], starts[end]})
		}
	}
	return spans, every
}

func modelEndings(text []byte) (ends []string) {
	for i, c := range text {
		if c == '\n' && i > 0 && text[i-1] == '\r' {
			ends = append(ends, "\r\n")
		} else if c == '\n' {
			ends = append(ends, "\n")
		}
	}
	return ends
}

func modelEnding(content []byte, at int) string {
	before := len(modelEndings(content[:at]))
	all := modelEndings(content)
	switch {
	case before < len(all):
		return all[before]
	case len(all) > 0:
		return all[len(all)-1]
	}
	return "\n"
}

// randomText is made of few different bits, so that edits find places in it.
func randomText(r *rand.Rand, bits int) []byte {
	alphabet := []string{"a", "a", "b", "ab", " ", "\t", "é", "\xe9", "\r", "\n", "\n", "\r\n", "\r\n", "\n\n", "“"}
	var b []byte
	if r.IntN(8) == 0 {
		b = append(b, "\xef\xbb\xbf"...)
	}
	for range r.IntN(bits + 1) {
		b = append(b, alphabet[r.IntN(len(alphabet))]...)
	}
	return b
}

// randomEdit takes its expected text from content most of the time, often with
// other line endings.
func randomEdit(r *rand.Rand, content []byte) Edit {
	e := Edit{Expected: randomText(r, 3), Replacement: randomText(r, 5), All: r.IntN(3) > 0, WholeWord: r.IntN(4) == 0}
	if from := r.IntN(len(content) + 1); r.IntN(4) > 0 {
		e.Expected = bytes.Clone(content[from:min(len(content), from+1+r.IntN(6))])
	}
	if r.IntN(4) == 0 {
		e.Count = 1 + r.IntN(3)
	}
	switch r.IntN(3) {
	case 0:
		e.Expected = lines.WithLF(e.Expected)
	case 1:
		e.Expected = bytes.ReplaceAll(lines.WithLF(e.Expected), lines.LF, lines.CRLF)
	}
	return e
}

func TestApplyEditsAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	outcomes := make(map[string]int)
	for range sized(30_000) {
		content := randomText(r, 30)
		var list []Edit
		for range 1 + r.IntN(3) {
			list = append(list, randomEdit(r, content))
		}
		outcomes[checkAgainstModel(t, content, list)]++
	}
	for _, outcome := range []string{"exact", "eol", "miss", "several", "count", "same", "empty"} {
		if outcomes[outcome] < sized(100) {
			t.Errorf("outcome %q was seen %d times only", outcome, outcomes[outcome])
		}
	}
}

// checkAgainstModel compares Apply with the model and returns how it went.
func checkAgainstModel(t *testing.T, content []byte, list []Edit) (outcome string) {
	t.Helper()
	original := bytes.Clone(content)
	out, results, err := applyAll(content, list)
	if !bytes.Equal(content, original) {
		t.Fatal("content was written to")
	}
	want := content
	for i, e := range list {
		next, places, every, tier := []byte(nil), 0, 0, ""
		if len(e.Expected) > 0 {
			next, places, every, tier = modelEdit(want, e)
		}
		switch {
		case len(e.Expected) == 0:
			outcome = "empty"
		case bytes.Equal(e.Expected, e.Replacement):
			outcome = "same"
		case places == 0:
			outcome = "miss"
		case e.Count == 1 && every > 1, e.Count > 1 && places != e.Count:
			outcome = "count"
		case e.Count <= 0 && every > 1 && !e.All:
			outcome = "several"
		case bytes.Equal(next, want):
			outcome = "same"
		default:
			outcome = tier
			if err == nil && (results[i].Tier != tier || results[i].Replacements != places || len(results[i].Lines) != min(places, MaxLines)) {
				t.Fatalf("%q: %s: result %v, want %d places by %s", content, showEdits(list...), results[i], places, tier)
			}
			want = next
			continue
		}
		if got, index := errorKind(err); got != outcome || index != i {
			t.Fatalf("%q: edit %d %s: got %v, want %q", want, i, showEdits(e), err, outcome)
		}
		if found, apart := errorPlaces(err); found >= 0 && (found != every || apart != places) {
			t.Fatalf("%q: edit %d %s: %d places, %d apart; want %d and %d", want, i, showEdits(e), found, apart, every, places)
		}
		return outcome
	}
	if bytes.Equal(want, content) {
		if _, index := errorKind(err); index != -1 {
			t.Fatalf("%q: %s: got %v, want no change", content, showEdits(list...), err)
		}
		return "same"
	}
	if err != nil || !bytes.Equal(out, want) {
		t.Fatalf("%q: %s: got %q, %v; want %q", content, showEdits(list...), out, err, want)
	}
	return outcome
}

func showEdits(list ...Edit) string {
	var b strings.Builder
	for _, e := range list {
		fmt.Fprintf(&b, "[%q -> %q all=%v count=%d whole=%v]", e.Expected, e.Replacement, e.All, e.Count, e.WholeWord)
	}
	return b.String()
}

func errorKind(err error) (kind string, edit int) {
	var (
		miss   *MatchNotFoundError
		places *PlacesError
		same   *NoChangeError
		empty  *EmptyExpectedError
	)
	switch {
	case errors.As(err, &miss):
		return "miss", miss.Edit
	case errors.As(err, &places) && places.ExpectedCount > 0:
		return "count", places.Edit
	case errors.As(err, &places):
		return "several", places.Edit
	case errors.As(err, &same):
		return "same", same.Edit
	case errors.As(err, &empty):
		return "empty", empty.Edit
	}
	return "", -2
}

// errorPlaces returns how many places an error is about, -1 for other errors.
func errorPlaces(err error) (found, apart int) {
	var places *PlacesError
	switch {
	case !errors.As(err, &places):
		return -1, -1
	case places.CountApart > 0:
		return places.Count, places.CountApart
	}
	return places.Count, places.Count
}

func FuzzApplyEdits(f *testing.F) {
	for _, tt := range applied {
		last := tt.edits[len(tt.edits)-1]
		f.Add([]byte(tt.content), tt.edits[0].Expected, tt.edits[0].Replacement, last.Expected, last.Replacement, last.All, last.WholeWord,
			last.Count)
	}
	f.Fuzz(func(t *testing.T, content, expected, replacement, expected2, replacement2 []byte, all, whole bool, count int) {
		if len(content)+len(expected)+len(replacement)+len(expected2)+len(replacement2) > 4<<10 {
			return // the model is slow
		}
		checkAgainstModel(t, content, []Edit{
			{Expected: expected, Replacement: replacement, All: all, Count: count, WholeWord: whole},
			{Expected: expected2, Replacement: replacement2, All: all},
		})
	})
}

// Replacing everywhere takes time in proportion to the text, also where all
// places share one line and each asks for the ending of that line.
func TestReplaceAllLong(t *testing.T) {
	const places = 200_000
	content := []byte("first\r\n" + strings.Repeat("x;", places))
	out, results, err := applyAll(content, editAll(";", ",\n"))
	if err != nil || results[0].Replacements != places {
		t.Fatal(err, results)
	}
	if want := "first\r\n" + strings.Repeat("x,\r\n", places); string(out) != want {
		t.Error("wrong text")
	}
	lines := slices.Repeat([]byte("a\r\nb\n"), places)
	out, _, err = applyAll(lines, editAll("b\r\na", "c"))
	if err != nil || !bytes.Equal(out, []byte("a\r\n"+strings.Repeat("c\r\n", places-1)+"b\n")) {
		t.Error("wrong text", err)
	}
}

// So does counting places that overlap each other by the thousands.
func TestOverlapLong(t *testing.T) {
	const length = 1 << 20
	_, _, err := applyAll(bytes.Repeat([]byte("a"), length), oneEdit(strings.Repeat("a", length/2), "b"))
	if found, apart := errorPlaces(err); found != length/2+1 || apart != 2 {
		t.Errorf("%d places, %d apart: %v", found, apart, err)
	}
	blank := strings.Repeat(" ", length/2)
	out, _, err := applyAll([]byte(blank+"x"+blank[1:]), oneEdit(blank, "y"))
	if err != nil || string(out) != "yx"+blank[1:] {
		t.Error("a single place that might overlap itself", err)
	}
}

func BenchmarkReplaceAll(b *testing.B) {
	content := bytes.Repeat([]byte("some line with a word to replace, of usual length\r\n"), 100_000)
	for _, bench := range []struct {
		name  string
		edits []Edit
	}{
		{"exact", editAll("word", "longer word")},
		{"eol", editAll("length\nsome", "length\nany")},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				if _, _, err := applyAll(content, bench.edits); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

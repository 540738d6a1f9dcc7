package edit

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsbox/textio/anchor"
	"fsbox/textio/lines"
)

// anchorsOf gives the anchor of each line, the plain way.
func anchorsOf(text string) (all []anchor.Anchor) {
	lines := anchor.Context{Counts: anchor.Count(anchor.Whole([]byte(text)))}
	for line := range strings.Lines(text) {
		all = append(all, anchor.Anchor{Line: int64(len(all) + 1), ID: lines.ID(anchor.Of([]byte(line)))})
	}
	return all
}

// lineEdit is an edit of the lines first to last, or with last 0 an insertion after first.
func lineEdit(anchors []anchor.Anchor, first, last int, text string) LineEdit {
	e := LineEdit{Insert: last == 0, Text: []byte(text)}
	if first > 0 {
		e.First = anchors[first-1]
	}
	if last > 0 {
		e.Last = anchors[last-1]
	}
	return e
}

func TestApplyLines(t *testing.T) {
	type one struct {
		first, last int
		text        string
	}
	for _, tt := range []struct {
		content string
		edits   []one
		want    string
	}{
		{"a\nb\nc\n", []one{{2, 2, "B"}}, "a\nB\nc\n"},
		{"a\nb\nc\n", []one{{2, 2, "B\nB2\n"}}, "a\nB\nB2\nc\n"},
		{"a\nb\nc\n", []one{{1, 2, ""}}, "c\n"},
		{"a\nb\nc\n", []one{{3, 3, ""}}, "a\nb\n"},
		{"a\nb\nc\n", []one{{1, 3, ""}}, ""},
		{"a\nb\nc", []one{{3, 3, ""}}, "a\nb"},
		{"a\nb\nc", []one{{3, 3, "C\n"}}, "a\nb\nC"},
		{"a\nb\nc", []one{{3, 0, "d"}}, "a\nb\nc\nd"},
		{"a\nb\nc", []one{{2, 0, "d"}}, "a\nb\nd\nc"},
		{"a\r\nb\r\nc", []one{{3, 0, "d\ne\n"}}, "a\r\nb\r\nc\r\nd\r\ne"},
		{"a\r\nb\n", []one{{1, 1, "A\nA"}, {2, 2, "B\r\nB"}}, "A\r\nA\r\nB\nB\n"},
		{"a\r\nb\nc\nd\n", []one{{1, 3, "a\nX\nY\nZ\nc"}}, "a\r\nX\nY\nZ\nc\nd\n"},
		{"a\nb\r\nc", []one{{2, 3, "x\nb\nC\nD"}}, "a\nx\nb\r\nC\r\nD"},
		{"a\r\nb\n", []one{{1, 0, "x"}, {2, 0, "y"}}, "a\r\nx\r\nb\ny\n"},
		{"a\n", []one{{0, 0, "x"}, {0, 0, "y\n"}}, "x\ny\na\n"},
		{"", []one{{0, 0, "x"}}, "x\n"},
		{"", []one{{0, 0, "x\r\ny"}}, "x\r\ny\r\n"},
		{"a", []one{{0, 0, "x"}}, "x\na"},
		{"a\nb\nc\nd\n", []one{{4, 4, "D"}, {1, 0, "x"}, {2, 3, "y"}, {1, 1, "A"}}[:3], "a\nx\ny\nD\n"},
		{"\ufeffa\nb\n", []one{{1, 1, "A"}, {0, 0, "x"}}, "\ufeffx\nA\nb\n"},
		{"a\nb\n", []one{{1, 1, "\n"}}, "\nb\n"},
	} {
		mark := len(tt.content) - len(strings.TrimPrefix(tt.content, "\ufeff"))
		anchors := anchorsOf(tt.content[mark:])
		var edits []LineEdit
		for _, e := range tt.edits {
			edits = append(edits, lineEdit(anchors, e.first, e.last, e.text))
		}
		out, results, plain, err := ApplyLines(t.Context(), []byte(tt.content), mark, edits, Limits{})
		if err != nil || string(out) != tt.want || len(results) != len(edits) || len(plain) != len(edits) {
			t.Errorf("%q: %q %v, want %q", tt.content, out, err, tt.want)
		}
	}
}

func TestApplyLinesRefuses(t *testing.T) {
	const text = "one\ntwo\nthree\nfour\n"
	a := anchorsOf(text)
	gone := anchor.Anchor{Line: 9, ID: a[1].ID}
	moved := anchor.Anchor{Line: 3, ID: a[1].ID}
	for _, tt := range []struct {
		edits []LineEdit
		want  error
	}{
		{[]LineEdit{lineEdit(a, 1, 3, "x"), lineEdit(a, 3, 4, "y")}, &NamedTwiceError{Edits: [2]int{0, 1}, Line: 3}},
		{[]LineEdit{lineEdit(a, 3, 0, "x"), lineEdit(a, 1, 3, "y")}, &NamedTwiceError{Edits: [2]int{0, 1}, Line: 3}},
		{[]LineEdit{lineEdit(a, 2, 0, "x"), lineEdit(a, 1, 3, "y")}, &NamedTwiceError{Edits: [2]int{0, 1}, Line: 2}},
		{[]LineEdit{lineEdit(a, 2, 2, "two")}, &NoChangeError{0, DiffersInLines}},
		{[]LineEdit{lineEdit(a, 1, 1, "x"), lineEdit(a, 2, 0, "")}, &NoChangeError{1, DiffersInLines}},
		{[]LineEdit{lineEdit(a, 1, 1, ""), lineEdit(a, 2, 2, "one\ntwo")}, &NoChangeError{Edit: -1}},
		{[]LineEdit{lineEdit(a, 1, 1, strings.Repeat("x", 60))}, &TooLargeError{Edit: 0, Size: 76, Limit: 64}},
		{[]LineEdit{{First: moved, Last: moved, Text: []byte("x")}}, &StaleError{Count: 1}},
		{[]LineEdit{{First: gone, Insert: true, Text: []byte("x")}}, &StaleError{Count: 1}},
	} {
		_, _, _, err := ApplyLines(t.Context(), []byte(text), 0, tt.edits, Limits{MaxSize: 64})
		if stale, ok := errors.AsType[*StaleError](err); ok {
			s := stale.Anchors[0]
			around := map[int64]int{3: 4, 9: 3}[s.Line] // lines 1 to 5 and 2 to 6, as far as there are any
			if s.Now != a[1].String() || len(s.Lines) != around {
				t.Errorf("%v: %+v", s.Anchor, s)
			}
			err = &StaleError{Count: stale.Count}
		}
		if err == nil || err.Error() != tt.want.Error() {
			t.Errorf("%v, want %v", err, tt.want)
		}
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, _, err := ApplyLines(canceled, []byte(text), 0, []LineEdit{lineEdit(a, 1, 1, "x")}, Limits{}); err != context.Canceled {
		t.Error(err)
	}
}

// TestApplyLinesModel makes random edits of random texts, of which some have been changed since
// their anchors were read: the outcome is that of plain lists of lines, or the edit is refused.
func TestApplyLinesModel(t *testing.T) {
	runs := 10_000
	if testing.Short() {
		runs = 1000
	}
	r := rand.New(rand.NewPCG(7, 7))
	made, stale := 0, 0
	for range runs {
		content := randomFile(r)
		anchors := anchorsOf(content)
		edits, spans := randomLineEdits(r, anchors)
		now := content
		if r.IntN(3) == 0 {
			now = randomChange(r, content)
		}
		out, _, _, err := ApplyLines(t.Context(), []byte(now), 0, edits, Limits{})
		present := anchorsOf(now)
		holds := !slices.ContainsFunc(edits, func(e LineEdit) bool { return !isIn(e.First, present) || !e.Insert && !isIn(e.Last, present) })
		_, isStale := errors.AsType[*StaleError](err)
		_, same := errors.AsType[*NoChangeError](err)
		switch {
		case isStale == holds:
			t.Fatalf("%q, anchors of %q: %v", now, content, err)
		case isStale:
			stale++
		case same:
		case err != nil:
			t.Fatal(err)
		default:
			made++
			if want := plainLines(now, edits, spans); string(out) != want {
				t.Fatalf("%q\n%+v\ngot  %q\nwant %q", now, edits, out, want)
			}
		}
	}
	if made < runs/3 || stale < runs/20 {
		t.Errorf("%d edits made, %d stale", made, stale)
	}
}

func isIn(a anchor.Anchor, all []anchor.Anchor) bool {
	return a.Line == 0 || a.Line <= int64(len(all)) && all[a.Line-1] == a
}

func randomFile(r *rand.Rand) string {
	end := []string{"\n", "\r\n"}[r.IntN(2)]
	var b strings.Builder
	for range r.IntN(15) {
		b.WriteString([]string{"", "}", "  }", "alpha", "beta  ", "gamma\xff", "\tdelta é"}[r.IntN(7)] + end)
	}
	if r.IntN(3) == 0 {
		b.WriteString([]string{"last", "}"}[r.IntN(2)])
	}
	return b.String()
}

// randomChange is what somebody else does to a file meanwhile.
func randomChange(r *rand.Rand, text string) string {
	all := slices.Collect(strings.Lines(text))
	if len(all) == 0 {
		return "new\n"
	}
	i := r.IntN(len(all))
	switch r.IntN(3) {
	case 0:
		all = slices.Insert(all, i, "inserted\n")
	case 1:
		all = slices.Delete(all, i, i+1)
	default:
		all[i] = "changed " + all[i]
	}
	return strings.Join(all, "")
}

// randomLineEdits gives edits that don't name a line twice, in any order. spans has the lines that
// each replaces, from 0, without the last.
func randomLineEdits(r *rand.Rand, anchors []anchor.Anchor) (edits []LineEdit, spans [][2]int) {
	for at := 0; at <= len(anchors); {
		from := at + r.IntN(4)
		to := from + r.IntN(4)
		if to > len(anchors) || from > len(anchors) {
			break
		}
		text := strings.Repeat([]string{"new", "x\r\ny", "}\n", ""}[r.IntN(4)]+"\n", r.IntN(3))
		if r.IntN(2) == 0 {
			text = strings.TrimSuffix(text, "\n")
		}
		e := lineEdit(anchors, from, 0, text)
		if to > from {
			e = lineEdit(anchors, from+1, to, text)
		}
		edits, spans = append(edits, e), append(spans, [2]int{from, to})
		at = to + 1
	}
	if len(edits) == 0 {
		return []LineEdit{lineEdit(anchors, 0, 0, "top")}, [][2]int{{0, 0}}
	}
	r.Shuffle(len(edits), func(i, j int) { edits[i], edits[j], spans[i], spans[j] = edits[j], edits[i], spans[j], spans[i] })
	return edits, spans
}

// plainLines makes the edits in a list of lines, from the last to the first.
func plainLines(text string, edits []LineEdit, spans [][2]int) string {
	all := slices.Collect(strings.Lines(text))
	ended := text == "" || strings.HasSuffix(text, "\n")
	end := func(i int) string { // of the line at i, or of the one before it
		for i = min(i, len(all)-1); i >= 0; i-- {
			if strings.HasSuffix(all[i], "\r\n") {
				return "\r\n"
			} else if strings.HasSuffix(all[i], "\n") {
				return "\n"
			}
		}
		return ""
	}
	order := make([]int, len(edits))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return spans[b][0] - spans[a][0] })
	ends := make([][]string, len(edits))
	for i, s := range spans {
		one := end(max(s[0]-1, 0))
		if one == "" {
			one = "\n"
			if bytes.Contains(edits[i].Text, []byte("\r\n")) {
				one = "\r\n"
			}
		}
		if ends[i] = slices.Repeat([]string{one}, 1+bytes.Count(edits[i].Text, []byte("\n"))); !edits[i].Insert && strings.Contains(text, "\n") {
			span := Span{len(strings.Join(all[:s[0]], "")), len(strings.Join(all[:s[1]], ""))}
			new := append(bytes.TrimSuffix(lines.WithLF(edits[i].Text), []byte("\n")), '\n')
			ends[i] = modelReplacedEndings(Edit{Expected: []byte(text[span.Start:span.End]), Replacement: new}, []byte(text), span)
		}
	}
	if !ended {
		last := "\n"
		if e := end(len(all) - 1); e != "" {
			last = e
		}
		all[len(all)-1] += last
	}
	for _, i := range order {
		var put []string
		for line := range strings.Lines(string(edits[i].Text)) {
			put = append(put, strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")+ends[i][len(put)])
		}
		all = slices.Replace(all, spans[i][0], spans[i][1], put...)
	}
	out := strings.Join(all, "")
	if !ended {
		out = strings.TrimSuffix(strings.TrimSuffix(out, "\n"), "\r")
	}
	return out
}

// Lines that replace the same lines elsewhere still leave their place.
func TestCutOfSame(t *testing.T) {
	const text = "same\nmiddle\nsame\n"
	a := anchorsOf(text)
	from := &Lines{First: a[2], Last: a[2], Cut: true}
	out, _, _, err := ApplyLines(t.Context(), []byte(text), 0, []LineEdit{{First: a[0], Last: a[0], From: from}}, Limits{})
	if string(out) != "same\nmiddle\n" || err != nil {
		t.Errorf("%q %v", out, err)
	}
	out, _, err = Apply(t.Context(), []byte(text), []Edit{{Expected: []byte("same"), From: from}}, Limits{})
	if string(out) != "same\nmiddle\n" || err != nil {
		t.Errorf("%q %v", out, err)
	}
}

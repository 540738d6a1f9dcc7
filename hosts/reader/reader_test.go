package reader

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// server answers calls as fsbox does, in pages of so many items.
type server struct{ page int }

func (s server) answer(c Call) string {
	switch c.Tool {
	case "read":
		start, _ := c.Arguments["start_line"].(int)
		return s.list("lines", Lines, max(start, 1), "start_line %d", func(n int) string { return "\t" + line(n) })
	case "grep":
		return s.list("matches", Matches, after(c), "cursor c%d", match)
	case "ls":
		return s.list("entries", Names, after(c), "cursor c%d:names/name-0001.txt", name)
	}
	if expected := c.Arguments["expected_text"].(string); !strings.Contains(Content(false), expected) {
		return "match_not_found: the expected text isn't in the file\nclosest, line 1234:\n\t" + line(mistaken) + "\n"
	}
	return "made 1 replacement"
}

func after(c Call) int {
	n := 1
	if cursor, ok := c.Arguments["cursor"].(string); ok {
		fmt.Sscanf(cursor, "c%d", &n)
	}
	return n
}

func (s server) list(what string, total, from int, next string, item func(int) string) string {
	var b strings.Builder
	if end := from + s.page - 1; end < total {
		fmt.Fprintf(&b, "[%s %d-%d of %d; continue with "+next+"]\n", what, from, end, total, end+1)
	}
	for n := from; n < from+s.page && n <= total; n++ {
		b.WriteString(item(n) + "\n")
	}
	return b.String()
}

// run lets a reader work until it has nothing to ask, with what a host makes of each answer.
func run(page int, host func(string) string) *Reader {
	r, s := New(), server{page}
	for call, more := r.First(), true; more; {
		call, more = r.Next(host(s.answer(call)))
	}
	return r
}

func whole(text string) string { return text }

func inJSON(text string) string {
	data, _ := json.Marshal(map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}})
	return string(data)
}

// A host that passes answers on, as they are or as JSON, in any pages, loses nothing.
func TestWhole(t *testing.T) {
	for form, host := range map[string]func(string) string{"text": whole, "JSON": inJSON} {
		for _, page := range []int{100, 777, 5000} {
			r := run(page, host)
			for _, s := range r.Report() {
				if len(s.Faults) > 0 || s.Items != s.Total || s.Calls != (s.Total+page-1)/page {
					t.Errorf("%s, pages of %d: %s: %d calls, %d items, %q", form, page, s.Tool, s.Calls, s.Items, s.Faults)
				}
			}
			if faults := r.Repair(); len(faults) > 0 {
				t.Errorf("%s: %q", form, faults)
			}
		}
	}
}

// Whatever a host does to an answer is told.
func TestFaults(t *testing.T) {
	last := func(text string) string { // the note after the items
		if first, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(first, "[") {
			return rest + first + "\n"
		}
		return text
	}
	for _, c := range []struct {
		name string
		host func(string) string
		want string
	}{
		{"head", func(s string) string { return s[:min(len(s), 2000)] }, "never seen"},
		{"middle", func(s string) string { return s[:len(s)/3] + s[len(s)/3*2:] }, "never seen"},
		{"mark", func(s string) string { return s + "...7 tokens truncated..." }, "mark of a cut"},
		{"note last", last, "only at its end"},
		{"twice", func(s string) string { return s + s }, "seen again"},
		{"changed", func(s string) string { return strings.ReplaceAll(s, "é", "e") }, "changed on the way"},
		{"order", func(s string) string {
			lines := strings.Split(s, "\n")
			slices.Reverse(lines[1:])
			return strings.Join(lines, "\n")
		}, "out of order"},
	} {
		faults := run(500, c.host).Report()[0].Faults
		if !strings.Contains(strings.Join(faults, "\n"), c.want) {
			t.Errorf("%s: %q, want %q", c.name, faults, c.want)
		}
	}
}

// A refusal that doesn't show the line, and an edit that isn't refused, are faults.
func TestRepair(t *testing.T) {
	hidden := run(5000, func(s string) string {
		first, _, _ := strings.Cut(s, "\n")
		if strings.HasPrefix(first, "match_not_found") {
			return first
		}
		return s
	})
	if faults := hidden.Repair(); len(faults) != 2 {
		t.Errorf("%q", faults)
	}
	other := run(5000, func(s string) string { return strings.Replace(s, "match_not_found", "stale", 1) })
	if faults := other.Repair(); len(faults) != 1 {
		t.Errorf("%q", faults)
	}
}

func TestPlain(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a\nb", "a\nb"},
		{`[{"type":"text","text":"a\nb"},{"type":"text","text":"c"}]`, "a\nb\nc"},
		{`{"content":[{"type":"text","text":"a\tb"}],"isError":true}`, "a\tb"},
		{`{"content":[{"type":"text","text":"a\nb...[truncated 5 chars]...c\nd"}]`, "{\"content\":[{\"type\":\"text\",\"text\":\"a\nb...[truncated 5 chars]...c\nd\"}]"},
		{`[lines 1-2 of 3; continue with start_line 3]`, `[lines 1-2 of 3; continue with start_line 3]`},
		{`12`, `12`},
	} {
		if got := Plain(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

package textio

import "testing"

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"a", "a", 0}, {"a", "b", 1}, {"ab", "ba", 1}, {"raed", "read", 1},
		{"ca", "abc", 3}, {"kitten", "sitting", 3}, {"path", "pth", 1},
		{"path", "paths", 1},
		{"start_line", "start_lines", 1}, {"startline", "start_line", 1}, {"flaw", "lawn", 2}, {"abc", "xyz", 3}, {"é", "e", 2},
	} {
		if got := Distance(tt.a, tt.b, 10); got != tt.want {
			t.Errorf("%q to %q: %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := Distance(tt.b, tt.a, 10); got != tt.want {
			t.Errorf("%q to %q: %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
	if got := Distance("a", "abcdefgh", 3); got != 3 {
		t.Errorf("beyond the limit: %d", got)
	}
}

// slowDistance is the definition.
func slowDistance(a, b string) int {
	switch {
	case a == "" || b == "":
		return len(a) + len(b)
	case a[0] == b[0]:
		return slowDistance(a[1:], b[1:])
	}
	least := min(slowDistance(a[1:], b), slowDistance(a, b[1:]), slowDistance(a[1:], b[1:]))
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		least = min(least, slowDistance(a[2:], b[2:]))
	}
	return 1 + least
}

func FuzzDistance(f *testing.F) {
	f.Add("abc", "bcd", uint8(3))
	f.Add("", "x", uint8(1))
	f.Fuzz(func(t *testing.T, a, b string, limit uint8) {
		a, b = a[:min(len(a), 6)], b[:min(len(b), 6)]
		got, want := Distance(a, b, int(limit)), slowDistance(a, b)
		if got != want && (got < int(limit) || want < int(limit)) {
			t.Errorf("%q to %q within %d: %d, want %d", a, b, limit, got, want)
		}
	})
}

func TestNearest(t *testing.T) {
	known := []string{"path", "start_line", "max_lines", "max_bytes", "max_line_chars", "raw"}
	for name, want := range map[string]string{
		"pth": "path", "PATH": "path", "paths": "path", "startline": "start_line", "start-line": "start_line", "max_line": "max_lines",
		"maxbytes": "max_bytes", "max_line_char": "max_line_chars", "row": "raw", "nothing_like_it": "", "zzzzz": "", "content": "",
		"apth": "path", "data": "", "was": "", "r": "",
	} {
		if got := Nearest(name, known); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := Nearest("abc", []string{"abx", "aby"}); got != "abx" {
		t.Errorf("of two equally near the first is taken, not %q", got)
	}
	if got := Nearest("path", nil); got != "" {
		t.Errorf("%q of nothing", got)
	}
}

package hint

import "testing"

func TestLikeness(t *testing.T) {
	for _, tt := range []struct {
		asked, name string
		want        int
	}{
		{"main.go", "main.go", 8},
		{"a\xff", "a\ufffd", 7},
		{"Main.go", "main.go", 4},
		{"e\u0301.txt", "é.txt", 6},
		{"quote's.txt", "quote’s.txt", 5},
		{"bx.txt", "b\u200bx.txt", 5},
		{"a…b–c", "a...b-c", 5},
		{"a.txt", "a.txt ", 5},
		{"É.TXT", "e\u0301.txt", 4},
		{"a\u00a0b", "a b", 5},
		{"mian.go", "main.go", 3},
		{"maim.go", "main.go", 3},
		{"a.go", "b.go", 3},
		{"ab", "xy", 0},
		{"ab", "ax", 0},
		{"a.txt", "a.markdown", 2},
		{"config.yaml", "config.json", 2},
		{"test.go", "request_test.go", 1},
		{"request_test.go", "request", 1},
		{"a.txt", "bar.md", 0},
		{"of.txt", "profile.md", 0},
		{"main.go", "other.md", 0},
		{".env", ".envrc", 1},
		{"env", "x", 0},
	} {
		if got := likeness(tt.asked, tt.name); got != tt.want {
			t.Errorf("%q for %q: %d, want %d", tt.name, tt.asked, got, tt.want)
		}
	}
}

func TestStem(t *testing.T) {
	for name, want := range map[string]string{"a.go": "a", "a.tar.gz": "a.tar", ".env": ".env", "a": "a", "a.": "a", ".a.b": ".a"} {
		if got := stem(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}

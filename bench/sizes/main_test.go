package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReplaceSection(t *testing.T) {
	for _, c := range []struct{ old, want string }{
		{"# R\n\nrow\n", "# R\n\nrow\n\n## Sizes of answers\n\nnew\n"},
		{"# R\n\n## Sizes of answers\n\nold\n", "# R\n\n## Sizes of answers\n\nnew\n"},
		{"# R\n\n## Sizes of answers\n\nold\n\n## Other\n\nx\n", "# R\n\n## Sizes of answers\n\nnew\n\n## Other\n\nx\n"},
	} {
		path := filepath.Join(t.TempDir(), "r.md")
		if err := os.WriteFile(path, []byte(c.old), 0o666); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time changes nothing
			if err := replaceSection(path, "## Sizes of answers\n\nnew\n"); err != nil {
				t.Fatal(err)
			}
			if got, _ := os.ReadFile(path); string(got) != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		}
	}
}

func TestNextCursor(t *testing.T) {
	for text, want := range map[string]string{
		"a\n[more: cursor gAb-_9a/b+c.go:12; left out: 2 blocked by policy]\n": "gAb-_9a/b+c.go:12", "[more: cursor GAb-_9]\n": "GAb-_9",
		"[lines 1 to 2, and there are more: go on with cursor \"r0\"]\n": "r0",
		"a\n[left out: 2 hidden (include_hidden)]\n":                     "",
		"[cursor \"x\"]\nb\n": "", "": "",
	} {
		if got := nextCursor([]byte(text), "text"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := nextCursor([]byte(`{"success":true,"result":{"next_cursor":"c1"}}`), "json"); got != "c1" {
		t.Errorf("%q of JSON", got)
	}
}

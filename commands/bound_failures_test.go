package commands

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/commands/clients"
)

// What has no pages is within the bound as well, and says first that it isn't all: the details of
// failures, diffs, settings; and the list of undo has pages.
func TestBoundOfWholeAnswers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	for i, client := range append(clients.Known(), clients.Unknown()) {
		for _, structured := range []bool{false, true} {
			root, state := t.TempDir(), t.TempDir()
			flags := []string{"--allow-write", "--allow-delete", "--no-fsync", "--state-dir", state, "--tools",
				"read,write,edit,patch,undo,check,ls,grep"}
			for n := range 150 {
				flags = append(flags, "--deny", fmt.Sprintf("**/a-folder-with-secrets-%d/**", n))
			}
			if structured {
				flags = append(flags, "--structured")
			}
			most := int64(0)
			if i%2 == 0 {
				most = 2000
			}
			h := connect(t, root, client, most, i%3 == 0, flags...)
			h.both = structured
			t.Run(fmt.Sprintf("%s %d structured=%v", h.name(), most, structured), func(t *testing.T) { h.checkWhole(t, root) })
		}
	}
}

func (h *host) checkWhole(t *testing.T, root string) {
	var lines, patch strings.Builder
	patch.WriteString("--- a/a.txt\n+++ b/a.txt\n")
	for i := range 600 {
		fmt.Fprintf(&lines, "\tline %d of \"a\" file\n\tsame\n", i)
		fmt.Fprintf(&patch, "@@ -%d,2 +%d,2 @@\n \tline %d of a file that is another\n-\tsame\n+\tother\n", 2*i+1, 2*i+1, i)
	}
	writeFile(t, filepath.Join(root, "a.txt"), lines.String())
	edit := func(expected string, more string) string {
		return h.call(t, "edit", map[string]any{"path": "a.txt", "expected_text": expected, "replacement_text": "new", more: true})
	}
	for _, text := range []string{
		h.call(t, "patch", map[string]any{"patch": patch.String()}),
		edit("\tsame\n", "dry_run"),
		edit(strings.Replace(lines.String(), "line 7 ", "line x ", 1), "dry_run"),
		edit("same", "replace_all"),
		h.call(t, "ls", map[string]any{"path": strings.Repeat("n", 3000)}),
		h.call(t, "read", map[string]any{"path": "a.txt", strings.Repeat("f", 200): 1}),
	} {
		if strings.Contains(text, "the rest of this answer") && !strings.HasPrefix(text, "[the rest") {
			t.Errorf("not said first: %.200s", text)
		}
	}
	h.call(t, "check", map[string]any{})
	for i := range 60 {
		h.call(t, "write", map[string]any{"path": fmt.Sprintf("f%d.txt", i), "content": "x"})
	}
	if got := strings.Count(strings.Join(h.pages(t, "undo", map[string]any{"list": true}), ""), " write f"); got != 60 {
		t.Errorf("undo lists %d of 60 calls", got)
	}
}

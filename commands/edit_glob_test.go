package commands

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/commands/settings"
	"fsbox/commands/verbs/rewrite"
)

// TestEditGlobModel makes random edits in random trees, and compares what is there then with
// strings.ReplaceAll.
func TestEditGlobModel(t *testing.T) {
	const times = 300
	env, random := testEnv(t, settings.Settings{AllowWrite: true}).Env, rand.New(rand.NewPCG(1, 2))
	text := func(most int) string {
		var b strings.Builder
		for range random.IntN(most) + 1 {
			b.WriteByte("aab \n"[random.IntN(5)])
		}
		return b.String()
	}
	root, files := env.Workspace.Root(), map[string]string{}
	for i := range times {
		for range 3 {
			path := fmt.Sprintf("d%d/f%d.%s", random.IntN(3), random.IntN(4), []string{"go", "txt"}[random.IntN(2)])
			files[path] = text(30)
			if err := os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(root, path), []byte(files[path]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		expected, replacement, places, changed := text(3), "x"+text(3), 0, 0
		for path, old := range files {
			if n := strings.Count(old, expected); strings.HasSuffix(path, ".go") && n > 0 {
				files[path], places, changed = strings.ReplaceAll(old, expected, replacement), places+n, changed+1
			}
		}
		edit := &rewrite.Edit{Path: ".", Glob: []string{"*.go"}, ExpectedText: &expected, ReplacementText: &replacement, Match: "exact"}
		result, err := edit.Run(t.Context(), env)
		if (err == nil) != (places > 0) {
			t.Fatalf("edit %d of %q: %d places, %v", i, expected, places, err)
		}
		if r, ok := result.(*rewrite.ManyResult); ok && (r.Replacements != places || r.FilesModified != changed) {
			t.Fatalf("edit %d of %q: %d in %d files, want %d in %d", i, expected, r.Replacements, r.FilesModified, places, changed)
		}
		for path, want := range files {
			if got, err := os.ReadFile(filepath.Join(root, path)); err != nil || string(got) != want {
				t.Fatalf("edit %d of %q: %s has %q, want %q, %v", i, expected, path, got, want, err)
			}
		}
	}
}

package commands

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"fsbox/commands/edit"
	"fsbox/commands/settings"
)

var globEdits = flag.Int("glob-edits", 100, "random edits with glob that are compared with a plain model")

// formsOnDisk are the forms that the files of TestEditGlobModel have: a text with LF as bytes.
var formsOnDisk = [...]func(text string) []byte{
	func(text string) []byte { return []byte(text) },
	func(text string) []byte { return []byte("\xef\xbb\xbf" + text) },
	func(text string) []byte { return []byte(strings.ReplaceAll(text, "\n", "\r\n")) },
	func(text string) []byte {
		made, _ := binary.Append([]byte{0xff, 0xfe}, binary.LittleEndian, utf16.Encode([]rune(text)))
		return made
	},
}

const crlf = 2 // in formsOnDisk

// TestEditGlobModel makes random edits in random trees, and compares what is there then with
// strings.ReplaceAll. Files have LF, CRLF, a byte order mark, or are UTF-16.
func TestEditGlobModel(t *testing.T) {
	env, random := testEnv(t, settings.Settings{AllowWrite: true}).Env, rand.New(rand.NewPCG(1, 2))
	text := func(most int) string {
		var b strings.Builder
		for range random.IntN(most) + 1 {
			b.WriteString([]string{"a", "a", "b", " ", "\n", "é"}[random.IntN(6)])
		}
		return b.String()
	}
	root, files, forms := env.Workspace.Root(), map[string]string{}, map[string]int{}
	for i := range sized(*globEdits) {
		for range 3 {
			path := fmt.Sprintf("d%d/f%d.%s", random.IntN(3), random.IntN(4), []string{"go", "txt"}[random.IntN(2)])
			files[path], forms[path] = "#\n"+text(30), random.IntN(len(formsOnDisk))
			if err := os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(root, path), formsOnDisk[forms[path]](files[path]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		expected, replacement, places, changed := text(3), "x"+text(3), 0, 0
		for path, old := range files {
			if forms[path] == crlf && !strings.Contains(old, "\n") {
				forms[path] = 0 // nothing tells its line ends any more
			}
			if n := strings.Count(old, expected); strings.HasSuffix(path, ".go") && n > 0 {
				files[path], places, changed = strings.ReplaceAll(old, expected, replacement), places+n, changed+1
			}
		}
		request := &edit.Request{Path: ".", Glob: []string{"*.go"}, ExpectedText: &expected, ReplacementText: &replacement, Match: "exact"}
		result, err := request.Run(t.Context(), env)
		if (err == nil) != (places > 0) {
			t.Fatalf("edit %d of %q: %d places, %v", i, expected, places, err)
		}
		if r, ok := result.(*edit.ManyResult); ok && (r.Replacements != places || r.FilesModified != changed) {
			t.Fatalf("edit %d of %q: %d in %d files, want %d in %d", i, expected, r.Replacements, r.FilesModified, places, changed)
		}
		for path, want := range files {
			if got, err := os.ReadFile(filepath.Join(root, path)); err != nil || string(got) != string(formsOnDisk[forms[path]](want)) {
				t.Fatalf("edit %d of %q: %s, a file of form %d, has %q, want %q, %v", i, expected, path, forms[path], got, want, err)
			}
		}
	}
}

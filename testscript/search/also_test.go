package search

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fsbox/testscript"
)

// TestAlsoAgainstSearch holds what a search tells of another meaning of its query against a search
// for that meaning, in random small trees.
func TestAlsoAgainstSearch(t *testing.T) {
	testscript.NeedsUnix(t, "a shell that starts the program")
	told := regexp.MustCompile(`^(as a regular expression|ignoring case) the query matches (at least )?(\d+) (?:lines?|places?) in (\d+) files?, such as "([^"]+)" line (\d+): `)
	root := t.TempDir()
	search := alsoSession(t, root)
	r, hints, least := rand.New(rand.NewPCG(5, 6)), 0, 0
	for i := range testscript.Sized(60) {
		if i%4 == 0 {
			writeRandomTree(t, root, r)
		}
		query := []string{"a|b", `\bfoo\b`, "foo.*bar", `o\w+`, "^foo", "b$", "[a-f]o", "foo", "bar", "é|x"}[r.IntN(10)]
		asked := map[string]any{"query": query, "whole_word": r.IntN(4) == 0, "multiline": r.IntN(4) == 0, "max_matches": 1 + r.IntN(40),
			"max_matches_per_file": r.IntN(2) * r.IntN(5)}
		found := search(asked)
		m := told.FindStringSubmatch(found.Hint)
		if m == nil || found.Result.FilesMatched == 0 {
			continue
		}
		hints++
		change := map[string]any{"as a regular expression": "use_regex", "ignoring case": "-i"}[m[1]].(string)
		all := search(map[string]any{"query": query, "whole_word": asked["whole_word"], "multiline": asked["multiline"], change: true,
			"max_matches": 1000})
		lines, _ := strconv.Atoi(m[3])
		files, _ := strconv.Atoi(m[4])
		if m[2] != "" {
			least++
			if lines > len(all.Result.Matches) || files > all.Result.FilesMatched {
				t.Errorf("%v: %q, and there are %d in %d files", asked, found.Hint, len(all.Result.Matches), all.Result.FilesMatched)
			}
		} else if lines != len(all.Result.Matches) || files != all.Result.FilesMatched {
			t.Errorf("%v: %q, and there are %d in %d files", asked, found.Hint, len(all.Result.Matches), all.Result.FilesMatched)
		}
		place := m[5] + ":" + m[6]
		asked["max_matches"], asked["max_matches_per_file"] = 1000, 0
		if !all.has(place) || asked["multiline"] == false && search(asked).has(place) {
			t.Errorf("%v: %q, and %s isn't found by it alone", asked, found.Hint, place)
		}
	}
	if !testing.Short() && (hints < 10 || least == 0) {
		t.Errorf("only %d hints, %d of them of a full page", hints, least)
	}
}

// alsoAnswer is what the test reads of an answer.
type alsoAnswer struct {
	Hint   string
	Result struct {
		FilesMatched int `json:"files_matched"`
		Matches      []struct {
			File string
			Line int
		}
	}
}

func (a alsoAnswer) has(place string) bool {
	for _, m := range a.Result.Matches {
		if fmt.Sprintf("%s:%d", m.File, m.Line) == place {
			return true
		}
	}
	return false
}

// alsoSession starts a batch in a folder, and gives what searches in it.
func alsoSession(t *testing.T, root string) func(request map[string]any) alsoAnswer {
	ask := batchSession(t, root, "exec fsbox --timeout 5m batch")
	return func(request map[string]any) (a alsoAnswer) {
		if err := json.Unmarshal(ask(request), &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
}

// writeRandomTree writes a few files of some lines, with either line end.
func writeRandomTree(t *testing.T, root string, r *rand.Rand) {
	pieces := []string{"foo", "bar", "a", "b", " ", "Foo", "BAR", "a|b", `\bfoo\b`, "foo.*bar", `o\w+`, "^foo", "b$", "[a-f]o", "é", "x", "\xff"}
	for i := range 6 {
		var text strings.Builder
		end := []string{"\n", "\r\n"}[r.IntN(2)]
		for range r.IntN(12) {
			for range r.IntN(5) {
				text.WriteString(pieces[r.IntN(len(pieces))])
			}
			text.WriteString(end)
		}
		if err := os.WriteFile(filepath.Join(root, fmt.Sprintf("%d.txt", i)), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// longestMiss is the most characters that a failed edit may answer.
const longestMiss = 1200

// failedEdits makes edits that fail in the Go files of a tree, and counts the answers in both
// forms.
func (s *sizes) failedEdits(t tree) error {
	files, err := sources(t.path)
	if err != nil {
		return err
	}
	var counts [2][]int
	for i, format := range []string{"text", "json"} {
		b, err := s.open(t.path, format)
		if err != nil {
			return err
		}
		r := rand.New(rand.NewPCG(1, 2))
		for len(counts[i]) < s.misses {
			file := files[r.IntN(len(files))]
			input, err := garbled(r, t.path, file)
			if err != nil {
				return err
			}
			answer, err := b.ask("edit", input)
			if err != nil {
				return err
			}
			if failed(answer) {
				counts[i] = append(counts[i], characters(answer))
			}
		}
		b.close()
	}
	s.missRow(t, counts[0], counts[1])
	return nil
}

// failed reports whether an answer is a failure, in either form.
func failed(answer []byte) bool {
	text := string(answer)
	return strings.HasPrefix(text, `{"success":false`) || strings.HasPrefix(text, "match_not_found:") ||
		strings.HasPrefix(text, "multiple_matches:") ||
		strings.HasPrefix(text, "count_mismatch:")
}

func (s *sizes) missRow(t tree, text, json []int) {
	verdict := "met"
	if slices.Max(text) > longestMiss || slices.Max(json) > longestMiss {
		verdict = "**missed**"
	}
	fmt.Fprintf(&s.table, "| %s | %d failed edits: median, longest | | | %d, %d | | %d, %d | | both ≤ %d | %s |\n", t.name, len(text),
		median(text), slices.Max(text), median(json), slices.Max(json), longestMiss, verdict)
}

func median(all []int) int { return slices.Sorted(slices.Values(all))[len(all)/2] }

// garbled is an edit of some lines of a file that a model remembers wrongly. Most of them fail.
func garbled(r *rand.Rand, root, file string) (map[string]any, error) {
	content, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		return nil, err
	}
	lines := strings.SplitAfter(string(content), "\n")
	count := []int{1, 1, 2, 5, 12, 40}[r.IntN(6)]
	from := r.IntN(len(lines))
	text := strings.Join(lines[from:min(len(lines), from+count)], "")
	return map[string]any{"path": file, "expected_text": mistakes[r.IntN(len(mistakes))](r, text), "replacement_text": "replaced",
		"dry_run": true}, nil
}

// mistakes are ways to remember a text wrongly. The last ones leave a text that is in several
// places.
var mistakes = [...]func(r *rand.Rand, text string) string{
	func(_ *rand.Rand, text string) string { return strings.ReplaceAll(text, "\t", "    ") },
	func(_ *rand.Rand, text string) string { return strings.ReplaceAll(text, "\n", " \n") },
	func(_ *rand.Rand, text string) string { return strings.ToLower(text) },
	func(_ *rand.Rand, text string) string { return strings.ReplaceAll(text, `"`, "“") },
	func(_ *rand.Rand, text string) string { return strings.ReplaceAll(text, "<", "&lt;") },
	func(_ *rand.Rand, text string) string { return strings.ReplaceAll(text, "e", "E") },
	func(_ *rand.Rand, text string) string { return strings.ReplaceAll(text, "\n", `\n`) },
	func(r *rand.Rand, text string) string { return omitLine(r, text) },
	func(r *rand.Rand, text string) string { return changeWord(r, text) },
	func(r *rand.Rand, text string) string { return changeWord(r, changeWord(r, changeWord(r, text))) },
	func(_ *rand.Rand, text string) string { return numbered(text) },
	func(_ *rand.Rand, text string) string { return "func notThere(x int) string {\n" },
	func(_ *rand.Rand, text string) string { return strings.TrimSpace(text[:min(len(text), 3)]) },
	func(_ *rand.Rand, text string) string { return "}\n" },
}

func omitLine(r *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	at := r.IntN(len(lines))
	return strings.Join(slices.Delete(lines, at, at+1), "")
}

func changeWord(r *rand.Rand, text string) string {
	words := strings.Split(text, " ")
	words[r.IntN(len(words))] += "Other"
	return strings.Join(words, " ")
}

// numbered has a number before each line, as a listing has.
func numbered(text string) string {
	var b strings.Builder
	n := 12
	for line := range strings.Lines(text) {
		fmt.Fprintf(&b, "%6d→%s", n, line)
		n++
	}
	return b.String()
}

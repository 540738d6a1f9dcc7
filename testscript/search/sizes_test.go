package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestSizes counts the characters of answers in the text form, which a model reads, beside what
// other programs print for the same facts: ripgrep with -n --heading for grep, ripgrep's --files
// for glob, find for ls, cat for read. A request is counted as one answer and in pages as they are
// by default. With -v it prints the table.
func TestSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	s := sizes{t: t, tree: goSources(t)}
	whole := map[string][]string{
		"grep": {"--max-matches", "10000", "--max-output-bytes", "64MiB"},
		"glob": {"--limit", "10000", "--max-output-bytes", "64MiB"},
		"ls":   {"--max-entries", "10000", "--max-output-bytes", "64MiB"},
	}
	for _, row := range []struct {
		request string
		peer    func() int
		most    float64 // times the characters of the peer
	}{
		{"grep context.Context", func() int { return s.searched("context.Context", 0) }, 1.05},
		{"grep return_err", func() int { return s.searched("return err", 0) }, 1.05},
		{"grep TODO", func() int { return s.searched("TODO", 0) }, 1.05},
		{"grep func_New", func() int { return s.searched("func New", 0) }, 1.05},
		{"grep context.Context --context 3", func() int { return s.searched("context.Context", 3) }, 1.1},
		{"grep return_err --context 3", func() int { return s.searched("return err", 3) }, 1.1},
		{"grep TODO --context 3", func() int { return s.searched("TODO", 3) }, 1.1},
		{"grep func_New --context 3", func() int { return s.searched("func New", 3) }, 1.1},
		{"glob **/*", func() int { return s.listed(false) }, 1.05},
		{"ls --recursive", func() int { return s.listed(true) }, 1.05},
	} {
		args := strings.Fields(row.request)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "_", " ")
		}
		for _, limits := range [][]string{whole[args[0]], nil} {
			text, pages := s.answers(append(slices.Clone(args), limits...))
			s.judge(fmt.Sprintf("%s, pages: %d", row.request, pages), text, row.peer(), row.most)
		}
	}
	s.reads()
	s.misses()
}

// sizes is a run over a tree of sources.
type sizes struct {
	t    *testing.T
	tree string
}

// goSources is a part of Go's own sources, of some hundred files.
func goSources(t *testing.T) string {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("needs the go command: ", err)
	}
	return filepath.Join(strings.TrimSpace(string(root)), "src", "net")
}

func (s *sizes) judge(name string, ours, theirs int, most float64) {
	ratio := float64(ours) / float64(max(theirs, 1))
	s.t.Logf("%-50s %8d characters, %8d of the peer: %.3f, at most %.2f", name, ours, theirs, ratio, most)
	if ratio > most {
		s.t.Errorf("%s: %d characters, %.3f times the peer's %d; at most %.2f", name, ours, ratio, theirs, most)
	}
}

func (s *sizes) fsbox(stdin string, args ...string) []byte {
	cmd := exec.Command("fsbox", append([]string{"--root", s.tree, "--allow-write", "--no-backup", "--timeout", "1m"}, args...)...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	return out
}

// answers counts the characters of all pages of a request.
func (s *sizes) answers(args []string) (count, pages int) {
	inBrackets := regexp.MustCompile(`\n\[.*cursor "?([A-Za-z0-9/._:+-]*).*\]\n$`)
	for cursor := []string(nil); ; {
		out := s.fsbox("", slices.Concat([]string{"--format", "text"}, args, cursor)...)
		count, pages = count+utf8.RuneCount(out), pages+1
		next := inBrackets.FindSubmatch(out)
		if next == nil {
			return count, pages
		}
		cursor = []string{"--cursor", string(next[1])}
	}
}

// walk visits the names that fsbox lists, in no order.
func (s *sizes) walk(visit func(path string, d fs.DirEntry)) {
	err := filepath.WalkDir(s.tree, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(s.tree, path)
		switch {
		case err != nil || rel == ".":
			return err
		case d.Name()[0] == '.' && d.IsDir():
			return fs.SkipDir
		case d.Name()[0] != '.':
			visit(filepath.ToSlash(rel), d)
		}
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *sizes) listed(folders bool) (count int) {
	s.walk(func(path string, d fs.DirEntry) {
		if folders || !d.IsDir() {
			count += utf8.RuneCountInString(path) + 1
		}
	})
	return count
}

// searched counts what rg -n --heading -C around prints: the name of a file, its lines with their
// numbers, "--" between groups of lines, and an empty line between files.
func (s *sizes) searched(text string, around int) (count int) {
	s.walk(func(path string, d fs.DirEntry) {
		content := s.content(path)
		if d.IsDir() || bytes.IndexByte(content, 0) >= 0 || !bytes.Contains(content, []byte(text)) {
			return
		}
		count += utf8.RuneCountInString(path) + len("\n\n")
		lines := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
		shown := -1 // the last line
		for i, line := range lines {
			if !strings.Contains(line, text) {
				continue
			}
			from := max(i-around, shown+1)
			if shown >= 0 && from > shown+1 && around > 0 {
				count += len("--\n")
			}
			for n := from; n <= min(i+around, len(lines)-1); n++ {
				count, shown = count+len(fmt.Sprint(n+1))+1+utf8.RuneCountInString(lines[n])+1, n
			}
		}
	})
	return count - 1
}

func (s *sizes) content(path string) []byte {
	content, err := os.ReadFile(filepath.Join(s.tree, filepath.FromSlash(path)))
	if err != nil {
		return nil // a folder
	}
	return content
}

// sources are the paths of Go files.
func (s *sizes) sources() (all []string) {
	s.walk(func(path string, d fs.DirEntry) {
		if strings.HasSuffix(path, ".go") {
			all = append(all, path)
		}
	})
	return all
}

// batch gives the answers to requests, in a format.
func (s *sizes) batch(format, requests string) []string {
	out := strings.TrimSuffix(string(s.fsbox(requests, "--format", format, "batch")), "\n")
	return strings.Split(out, "\n")
}

// reads counts the first pages of all Go files beside the lines that they show.
func (s *sizes) reads() {
	var requests strings.Builder
	for _, path := range s.sources() {
		fmt.Fprintf(&requests, `{"tool":"read","input":{"path":%q}}`+"\n", path)
	}
	asText, asJSON := s.batch("text", requests.String()), s.batch("json", requests.String())
	text, shown := 0, 0
	for i := range asText {
		var a struct{ Result struct{ Content string } }
		if err := json.Unmarshal([]byte(asJSON[i]), &a); err != nil {
			s.t.Fatal(err)
		}
		text, shown = text+len([]rune(textOf(s.t, asText[i]))), shown+utf8.RuneCountInString(a.Result.Content)
	}
	s.judge("read", text, shown, 1.02)
}

// textOf is the text in an answer of a stream in the text form.
func textOf(t *testing.T, answer string) string {
	var a struct{ Text string }
	if err := json.Unmarshal([]byte(answer), &a); err != nil {
		t.Fatal(err)
	}
	return a.Text
}

// misses makes edits of some lines of a file that a model remembers wrongly. What fails is told in
// at most 1,200 characters, in both forms.
func (s *sizes) misses() {
	const most = 1200
	mine := s.t.TempDir() // an edit needs a folder that may be written, also for a dry run
	if err := os.CopyFS(mine, os.DirFS(s.tree)); err != nil {
		s.t.Fatal(err)
	}
	s.tree = mine
	files, r := s.sources(), rand.New(rand.NewPCG(1, 2))
	var requests strings.Builder
	for range 400 {
		path := files[r.IntN(len(files))]
		lines := strings.SplitAfter(string(s.content(path)), "\n")
		count, from := []int{1, 1, 2, 5, 12, 40}[r.IntN(6)], r.IntN(len(lines))
		text := mangled(r, strings.Join(lines[from:min(len(lines), from+count)], ""))
		request, err := json.Marshal(map[string]any{"tool": "edit",
			"input": map[string]any{"path": path, "expected_text": text, "replacement_text": "replaced", "dry_run": true}})
		if err != nil {
			s.t.Fatal(err)
		}
		requests.Write(append(request, '\n'))
	}
	failed, longest := 0, 0
	for _, answer := range s.batch("text", requests.String()) {
		if text := textOf(s.t, answer); strings.HasPrefix(text, "match_not_found:") || strings.HasPrefix(text, "multiple_matches:") {
			failed, longest = failed+1, max(longest, utf8.RuneCountInString(text))
		}
	}
	for _, answer := range s.batch("json", requests.String()) {
		if strings.HasPrefix(answer, `{"success":false`) {
			longest = max(longest, utf8.RuneCountInString(answer))
		}
	}
	s.t.Logf("%d failed edits: at most %d characters", failed, longest)
	if longest > most || failed < 200 {
		s.t.Errorf("%d failed edits have up to %d characters, more than %d", failed, longest, most)
	}
}

// mangled is a text as it is remembered wrongly. The last ways leave a text that is in several
// places.
func mangled(r *rand.Rand, text string) string {
	words, lines := strings.Split(text, " "), strings.SplitAfter(text, "\n")
	word, line := r.IntN(len(words)), r.IntN(len(lines))
	switch r.IntN(12) {
	case 0:
		return strings.ReplaceAll(text, "\t", "    ")
	case 1:
		return strings.ReplaceAll(text, "\n", " \n")
	case 2:
		return strings.ToLower(text)
	case 3:
		return strings.ReplaceAll(text, `"`, "“")
	case 4:
		return strings.ReplaceAll(text, "<", "&lt;")
	case 5:
		return strings.ReplaceAll(text, "e", "E")
	case 6:
		return strings.ReplaceAll(text, "\n", `\n`)
	case 7:
		return strings.Join(slices.Delete(lines, line, line+1), "")
	case 8:
		return strings.Join(append(words[:word:word], append([]string{words[word] + "Other"}, words[word+1:]...)...), " ")
	case 9:
		for i := range lines {
			lines[i] = fmt.Sprintf("%6d→%s", 12+i, lines[i]) // as a listing has it
		}
		return strings.Join(lines, "")
	case 10:
		return "func notThere(x int) string {\n"
	}
	return strings.TrimSpace(text[:min(len(text), 3)])
}

package search

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"fsbox/testscript"
)

// These tests compare grep with ripgrep: the same files are searched, the same lines are found.
// Ripgrep is taken from FSBOX_RG or PATH (npm's @vscode/ripgrep-linux-x64 has it as bin/rg);
// FSBOX_KERNEL_TREE names a second, larger tree.

// query is a search; flags: e regular expression, i ignore case, w whole word.
type query struct{ flags, text string }

func (q query) has(flag string) bool { return strings.Contains(q.flags, flag) }

var queries = []query{
	{"", "TODO"}, {"", "quixoticNameThatIsNowhere"}, {"", "\t\treturn nil, err"}, {"", "日本"}, {"", "-> "}, {"", "//go:build !"},
	{"i", "todo("}, {"i", "É"}, {"i", "kelvin"}, {"i", "σ"},
	{"w", "ctx"}, {"w", "é"}, {"w", "--"}, {"iw", "io"},
	{"e", `^func \w+\(ctx`}, {"e", `TODO\(\w+\)`}, {"e", `err != nil \{$`}, {"e", `^$`}, {"e", `^.{160,}$`}, {"e", `\bgo(to)?\b`},
	{"e", `[0-9]{12,}`}, {"e", `[^\x00-\x7F]`}, {"e", `\p{Greek}+\P{Greek}`}, {"e", `[[:upper:]]{3}_[[:digit:]]`},
	{"e", `mutex|semaphore|rwlock|futex`}, {"e", `[A-Z]+_RESUME`}, {"e", `\w{5}\s+\w{5}\s+\w{5}\s+\w{5}`}, {"e", `"[^"]*\\x[0-9a-f]{2}`},
	{"ei", `straSSe|münchen|\bunicode [a-c]`}, {"ew", `re(ad|cv)_?|p?write`}, {"ew", `[a-f0-9]{8}`}, {"eiw", `x\w*y|zz+`},
}

// line is a line of a file in a tree.
type line struct {
	file   string
	number int64
}

func (l line) String() string { return fmt.Sprintf("%s:%d", l.file, l.number) }

// compareLines is the order of results: by path, component by component, then by line.
func compareLines(a, b line) int {
	if c := slices.Compare(strings.Split(a.file, "/"), strings.Split(b.file, "/")); c != 0 {
		return c
	}
	return cmp.Compare(a.number, b.number)
}

// A difference is one that is meant: why, and which lines of which side it excuses.
type difference struct {
	name, reason string
	excuses      func(q query, f *searched, number int64, ours bool) bool // nil: not to be met in a tree of source code

	// A sample where it shows: files, a query, and the lines that each side finds.
	files        map[string]string
	query        query
	ours, theirs []line
}

var filler = strings.Repeat("filler\n", 2000)

var differences = []difference{
	{
		name: "NUL after the first 8 KiB", reason: "fsbox looks for a NUL at the start of a file, as read does; ripgrep stops at one anywhere",
		excuses: func(_ query, f *searched, _ int64, ours bool) bool {
			return ours && bytes.IndexByte(f.content, 0) >= 8<<10
		},
		files: map[string]string{"late": filler + "\x00\nhit\n", "text": "hit\n"},
		query: query{"", "hit"}, ours: []line{{"late", 2002}, {"text", 1}}, theirs: []line{{"text", 1}},
	}, {
		name: "magic number", reason: "fsbox knows binary formats by their first bytes, also where no NUL gives them away",
		excuses: func(_ query, f *searched, _ int64, ours bool) bool {
			return !ours && bytes.HasPrefix(f.content, []byte("%PDF-1."))
		},
		files: map[string]string{"a.pdf": "%PDF-1.4\nhit\n"},
		query: query{"", "hit"}, theirs: []line{{"a.pdf", 2}},
	}, {
		name: ".rgignore", reason: "ripgrep's own file: fsbox reads .gitignore, .ignore and .git/info/exclude",
		files: map[string]string{".rgignore": "a\n", "a": "hit\n", ".ignore": "b\n", "b": "hit\n"},
		query: query{"", "hit"}, ours: []line{{"a", 1}},
	}, {
		name:   "hidden names that .gitignore undoes",
		reason: "in ripgrep a rule such as !.config makes a hidden file visible; in fsbox only include_hidden does",
		excuses: func(_ query, f *searched, _ int64, ours bool) bool {
			return !ours && (strings.HasPrefix(f.path, ".") || strings.Contains(f.path, "/."))
		},
		files: map[string]string{".gitignore": ".*\n!.config\n", ".config": "hit\n", ".other": "hit\n"},
		query: query{"", "hit"}, theirs: []line{{".config", 1}},
	}, {
		name: "CRLF", reason: "to fsbox the CR of a line end is no part of the line; to ripgrep it is, without --crlf",
		excuses: func(q query, f *searched, number int64, _ bool) bool {
			return q.has("e") && bytes.HasSuffix(f.line(number), []byte("\r"))
		},
		files: map[string]string{"crlf": "hit\r\nhit.\r\n"},
		query: query{"e", `t.?$`}, ours: []line{{"crlf", 1}, {"crlf", 2}}, theirs: []line{{"crlf", 1}},
	}, {
		name: "invalid UTF-8", reason: "to a regular expression of fsbox an invalid byte is U+001A, as if it were a character; ripgrep's " +
			"match none",
		excuses: func(q query, f *searched, number int64, ours bool) bool {
			return ours && q.has("e") && !utf8.Valid(f.line(number))
		},
		files: map[string]string{"latin1": "caf\xe9s\n", "utf8": "cafés\n"},
		query: query{"e", `caf.s`}, ours: []line{{"latin1", 1}, {"utf8", 1}}, theirs: []line{{"utf8", 1}},
	}, {
		name: "joiners of words", reason: "a word of fsbox has letters, marks, digits and _; Unicode's, and ripgrep's, has other connectors too",
		excuses: func(q query, f *searched, number int64, ours bool) bool {
			return ours && q.has("w") && bytes.ContainsFunc(f.line(number), isJoiner)
		},
		files: map[string]string{"tie": "hit‿miss\n", "underscore": "hit_miss\n"},
		query: query{"w", "hit"}, ours: []line{{"tie", 1}},
	}, {
		name: "ASCII classes", reason: `\w \d \s \b are RE2's, of ASCII alone; ripgrep has the same as (?-u:\w), which the comparison uses`,
		files: map[string]string{"french": "été\n", "english": "summer\n"},
		query: query{"e", `^(\w)+$`}, ours: []line{{"english", 1}}, theirs: []line{{"english", 1}, {"french", 1}},
	},
}

// isJoiner tells what Unicode counts among the characters of a word and fsbox doesn't.
func isJoiner(r rune) bool {
	return r != '_' && unicode.Is(unicode.Pc, r) || unicode.In(r, unicode.Other_Alphabetic, unicode.Nl, unicode.Join_Control)
}

// asciiClasses writes a pattern so that ripgrep's classes are those of RE2.
var asciiClasses = strings.NewReplacer(`\w`, `(?-u:\w)`, `\d`, `(?-u:\d)`, `\s`, `(?-u:\s)`, `\b`, `(?-u:\b)`)

func TestRipgrep(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	rg := ripgrep(t)
	for _, tree := range trees(t) {
		ran, found := 0, 0
		for _, q := range queries {
			t.Run(fmt.Sprintf("%s/%s %s", filepath.Base(tree), q.flags, q.text), func(t *testing.T) {
				theirs := query{q.flags, q.text}
				if q.has("e") {
					theirs.text = asciiClasses.Replace(q.text)
				}
				ours := ourLines(t, tree, q)
				ran, found = ran+1, found+len(ours)
				compareSides(t, tree, q, ours, rgLines(t, rg, tree, theirs))
			})
		}
		if ran == len(queries) && found == 0 {
			t.Errorf("nothing found in %s: the comparison shows nothing", tree)
		}
	}
}

// TestRipgrepDifferences shows each known difference, and that it excuses what it says.
func TestRipgrepDifferences(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	rg := ripgrep(t)
	for _, d := range differences {
		t.Run(d.name, func(t *testing.T) {
			tree := t.TempDir()
			for name, text := range d.files {
				if err := os.WriteFile(filepath.Join(tree, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			ours, theirs := ourLines(t, tree, d.query), rgLines(t, rg, tree, d.query)
			if !slices.Equal(ours, d.ours) || !slices.Equal(theirs, d.theirs) {
				t.Errorf("fsbox has %v, want %v; ripgrep has %v, want %v: %s", ours, d.ours, theirs, d.theirs, d.reason)
			}
			if d.excuses != nil {
				compareSides(t, tree, d.query, ours, theirs)
			}
		})
	}
}

// compareSides reports every line that one side alone has and no known difference excuses.
func compareSides(t *testing.T, tree string, q query, ours, theirs []line) {
	t.Helper()
	excused, open := map[string]int{}, 0
	f := &searched{tree: tree}
	for i, j := 0, 0; i < len(ours) || j < len(theirs); {
		c := -1
		switch {
		case i == len(ours):
			c = 1
		case j < len(theirs):
			c = compareLines(ours[i], theirs[j])
		}
		var only line
		switch {
		case c == 0:
			i, j = i+1, j+1
			continue
		case c < 0:
			only = ours[i]
			i++
		default:
			only = theirs[j]
			j++
		}
		f.load(t, only.file)
		if name := excuse(q, f, only.number, c < 0); name != "" {
			excused[name]++
		} else if open++; open <= 5 {
			t.Errorf("only %s has %v: %.200q", map[bool]string{true: "fsbox", false: "ripgrep"}[c < 0], only, f.line(only.number))
		}
	}
	t.Logf("%d lines, %d of ripgrep, excused: %v", len(ours), len(theirs), excused)
	if open > 5 {
		t.Errorf("and %d more", open-5)
	}
}

func excuse(q query, f *searched, number int64, ours bool) string {
	for _, d := range differences {
		if d.excuses != nil && d.excuses(q, f, number, ours) {
			return d.name
		}
	}
	return ""
}

// searched is a file of a tree, loaded to see why only one side found something in it.
type searched struct {
	tree, path string
	content    []byte
	lines      [][]byte
}

func (f *searched) load(t *testing.T, path string) {
	t.Helper()
	if f.path == path {
		return
	}
	content, err := os.ReadFile(filepath.Join(f.tree, path))
	if err != nil {
		t.Fatal(err)
	}
	f.path, f.content, f.lines = path, content, bytes.Split(content, []byte("\n"))
}

// line gives a line as the file has it; of UTF-16, where line numbers don't fit the bytes, maybe
// none.
func (f *searched) line(number int64) []byte {
	if number < 1 || number > int64(len(f.lines)) {
		return nil
	}
	return f.lines[number-1]
}

// ourLines follows the cursors from page to page. The first pages are tiny, each is a quarter
// longer than the one before. The counts of output_mode counts must say the same.
func ourLines(t *testing.T, tree string, q query) []line {
	t.Helper()
	var lines []line
	counts := map[string]int64{}
	for size, next := 1, ""; ; size = min(size+size/4+1, 10_000) {
		page := grepPage(t, tree, q, "matches", size, next)
		for _, m := range page.Matches {
			l := line{exactName(t, m.File, m.PathBase64), m.Line}
			if n := len(lines); n > 0 && compareLines(lines[n-1], l) >= 0 {
				t.Fatalf("%v comes after %v", l, lines[n-1])
			}
			lines = append(lines, l)
			counts[l.file]++
		}
		if next = page.NextCursor; page.Truncated != (next != "") || (next != "" && len(page.Matches) == 0) {
			t.Fatalf("truncated %v, next_cursor %q, %d matches", page.Truncated, next, len(page.Matches))
		}
		if next == "" {
			break
		}
	}
	for next := ""; ; {
		page := grepPage(t, tree, q, "counts", 1000, next)
		for _, c := range page.Counts {
			if name := exactName(t, c.File, c.PathBase64); counts[name] != c.Count {
				t.Errorf("%s: %d matching lines, counted %d", name, counts[name], c.Count)
			}
			delete(counts, exactName(t, c.File, c.PathBase64))
		}
		if next = page.NextCursor; next == "" {
			break
		}
	}
	if len(counts) > 0 {
		t.Errorf("files with matches and without a count: %v", slices.Sorted(maps.Keys(counts)))
	}
	return lines
}

// foundPage is what the answer of grep has on one page, as far as it is compared.
type foundPage struct {
	Matches    []foundLine
	Counts     []foundLine
	Truncated  bool
	NextCursor string `json:"next_cursor"`
}

type foundLine struct {
	File        string
	PathBase64  string `json:"path_base64"`
	Line, Count int64
}

func grepPage(t *testing.T, tree string, q query, mode string, size int, cursor string) foundPage {
	t.Helper()
	request := map[string]any{"query": q.text, "use_regex": q.has("e"), "case_sensitive": !q.has("i"), "whole_word": q.has("w"),
		"max_matches": size, "output_mode": mode, "cursor": cursor}
	if cursor == "" {
		delete(request, "cursor")
	}
	object, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	args := []string{"--root", tree, "--no-default-deny", "--timeout", "10m", "grep", "--json", string(object)}
	if status := testscript.RunHere(args, strings.NewReader(""), &out, &errs); status != 0 {
		t.Fatalf("status %d: %s%s", status, out.Bytes(), errs.Bytes())
	}
	var answer struct{ Result foundPage }
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		t.Fatalf("%v in %.500s", err, out.Bytes())
	}
	return answer.Result
}

// exactName gives the bytes of a name, which in JSON are not what they were if they aren't UTF-8.
func exactName(t *testing.T, shown, exact string) string {
	t.Helper()
	if exact == "" {
		return shown
	}
	name, err := base64.StdEncoding.DecodeString(exact)
	if err != nil {
		t.Fatal(err)
	}
	return string(name)
}

// ripgrep finds the program to compare with.
func ripgrep(t *testing.T) string {
	t.Helper()
	if rg := os.Getenv("FSBOX_RG"); rg != "" {
		return rg
	}
	rg, err := exec.LookPath("rg")
	if err != nil {
		t.Skip("no ripgrep to compare with: put rg into PATH or its path into FSBOX_RG")
	}
	return rg
}

// trees are the folders to search: the sources of Go's library, of which a test without -sweep
// takes a part, and of Linux.
func trees(t *testing.T) []string {
	t.Helper()
	root := goroot(t)
	if !testscript.Sweep() {
		return []string{filepath.Join(root, "src", "net")}
	}
	all := []string{filepath.Join(root, "src")}
	if kernel := os.Getenv("FSBOX_KERNEL_TREE"); kernel != "" {
		all = append(all, kernel)
	}
	return all
}

func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// rgLines asks ripgrep. Rules from outside the tree are switched off: fsbox reads none.
func rgLines(t *testing.T, rg, tree string, q query) []line {
	t.Helper()
	args := []string{"--no-config", "--no-require-git", "--no-ignore-global", "--no-ignore-parent", "--no-messages",
		"--line-number", "--no-heading", "--null", "--color=never"}
	if !q.has("e") {
		args = append(args, "--fixed-strings")
	}
	if q.has("i") {
		args = append(args, "--ignore-case")
	}
	if q.has("w") {
		args = append(args, "--word-regexp")
	}
	cmd := exec.Command(rg, append(args, "--regexp="+q.text, "./")...)
	cmd.Dir = tree
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) { // 1: no match
		t.Fatalf("%v: %v", cmd, err)
	}
	var lines []line
	for text := range bytes.Lines(out) {
		name, rest, ok := bytes.Cut(text, []byte{0})
		digits, _, _ := bytes.Cut(rest, []byte(":"))
		number, err := strconv.ParseInt(string(digits), 10, 64)
		if !ok || err != nil {
			t.Fatalf("%v: can't read %q", cmd, text)
		}
		lines = append(lines, line{strings.TrimPrefix(string(name), "./"), number})
	}
	slices.SortFunc(lines, compareLines)
	return lines
}

// TestSameBytes runs searches again and again, on one core and on several: the answers are the same
// to the byte.
func TestSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	testscript.NeedsUnix(t, "go, whose sources are searched")
	tree := trees(t)[0]
	for _, args := range [][]string{
		{"return"},
		{"func", "--max-matches", "1000", "-C", "1"},
		{"Unicode", "-i", "-w", "--max-matches", "700", "--output-mode", "counts"},
		{`^func \w+\(ctx`, "--use-regex", "--max-matches", "10000"},
		{"mutex|semaphore", "--use-regex", "--max-matches", "30", "--max-matches-per-file", "2", "--output-mode", "files"},
	} {
		var first []byte
		for run := range 10 {
			cores := 1
			if run%2 == 1 {
				cores = max(4, runtime.NumCPU())
			}
			cmd := exec.Command("fsbox", append([]string{"--root", tree, "--timeout", "10m", "grep"}, args...)...)
			cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", cores))
			out, err := cmd.Output()
			switch {
			case err != nil:
				t.Fatalf("%v: %v: %s", cmd, err, out)
			case first == nil:
				first = out
			case !bytes.Equal(out, first):
				t.Fatalf("%v: run %d, on %d cores, differs from the first, on 1:\n%.2000s\n%.2000s", cmd, run, cores, out, first)
			}
		}
		if !bytes.Contains(first, []byte(`"files_matched":`)) || bytes.Contains(first, []byte(`"files_matched":0,`)) {
			t.Errorf("grep %v found nothing: %.500s", args, first)
		}
	}
}

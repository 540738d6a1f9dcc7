package commands

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"fsbox/commands/cmdline"
	"fsbox/commands/settings"
)

// advice is what hints tell to do, and how a caller does it.
var advice = []struct {
	says   *regexp.Regexp
	follow func(fields map[string]any, named string)
}{
	{regexp.MustCompile(`which (glob) excludes`), func(f map[string]any, _ string) { f["glob"] = []string{"*"} }},
	{regexp.MustCompile(`which (file_type) excludes`), func(f map[string]any, _ string) { delete(f, "file_type") }},
	{regexp.MustCompile(`set (case_sensitive|whole_word|use_regex) to false`), func(f map[string]any, name string) { f[name] = false }},
	{regexp.MustCompile(`(?:set|with|and) (use_regex|multiline|no_ignore)(?:$|[^ ]| and)`),
		func(f map[string]any, name string) { f[name] = true }},
	{regexp.MustCompile(`(?:set|and) (include_hidden)`), func(f map[string]any, name string) { f[name] = true }},
	{regexp.MustCompile(`set query to ("[^"]*")`), func(f map[string]any, text string) { f["query"] = unquoted(text) }},
	{regexp.MustCompile(`set glob to ("[^"]*")`), func(f map[string]any, text string) { f["glob"] = []string{unquoted(text)} }},
	{regexp.MustCompile(`("[^"]*") finds it`), func(f map[string]any, text string) { f["pattern"] = unquoted(text) }},
	{regexp.MustCompile(`without surrounding (blanks)`), func(f map[string]any, _ string) {
		for _, name := range [...]string{"query", "expected_text"} {
			if text, ok := f[name].(string); ok {
				f[name] = strings.TrimSpace(text)
			}
		}
	}},
	{regexp.MustCompile(`^("[^"]*") exists; globs are case-sensitive`),
		func(f map[string]any, hit string) { f["pattern"] = "**/" + path.Base(unquoted(hit)) }},
	{regexp.MustCompile(`set type to (any) to find it`), func(f map[string]any, name string) { f["type"] = name }},
}

func unquoted(text string) string {
	plain, err := strconv.Unquote(text)
	if err != nil {
		panic(err)
	}
	return plain
}

// asked is what an answer of grep, glob or edit has of interest here.
type asked struct {
	Hint   string
	Result struct {
		Files         []any // paths, or objects with one
		Matches       []struct{ File string }
		FilesSearched int64 `json:"files_searched"`
	}
	Details struct { // of an edit
		FilesSearched int64 `json:"files_searched"`
	}
}

// TestHintsKeepTheirWord makes random requests in random trees. A hint that names a path and what
// to set leads to that path, if the request is sent again as it says.
func TestHintsKeepTheirWord(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	if runtime.GOOS == "windows" {
		t.Skip("hints have a tenth of a second, in which Wine looks at few files")
	}
	random, followed := rand.New(rand.NewPCG(1, 2)), map[string]int{}
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	for range sized(30) {
		root := t.TempDir()
		randomTree(t, root, one)
		env := testEnv(t, settings.Settings{Root: root, AllowWrite: true})
		ask := func(tool string, fields map[string]any) (answer string, a asked) {
			line, err := json.Marshal(map[string]any{"tool": tool, "input": fields})
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			p := Program{Stdin: strings.NewReader(string(line) + "\n"), Stdout: &out, Commands: All()}
			p.serveBatch(t.Context(), env, cmdline.Batch{})
			if err := json.Unmarshal([]byte(out.String()), &a); err != nil {
				t.Fatal(err)
			}
			return out.String(), a
		}
		for range 50 {
			tool := one("grep", "glob", "edit")
			fields := randomRequest(tool, one)
			first, a := ask(tool, fields)
			hit, told := a.promised(tool, fields)
			if !told {
				continue
			}
			line := fmt.Sprint(tool, fields)
			for _, advice := range advice {
				for _, m := range advice.says.FindAllStringSubmatch(a.Hint, -1) {
					advice.follow(fields, m[1])
					followed[advice.says.String()]++
				}
			}
			second, b := ask(tool, fields)
			isSearched := b.Result.FilesSearched+b.Details.FilesSearched > 0
			if !b.has(hit) && !(isSearched && strings.Contains(a.Hint, "set glob to")) { // which promises no match
				t.Errorf("%s: %s\nwas followed by %v: %s\n", line, first, fields, second)
			}
		}
	}
	for _, advice := range advice {
		if followed[advice.says.String()] == 0 {
			t.Errorf("no hint had %s", advice.says)
		}
	}
}

// promised is the path to which a hint says that it leads, "" for any.
func (a asked) promised(tool string, fields map[string]any) (path string, told bool) {
	if strings.Contains(a.Hint, "set type to") {
		return "", true
	}
	hit := regexp.MustCompile(`(?:in |^)("[^"]+") (?:line|exists)`).FindStringSubmatch(a.Hint)
	noField := regexp.MustCompile(`(ignores|hides) it|is skipped|another case`)
	if hit == nil || tool == "edit" && (fields["path"] == ".git" || noField.MatchString(a.Hint)) {
		return "", false // edit has no field for these, and changes nothing in .git
	}
	return unquoted(hit[1]), true
}

// has says whether an answer has a path, by whichever link.
func (a asked) has(path string) bool {
	resolved := strings.NewReplacer("la/", "a/", "li/", "ign/")
	found := resolved.Replace(fmt.Sprint(a.Result.Files, a.Result.Matches))
	return found != "[] []" && strings.Contains(found, resolved.Replace(path))
}

func randomTree(t *testing.T, root string, one func(of ...string) string) {
	for range 8 {
		folder := filepath.Join(root, one(".", ".", "a", "a/sub", "b.d", "ign", "ign/sub", ".dot", ".git", "a/ign"))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			continue // a file has the name
		}
		file := filepath.Join(folder, one("f.go", "g.py", "H.GO", ".d.go", "g.md", "ign"))
		text := one("needle", "Needle", "needles", "ne.dle", "need\nle", "f(x)", "x|y")
		_ = os.WriteFile(file, []byte(text+"\n"), 0o644) // unless a folder has the name
	}
	rules := one("ign/", "ign", "/ign", "ign/**", "*.py", "a/sub") + "\n" + one("", "!f.go", "*.md", "sub/")
	writeFile(t, filepath.Join(root, ".gitignore"), rules)
	_ = os.Symlink("a", filepath.Join(root, "la")) // where a system has links
	_ = os.Symlink("ign", filepath.Join(root, "li"))
}

func randomRequest(tool string, one func(of ...string) string) map[string]any {
	maybe := func() bool { return one("no", "no", "no", "yes") == "yes" }
	fields := map[string]any{"path": one(".", ".", ".", "a", "ign", "la", "li", ".git", ".dot", "a/sub", "a/f.go")}
	if tool != "glob" {
		fields["whole_word"], fields["glob"] = maybe(), []string{one("*.go", "*.py", "f*", "a/*", "a/**", "!g.*", "sub/f.go", "md", ".go",
			"/g*", "*.{go,md}", "**/g*", "h*", `.*\.go`, "'*.md'", "*.go|*.py")}
	}
	if tool != "edit" {
		fields["no_ignore"], fields["include_hidden"] = maybe(), maybe()
	}
	switch tool {
	case "grep":
		fields["query"], fields["use_regex"] = one("needle", "NEEDLE", "needle$", "ne.dle", "nee[d]le", `f\(x\)`, "f(x)", "x|y", `x\|y`,
			"/needle/", "need", " needle "), maybe()
		if maybe() {
			fields["file_type"] = []string{one("go", "py", "md")}
		}
		if maybe() {
			delete(fields, "glob")
		}
	case "glob":
		fields["type"] = one("file", "file", "directory", "any")
		fields["pattern"] = one("*.go", "*.PY", "F*", "f.go", "sub", "SUB", "ign", "ig", "**/*.md", "a/*", `a\f.go`, ".d*", "/g.*", "g",
			"la", "**/sub/*")
	default:
		fields["expected_text"], fields["replacement_text"] = one("needle", "NEEDLE", "need", " needle "), "needles"
	}
	return fields
}

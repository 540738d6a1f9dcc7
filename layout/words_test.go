package layout

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// otherWords are words that have a plainer one, which this tree uses, in identifiers, in comments
// and in texts.
var otherWords = []struct {
	identifier, comment, text string // expressions
	now                       string
	except                    string // beginnings of the sources that keep the word, with blanks between
}{
	{`(^|[a-z0-9])Verbs?([A-Z]|$)|^verbs?([A-Z]|$)`, `\b[Vv]erbs?\b`, ``, "command", ""},
	{`Doors?([A-Z]|$)|^doors?$`, `[a-z]Doors?([A-Z]|\b)|\b(every|all|each|any) doors?\b`, ``, "interface", ""},
	{`Garbl|^garbl`, `\b[Gg]arbl`, ``, "mangled", ""},
	{`Omission|^omission`, `Omission|\bomission[A-Z]`, ``, "elision", ""},
	{``, `\btwins?\b`, ``, "raw bytes field", ""},
	{`^(oddities|mends?|arrows)$`, `\boddities\b`, ``, "suspicious, fix, imports", ""},
	{`^unlessDone$`, ``, ``, "rollbackUnlessCommitted", ""},
	{`^hasOtherWay$`, ``, ``, "canRetryOtherwise", ""},
	{`^cameToNothing$`, ``, ``, "isNoop", ""},
	{`^untangle$`, ``, ``, "resolveConflicts", ""},
	{`^(arrival|arrives)$`, ``, ``, "creation, creates", ""},
	{`^(Figures|Figured|Measures)$`, ``, ``, "AddLogStats, StatsLogger, LogStats", ""},
	{`^Weigh(er)?$`, ``, ``, "MemoryEstimate, MemoryEstimator", ""},
	{`^(Aside|OnAsked|ForHost|Habits)$`, ``, ``, "Detail, OptIn, HostOnly, FlagHints", ""},
	{``, ``, `\bargument too many\b`, "unexpected argument", ""},
	{``, ``, `\b(take|takes|took|taken) back\b`, "undo", ""},
	{``, ``, `\bgo on with\b`, "continue with", ""},
	// "List a directory (folder)": who searches for either word finds the tool. A question to people says folder.
	{``, ``, `(^|[ "\x60])[Ff]olders?[^\w/}-]`, "directory", "commands/approval commands/effects_test"},
	{``, ``, `\bis tied to it\b`, "a value that starts with a dash", ""},
	{``, ``, `\bleave ([^ .;:,]+|(the|this|these) [^ .;:,]+) out\b|\bleft out\b`, "omit", ""},
	{``, ``, `" is there\b|\bis there already\b|\bwas there already\b|\bare there already\b`, "exists, already exists", ""},
	{``, ``, `\bleads? (out of|outside)\b`, "escapes", ""},
	{``, ``, `\bexclude each other\b|, not as both\b`, "are mutually exclusive", ""},
	{``, ``, `\bnothing to take back\b`, "nothing to undo", ""},
	{``, ``, `\ball the same\b`, "anyway", ""},
	{``, ``, `\bis no (regular expression|valid)\b`, "is not a", ""},
	{``, ``, `\bmend(s|ed|ing)?\b`, "fix", ""},
	{``, ``, `\b(people|persons?) agrees?\b`, "the user approves", ""},
	{``, ``, `\bswitched off\b`, "disabled", ""},
	{``, `\bgives? way to\b`, `\bgives? way to\b`, "is replaced by", ""},
}

// TestWords: one thing has one name.
func TestWords(t *testing.T) {
	t.Chdir("..")
	_, sources := filesOfTree(t)
	compiled := func(expression string) *regexp.Regexp {
		if expression == "" {
			expression = "^\\x00$"
		}
		return regexp.MustCompile(expression)
	}
	var expressions [][3]*regexp.Regexp
	var any [3]string // what one of the expressions finds: most texts have nothing of it
	for _, w := range otherWords {
		expressions = append(expressions, [3]*regexp.Regexp{compiled(w.identifier), compiled(w.comment), compiled(w.text)})
		for i, one := range []string{w.identifier, w.comment, w.text} {
			if one != "" {
				any[i] += "|(?:" + one + ")"
			}
		}
	}
	quick := [3]*regexp.Regexp{compiled(any[0][1:]), compiled(any[1][1:]), compiled(any[2][1:])}
	known := map[string]bool{} // identifiers that have none
	for _, source := range sources {
		if strings.HasPrefix(source, "bench/") || strings.HasPrefix(source, "hosts/") || source == "layout/words_test.go" {
			continue
		}
		content, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		file := fset.AddFile(source, -1, len(content))
		var s scanner.Scanner
		s.Init(file, content, nil, scanner.ScanComments)
		for {
			pos, tok, text := s.Scan()
			if tok == token.EOF {
				break
			}
			kind := map[token.Token]int{token.IDENT: 0, token.COMMENT: 1, token.STRING: 2}
			of, ok := kind[tok]
			if !ok || of == 0 && known[text] {
				continue
			}
			if !quick[of].MatchString(text) {
				known[text] = of == 0
				continue
			}
			for i := range expressions {
				if expressions[i][of].MatchString(text) && !keepsWord(source, otherWords[i].except) {
					t.Errorf("%s: %q: say %s", fset.Position(pos), expressions[i][of].FindString(text), otherWords[i].now)
				}
			}
		}
	}
}

// TestWordsOfPages: nor do pages, and the comments of scripts, have such words. In pages a folder
// may be one, as a person would say.
func TestWordsOfPages(t *testing.T) {
	t.Chdir("..")
	others := []string{"CHANGELOG.md", "bench", "findings", "hosts"}
	found := make([]*regexp.Regexp, len(otherWords))
	for i, w := range otherWords {
		if w.text != "" && w.now != "directory" {
			found[i] = regexp.MustCompile(w.text)
		}
	}
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		isPage, isScript := strings.HasSuffix(name, ".md"), strings.HasSuffix(name, ".txtar")
		switch {
		case err != nil:
			return err
		case slices.Contains(others, name) && d.IsDir(), d.IsDir() && name != "." && name[0] == '.':
			return fs.SkipDir
		case d.IsDir(), !isPage && !isScript, slices.Contains(others, name):
			return nil
		}
		content, err := os.ReadFile(name)
		for i, line := range strings.Split(string(content), "\n") {
			if isScript && !strings.HasPrefix(line, "#") {
				continue
			}
			for k, w := range found {
				if w != nil && w.MatchString(line) {
					t.Errorf("%s:%d: %q: say %s", name, i+1, w.FindString(line), otherWords[k].now)
				}
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func keepsWord(source, except string) bool {
	return slices.ContainsFunc(strings.Fields(except), func(beginning string) bool { return strings.HasPrefix(source, beginning) })
}

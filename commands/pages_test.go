package commands

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fsbox/commands/cmdline"
	"fsbox/commands/settings"
)

// userPages are the texts that users read.
func userPages(t *testing.T) map[string]string {
	t.Helper()
	found, err := filepath.Glob("../docs/*.md")
	if err != nil || len(found) == 0 {
		t.Fatalf("no pages in docs: %v", err)
	}
	pages := map[string]string{}
	for _, name := range append(found, "../README.md", "../SECURITY.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages[filepath.ToSlash(name)] = strings.ReplaceAll(string(text), "\r", "")
	}
	return pages
}

// Command lines inside sentences are understood, too. Those in blocks are run by the tests of
// testscript/docs.
func TestCommandsInSentences(t *testing.T) {
	block, line := regexp.MustCompile("(?ms)^```.*?^```$"), regexp.MustCompile("`(?:git diff \\| )?(fsbox [^`]+)`")
	seen := 0
	for name, text := range userPages(t) {
		for _, m := range line.FindAllStringSubmatch(block.ReplaceAllString(text, ""), -1) {
			seen++
			own, _, _ := strings.Cut(m[1], " | ")
			words := shellWords(t, strings.ReplaceAll(own, "COMMAND", "read"))
			if words[0] == "help" || words[len(words)-1] == "--help" || words[0] == "--version" {
				continue
			}
			if _, fail := cmdline.Parse(words, OfLine(), io.Discard); fail != nil {
				t.Errorf("%s: %s: %s", name, m[1], fail.Message)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d command lines found: the test is not looking at them", seen)
	}
}

// The table of settings has a row for each, with its default.
func TestSettingsInPage(t *testing.T) {
	text := userPages(t)["../docs/policy.md"]
	for _, f := range settings.Fields() {
		row := regexp.MustCompile("(?m)^\\| `" + f.Name + "` \\|([^|]*)\\|").FindStringSubmatch(text)
		switch {
		case f.Name == "config": // the page has a part of its own about it
		case row == nil:
			t.Errorf("docs/policy.md has no row for the setting %s", f.Name)
		case f.Def != "" && f.Def != "." && f.Def != "0" && !strings.Contains(strings.NewReplacer(" ", "", ",", "").Replace(row[1]), f.Def):
			t.Errorf("docs/policy.md: the default of %s is %s, not %s", f.Name, f.Def, row[1])
		}
	}
}

// listed writes names as sentences do.
func listed(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

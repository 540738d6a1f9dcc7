package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fsbox/testscript"
)

var (
	link    = testscript.WhenUsed(`\]\(([^)\s]+)\)`)
	fence   = testscript.WhenUsed("(?ms)^```.*?^```$")
	span    = testscript.WhenUsed("`[^`\n]*`")
	heading = testscript.WhenUsed(`(?m)^#+ +(.+)$`)
	anchor  = testscript.WhenUsed(`<a id="([^"]+)"`)
	noSign  = testscript.WhenUsed(`[^\p{L}\p{N} _-]`)
)

// TestLinks follows the links of all pages that lead to files of the repository, and their anchors.
func TestLinks(t *testing.T) {
	seen := 0
	for _, name := range linked(t) {
		text := readPage(t, name)
		for _, m := range link().FindAllStringSubmatch(span().ReplaceAllString(fence().ReplaceAllString(text, ""), ""), -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			seen++
			if fault := followLink(t, name, m[1]); fault != "" {
				t.Errorf("%s: the link %s leads nowhere: %s", name, m[1], fault)
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d links found: the test is not looking at them", seen)
	}
}

// TestPagesBegin: each page of docs begins with a title and with whom it is for, and the list of
// pages has it.
func TestPagesBegin(t *testing.T) {
	list := readPage(t, "../../docs/README.md")
	for _, name := range pages(t)[2:] {
		title, rest, _ := strings.Cut(readPage(t, name), "\n\n")
		if !strings.HasPrefix(title, "# ") || !strings.HasPrefix(rest, "For ") {
			t.Errorf("%s begins with %q and %.40q, not with a title and whom it is for", name, title, rest)
		}
		if base := filepath.Base(name); base != "README.md" && !strings.Contains(list, "]("+base+")") {
			t.Errorf("docs/README.md doesn't name %s", base)
		}
	}
}

func linked(t *testing.T) []string {
	t.Helper()
	all := append(pages(t), "../../CONTRIBUTING.md", "../../CHANGELOG.md", "../../.ci/README.md", "../../packaging/README.md")
	for _, pattern := range []string{"../../*/README.md", "../../bench/*.md", "../../examples/*.md", "../../examples/skill/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	return all
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

func followLink(t *testing.T, from, to string) (fault string) {
	file, fragment, _ := strings.Cut(to, "#")
	target := from
	if file != "" {
		target = filepath.Join(filepath.Dir(from), filepath.FromSlash(file))
	}
	if _, err := os.Stat(target); err != nil {
		return "no such file"
	}
	if fragment != "" && !anchors(readPage(t, target))[fragment] {
		return "no such heading"
	}
	return ""
}

// anchors are what the headings of a page can be reached by, as GitHub makes them.
func anchors(page string) map[string]bool {
	all := map[string]bool{}
	page = fence().ReplaceAllString(page, "")
	for _, m := range heading().FindAllStringSubmatch(page, -1) {
		text := link().ReplaceAllString(strings.ReplaceAll(m[1], "[", ""), "")
		all[strings.ReplaceAll(noSign().ReplaceAllString(strings.ToLower(text), ""), " ", "-")] = true
	}
	for _, m := range anchor().FindAllStringSubmatch(page, -1) {
		all[m[1]] = true
	}
	return all
}

// TestNamedTests: each test and script that SECURITY.md names as a proof is there.
func TestNamedTests(t *testing.T) {
	sources := goTests(t)
	seen := 0
	for _, m := range regexp.MustCompile("`(Test\\w+|[\\w*]+\\.txtar)`").FindAllStringSubmatch(readPage(t, "../../SECURITY.md"), -1) {
		seen++
		if scripts, _ := filepath.Glob("../*/" + m[1]); len(scripts) == 0 && !strings.Contains(sources, "\nfunc "+m[1]+"(") {
			t.Errorf("SECURITY.md names %s, and there is no such test", m[1])
		}
	}
	if seen < 20 {
		t.Errorf("only %d tests found in SECURITY.md: the test is not looking at them", seen)
	}
}

// goTests is the text of all Go tests.
func goTests(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range []string{"../../*/*_test.go", "../../*/*/*_test.go", "../../*/*/*/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			all.WriteString(readPage(t, file))
		}
	}
	return all.String()
}

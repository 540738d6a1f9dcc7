package wildcard

import (
	"os/exec"
	"path"
	"strings"
	"testing"
)

func TestDialect(t *testing.T) {
	for pattern, want := range map[string]string{
		"@(foo|bar).md": "{foo,bar}.md", "x?(a|b)": "x{,a,b}", "file{1..3}.txt": "file{1,2,3}.txt", "{c..a}": "{a,b,c}",
		"{08..10}":     "{08,09,10}",
		"[[:upper:]]*": "[A-Z]*", "[![:digit:]x]": "[!0-9x]", "[]a[:alpha:]]": "[]aA-Za-z]", "a/@(b|c)/{1..2}": "a/{b,c}/{1,2}",
		"a": "", "{a,b}": "", "[id]": "", "@modal/(auth)": "", `\@(a)`: "", "@(a": "", "{1..}": "", "{1..9999}": "", "[[:bogus:]]": "", "[": "", `a\`: "", "[[:upper:]": "",
		"@((a)|b)": "", "?(": "",
	} {
		got, ok := Dialect(pattern)
		if ok != (want != "") || ok && got != want || !ok && got != pattern {
			t.Errorf("%s: %s, %v, want %s", pattern, got, ok, want)
		}
	}
}

// TestDialectLikeBash compares what the patterns match with what bash says.
func TestDialectLikeBash(t *testing.T) {
	if exec.Command("bash", "-c", "shopt -s extglob").Run() != nil {
		t.Skip("no bash to compare with")
	}
	names := []string{"a", "b", "ab", "A", "1", "2", "x1", "x2", "x10", "B9", "-", "_", "c"}
	for _, pattern := range []string{"@(a|b)", "?(a|b)", "x?(1)0", "[[:upper:]]", "[![:upper:]]", "[[:alpha:]_]", "[[:upper:]][[:digit:]]",
		"@(x|[[:upper:]])*", "?([ab])c"} {
		same, ok := Dialect(pattern)
		if !ok {
			t.Fatal(pattern)
		}
		all, err := NewBudget().Expand(same)
		if err != nil {
			t.Fatal(same, err)
		}
		const script = `shopt -s extglob; LC_ALL=C; p=$1; shift; for n; do [[ $n == $p ]] && echo "$n"; done; true`
		out, err := exec.Command("bash", append([]string{"-c", script, "bash", pattern}, names...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			got := false
			for _, p := range all {
				compiled := CompileName(p)
				got = got || compiled.Match(name, path.Base(name))
			}
			if want := strings.Contains("\n"+string(out), "\n"+name+"\n"); got != want {
				t.Errorf("%s (%s) matches %q: %v, bash %v", pattern, same, name, got, want)
			}
		}
	}
}

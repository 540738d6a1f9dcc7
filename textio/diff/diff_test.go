package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestUnified(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string
		created        bool
		want           Printed
	}{
		{"equal", "a\n", "a\n", false, Printed{}},
		{"changed", "a\nb\n", "a\nc\n", false, Printed{"--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n", 1, 1, false}},
		{"marks in the text", "-- x\n", "++ y\n", false, Printed{"--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n--- x\n+++ y\n", 1, 1, false}},
		{"created", "", "a\nb", true, Printed{"--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n", 2, 0, false}},
		{"created empty", "", "", true, Printed{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Unified("f", []byte(tt.old), []byte(tt.new), tt.created, 0); got != tt.want {
				t.Errorf("got  %#v\nwant %#v", got, tt.want)
			}
		})
	}
}

func TestUnifiedLarge(t *testing.T) {
	line := strings.Repeat("x", 100) + "\n"
	many := strings.Repeat(line, 6000)
	for _, created := range []bool{false, true} {
		old, new := many+"old\n"+many, many+"new\n"+many
		want := Printed{Additions: 1, Deletions: 1}
		if created {
			old, want = "", Printed{Additions: 12_001, Truncated: true}
		}
		got := Unified("f", []byte(old), []byte(new), created, 20)
		if n := strings.Count(got.Text, "\n"); got.Truncated && n != 20 {
			t.Errorf("%d lines", n)
		}
		if !created && !strings.HasSuffix(got.Text, "@@ -5998,7 +5998,7 @@\n"+strings.Repeat(" "+line, 3)+"-old\n+new\n"+strings.Repeat(" "+line,
			3)) {
			t.Errorf("%.300q", got.Text)
		}
		if got.Text = ""; got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func TestDiffCut(t *testing.T) {
	old, new := []byte("a\nb\nc\n"), []byte("a\nB\nc\nd")
	whole := Unified("f", old, new, false, 0)
	all := strings.SplitAfter(strings.TrimSuffix(whole.Text, "\n"), "\n")
	for limit := 1; limit < 12; limit++ {
		want := whole
		if limit < len(all) {
			want.Text, want.Truncated = strings.Join(all[:limit], ""), true
		}
		if got := Unified("f", old, new, false, limit); got != want {
			t.Errorf("Unified, %d lines: got %#v", limit, got)
		}
	}
}

func TestDiffNames(t *testing.T) {
	for path, want := range map[string]string{
		"src/main.go":      "b/src/main.go",
		"a b.txt":          "b/a b.txt\t",
		"tab\tx":           `"b/tab\tx"`,
		"new\nline":        `"b/new\nline"`,
		`quote".txt`:       `"b/quote\".txt"`,
		`back\slash`:       `"b/back\\slash"`,
		"café.txt":         `"b/caf\303\251.txt"`,
		"\xff\x01\x7f a":   `"b/\377\001\177 a"`,
		"app/[id]/{x}.tsx": "b/app/[id]/{x}.tsx",
	} {
		header := strings.Split(Unified(path, nil, []byte("x\n"), true, 0).Text, "\n")
		if header[0] != "--- /dev/null" || header[1] != "+++ "+want {
			t.Errorf("%q: got %q, want %q", path, header[1], want)
		}
	}
}

// patchCase is a file and the diff that is to turn old into new.
type patchCase struct {
	path     string
	old, new []byte
	created  bool
	diff     Printed
}

func TestDiffAppliesWithGit(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	r := rand.New(rand.NewPCG(3, 4))
	names := []string{"plain", "with space", "café", "[id]"}
	if runtime.GOOS != "windows" { // which forbids these
		names = append(names, "quo\"te", "back\\slash", "tab\tx")
	}
	var cases []patchCase
	for i := range 600 {
		c := patchCase{path: fmt.Sprintf("%d/%s", i, names[i%len(names)]), old: randomLines(r, 40)}
		switch i % 3 {
		case 0:
			c.new = changeLines(r, c.old)
		case 1:
			c.old, c.new, c.created = nil, c.old, true
		default:
			c.new = changeBytes(r, c.old)
		}
		c.diff = Unified(c.path, c.old, c.new, c.created, 0)
		cases = append(cases, c)
	}
	gitApply(t, cases)
}

// gitApply applies the diffs of all cases at once and compares the outcome.
func gitApply(t *testing.T, cases []patchCase) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing: the diffs are not checked against it")
	}
	dir := t.TempDir()
	var patch strings.Builder
	for _, c := range cases {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, c.path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if !c.created {
			if err := os.WriteFile(filepath.Join(dir, c.path), c.old, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		patch.WriteString(c.diff.Text)
		checkDiffCounts(t, c.diff)
	}
	cmd := exec.Command("git", "apply", "--whitespace=nowarn", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(patch.String())
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s", err, out)
	}
	for _, c := range cases {
		got, err := os.ReadFile(filepath.Join(dir, c.path))
		if os.IsNotExist(err) && len(c.new) == 0 {
			continue // an empty file has no diff
		}
		if err != nil || !bytes.Equal(got, c.new) {
			t.Errorf("%s: %q became %q, want %q; %v\n%s", c.path, c.old, got, c.new, err, c.diff.Text)
		}
	}
}

func checkDiffCounts(t *testing.T, d Printed) {
	t.Helper()
	additions, deletions := 0, 0
	for i, line := range strings.Split(d.Text, "\n") {
		if i > 1 && strings.HasPrefix(line, "+") {
			additions++
		} else if i > 1 && strings.HasPrefix(line, "-") {
			deletions++
		}
	}
	if d.Additions != additions || d.Deletions != deletions {
		t.Errorf("counts %d and %d of\n%s", d.Additions, d.Deletions, d.Text)
	}
}

func randomLines(r *rand.Rand, most int) []byte {
	lines := []string{"a", "b", "{", "}", "", "- x", "+ y", "\\ z", "caf\xe9", "“q”", "one\rtwo", "@@ -1 +1 @@"}
	ends := []string{"\n", "\n", "\r\n"}
	var b []byte
	for range r.IntN(most) {
		b = append(b, lines[r.IntN(len(lines))]+ends[r.IntN(len(ends))]...)
	}
	if r.IntN(2) == 0 {
		b = append(b, "last"...)
	}
	return b
}

func changeLines(r *rand.Rand, text []byte) []byte {
	var out []byte
	for line := range bytes.Lines(text) {
		switch r.IntN(8) {
		case 0:
			out = append(out, "new\r\n"...)
		case 1:
			out = append(out, line...)
			out = append(out, randomLines(r, 3)...)
		case 2:
		default:
			out = append(out, line...)
		}
	}
	return out
}

// changeBytes replaces random stretches of text.
func changeBytes(r *rand.Rand, text []byte) (out []byte) {
	pieces := [...]string{"a", "b", "ab", " ", "é", "\xe9", "\n", "\n", "\r\n", "\n\n"}
	for at := 0; ; {
		next := at + r.IntN(25)
		if next > len(text) {
			return append(out, text[at:]...)
		}
		out = append(out, text[at:next]...)
		at = min(len(text), next+r.IntN(6))
		for range r.IntN(5) {
			out = append(out, pieces[r.IntN(len(pieces))]...)
		}
	}
}

// patched applies a diff of "a/f" by its hunks alone, as an oracle for fuzzing.
func patched(t *testing.T, old []byte, diff string) []byte {
	t.Helper()
	rest := strings.SplitAfter(string(old), "\n")
	if rest[len(rest)-1] == "" {
		rest = rest[:len(rest)-1]
	}
	lines := strings.SplitAfter(diff, "\n")
	var out []byte
	taken := 0
	for i := 2; i < len(lines)-1; i++ {
		line := lines[i]
		if strings.HasPrefix(line, "@@") {
			var start, count, newStart, newCount int
			if _, err := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &start, &count, &newStart, &newCount); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if count > 0 {
				start--
			}
			out = append(out, strings.Join(rest[:start-taken], "")...)
			rest, taken = rest[start-taken:], start
			continue
		}
		body := line[1:]
		if strings.HasPrefix(lines[i+1], "\\") {
			body = strings.TrimSuffix(body, "\n")
		}
		switch line[0] {
		case ' ', '-':
			if rest[0] != body {
				t.Fatalf("%q where the old text has %q\n%s", line, rest[0], diff)
			}
			rest = rest[1:]
			taken++
		}
		if line[0] == ' ' || line[0] == '+' {
			out = append(out, body...)
		}
	}
	return append(out, strings.Join(rest, "")...)
}

func FuzzUnified(f *testing.F) {
	f.Add([]byte("a\nb\n"), []byte("a\nc"))
	f.Add([]byte(""), []byte("a\r\n"))
	f.Add([]byte("a\n\n\nb"), []byte(""))
	f.Add([]byte("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), []byte("0\n2\n3\n4\n5\n6\n7\n8\n0\n"))
	f.Fuzz(func(t *testing.T, old, new []byte) {
		d := Unified("f", old, new, false, 0)
		if got := patched(t, old, d.Text); !bytes.Equal(got, new) {
			t.Errorf("%q became %q, want %q\n%s", old, got, new, d.Text)
		}
		checkDiffCounts(t, d)
	})
}

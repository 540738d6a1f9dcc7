package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCountsOfGit: no diff has more lines than that of git, which is told to look for the fewest.
func TestCountsOfGit(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing: the numbers are not checked against it")
	}
	r := rand.New(rand.NewPCG(5, 6))
	dir := t.TempDir()
	var cases []patchCase
	tries := 120
	if *sweep {
		tries = 400
	}
	for i := range tries {
		c := patchCase{path: fmt.Sprint(i)}
		switch i % 4 {
		case 0:
			c.old = fewLines(r, 1+i%7, r.IntN(60))
			c.new = fewLines(r, 1+i%7, r.IntN(60))
		case 1:
			c.old = randomLines(r, 400)
			c.new = changeLines(r, c.old)
		case 2:
			c.old = fewLines(r, 40, 300)
			c.new = moveLines(r, c.old)
		default: // far-off changes in more lines than a window has
			c.old = fewLines(r, 5_000, 4*firstWindow)
			c.new = moveLines(r, moveLines(r, c.old))
		}
		c.diff = Unified(c.path, c.old, c.new, false, 0)
		cases = append(cases, c)
	}
	want := gitNumbers(t, dir, cases)
	for _, c := range cases {
		got := fmt.Sprintf("%d\t%d", c.diff.Additions, c.diff.Deletions)
		if want := want[c.path]; got != want && !bytes.Equal(c.old, c.new) {
			t.Errorf("%s: %q, git has %q for\n%.1000q\n%.1000q", c.path, got, want, c.old, c.new)
		}
	}
	gitApply(t, cases)
}

// gitNumbers gives, by path, the added and deleted lines that git counts.
func gitNumbers(t *testing.T, dir string, cases []patchCase) map[string]string {
	t.Helper()
	for _, c := range cases {
		for side, text := range map[string][]byte{"old": c.old, "new": c.new} {
			if err := os.MkdirAll(filepath.Join(dir, side), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, side, c.path), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.Command("git", "diff", "--no-index", "--minimal", "--text", "--numstat", "old", "new")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	out, _ := cmd.Output() // exit status 1: they differ
	numbers := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if counts, _, ok := strings.Cut(strings.TrimSpace(line), "\t{old"); ok {
			numbers[line[strings.LastIndexByte(line, '/')+1:len(line)-1]] = counts
		}
	}
	if len(numbers) == 0 {
		t.Fatal("git found nothing")
	}
	return numbers
}

// fewLines is a text of lines of which only so many differ.
func fewLines(r *rand.Rand, different, count int) []byte {
	var text []byte
	for range count {
		text = fmt.Appendf(text, "line %d\n", r.IntN(different))
	}
	return text
}

// moveLines moves, removes, repeats and changes some lines of a text.
func moveLines(r *rand.Rand, text []byte) []byte {
	all := bytes.SplitAfter(text, []byte("\n"))
	from, to := r.IntN(len(all)), r.IntN(len(all))
	from, to = min(from, to), min(max(from, to), from+30)
	moved := all[from:to]
	var out []byte
	at := r.IntN(len(all))
	for i, line := range all {
		if i == at {
			out = append(out, bytes.Join(moved, nil)...)
		}
		if (i < from || i >= to) && r.IntN(200) > 0 {
			out = append(out, line...)
		}
	}
	return out
}

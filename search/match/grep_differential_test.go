package match

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAgainstGrep compares line numbers with GNU grep where the two dialects mean the same.
func TestAgainstGrep(t *testing.T) {
	grep, err := exec.LookPath("grep")
	if err != nil {
		t.Skip("no grep to compare with")
	}
	r := rand.New(rand.NewPCG(11, 12))
	file := filepath.Join(t.TempDir(), "text")
	pieces := []string{"foo", "bar", "a", "b", "aa", " ", "-", "_", "1", "é", "É", "\n", "\n", "Foo", "BAR", "."}
	for range 4 {
		text := randomText(r, pieces, 1000)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ flags, query string }{
			{"", "foo"}, {"", "a.b"}, {"", "é"}, {"i", "foo"}, {"i", "é"}, {"w", "foo"}, {"w", "a"}, {"w", "-"}, {"iw", "bar"},
			{"e", "fo+"}, {"e", "^a"}, {"e", "a$"}, {"e", "foo|bar"}, {"e", "[a-f]+[0-9]"}, {"e", "(a|b)+-"}, {"e", "^(foo|bar)*$"}, {"e", "."},
			{"e", "^$"},
			{"ei", "fo+bar"}, {"ew", "fo+"}, {"ew", "a+|b"}, {"ew", "foo|foobar"}, {"e", "a{2,3}"}, {"e", "[^a-z]é"}, {"ew", "[a1-]+"},
			{"ei", "É|x"},
		} {
			matches, _ := grepText(t, compileOK(t, parseQuery(c.flags, c.query)), text, LineOptions{})
			var got strings.Builder
			for _, m := range matches {
				fmt.Fprintln(&got, m.Line)
			}
			if want := grepLines(t, grep, c.flags, c.query, file); got.String() != want {
				t.Errorf("grep %q %q in %q:\n got %q\nwant %q", c.flags, c.query, text, got.String(), want)
			}
		}
	}
}

// grepLines asks grep for the numbers of the matching lines.
func grepLines(t *testing.T, grep, flags, query, file string) string {
	args := []string{"-n", "-F"}
	for _, f := range flags {
		switch f {
		case 'e':
			args[1] = "-E"
		default:
			args = append(args, "-"+string(f))
		}
	}
	cmd := exec.Command(grep, append(args, "-e", query, "--", file)...)
	cmd.Env = []string{"LC_ALL=C.UTF-8"}
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		t.Fatalf("%v: %v", cmd, err)
	}
	var lines strings.Builder
	for line := range bytes.Lines(out) {
		number, _, _ := bytes.Cut(line, []byte(":"))
		fmt.Fprintf(&lines, "%s\n", number)
	}
	return lines.String()
}

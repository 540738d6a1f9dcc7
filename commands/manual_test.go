package commands

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/commands/cmdline"
	"fsbox/commands/command"
)

// manualText is what completion or man prints.
func manualText(t *testing.T, args ...string) string {
	t.Helper()
	var out strings.Builder
	inv, fail := cmdline.Parse(args, OfLine(), &out)
	if fail != nil || !inv.Done {
		t.Fatalf("%q: %v", args, fail)
	}
	return out.String()
}

func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

// The shells themselves say that a completion is well formed.
func TestCompletionSyntax(t *testing.T) {
	for shell, check := range map[string][]string{"bash": {"-n"}, "zsh": {"-n"}, "fish": {"--no-execute"}} {
		t.Run(shell, func(t *testing.T) {
			cmd := exec.Command(tool(t, shell), append(check, "/dev/stdin")...)
			cmd.Stdin = strings.NewReader(manualText(t, "completion", shell))
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// Bash itself asks the completion for words.
func TestCompletionInBash(t *testing.T) {
	bash := tool(t, "bash")
	script := filepath.Join(t.TempDir(), "fsbox")
	if err := os.WriteFile(script, []byte(manualText(t, "completion", "bash")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ words, want string }{
		{"fsbox un", "undo"},
		{"fsbox --root x gl", "glob"},
		{"fsbox --root = x gl", "glob"},
		{"fsbox help fl", "flags"},
		{"fsbox ls --inc", "--include-hidden"},
		{"fsbox ls --max-w", "--max-write-bytes"},
		{"fsbox ls --sort m", "modified"},
		{"fsbox ls --sort = m", "modified"},
		{"fsbox grep --output-mode c", "counts"},
		{"fsbox completion fi", "fish"},
		{"fsbox schema und", "undo"},
		{"fsbox mkdir --no-par", "--no-parents"},
		{"fsbox ls --confine re", "require"},
		{"fsbox read -- nosuch", ""},
		{"fsbox ls --pattern --dep", ""},
	} {
		cmd := exec.Command(bash, "--norc", "-c", `. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _fsbox; echo "${COMPREPLY[*]}"`, script)
		cmd.Args = append(cmd.Args, strings.Fields(c.words)...)
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
			t.Errorf("%s: got %q, want %q: %v", c.words, got, c.want, err)
		}
	}
}

// Every command and every flag is in all of them.
func TestManualIsComplete(t *testing.T) {
	for _, args := range [][]string{{"completion", "bash"}, {"completion", "zsh"}, {"completion", "fish"}, {"man"}} {
		text := strings.NewReplacer(`\-`, "-", `\(aq`, "'").Replace(manualText(t, args...))
		for _, c := range All() {
			for _, f := range command.NewCall(c).Fields {
				if !f.Arg && !f.Habit && !strings.Contains(text, f.Flag) {
					t.Errorf("%q lacks --%s of %s", args, f.Flag, c.Name)
				}
			}
			if !strings.Contains(text, c.Name) {
				t.Errorf("%q lacks %s", args, c.Name)
			}
		}
	}
}

// The formatters themselves say that the manual page is well formed.
func TestManPage(t *testing.T) {
	page := manualText(t, "man")
	for name, args := range map[string][]string{"groff": {"-ww", "-man", "-Tutf8", "-z"}, "mandoc": {"-T", "lint", "-W", "warning"}} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(tool(t, name), args...)
			cmd.Stdin = strings.NewReader(page)
			out, err := cmd.CombinedOutput()
			for line := range strings.Lines(string(out)) {
				if !strings.Contains(line, "missing date") { // it has none, so that it changes only with the program
					t.Errorf("%s (%v)", line, err)
				}
			}
		})
	}
}

// Help lists every code, and a command lists only what help lists.
func TestHelpOfCodes(t *testing.T) {
	var out strings.Builder
	if fail := cmdline.PrintErrors(&out); fail != nil {
		t.Fatal(fail)
	}
	listed := strings.Fields(out.String())
	for _, name := range append(command.Names(All()), command.ApproveName, command.BatchName, command.MCPName, cmdline.CompletionName,
		cmdline.ManName) {
		if about := cmdline.About(OfLine(), name); about.Text == "" || len(about.Examples) == 0 {
			t.Errorf("%s has no paragraph or no example", name)
		}
		for _, code := range cmdline.CodeNames(cmdline.About(OfLine(), name).Codes) {
			if !strings.Contains(strings.Join(listed, " "), code) {
				t.Errorf("%s: %s is not on the page of codes", name, code)
			}
		}
	}
	if err := cmdline.PrintErrors(&failingWriter{}); err == nil {
		t.Error("a page that can't be written is no failure")
	}
}

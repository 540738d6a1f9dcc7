package testscript

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
)

// programName is the file that fsbox is in.
var programName = map[bool]string{false: "fsbox", true: "fsbox.exe"}[runtime.GOOS == "windows"]

// NeedsUnix skips a test of what Windows doesn't have.
func NeedsUnix(t *testing.T, what string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skipf("not on this system: %s", what)
	}
}

// onlyPortable has p run the scripts that need nothing but fsbox and testscript's own commands: on
// Windows there is no sh. The others are skipped by name. Without -sweep it is a sample, as a
// process takes a second under Wine.
func onlyPortable(t *testing.T, p *testscript.Params) {
	files, err := filepath.Glob("*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, ".txtar")
		missing := missingFor(t, file)
		switch {
		case missing != "":
			missing = "there is no " + missing + " here"
		case !*sweep && !slices.Contains(windowsSample[:], name):
			missing = "not in the sample for Windows: see -sweep"
		}
		if missing == "" {
			p.Files = append(p.Files, file)
		} else {
			t.Run(name, func(t *testing.T) { t.Skip(missing) })
		}
	}
}

// missingFor is the first thing that a script needs and that isn't here.
func missingFor(t *testing.T, file string) string {
	script, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	canLink := os.Symlink("nothing", filepath.Join(t.TempDir(), "link")) == nil
	for line := range strings.Lines(string(script.Comment)) {
		words := strings.Fields(line)
		for len(words) > 0 && strings.HasPrefix(words[0], "[") {
			if !holdsHere(strings.Trim(words[0], "[]")) {
				words = nil
				break
			}
			words = words[1:]
		}
		if len(words) > 0 && (words[0] == "!" || words[0] == "?") {
			words = words[1:]
		}
		switch {
		case len(words) < 2:
		case words[0] == "exec":
			if _, err := exec.LookPath(words[1]); err != nil {
				return words[1]
			}
		case words[0] == "symlink" && !canLink, words[0] == "fifo", words[0] == "socket", words[0] == "fsbox-asked", words[0] == "fsbox-shown":
			return words[0]
		}
	}
	return ""
}

// holdsHere evaluates a condition of a script; what only testscript knows counts as true.
func holdsHere(name string) bool {
	name, negated := strings.CutPrefix(name, "!")
	holds := true
	switch program, isProgram := strings.CutPrefix(name, "exec:"); {
	case isProgram:
		_, err := exec.LookPath(program)
		holds = err == nil
	case name == "windows", name == "unix", name == "linux":
		holds = name == runtime.GOOS || name == "unix" && runtime.GOOS != "windows"
	default:
		if known, err := condition(name); err == nil {
			holds = known
		}
	}
	return holds != negated
}

// windowsSample is what runs on Windows without -sweep: not what looks for similar names, for which
// there is a tenth of a second.
var windowsSample = [...]string{"batch", "interfaces_id", "interfaces_stream", "dry_run", "edit", "edit_bytes", "edit_encoding",
	"edit_miss", "glob_hidden", "grep_filter", "grep_multiline", "json", "json_edits", "ls_ignore", "mkdir",
	"text_change", "text_read", "undo_folders", "undo_since", "write_content_file", "write_format"}

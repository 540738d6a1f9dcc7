//go:build linux && amd64

package faults

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsbox/commands" // what is built and run here, too: so that go test keeps no result of an older program

	"golang.org/x/sys/unix"
)

var (
	sweep   = flag.Bool("sweep", false, "strike at 8 points of each scenario, not at one of every 48th, as .ci/sweep does")
	others  = flag.Bool("others", false, "strike in the scenarios between those of the sample, as the gate does too")
	longRun = flag.Bool("long", false, "strike everywhere, not at a sample: hours instead of a minute")
)

var recoveryStep = flag.Int("step", 1, "in the long run, kill each recovery at every n-th of its calls only")

var otherProgram = flag.String("program", "", "test this binary instead of building one")

// program is the binary under test and help its list of commands: set once, before the tests.
var program, help string

func TestMain(m *testing.M) {
	if how := os.Getenv(naiveVariable); how != "" {
		naive(how, os.Args[1:])
		return
	}
	flag.Parse()
	unix.Umask(0o022)
	dir, err := os.MkdirTemp("", "fsbox-faults")
	if err == nil {
		err = buildIn(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// buildIn builds the program as it is released, static, except for the profile in release.pgo: for
// that every package would have to be compiled once more.
func buildIn(dir string) error {
	if program = *otherProgram; program == "" {
		program = filepath.Join(dir, "fsbox")
		cmd := exec.Command("go", "build", "-o", program, "fsbox")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w: %s", cmd, err, out)
		}
	}
	out, err := exec.Command(program, "--help").Output()
	help = string(out)
	return err
}

// has reports whether the program knows a command.
func has(tested string) bool {
	return slices.ContainsFunc(strings.Split(help, "\n"), func(line string) bool {
		words := strings.Fields(line)
		return strings.HasPrefix(line, "  ") && len(words) > 1 && words[0] == tested
	})
}

// exists reports whether the program has the commands of a scenario.
func (s *scenario) exists() bool { return has(s.args[0]) && (!s.reverse || has("undo")) }

// need skips a scenario that can't be had here.
func (s *scenario) need(t *testing.T) {
	t.Helper()
	switch {
	case !s.exists():
		t.Skipf("fsbox has no command %s, or can't undo it, yet", s.args[0])
	case os.Geteuid() != 0 && slices.ContainsFunc(s.setup, func(e entry) bool { return e.uid != os.Geteuid() }):
		t.Skip("only root can give files away")
	}
}

// Each command that changes files is struck at.
func TestScenariosHaveEachCommand(t *testing.T) {
	all := scenarios()
	for _, tool := range commands.All() {
		if tool.Writes && !slices.ContainsFunc(all, func(s scenario) bool { return s.tested() == tool.Name }) {
			t.Errorf("no scenario calls %s", tool.Name)
		}
	}
}

package conformance

import (
	stdjson "encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// npm gives the path of a program that npm has installed, with the Node that it needs in PATH.
func npm(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("FSBOX_NPM")
	if dir == "" {
		t.Skip("needs programs from npm: see doc.go")
	}
	bin := filepath.Join(dir, "node_modules", ".bin")
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	path := filepath.Join(bin, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%v: see doc.go", err)
	}
	return path
}

// TestInspector: the command line of the Inspector lists and calls in both eras, and tells failures
// from successes.
func TestInspector(t *testing.T) {
	inspector, root := npm(t, "mcp-inspector"), workspace(t)
	for _, era := range []string{"legacy", "modern", "auto"} {
		run := func(args ...string) (string, int) {
			cmd := exec.Command(inspector, append([]string{"--cli", "-q", "--format", "json", "--protocol-era", era, program, "mcp", "--root",
				root}, args...)...)
			out, err := cmd.CombinedOutput()
			if _, failed := err.(*exec.ExitError); err != nil && !failed {
				t.Fatal(err)
			}
			return string(out), cmd.ProcessState.ExitCode()
		}
		if out, status := run("--method", "tools/list", "--strict"); status != 0 || !strings.Contains(out, `"name":"grep"`) {
			t.Errorf("%s: list: status %d: %.500s", era, status, out)
		}
		if out, status := run("--method", "tools/call", "--tool-name", "read", "--tool-args-json", `{"path":"a.txt"}`); status != 0 ||
			!strings.Contains(out, `one\ntwo\n`) {
			t.Errorf("%s: call: status %d: %.500s", era, status, out)
		}
		if out, status := run("--method", "tools/call", "--tool-name", "read", "--tool-args-json", `{"path":"nosuch"}`); status != 5 ||
			!strings.Contains(out, "not_found") {
			t.Errorf("%s: call that fails: status %d: %.500s", era, status, out)
		}
	}
}

// stateless are checks of the scenario server-stateless that call tools of a test server.
var stateless = []string{
	"sep-2575-server-rejects-undeclared-capability",          // test_missing_capability
	"sep-2575-missing-capability-http-400",                   // the same
	"sep-2575-http-server-no-independent-requests-on-stream", // test_streaming_elicitation
	"sep-2575-server-no-log-without-loglevel",                // test_logging_tool
}

// caching are checks of the scenario of that name for what a server of tools doesn't have.
var caching = []string{
	"sep-2549-prompts-list-caching-hints",
	"sep-2549-resources-list-caching-hints",
	"sep-2549-resources-templates-list-caching-hints",
}

func TestScenarios(t *testing.T) {
	suite := npm(t, "conformance")
	url := startShim(t, workspace(t))
	for _, test := range []struct {
		scenario, version string
		cannot            []string
	}{
		{"server-initialize", "2025-11-25", nil}, {"ping", "2025-11-25", nil}, {"tools-list", "2025-11-25", nil},
		{"tools-list", "2026-07-28", nil}, {"caching", "2026-07-28", caching}, {"server-stateless", "2026-07-28", stateless},
	} {
		t.Run(test.scenario+" "+test.version, func(t *testing.T) {
			dir := t.TempDir()
			cmd := exec.Command(suite, "server", "--url", url, "--scenario", test.scenario, "--spec-version", test.version, "-o", dir)
			out, _ := cmd.CombinedOutput() // the checks below decide
			passed := 0
			for _, check := range checks(t, dir) {
				switch {
				case check.Status == "SUCCESS":
					passed++
				case check.Status == "FAILURE" && !slices.Contains(test.cannot, check.ID):
					t.Errorf("%s: %s", check.ID, check.ErrorMessage)
				}
			}
			if t.Logf("%d checks passed", passed); passed == 0 {
				t.Errorf("no check passed: %s", out)
			}
		})
	}
}

type check struct{ ID, Status, ErrorMessage string }

func checks(t *testing.T, dir string) (all []check) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("results: %v, %v", files, err)
	}
	raw, err := os.ReadFile(files[0])
	if err == nil {
		err = stdjson.Unmarshal(raw, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

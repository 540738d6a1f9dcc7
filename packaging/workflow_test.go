package main

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// workflow is .github/workflows/ci.yml, as far as this test looks at it.
type workflow struct {
	Env  map[string]string
	Jobs map[string]struct {
		If       string
		Needs    []string
		Strategy struct {
			Matrix struct{ OS []string }
		}
		Steps []workflowStep
	}
}

type workflowStep struct {
	Uses, Run string
	With      map[string]any
}

// has reports whether a job has such a step.
func (w *workflow) has(job string, is func(workflowStep) bool) bool {
	return slices.ContainsFunc(w.Jobs[job].Steps, is)
}

// The workflow does on three systems what CONTRIBUTING.md says, and releases a tag only after that.
// Its linter looks at the rest: see packaging/system.
func TestWorkflow(t *testing.T) {
	content, err := os.ReadFile("../.github/workflows/ci.yml")
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	var top map[string]any
	if err := yaml.Unmarshal(content, &w); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(content, &top); err != nil {
		t.Fatal(err)
	}
	for key := range top {
		if !slices.Contains([]string{"name", "on", "permissions", "concurrency", "env", "jobs"}, key) {
			t.Errorf("unknown key %q", key)
		}
	}
	if got, want := w.Jobs["test"].Strategy.Matrix.OS, []string{"ubuntu-latest", "macos-latest", "windows-latest"}; !slices.Equal(got, want) {
		t.Errorf("systems: %q, want %q", got, want)
	}
	if w.Env["CGO_ENABLED"] != "0" {
		t.Error("it isn't built as it is released: CGO_ENABLED=0")
	}
	contributing, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range [][2]string{{"test", "go build -o fsbox ."}, {"test", "go vet ./..."}, {"test", "go test ./..."},
		{"gate", ".ci/run"}} {
		job, command := want[0], want[1]
		if !w.has(job, func(s workflowStep) bool { return s.Run == command }) {
			t.Errorf("%s does not run %s", job, command)
		}
		if command != "go vet ./..." && !strings.Contains(string(contributing), command) {
			t.Errorf("CONTRIBUTING.md does not say %s", command)
		}
	}
	release := w.Jobs["release"]
	if !slices.Equal(release.Needs, []string{"test", "gate"}) || release.If != "startsWith(github.ref, 'refs/tags/v')" {
		t.Errorf("release needs %q, if %q", release.Needs, release.If)
	}
	if !w.has("release", func(s workflowStep) bool {
		return strings.HasPrefix(s.Uses, "goreleaser/") && s.With["args"] == "release --clean"
	}) {
		t.Error("release does not run goreleaser")
	}
}

// The gate begins with the commands that README gives for a fresh clone.
func TestGateBeginsWithReadme(t *testing.T) {
	_, block, _ := strings.Cut(string(content(t, "../README.md")), "## Install\n")
	_, block, _ = strings.Cut(block, "```text\n")
	block, _, _ = strings.Cut(block, "```")
	gate := string(content(t, "../.ci/run"))
	_, steps, _ := strings.Cut(gate, "export CGO_ENABLED=0\n")
	want := strings.Split(strings.TrimSpace(block), "\n")
	var got []string
	for line := range strings.SplitSeq(steps, "\n") {
		if strings.Contains(line, "go ") && !strings.HasPrefix(line, "#") && len(got) < len(want) {
			got = append(got, line)
		}
	}
	if len(want) != 2 || !slices.Equal(got, want) {
		t.Errorf("README says %q, .ci/run begins with %q", want, got)
	}
}

// The pull requests for what is out of date cover every module, and the forms for issues are YAML
// with a body.
func TestRepositoryForms(t *testing.T) {
	var bot struct {
		Updates []struct{ Directories []string }
	}
	if err := yaml.Unmarshal(content(t, "../.github/dependabot.yml"), &bot); err != nil || len(bot.Updates) == 0 {
		t.Fatal(err, bot)
	}
	listing := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "--", ":/go.mod", ":/**/go.mod")
	listing.Dir = ".."
	out, err := listing.Output()
	if err != nil {
		t.Skipf("this is no clone: %v", err)
	}
	for name := range strings.FieldsSeq(string(out)) {
		if folder := path.Join("/", path.Dir(name)); folder != "/examples/go" && !slices.Contains(bot.Updates[0].Directories, folder) {
			t.Errorf("dependabot.yml has no %s", folder) // the example needs no module
		}
	}
	for _, name := range files(t, "../.github", "ISSUE_TEMPLATE/*.yml") {
		var form struct {
			Name, Description string
			Body              []map[string]any
		}
		if err := yaml.Unmarshal(content(t, filepath.Join("../.github", name)), &form); err != nil || form.Name == "" || len(form.Body) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

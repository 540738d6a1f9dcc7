package system

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/rhysd/actionlint"
)

// The linter of workflows finds nothing: no unknown key, no wrong expression, no missing job.
func TestWorkflows(t *testing.T) {
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	check(t, err)
	files, err := filepath.Glob(filepath.Join(repository, ".github/workflows/*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	found, err := linter.LintFiles(files, nil)
	check(t, err)
	for _, problem := range found {
		t.Error(problem)
	}
	content, err := os.ReadFile(files[0])
	check(t, err)
	misspelled := bytes.Replace(content, []byte("runs-on"), []byte("run-on"), 1)
	if found, err := linter.Lint("ci.yml", misspelled, nil); err != nil || len(found) == 0 {
		t.Errorf("a misspelled key isn't found: the linter checks nothing (%v)", err)
	}
}

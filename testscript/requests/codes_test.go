package requests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestCodes holds the list of error codes together: each is described in docs/codes.md and shown by
// a script.
func TestCodes(t *testing.T) {
	declared := declaredCodes(t)
	documented := documentedCodes(t)
	shown := shownCodes(t)
	for _, code := range declared {
		if !documented[code] {
			t.Errorf("%s: docs/codes.md has no row for it in the table of codes", code)
		}
		if shown[code] == "" {
			t.Errorf("%s: no script has a line \"json .error %s\"", code, code)
		}
	}
	for code, script := range shown {
		if !slices.Contains(declared, code) {
			t.Errorf("%s: %s expects it, and there is no such code", code, script)
		}
	}
}

// declaredCodes reads the constants of type Code out of the program.
func declaredCodes(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../commands/answer/failure.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); !ok || kind.Name != "Code" || len(spec.Values) != 1 {
			return true
		}
		if value, ok := spec.Values[0].(*ast.BasicLit); ok {
			code, err := strconv.Unquote(value.Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, code)
		}
		return true
	})
	if len(codes) < 30 {
		t.Fatalf("only %d codes found in commands/answer/failure.go: %v", len(codes), codes)
	}
	return codes
}

// documentedCodes finds table rows of docs/codes.md that begin with a code: | `not_found` | ... |
func documentedCodes(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("../../docs/codes.md")
	if err != nil {
		t.Error(err)
	}
	row := regexp.MustCompile("(?m)^\\| *`([a-z_]+)` *\\|")
	codes := map[string]bool{}
	for _, match := range row.FindAllStringSubmatch(string(text), -1) {
		codes[match[1]] = true
	}
	return codes
}

// shownCodes finds the codes that scripts expect in an answer, each with one script that does.
func shownCodes(t *testing.T) map[string]string {
	t.Helper()
	scripts, err := filepath.Glob("../*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^(?:\[[^\]]*\] *)*json (?:-line \d+ )?\.?error '?([a-z_]+)'?\s*$`)
	codes := map[string]string{}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		commands, _, _ := strings.Cut(string(text), "\n-- ") // after them come the files of the script
		for _, match := range line.FindAllStringSubmatch(commands, -1) {
			codes[match[1]] = script
		}
	}
	return codes
}

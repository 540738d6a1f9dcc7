package testscript

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) { Main(m, nil) }

// TestUpdate: with -update a script gets what the program prints.
func TestUpdate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "read.txtar")
	const body = "fsbox --format text read a.txt\ncmp stdout want\n-- a.txt --\nnew\n-- want --\n"
	if err := os.WriteFile(file, []byte(body+"old\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	p := scripts()
	p.Files, p.UpdateScripts = []string{file}, true
	t.Run("run", func(t *testing.T) { testscript.Run(t, p) })
	if got, err := os.ReadFile(file); err != nil || string(got) != body+"new\n" {
		t.Errorf("%v: the script is now\n%s", err, got)
	}
}

// TestEveryScriptRuns: no script lies in a folder whose package doesn't run its scripts.
func TestEveryScriptRuns(t *testing.T) {
	scripts := 0
	err := fs.WalkDir(os.DirFS(".."), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".txtar" {
			scripts++
			if folder := path.Dir(name); !runsScripts(t, filepath.Join("..", folder)) {
				t.Errorf("nothing runs %s: %s needs a script_test.go as testscript/edit has", name, folder)
			}
		}
		return err
	})
	if err != nil || scripts < 150 {
		t.Fatalf("only %d scripts found: %v", scripts, err)
	}
}

// runsScripts reports whether a test called TestScripts in a folder calls Run.
func runsScripts(t *testing.T, folder string) (runs bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "TestScripts" {
				ast.Inspect(f, func(n ast.Node) bool {
					call, ok := n.(*ast.SelectorExpr)
					runs = runs || ok && call.Sel.Name == "Run" && isNamed(call.X, "testscript")
					return true
				})
			}
		}
	}
	return runs
}

func isNamed(x ast.Expr, name string) bool {
	ident, ok := x.(*ast.Ident)
	return ok && ident.Name == name
}

func TestShortLines(t *testing.T) {
	short, long := strings.Repeat("a", longestLine), strings.Repeat("b", longestLine)+"xyz"+strings.Repeat("c", longestLine)
	text := short + "\n" + long + "\n"
	got := shortLines(text, false)
	if !strings.HasPrefix(got, short+"\nbbb") || !strings.HasSuffix(got, "ccc\n") || strings.Contains(got, "x") || !strings.Contains(got, " 1003 bytes") {
		t.Errorf("%q", got)
	}
	if shortLines(text, true) != text {
		t.Error("with -v a line is cut")
	}
}

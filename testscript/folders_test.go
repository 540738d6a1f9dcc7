package testscript

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"testing"
)

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

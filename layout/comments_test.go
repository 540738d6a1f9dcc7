package layout

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sourceName is the name of a source or document in a comment, with the folders that are written
// before it. It may be a glob.
var sourceName = regexp.MustCompile(`(^|[\s("'` + "`" + `])([\w./*-]*\w\.(?:go|s|txtar|md|py|sh))\b`)

// TestNamesInComments: a comment that sends its reader to a file names one that exists.
func TestNamesInComments(t *testing.T) {
	t.Chdir("..")
	exists, sources := filesOfTree(t)
	seen := 0
	for _, source := range sources {
		file := parsed(t, source)
		for _, group := range file.Comments {
			for _, m := range sourceName.FindAllStringSubmatch(group.Text(), -1) {
				seen++
				if !exists(m[2]) && !strings.Contains(m[2], "NAME") { // of a command still to come
					t.Errorf("%s: a comment names %q, and there is no such file", fileSet.Position(group.Pos()), m[2])
				}
			}
		}
	}
	if seen < 10 {
		t.Fatalf("only %d names found in comments: the test is not looking at them", seen)
	}
}

// TestCommentsNameWhatTheyAreOf: a comment that begins with a name in two cases, such as maxLine, is
// of what has that name.
func TestCommentsNameWhatTheyAreOf(t *testing.T) {
	t.Chdir("..")
	name := regexp.MustCompile(`^(\w*[a-z]\w*[A-Z]\w*)\b`)
	isTest := regexp.MustCompile("^(Test|Fuzz|Benchmark)[A-Z]")
	seen := 0
	_, sources := filesOfTree(t)
	check := func(doc *ast.CommentGroup, declares ...string) {
		m := name.FindStringSubmatch(doc.Text())
		if m == nil || m[1] == "OpenAI" {
			return
		}
		if seen++; !slices.Contains(declares, m[1]) {
			t.Errorf("%s: a comment on %s begins with %s", fileSet.Position(doc.Pos()), strings.Join(declares, ", "), m[1])
		}
	}
	for _, source := range sources {
		for _, decl := range parsed(t, source).Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if !isTest.MatchString(decl.Name.Name) { // its comment may be about what it tests
					check(decl.Doc, decl.Name.Name)
				}
			case *ast.GenDecl:
				var all []string
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						all = append(all, spec.Name.Name)
						check(spec.Doc, spec.Name.Name)
					case *ast.ValueSpec:
						var names []string
						for _, ident := range spec.Names {
							names = append(names, ident.Name)
						}
						all = append(all, names...)
						check(spec.Doc, names...)
					}
				}
				check(decl.Doc, all...)
			}
		}
	}
	if seen < 500 {
		t.Errorf("only %d comments begin with such a name: the test is not looking at them", seen)
	}
}

// fileSet and trees are of the sources that were parsed, each once.
var (
	fileSet = token.NewFileSet()
	trees   = map[string]*ast.File{}
)

// parsed is a source of the tree, with its comments.
func parsed(t *testing.T, source string) *ast.File {
	t.Helper()
	if trees[source] == nil {
		file, err := parser.ParseFile(fileSet, source, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		trees[source] = file
	}
	return trees[source]
}

// filesOfTree gives the Go files of the tree, and a function that tells whether the tree has a file
// whose path ends in a name, which may be a glob.
func filesOfTree(t *testing.T) (exists func(name string) bool, sources []string) {
	t.Helper()
	var all []string
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && name[0] == '.':
			return fs.SkipDir
		case !d.IsDir():
			all = append(all, name)
			if strings.HasSuffix(name, ".go") {
				sources = append(sources, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return func(name string) bool {
		for _, file := range all {
			parts := strings.Split(file, "/")
			tail := parts[max(0, len(parts)-1-strings.Count(name, "/")):]
			if ok, _ := path.Match(name, strings.Join(tail, "/")); ok {
				return true
			}
		}
		return false
	}, sources
}

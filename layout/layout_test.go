package layout

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/format"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// imports says which packages of ours each one may import. "module" is the module's path,
// "/..." for all packages in a folder. The packages of commands are not in it: see
// importsOfCommand.
var imports = map[string][]string{
	"module": {"module/commands", "module/commands/early"},
	"module/commands": {"module/commands/answer", "module/commands/approval", "module/commands/attend", "module/commands/clients",
		"module/commands/cmdline", "module/commands/hint", "module/commands/listing", "module/commands/mcp", "module/commands/request",
		"module/commands/session", "module/commands/settings", "module/commands/stream", "module/commands/command", "module/commands/version",
		"module/commands/words", "module/sandbox", "module/textio", "module/sandbox/plan"},
	"module/commands/version": {},
	"module/commands/early":   {},
	"module/commands/listing": {"module/commands/answer", "module/commands/command", "module/commands/words", "module/sandbox/disk/fserr",
		"module/sandbox/disk/pathname", "module/search/walk", "module/textio"},
	"module/commands/clients": {"module/textio"},
	"module/commands/manual":  {"module/commands/answer", "module/commands/request", "module/commands/command", "module/commands/words"},
	"module/commands/request": {"module/commands/answer", "module/commands/hint", "module/commands/words", "module/sandbox/disk/fserr",
		"module/textio"},
	"module/commands/settings": {"module/commands/answer", "module/commands/request", "module/sandbox", "module/sandbox/disk/fserr",
		"module/sandbox/disk/filesystem", "module/sandbox/disk/host", "module/sandbox/disk/stat", "module/sandbox/policy", "module/textio", "module/wildcard"},
	"module/commands/attend": {},
	"module/commands/change": {"module/commands/answer", "module/commands/request", "module/commands/command", "module/commands/words",
		"module/sandbox", "module/sandbox/disk/fserr", "module/sandbox/disk/rights", "module/textio", "module/textio/charset",
		"module/textio/diff", "module/textio/edit", "module/textio/nearest", "module/sandbox/transaction", "module/sandbox/tree"},
	"module/commands/session": {"module/commands/answer", "module/commands/approval", "module/commands/attend", "module/commands/calllog",
		"module/commands/hint", "module/commands/settings", "module/commands/command", "module/commands/words", "module/sandbox",
		"module/sandbox/confine", "module/sandbox/policy", "module/search/walk", "module/sandbox/plan"},
	"module/commands/approval": {"module/commands/answer", "module/commands/mcp", "module/commands/settings", "module/commands/terminal",
		"module/commands/command", "module/commands/words", "module/sandbox", "module/sandbox/disk/...", "module/sandbox/policy",
		"module/textio", "module/textio/diff", "module/sandbox/tree"},
	"module/commands/calllog": {"module/commands/answer", "module/commands/request", "module/commands/settings", "module/commands/command",
		"module/commands/words", "module/sandbox/disk/fserr", "module/sandbox/disk/host", "module/textio"},
	"module/commands/cmdline": {"module/commands/answer", "module/commands/manual", "module/commands/request", "module/commands/settings",
		"module/commands/command", "module/commands/version", "module/commands/words", "module/textio"},
	"module/commands/stream":  {},
	"module/commands/samples": {"module/commands/answer", "module/commands/command", "module/commands/settings"},
	"module/commands/command": {"module/commands/answer", "module/commands/attend", "module/commands/hint", "module/commands/request",
		"module/commands/settings", "module/commands/words", "module/sandbox", "module/sandbox/confine", "module/sandbox/disk/...",
		"module/sandbox/history", "module/search/match", "module/search/walk", "module/textio", "module/textio/charset", "module/textio/diff",
		"module/textio/edit", "module/wildcard", "module/sandbox/transaction"},
	"module/commands/terminal": {},
	"module/commands/answer":   {"module/commands/terminal", "module/commands/words", "module/textio", "module/textio/anchor"},
	"module/commands/hint": {"module/commands/words", "module/search/match", "module/search/walk", "module/textio", "module/wildcard",
		"module/textio/charset", "module/textio/edit"},
	"module/commands/words":       {"module/textio"},
	"module/commands/mcp":         {"module/commands/stream", "module/textio"},
	"module/search/match":         {"module/search/match/literal", "module/search/match/regex", "module/textio/anchor", "module/textio/charset"},
	"module/search/match/literal": {},
	"module/search/match/regex":   {"module/search/match/literal"},
	"module/search/walk":          {"module/wildcard"},
	"module/search":               {"module/search/match", "module/search/walk", "module/textio/anchor", "module/textio/charset"},
	"module/sandbox": {"module/sandbox/confine", "module/sandbox/disk/...", "module/sandbox/history", "module/sandbox/policy",
		"module/wildcard"},
	"module/sandbox/tree": {"module/sandbox", "module/sandbox/disk/...", "module/sandbox/policy"},
	"module/sandbox/plan": {"module/sandbox", "module/sandbox/tree", "module/sandbox/disk/...", "module/sandbox/history",
		"module/sandbox/policy"},
	"module/sandbox/transaction": {"module/sandbox", "module/sandbox/tree", "module/sandbox/plan", "module/sandbox/disk/...",
		"module/sandbox/history", "module/sandbox/policy"},
	"module/sandbox/undo": {"module/sandbox", "module/sandbox/tree", "module/sandbox/plan", "module/sandbox/transaction",
		"module/sandbox/disk/...", "module/sandbox/history"},
	"module/sandbox/fixture": {"module/sandbox", "module/sandbox/plan", "module/sandbox/transaction", "module/sandbox/disk/...",
		"module/sandbox/policy"},
	"module/sandbox/confine": {},
	"module/sandbox/disk/dir": {"module/sandbox/disk/filesystem", "module/sandbox/disk/fserr", "module/sandbox/disk/host",
		"module/sandbox/disk/openfile", "module/sandbox/disk/pathname", "module/sandbox/disk/rights", "module/sandbox/disk/stat", "module/sandbox/disk/system",
		"module/sandbox/policy"},
	"module/sandbox/disk/dirlock": {"module/sandbox/disk/dir", "module/sandbox/disk/fserr", "module/sandbox/disk/openfile",
		"module/sandbox/disk/stat", "module/sandbox/disk/system", "module/sandbox/policy"},
	"module/sandbox/disk/disktest":   {},
	"module/sandbox/disk/filesystem": {"module/sandbox/disk/system"},
	"module/sandbox/disk/fserr":      {},
	"module/sandbox/disk/host":       {"module/sandbox/disk/fserr", "module/sandbox/disk/stat", "module/sandbox/disk/system"},
	"module/sandbox/disk/openfile": {"module/sandbox/disk/filesystem", "module/sandbox/disk/fserr", "module/sandbox/disk/rights", "module/sandbox/disk/stat",
		"module/sandbox/disk/system"},
	"module/sandbox/disk/pathname": {"module/sandbox/disk/fserr"},
	"module/sandbox/disk/rights": {"module/sandbox/disk/filesystem", "module/sandbox/disk/fserr", "module/sandbox/disk/stat",
		"module/sandbox/disk/system"},
	"module/sandbox/disk/stat":   {"module/sandbox/disk/fserr"},
	"module/sandbox/disk/system": {"module/sandbox/disk/fserr"},
	"module/sandbox/disk/walk": {"module/sandbox/disk/dir", "module/sandbox/disk/fserr", "module/sandbox/disk/pathname",
		"module/sandbox/disk/rights", "module/sandbox/disk/stat", "module/sandbox/policy"},
	"module/sandbox/disk":    {},
	"module/sandbox/history": {"module/sandbox/disk/...", "module/sandbox/policy"},
	"module/sandbox/policy":  {"module/wildcard"},
	"module/textio": {"module/textio/anchor", "module/textio/charset", "module/textio/diff", "module/textio/edit", "module/textio/lines",
		"module/textio/patch"},
	"module/textio/charset": {},
	"module/textio/lines":   {},
	"module/textio/diff":    {"module/textio/lines"},
	"module/textio/anchor":  {"module/textio/charset", "module/textio/lines"},
	"module/textio/nearest": {"module/textio/charset", "module/textio/diff", "module/textio/lines"},
	"module/textio/edit": {"module/textio/anchor", "module/textio/charset", "module/textio/diff", "module/textio/lines",
		"module/textio/nearest"},
	"module/textio/patch": {"module/textio/charset", "module/textio/diff", "module/textio/edit", "module/textio/lines",
		"module/textio/nearest"},
	"module/wildcard":          {},
	"module/layout":            {},
	"module/layout/newcommand": {},
	"module/faults":            {},
}

// importsOfCommand are what a package with the declaration of a command may import, and commandUses
// are those that also import the package of another command.
var (
	importsOfCommand = []string{"module/commands/answer", "module/commands/approval", "module/commands/change", "module/commands/command",
		"module/commands/hint", "module/commands/listing", "module/commands/request", "module/commands/settings", "module/commands/version",
		"module/commands/words", "module/sandbox", "module/search", "module/textio", "module/wildcard"}
	commandUses = map[string]string{"module/commands/edit": "module/commands/grep", "module/commands/copy": "module/commands/move",
		"module/commands/write": "module/commands/append"}
)

// isCommand reports whether a package has the declaration of a command: a variable of this name.
func isCommand(t *testing.T, from string) bool {
	t.Helper()
	files, err := filepath.Glob(strings.TrimPrefix(from, "module/") + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		content, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(content), "\nvar Command = ")
	})
}

// mayImport reports whether the plan of the house has an import. known is false for a package that
// isn't in it.
func mayImport(t *testing.T, from, to string) (known, may bool) {
	allowed, known := imports[from]
	inside := func(part, of string) bool { return part == of || strings.HasPrefix(part, of+"/") }
	switch {
	case known && from == "module/commands":
		return true, slices.Contains(allowed, to) || isCommand(t, to)
	case known:
		return true, slices.ContainsFunc(allowed, func(one string) bool {
			in, isFolder := strings.CutSuffix(one, "/...")
			return one == to || isFolder && strings.HasPrefix(to, in+"/")
		})
	case !inside(from, "module/commands") || !isCommand(t, from):
		return false, false
	}
	return true, commandUses[from] == to || slices.ContainsFunc(importsOfCommand, func(of string) bool { return inside(to, of) })
}

// outsidePlan are packages that nothing in the program imports: they may import what they like.
var outsidePlan = []string{"module/packaging", "module/examples", "module/testscript"}

// onlyCommands are modules for the program's surface, flags and JSON, and for the journal.
var onlyCommands = []string{"github.com/alecthomas/kong", "github.com/go-json-experiment/json", "encoding/json"}

type listed struct {
	ImportPath string
	Imports    []string
	Module     *struct{ Path string }
}

func list(t *testing.T, args ...string) []listed {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command, which Wine has not: ", err)
	}
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,Module"}, args...)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestImports(t *testing.T) {
	t.Chdir("..")
	packages := list(t, "./...")
	found := map[string]bool{}
	for _, p := range packages {
		from := ours(p, p.ImportPath)
		found[from] = true
		known, _ := mayImport(t, from, "")
		if !known && !slices.ContainsFunc(outsidePlan, func(top string) bool { return strings.HasPrefix(from, top) }) {
			t.Errorf("package %s is not in the plan of the house: add it to imports, with what it may import", p.ImportPath)
		}
		for _, path := range p.Imports {
			to := ours(p, path)
			if _, may := mayImport(t, from, to); to != "" && known && !may {
				t.Errorf("wrong import: %s imports %s: see imports and importsOfCommand", p.ImportPath, path)
			}
			if !strings.HasPrefix(from, "module/commands") && from != "module/sandbox/history" && known && under(path, onlyCommands) {
				t.Errorf("wrong import: %s imports %s, which is for commands alone", p.ImportPath, path)
			}
		}
	}
	for from := range imports {
		if !found[from] {
			t.Errorf("%s is in the plan of the house, and go list does not know it", from)
		}
	}
}

// TestPackageSize: no package has so many files, or so many lines, that nobody knows them all.
// Tests don't count, and neither do lines that are blank or have nothing but a comment. The files
// for all systems count.
func TestPackageSize(t *testing.T) {
	t.Chdir("..")
	const mostFiles, mostLines = 20, 3000
	files, lines := map[string]int{}, map[string]int{}
	_, sources := filesOfTree(t)
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		content, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		files[path.Dir(source)]++
		lines[path.Dir(source)] += codeLines(content)
	}
	for in, count := range files {
		if count > mostFiles {
			t.Errorf("%s has %d files besides tests, more than %d", in, count, mostFiles)
		}
		if lines[in] > mostLines {
			t.Errorf("%s has %d lines of code besides tests, more than %d", in, lines[in], mostLines)
		}
	}
}

// codeLines counts the lines of a source that have a part of a token.
func codeLines(source []byte) int {
	return len(linesWith(source, func(token.Token, string) bool { return true }))
}

// linesWith are the numbers of the lines of a source that have a part of such a token. Comments,
// and the semicolons that the scanner puts in, are none.
func linesWith(source []byte, isOne func(kind token.Token, text string) bool) map[int]bool {
	found := map[int]bool{}
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, 0)
	for {
		pos, kind, text := s.Scan()
		switch {
		case kind == token.EOF:
			return found
		case kind == token.SEMICOLON && text == "\n", !isOne(kind, text):
			continue
		}
		first := file.Line(pos)
		for i := range strings.Count(text, "\n") + 1 {
			found[first+i] = true
		}
	}
}

// TestNothingUnused: every function, method and type is named somewhere besides where it is
// declared. The compiler and go vet don't tell. Names are compared as text, so that the files of
// other systems count as well.
func TestNothingUnused(t *testing.T) {
	t.Chdir("..")
	declared, seen := map[string]string{}, map[string]int{}
	_, sources := filesOfTree(t)
	for _, source := range sources {
		file := parsed(t, source)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				declared[n.Name.Name] = source
			case *ast.TypeSpec:
				declared[n.Name.Name] = source
			case *ast.Ident:
				seen[n.Name]++
			}
			return true
		})
	}
	for name, source := range declared {
		if seen[name] < 2 && !slices.Contains([]string{"main", "init"}, name) && !strings.HasSuffix(source, "_test.go") {
			t.Errorf("%s declares %s, and nobody uses it", source, name)
		}
	}
}

// otherMeanings are names of commands that a package besides their own has as something else.
var otherMeanings = map[string]string{"commands/request": "patch"} // the field

// TestCommandNames: nothing outside of a command's own package goes by its name. What others need
// to know is in its command.Command. Package hint may name commands: its tables are about the names
// that they have in other programs; and so may package samples, which is for tests.
func TestCommandNames(t *testing.T) {
	t.Chdir("..")
	type literal struct{ text, in string }
	names, literals := map[string]bool{}, []literal(nil)
	_, sources := filesOfTree(t)
	for _, source := range sources {
		in := path.Dir(source)
		if !strings.HasPrefix(in, "commands") || strings.HasSuffix(source, "_test.go") || in == "commands/hint" || in == "commands/samples" {
			continue
		}
		file := parsed(t, source)
		isCommand := strings.HasPrefix(in, "commands/")
		ast.Inspect(file, func(n ast.Node) bool {
			if pair, ok := n.(*ast.KeyValueExpr); ok && isCommand {
				key, isName := pair.Key.(*ast.Ident)
				if text, ok := pair.Value.(*ast.BasicLit); ok && isName && key.Name == "Name" {
					names[text.Value] = true
				}
			}
			if text, ok := n.(*ast.BasicLit); ok && !isCommand && text.Kind == token.STRING {
				literals = append(literals, literal{text.Value, in})
			}
			return true
		})
	}
	if len(names) < 10 {
		t.Fatalf("only %d commands are known: the test is not looking at them", len(names))
	}
	for _, l := range literals {
		if names[l.text] && l.text != strconv.Quote(otherMeanings[l.in]) {
			t.Errorf("%s has the name of the command %s: put what it needs to know into command.Command", l.in, l.text)
		}
	}
}

// ours shortens the path of a package of p's module, and is empty for any other.
func ours(p listed, path string) string {
	rest, ok := strings.CutPrefix(path, p.Module.Path)
	if !ok || (rest != "" && rest[0] != '/') {
		return ""
	}
	return "module" + rest
}

func under(path string, modules []string) bool {
	return slices.ContainsFunc(modules, func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") })
}

// The packages in diskFolder alone touch the disk; wallPackage makes system calls, too, so that the
// process can't, and terminalPackage opens the terminal. fixturePackage makes trees for tests.
const diskFolder, wallPackage, terminalPackage, fixturePackage = "sandbox/disk", "sandbox/confine", "commands/terminal", "sandbox/fixture"

// throughDir are the packages in diskFolder that do what they do through diskFolder/dir.
var throughDir = []string{diskFolder + "/dirlock", diskFolder + "/walk"}

// diskCalls are the functions of package os that do.
var diskCalls = []string{"Chdir", "Chmod", "Chown", "Chtimes", "Create", "CreateTemp", "CopyFS", "DirFS", "Lchown", "Link", "Lstat",
	"Mkdir",
	"MkdirAll", "MkdirTemp", "Open", "OpenFile", "OpenInRoot", "OpenRoot", "ReadDir", "ReadFile", "Readlink", "Remove", "RemoveAll", "Rename",
	"Stat", "Symlink", "Truncate", "WriteFile"}

// TestDiskAccess: the program's other packages make no system calls and open, describe, rename and
// remove nothing.
func TestDiskAccess(t *testing.T) {
	t.Chdir("..")
	seen := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(path, diskFolder+"/") && !slices.Contains(throughDir, path) ||
			slices.Contains([]string{wallPackage, terminalPackage, fixturePackage}, path) ||
			slices.Contains([]string{"bench", "hosts", "packaging", "examples", "testscript", "layout"}, path) ||
			path != "." && path[0] == '.'):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		seen++
		file := parsed(t, path)
		for _, spec := range file.Imports {
			if strings.Contains(spec.Path.Value, "golang.org/x/sys") {
				t.Errorf("%s imports %s, which is for the packages in %s alone", path, spec.Path.Value, diskFolder)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "os" && slices.Contains(diskCalls, s.Sel.Name) {
					t.Errorf("%s calls os.%s, which is for the packages in %s alone", path, s.Sel.Name, diskFolder)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || seen < 100 {
		t.Fatalf("%d files looked at: %v", seen, err)
	}
}

// TestNoNetwork looks at everything that is linked: the binary has no use for a network.
func TestNoNetwork(t *testing.T) {
	t.Chdir("..")
	linked := list(t, "-deps", ".")
	if len(linked) < 50 {
		t.Fatalf("only %d packages are linked: the test is not looking at the binary", len(linked))
	}
	for _, p := range linked {
		if slices.Contains([]string{"net", "net/http", "crypto/tls"}, p.ImportPath) {
			t.Errorf("%s is linked, by %v", p.ImportPath, importers(linked, p.ImportPath))
		}
	}
}

func importers(all []listed, path string) []string {
	var names []string
	for _, p := range all {
		if slices.Contains(p.Imports, path) {
			names = append(names, p.ImportPath)
		}
	}
	return names
}

// maxLine and maxComment are how many characters a line of code, or of nothing but a comment, may
// have; a tab is one.
const (
	maxLine    = 140
	maxComment = 100
)

// TestLineLength: no line of the program is too long to be read, except where it has a text in back
// quotes, such as the tags of a struct: Go has no way to continue with it in another line. In a
// comment, a table may be as wide as code.
func TestLineLength(t *testing.T) {
	t.Chdir("..")
	_, sources := filesOfTree(t)
	for _, source := range sources {
		folder, _, _ := strings.Cut(source, "/")
		if strings.HasSuffix(source, "_test.go") && !slices.Contains([]string{"commands", "textio", "wildcard", "search", "bench"}, folder) {
			continue // tables of cases, one in a line
		}
		content, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		quoted := linesInBackQuotes(content)
		for i, line := range strings.Split(string(content), "\n") {
			n, limit, what := utf8.RuneCountInString(line), maxLine, "line of code"
			if text, found := strings.CutPrefix(strings.TrimLeft(line, "\t"), "// "); found && !strings.HasPrefix(text, "\t") {
				limit, what = maxComment, "comment"
			}
			if n > limit && !quoted[i+1] {
				t.Errorf("%s:%d: a %s of %d characters, and it may have %d", source, i+1, what, n, limit)
			}
		}
	}
}

// TestFormat: each Go file is as gofmt writes it.
func TestFormat(t *testing.T) {
	t.Chdir("..")
	_, sources := filesOfTree(t)
	for _, source := range sources {
		content, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		if formatted, err := format.Source(content); err != nil || !bytes.Equal(formatted, content) {
			t.Errorf("run gofmt -w %s", source)
		}
	}
}

// linesInBackQuotes are the numbers of the lines of a source that have a part of a raw string.
func linesInBackQuotes(source []byte) map[int]bool {
	return linesWith(source, func(kind token.Token, text string) bool { return kind == token.STRING && text[0] == '`' })
}

// TestFindings: each finding is a script that runs as it is, and is in the list.
func TestFindings(t *testing.T) {
	list, err := os.ReadFile("../findings/README.md")
	scripts, _ := filepath.Glob("../findings/*.sh")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	for _, script := range scripts {
		name := filepath.Base(script)
		if !strings.Contains(string(list), "]("+name+")") {
			t.Errorf("README.md of findings lacks %s", name)
		}
		if info, err := os.Stat(script); err != nil || info.Mode()&0o111 == 0 && runtime.GOOS != "windows" {
			t.Errorf("%s: can't be run: chmod +x (%v)", name, err)
		}
	}
}

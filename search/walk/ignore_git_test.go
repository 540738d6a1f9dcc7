package walk

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var (
	gitSeed    = flag.Uint64("seed", 1, "first seed of the comparison with git")
	gitQueries = flag.Int("queries", 1_000, "paths to compare with git; the gate takes 8,000, a long run 500,000")
)

func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git to compare with")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the names in these trees need a file system that takes any bytes")
	}
}

// TestIgnoreLikeGit builds random trees with nested ignore files and compares
// what a walk visits with what git check-ignore says about every path.
func TestIgnoreLikeGit(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	needGit(t)
	queries, ignored, wrong := 0, 0, 0
	for seed := *gitSeed; queries < *gitQueries; seed++ {
		tree := randomTree(rand.New(rand.NewPCG(seed, 0)))
		want := gitIgnored(t, tree)
		got := walkIgnored(t, tree)
		for path, is := range want {
			queries++
			if is {
				ignored++
			}
			if got[path] != is {
				wrong++
				t.Errorf("seed %d: %q ignored: %v, git says %v\n%s", seed, path, got[path], is, tree.rulesFor(path))
			}
		}
		if wrong > 20 {
			t.Fatal("too many differences")
		}
	}
	t.Logf("%d queries, %d ignored, %d wrong", queries, ignored, wrong)
	if ignored < queries/20 || ignored > queries*19/20 {
		t.Errorf("%d of %d paths are ignored: the trees test nothing", ignored, queries)
	}
}

// TestIgnoreTableLikeGit holds the table of known traps against git.
func TestIgnoreTableLikeGit(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	needGit(t)
	for _, tt := range ignoreTests {
		for paths := append(slices.Clone(tt.ignored), tt.visible...); len(paths) > 0; {
			tree := gitTree{".gitignore": tt.rules}
			paths = slices.DeleteFunc(paths, func(path string) bool { return tree.add(path) })
			got := walkIgnored(t, tree)
			for path, want := range gitIgnored(t, tree) {
				if got[path] != want {
					t.Errorf("%s: %q with %q ignored: %v, git says %v", tt.name, path, tt.rules, got[path], want)
				}
			}
		}
	}
}

// TestNamedClassesLikeGit asks git about every byte in every named class.
func TestNamedClassesLikeGit(t *testing.T) {
	needGit(t)
	classes := []string{"alpha", "cntrl", "punct"}
	switch {
	case testing.Short():
		classes = classes[:1]
	case *sweep:
		classes = append(classes, "alnum", "blank", "digit", "graph", "lower", "print", "space", "upper", "xdigit")
	}
	for _, class := range classes {
		tree := gitTree{".gitignore": "x[[:" + class + ":]]"}
		for c := 1; c < 256; c++ {
			if c != '/' {
				tree["x"+string([]byte{byte(c)})] = ""
			}
		}
		got := walkIgnored(t, tree)
		for path, want := range gitIgnored(t, tree) {
			if got[path] != want {
				t.Errorf("[:%s:] has %q: %v, git says %v", class, path[1:], got[path], want)
			}
		}
	}
}

// gitTree is a tree of files by path; a path that ends in a slash is a folder.
type gitTree map[string]string

// add adds a path and the folders above it; false if one is of another kind already.
func (g gitTree) add(path string) bool {
	var need []string
	for i := range len(path) - 1 {
		if path[i] == '/' {
			need = append(need, path[:i+1])
		}
	}
	for _, p := range append(need, path) {
		other, dir := strings.CutSuffix(p, "/")
		if !dir {
			other = p + "/"
		}
		if _, taken := g[other]; taken {
			return false
		}
	}
	for _, p := range append(need, path) {
		g[p] = "x"
	}
	return true
}

// rulesFor shows the ignore files that have a say about path.
func (g gitTree) rulesFor(path string) string {
	show := func(file string) string {
		if content, ok := g[file]; ok {
			return fmt.Sprintf("\t%s: %q\n", file, content)
		}
		return ""
	}
	out := show(".git/info/exclude") + show(".gitignore")
	for i := range path {
		if path[i] == '/' {
			out += show(path[:i] + "/.gitignore")
		}
	}
	return out
}

// treeNames are few and like the patterns, so that they meet often.
var treeNames = [...]string{
	"a", "b", "ab", "ba", "aab", "a.b", "b.a", "A", "a-b", "a b", "a ", "é", "é.a", "ü", "[a]", "a*", `a\b`, "!a", "#a",
	".a", "a\f", "a1", "1", "x.log", "log", "build", "src", "a\tb", "a\r", "\xff", "a]", "-", "^", "a{b,c}", "ab.log", "\v", "_",
}

func randomTree(r *rand.Rand) gitTree {
	g := gitTree{}
	growTree(r, g, "", 1+r.IntN(5))
	if r.IntN(3) == 0 {
		g[".git/info/exclude"] = randomIgnore(r)
	}
	return g
}

// growTree fills one folder.
func growTree(r *rand.Rand, g gitTree, path string, depth int) {
	if path == "" || r.IntN(5) == 0 {
		g[path+".gitignore"] = randomIgnore(r)
	}
	for range 2 + r.IntN(7) {
		child := path + treeNames[r.IntN(len(treeNames))]
		if _, taken := g[child]; taken || g[child+"/"] != "" {
			continue
		}
		if depth > 0 && r.IntN(5) < 3 {
			g[child+"/"] = "directory"
			growTree(r, g, child+"/", depth-1)
		} else {
			g[child] = "file"
		}
	}
}

func randomIgnore(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(8) == 0 {
		b.WriteString("\xef\xbb\xbf")
	}
	eol := []string{"\n", "\n", "\n", "\r\n"}[r.IntN(4)]
	for range 1 + r.IntN(5) {
		b.WriteString(randomPattern(r))
		if r.IntN(12) == 0 {
			b.WriteString([]string{" ", "  ", `\ `, "\t", ` \ `, "\r", "\x00x", ` \`}[r.IntN(8)])
		}
		b.WriteString(eol)
	}
	return strings.TrimSuffix(b.String(), []string{"", "\n", eol}[r.IntN(3)])
}

func randomPattern(r *rand.Rand) string {
	var b strings.Builder
	for _, front := range []string{"!", "/", "**/", "!", "#", `\`} {
		if r.IntN(8) == 0 {
			b.WriteString(front)
		}
	}
	for n := range 1 + r.IntN(3)*r.IntN(2) {
		if n > 0 {
			b.WriteString([]string{"/**/", "/**/", "/*/", "/***/", "//", `\/`, "/"}[min(r.IntN(12), 6)])
		}
		b.WriteString(randomComponent(r))
	}
	if r.IntN(5) == 0 {
		b.WriteString([]string{"/", "/", "/**", "/*", "/**/", "//", `\`, "["}[r.IntN(8)])
	}
	return b.String()
}

func randomComponent(r *rand.Rand) string {
	if r.IntN(3) == 0 {
		return treeNames[r.IntN(len(treeNames))]
	}
	pieces := [...]string{
		"*", "?", "a", "b", "**", "***", "ab", ".", ".log", "l", "1", "é", "\xc3", `\a`, `\*`, `\\`, `\[`, " ", "-",
		"[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[!]]", "[a-]", "[-a]", `[\]a]`, `[a\-c]`, "[[:alpha:]]", "[[:digit:]a]",
		"[![:lower:]]", "[[:space:]]", "[[:punct:]]", "[[:bogus:]]", "[[:alpha]", "[a-[:digit:]]", "[c-a]", "[/]", "[!/]",
		"[", "[]", "[a", "{a,b}", "]", "[\x80-\xff]", "[[:upper:][:digit:]]", "[a-a-c]", "[[:alpha:]-z]", "[[]", "[[:]", "[[::]]", `[a-\c]`, `[\`,
		"[[:space:]]",
	}
	var b strings.Builder
	for range 1 + r.IntN(3) {
		if r.IntN(2) == 0 {
			b.WriteString(pieces[r.IntN(5)])
			continue
		}
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// write puts a tree into a folder on disk.
func (g gitTree) write(t *testing.T, dir string) {
	t.Helper()
	for path, content := range g {
		full := filepath.Join(dir, path)
		folder := full
		if !strings.HasSuffix(path, "/") {
			folder = filepath.Dir(full)
		}
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		if folder != full {
			if err := os.WriteFile(full, []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// paths lists the paths of a tree without those in .git.
func (g gitTree) paths() []string {
	var list []string
	for path := range g {
		if !strings.HasPrefix(path, ".git/") {
			list = append(list, strings.TrimSuffix(path, "/"))
		}
	}
	return list
}

// gitIgnored asks git about every path of a tree.
func gitIgnored(t *testing.T, g gitTree) map[string]bool {
	t.Helper()
	dir := t.TempDir()
	defer os.RemoveAll(dir) // not only at the end: there may be thousands
	for _, sub := range []string{"objects", "refs", "info"} {
		os.MkdirAll(filepath.Join(dir, ".git", sub), 0o777)
	}
	os.WriteFile(filepath.Join(dir, ".git/HEAD"), []byte("ref: refs/heads/main\n"), 0o666)
	g.write(t, dir)
	cmd := exec.Command("git", "-c", "core.excludesFile=", "-c", "core.ignoreCase=false",
		"check-ignore", "--no-index", "--stdin", "-z", "-v", "-n")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_DIR="+filepath.Join(dir, ".git"),
		"GIT_WORK_TREE="+dir)
	paths := g.paths()
	cmd.Stdin = strings.NewReader("./" + strings.Join(paths, "\x00./") + "\x00")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := new(exec.ExitError); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("git: %v: %s", err, stderr.String())
	}
	// Four fields a path: source, line, pattern, path. No source: no rule matches.
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(fields) != 4*len(paths) {
		t.Fatalf("git answered %d fields for %d paths: %s", len(fields), len(paths), stderr.String())
	}
	result := map[string]bool{}
	for i := 0; i < len(fields); i += 4 {
		result[strings.TrimPrefix(fields[i+3], "./")] = fields[i] != "" && !strings.HasPrefix(fields[i+2], "!")
	}
	return result
}

// walkIgnored walks a tree and returns the paths that are not visited.
func walkIgnored(t *testing.T, g gitTree) map[string]bool {
	t.Helper()
	ignored := map[string]bool{}
	for _, path := range g.paths() {
		ignored[path] = true
	}
	o := Options{Path: ".", Recursive: true, IncludeHidden: true}
	_, err := Walk(context.Background(), memoryTree(g), o, func(e Entry) error {
		delete(ignored, e.Path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ignored
}

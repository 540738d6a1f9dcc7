package walk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// walked runs a walk over a fake tree, and checks what holds for every walk: entries
// can be described while they are visited, and nothing stays open afterwards.
func walked(t *testing.T, tree *fakeTree, o Options) ([]string, Tally) {
	t.Helper()
	var seen []string
	tally, err := Walk(context.Background(), tree.folder(), o, func(e Entry) error {
		shown := e.Path
		if e.Blocked {
			shown += " blocked"
		}
		seen = append(seen, shown)
		checkEntry(t, o, e)
		return nil
	})
	if err != nil {
		t.Errorf("walk: %v", err)
	}
	if tree.open != 0 {
		t.Errorf("%d directories left open", tree.open)
	}
	return seen, tally
}

// checkEntry asks for what an entry is: its folder may be closed by then.
func checkEntry(t *testing.T, o Options, e Entry) {
	t.Helper()
	below := e.Path
	if o.Path != "." {
		below = strings.TrimPrefix(e.Path, o.Path+"/")
	}
	if depth := strings.Count(below, "/") + 1; e.Depth != depth {
		t.Errorf("%s: depth %d, want %d", e.Path, e.Depth, depth)
	}
	if info, err := e.Info(); err != nil || info.Size != int64(len(e.Path)) || info.Type != e.Type {
		t.Errorf("%s: info %+v, error %v", e.Path, info, err)
	}
}

func emptyFiles(paths ...string) map[string]string {
	m := map[string]string{}
	for _, p := range paths {
		m[p] = ""
	}
	return m
}

func withFiles(m, more map[string]string) map[string]string {
	maps.Copy(m, more)
	return m
}

func TestWalk(t *testing.T) {
	recursive := Options{Path: ".", Recursive: true}
	project := withFiles(emptyFiles(
		"a.txt", "a/x", "a/b/c", "a-b", "z/", ".hid/f", ".dot", "log/x.log", "log/keep.log", "build/out/f",
		".git/HEAD", ".git/hooks/pre", "link -> a", "pipe (fifo)", "secret/k",
	), map[string]string{
		".gitignore": "*.log\nbuild/\n", "log/.gitignore": "!keep.log\n", ".git/info/exclude": "z\n",
	})
	blocked := func(p string, _ bool) bool { return p == "secret" || p == "a.txt" }
	tests := []struct {
		name  string
		files map[string]string
		o     Options
		want  string
		tally Tally
	}{
		{"order", emptyFiles("a.txt", "a/x", "a", "a-b", "B", "a/x-", "a/x/1", "é", "\xff"), recursive, "B a a/x a/x/1 a/x- a-b a.txt é \xff",
			Tally{}},
		{"empty", nil, recursive, "", Tally{}},
		{"own listing", project, Options{Path: "."}, "a a-b a.txt build link log pipe secret z", Tally{Hidden: 4}},
		{"own listing, hidden", project, Options{Path: ".", IncludeHidden: true},
			".dot .git .gitignore .hid a a-b a.txt build link log pipe secret z", Tally{}},
		{"recursive", project, recursive, "a a/b a/b/c a/x a-b a.txt link log log/keep.log pipe secret secret/k", Tally{Hidden: 5, Ignored: 3}},
		{"hidden", project, Options{Path: ".", Recursive: true, IncludeHidden: true},
			".dot .git .gitignore .hid .hid/f a a/b a/b/c a/x a-b a.txt link log log/.gitignore log/keep.log pipe secret secret/k",
			Tally{Ignored: 3}},
		{"no ignore", project, Options{Path: ".", Recursive: true, NoIgnore: true},
			"a a/b a/b/c a/x a-b a.txt build build/out build/out/f link log log/keep.log log/x.log pipe secret secret/k z", Tally{Hidden: 5}},
		{"everything", emptyFiles(".git/HEAD", "a"), Options{Path: ".", Recursive: true, NoIgnore: true, IncludeHidden: true}, ".git .git/HEAD a",
			Tally{}},
		{"in .git", project, Options{Path: ".git", Recursive: true}, ".git/HEAD .git/hooks .git/hooks/pre .git/info .git/info/exclude", Tally{}},
		{"nested .git", emptyFiles("a/.git/HEAD", "a/b"), Options{Path: "a", Recursive: true, IncludeHidden: true}, "a/.git a/b", Tally{}},
		{"depth", project, Options{Path: ".", Recursive: true, Depth: 2}, "a a/b a/x a-b a.txt link log log/keep.log pipe secret secret/k",
			Tally{Hidden: 5, Ignored: 3}},
		{"depth 1 with rules", project, Options{Path: ".", Recursive: true, Depth: 1}, "a a-b a.txt link log pipe secret",
			Tally{Hidden: 4, Ignored: 2}},
		{"blocked", project, Options{Path: ".", Recursive: true, Blocked: blocked},
			"a a/b a/b/c a/x a-b a.txt blocked link log log/keep.log pipe secret blocked", Tally{Hidden: 5, Ignored: 3, Blocked: 2}},
		{"enter", project, Options{Path: ".", Recursive: true, Enter: func(p string) bool { return p != "a/b" && p != "log" }},
			"a a/b a/x a-b a.txt link log pipe secret secret/k", Tally{Hidden: 4, Ignored: 2}},
		{"ignored start is walked", project, Options{Path: "build", Recursive: true}, "build/out build/out/f", Tally{}},
		{"hidden start is walked", project, Options{Path: ".hid", Recursive: true}, ".hid/f", Tally{}},
		{"rules of directories above", project, Options{Path: "log", Recursive: true}, "log/keep.log", Tally{Hidden: 1, Ignored: 1}},
		{"rules further above", map[string]string{".gitignore": "/a/b/x\n*.o\n", "a/.gitignore": "!k.o", "a/b/x": "", "a/b/y": "",
			"a/b/c/k.o": "", "a/b/c/l.o": ""},
			Options{Path: "a/b", Recursive: true}, "a/b/c a/b/c/k.o a/b/y", Tally{Ignored: 2}},
		{"sources in order", map[string]string{".git/info/exclude": "a\nb\nc\n", ".gitignore": "!a\n!b\n", ".ignore": "b\n", "a": "", "b": "",
			"c": "", "d": ""},
			recursive, "a d", Tally{Hidden: 3, Ignored: 2}},
		{"a deeper directory wins", map[string]string{".ignore": "x\n", "d/.gitignore": "!x\n", "d/x": "", "x": ""}, recursive, "d d/x",
			Tally{Hidden: 2, Ignored: 1}},
		{"nothing comes back below an ignored directory", map[string]string{".gitignore": "d/\n!d/x\n", "d/x": "", "e": ""}, recursive, "e",
			Tally{Hidden: 1, Ignored: 1}},
		{"hidden and ignored is hidden", map[string]string{".gitignore": ".a\n", ".a": ""}, recursive, "", Tally{Hidden: 2}},
		{"worktree: .git is a file", map[string]string{".git": "gitdir: /x", "a": ""}, recursive, "a", Tally{Hidden: 1}},
		{"directory named .gitignore", map[string]string{".gitignore/x": "", "a": ""}, recursive, "a", Tally{Hidden: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			seen, tally := walked(t, newFakeTree(tt.files), tt.o)
			if got := strings.Join(seen, " "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if fmt.Sprint(tally) != fmt.Sprint(tt.tally) {
				t.Errorf("tally %+v, want %+v", tally, tt.tally)
			}
		})
	}
}

func TestWalkSkips(t *testing.T) {
	big := strings.Repeat("#", maxIgnoreBytes)
	tree := newFakeTree(map[string]string{
		".gitignore -> x": "", "a/.gitignore (fifo)": "", "b/.gitignore": big + "\nx", "b/x": "", "c/.ignore": "x", "c/x": "",
		"d/e/f": "", "g/h": "", "i/.git/info/exclude": "j", "i/j": "", "k/.gitignore": big[:maxIgnoreBytes-2] + "\nl", "k/l": "",
	})
	tree.gone["c/.ignore"], tree.gone["d/e"], tree.unlisted["g"], tree.gone["i/.git/info"] = true, true, true, true
	seen, tally := walked(t, tree, Options{Path: ".", Recursive: true})
	if got, want := strings.Join(seen, " "), "a b b/x c c/x d d/e g i i/j k"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var skipped []string
	for _, s := range tally.Skipped {
		if s.Err == nil {
			t.Errorf("%s: no error", s.Path)
		}
		skipped = append(skipped, s.Path)
	}
	if got, want := strings.Join(skipped, " "), ".gitignore a/.gitignore b/.gitignore c/.ignore d/e g i/.git/info/exclude"; got != want ||
		tally.SkippedCount != 7 {
		t.Errorf("skipped %d: %s, want %s", tally.SkippedCount, got, want)
	}
	if tally.Ignored != 1 {
		t.Errorf("%d ignored, want only k/l", tally.Ignored)
	}
}

func TestWalkSkippedIsCapped(t *testing.T) {
	tree := newFakeTree(nil)
	for i := range 60 {
		path := fmt.Sprintf("d%02d", i)
		tree.root.child(path).child("f")
		tree.unlisted[path] = true
	}
	_, tally := walked(t, tree, Options{Path: ".", Recursive: true})
	if len(tally.Skipped) != 50 || tally.SkippedCount != 60 {
		t.Errorf("%d listed, %d counted", len(tally.Skipped), tally.SkippedCount)
	}
}

// TestWalkFails: a start that can't be read is an error, not an empty result.
func TestWalkFails(t *testing.T) {
	for _, path := range []string{"none", "a/none", "file", "a/gone", "a/unlisted"} {
		tree := newFakeTree(emptyFiles("a/gone/x", "a/unlisted/x", "file"))
		tree.gone["a/gone"], tree.unlisted["a/unlisted"] = true, true
		_, err := Walk(context.Background(), tree.folder(), Options{Path: path, Recursive: true}, func(Entry) error { return nil })
		if err == nil || tree.open != 0 {
			t.Errorf("%s: error %v, %d directories left open", path, err, tree.open)
		}
	}
	tree := newFakeTree(emptyFiles("a"))
	tree.unlisted["."] = true
	if _, err := Walk(context.Background(), tree.folder(), Options{Path: "."}, nil); !errors.Is(err, errFakeList) {
		t.Errorf("root that can't be listed: %v", err)
	}
}

func TestWalkStops(t *testing.T) {
	boom := errors.New("boom")
	for _, tt := range []struct{ give, want error }{{ErrStop, nil}, {fmt.Errorf("enough: %w", ErrStop), nil}, {boom, boom}} {
		tree := newFakeTree(emptyFiles("a/b/c", "d", ".h"))
		visits := 0
		tally, err := Walk(context.Background(), tree.folder(), Options{Path: ".", Recursive: true}, func(e Entry) error {
			visits++
			if e.Path == "a/b" {
				return tt.give
			}
			return nil
		})
		if err != tt.want || visits != 2 || tree.open != 0 || tally.Hidden != 1 {
			t.Errorf("%v: error %v, %d visits, %d directories left open, tally %+v", tt.give, err, visits, tree.open, tally)
		}
	}
}

func TestWalkCanceled(t *testing.T) {
	tree := newFakeTree(emptyFiles("d/a", "e/a"))
	for i := range 2000 {
		tree.root.child(fmt.Sprintf("f%04d", i))
	}
	for _, at := range []string{"d/a", "f0100"} {
		ctx, cancel := context.WithCancel(context.Background())
		last := ""
		_, err := Walk(ctx, tree.folder(), Options{Path: ".", Recursive: true}, func(e Entry) error {
			if last = e.Path; last == at {
				cancel()
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) || tree.open != 0 || last > "f0600" || at == "d/a" && last != "e" {
			t.Errorf("canceled at %s: error %v, went on to %s, %d directories left open", at, err, last, tree.open)
		}
		if _, err := Walk(ctx, tree.folder(), Options{Path: "."}, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("canceled before: %v", err)
		}
	}
}

// randomFiles makes a tree whose names sort differently as components and as text.
func randomFiles(r *rand.Rand) map[string]string {
	names := []string{"a", "a-", "a.", "a0", "b", ".h", "b!", "é"}
	m := map[string]string{}
	for range 5 + r.IntN(60) {
		parts := make([]string, 1+r.IntN(4))
		for i := range parts {
			parts[i] = names[r.IntN(len(names))]
		}
		m[strings.Join(parts, "/")] = ""
	}
	if r.IntN(2) == 0 {
		m[".gitignore"] = "b/\n*0\n"
	}
	return m
}

// TestWalkAfter: resumed after any entry, a walk yields the rest of the whole one, and what it
// counts adds up.
func TestWalkAfter(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		tree := newFakeTree(randomFiles(r))
		o := Options{Path: ".", Recursive: true, Depth: r.IntN(4), IncludeHidden: r.IntN(2) == 0,
			Blocked: func(p string, _ bool) bool { return strings.HasSuffix(p, "a-") }}
		whole, total := walked(t, tree, o)
		if !slices.IsSortedFunc(whole, func(a, b string) int {
			return slices.Compare(strings.Split(strings.TrimSuffix(a, " blocked"), "/"), strings.Split(strings.TrimSuffix(b, " blocked"), "/"))
		}) {
			t.Fatalf("seed %d: out of order: %q", seed, whole)
		}
		for i, path := range whole {
			o.After = strings.TrimSuffix(path, " blocked")
			rest, tally := walked(t, tree, o)
			if !slices.Equal(rest, whole[i+1:]) {
				t.Fatalf("seed %d after %q:\ngot  %q\nwant %q", seed, o.After, rest, whole[i+1:])
			}
			if before := countBefore(t, tree, o); before.Hidden+tally.Hidden != total.Hidden || before.Ignored+tally.Ignored != total.Ignored ||
				before.Blocked+tally.Blocked != total.Blocked {
				t.Fatalf("seed %d: %+v up to %q, %+v after, %+v in all", seed, before, o.After, tally, total)
			}
		}
	}
}

// countBefore is the tally of a walk that stops at o.After.
func countBefore(t *testing.T, tree *fakeTree, o Options) Tally {
	t.Helper()
	after := o.After
	o.After = ""
	tally, err := Walk(context.Background(), tree.folder(), o, func(e Entry) error {
		if e.Path == after {
			return ErrStop
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tally
}

// TestWalkAfterElsewhere resumes after paths that are not, or no longer, there.
func TestWalkAfterElsewhere(t *testing.T) {
	tree := newFakeTree(emptyFiles("a/b/c", "a/d", "e/f/g", "e/h", ".x/y"))
	for _, tt := range []struct{ path, after, want string }{
		{".", "a/b/bb", "a/b/c a/d e e/f e/f/g e/h"},
		{".", "a/bb/c", "a/d e e/f e/f/g e/h"},
		{".", "a/d/x", "e e/f e/f/g e/h"},
		{".", "d/f", "e e/f e/f/g e/h"},
		{".", "a/bb/f/h", "a/d e e/f e/f/g e/h"},
		{".", "a.", "e e/f e/f/g e/h"},
		{".", ".x/y", "a a/b a/b/c a/d e e/f e/f/g e/h"},
		{".", "z", ""},
		{"e", "a/b", "e/f e/f/g e/h"},
		{"e", "e", "e/f e/f/g e/h"},
		{"e", ".", "e/f e/f/g e/h"},
		{"e", "f", ""},
		{"e", "e.", ""},
		{"e", "e/f", "e/f/g e/h"},
		{"e/f", "e", "e/f/g"},
		{"e/f", "e/e/z", "e/f/g"},
		{"e/f", "e/g", ""},
		{"e/f", "e/f/g", ""},
	} {
		seen, _ := walked(t, tree, Options{Path: tt.path, Recursive: true, After: tt.after})
		if got := strings.Join(seen, " "); got != tt.want {
			t.Errorf("%s after %s: got %q, want %q", tt.path, tt.after, got, tt.want)
		}
	}
}

// TestWalkAfterOpensNothingBefore: what lies before the path is not even opened.
func TestWalkAfterOpensNothingBefore(t *testing.T) {
	tree := newFakeTree(emptyFiles("a/x", "b/a/x", "b/c/x", "b/d/x", "e/x"))
	walked(t, tree, Options{Path: ".", Recursive: true, After: "b/c/x"})
	if got, want := strings.Join(tree.opened, " "), "b b/c b/d e"; got != want {
		t.Errorf("opened %s, want %s", got, want)
	}
}

// deepTree is a chain of folders with a file before the next folder and something after it at each
// level.
func deepTree(levels int, behind fs.FileMode) *fakeTree {
	tree := newFakeTree(nil)
	node := tree.root
	for range levels {
		node.child("a").kind = 0
		node.child("z").kind = behind
		node = node.child("d")
	}
	node.kind = fs.ModeDir
	return tree
}

func TestWalkDeep(t *testing.T) {
	const levels = 3000
	tree := deepTree(levels, 0)
	visits := 0
	tally, err := Walk(context.Background(), tree.folder(), Options{Path: ".", Recursive: true}, func(e Entry) error {
		visits++
		if info, err := e.Info(); err != nil || info.Size != int64(2*e.Depth-1) {
			return fmt.Errorf("%d levels deep: %+v, %v", e.Depth, info, err)
		}
		return nil
	})
	if err != nil || visits != 3*levels || tally.SkippedCount != 0 || tree.open != 0 {
		t.Errorf("error %v, %d visits, %d skipped, %d directories left open", err, visits, tally.SkippedCount, tree.open)
	}
	if tree.most > maxOpen+maxLandings+2 { // and the root
		t.Errorf("%d directories open at a time", tree.most)
	}
	if most := levels + levels*landing/(maxOpen/2); tree.openings > most {
		t.Errorf("%d directories opened, more than %d", tree.openings, most)
	}
}

// TestWalkDeepAgain goes down, up and down again without a stop on the way.
func TestWalkDeepAgain(t *testing.T) {
	deep := strings.Repeat("/d", 200)
	tree := newFakeTree(emptyFiles("a"+deep, "b"+deep, "c/a"+deep, "c/b"+deep))
	seen, _ := walked(t, tree, Options{Path: ".", Recursive: true})
	if len(seen) != 4*201+1 || tree.most > maxOpen+2 {
		t.Errorf("%d visits, %d directories open at a time", len(seen), tree.most)
	}
	tree.most = 0
	if seen, _ = walked(t, tree, Options{Path: "c", Recursive: true}); len(seen) != 2*201 || tree.most > maxOpen+2 {
		t.Errorf("below c: %d visits, %d directories open at a time", len(seen), tree.most)
	}
}

// TestWalkFolderVanishes: a folder that is gone when the walk comes back to it is told once.
func TestWalkFolderVanishes(t *testing.T) {
	const levels = 100
	tree := deepTree(levels, fs.ModeDir)
	gone := strings.TrimSuffix(strings.Repeat("d/", 20), "/")
	var seen []string
	tally, err := Walk(context.Background(), tree.folder(), Options{Path: ".", Recursive: true}, func(e Entry) error {
		seen = append(seen, e.Path)
		if e.Depth == levels {
			tree.gone[gone] = true
		}
		return nil
	})
	if err != nil || tree.open != 0 {
		t.Errorf("error %v, %d directories left open", err, tree.open)
	}
	if tally.SkippedCount != 1 || tally.Skipped[0].Path != gone || !errors.Is(tally.Skipped[0].Err, errFakeGone) {
		t.Errorf("skipped %+v", tally)
	}
	for i := range 20 {
		if path := strings.Repeat("d/", i) + "z"; !slices.Contains(seen, path) {
			t.Errorf("%s was not visited", path)
		}
	}
	if slices.Contains(seen, strings.Repeat("d/", 20)+"z") {
		t.Error("visited a file of the directory that is gone")
	}
}

// TestWalkWide: a folder with very many names costs one path each, no more.
func TestWalkWide(t *testing.T) {
	const names = 100_000
	tree := newFakeTree(nil)
	for i := range names {
		tree.root.child(fmt.Sprintf("n%06d", i)).kind = 0
	}
	var before, after runtime.MemStats
	visits := 0
	runtime.ReadMemStats(&before)
	_, err := Walk(context.Background(), tree.folder(), Options{Path: ".", Recursive: true}, func(Entry) error {
		visits++
		return nil
	})
	runtime.ReadMemStats(&after)
	if err != nil || visits != names {
		t.Errorf("error %v, %d visits", err, visits)
	}
	if n := after.Mallocs - before.Mallocs; n > names+names/10 {
		t.Errorf("%d allocations for %d names", n, names)
	}
}

// diskFolder is a folder on disk, for this test only: it resolves names by path.
type diskFolder string

func (d diskFolder) List(context.Context, string) ([]Dirent, string, error) {
	list, err := os.ReadDir(string(d))
	var out []Dirent
	for _, e := range list {
		out = append(out, Dirent{Name: e.Name(), Type: e.Type()})
	}
	slices.Reverse(out)
	return out, "", err
}

func (d diskFolder) Folder(name string) (Folder, error) {
	path := filepath.Join(string(d), name)
	info, err := os.Lstat(path)
	if err == nil && !info.IsDir() {
		err = fs.ErrInvalid
	}
	return diskFolder(path), err
}

func (d diskFolder) File(name string) (File, error) {
	f, err := os.Open(filepath.Join(string(d), name))
	return diskFile{f}, err
}

func (d diskFolder) Lstat(name string) (Info, error) {
	info, err := os.Lstat(filepath.Join(string(d), name))
	if err != nil {
		return Info{}, err
	}
	return Info{Type: info.Mode().Type(), Size: info.Size(), Modified: info.ModTime()}, nil
}

func (diskFolder) Close() error { return nil }

type diskFile struct{ *os.File }

func (f diskFile) Size() int64 {
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

func TestWalkOnDisk(t *testing.T) {
	dir := t.TempDir()
	gitTree{"a/": "", "a/x": "", "a.txt": "", "b/c/d": "", "b/.ignore": "e\n", "b/e": "", ".gitignore": "*.o\n", "x.o": ""}.write(t, dir)
	if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
		t.Skip("no symlinks here")
	}
	var seen []string
	tally, err := Walk(context.Background(), diskFolder(dir), Options{Path: ".", Recursive: true}, func(e Entry) error {
		seen = append(seen, e.Path+" "+e.Type.String()[:1])
		return nil
	})
	want := "a d|a/x -|a.txt -|b d|b/c d|b/c/d -|link L"
	if got := strings.Join(seen, "|"); err != nil || got != want || tally.Hidden != 2 || tally.Ignored != 2 {
		t.Errorf("error %v, tally %+v\ngot  %s\nwant %s", err, tally, got, want)
	}
}

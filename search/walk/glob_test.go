package walk

import (
	"context"
	"errors"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"fsbox/wildcard"

	"github.com/bmatcuk/doublestar/v4"
)

var globTests = []struct {
	pattern  string
	match    string // "/" at the end marks a folder
	mismatch string
}{
	{"*.go", "a.go go.go", "a.c x/a.go .go"},
	{"**/*.go", "a.go x/a.go x/y/a.go", "a.c .x/a.go x/.y/a.go .go a.go/x"},
	{"**", "a a/b a/b/c a/", ".a a/.b .a/b"},
	{"**/*", "a a/b a/", ".a a/.b"},
	{"*", "a a/", "a/b .a"},
	{"*/b", "a/b", "b a/c/b .a/b"},
	{"a", "a a/", "b a/b x/a"},
	{"./a", "a", "x/a"},
	{"/a", "a", "x/a"},
	{"a/./b//c", "a/b/c", "a/b"},
	{"a/", "a/", "a a/b"},
	{"**/a/", "a/ x/a/", "a x/a a/b"},
	{"a/**", "a a/b a/b/c", "b ab x/a a/.b"},
	{"a*/**", "ab ab/c", "b/ab"},
	{"a/**/**/b", "a/b a/x/b a/x/y/b", "a/bc b"},
	{"a/**/b", "a/b a/x/y/b", "a/bc/d a b a/.x/b"},
	{"**/a/**/b", "a/b x/a/y/a/b", "b/a a/bb"},
	{"a**b", "ab axb", "a/b ac"},
	{"**a", "a ba", "x/a"},
	// Braces, with slashes in them too, and one inside the other.
	{"*.{c,h}", "a.c a.h", "a.cc"},
	{"{a,b/c}/*.go", "a/x.go b/c/y.go", "b/x.go a/x/y.go"},
	{"{a,b/{c,d}}/e", "a/e b/c/e b/d/e", "b/e"},
	{"{a/,b}", "a/ b b/", "a"},
	{"{,x/}a", "a x/a", "x"},
	// Classes: no slash comes out of one or is matched by one.
	{"[ab].go", "a.go b.go", "c.go"},
	{"[!a].go", "b.go", "a.go"},
	{"a[!x]b", "ayb", "a/b axb"},
	{"a[+-0]b", "a-b a.b", "a/b"},
	{"[a/]b", "ab", "b a/b"},
	{"[{]a,b[}]", "{a,b}", "a b"},
	{`\[a\]/\*`, "[a]/*", "a/* [a]/b"},
	{`a\/b`, "a/b", "ab"},
	{`a\\/b`, `a\/b`, "a/b"},
	// A leading dot is matched by a dot.
	{".*", ".a .env", "a"},
	{".github/**", ".github .github/a .github/a/b", ".github/.a github/a"},
	{"**/.eslintrc*", ".eslintrc a/b/.eslintrc.js", ".a/.eslintrc eslintrc"},
	{"**/.a/*", ".a/b x/.a/b", ".a/.b .b/.a/b"},
	{"{.a,b}/*", ".a/x b/x", ".b/x .a/.x"},
	{`\.a`, ".a", "a"},
	{"[.]a", "", ".a"},
	{"?a", "ba", ".a"},
	{"é?", "éa éé", "e"},
}

func TestGlob(t *testing.T) {
	for _, tt := range globTests {
		g, err := NewGlob(tt.pattern, false)
		if err != nil {
			t.Errorf("%s: %v", tt.pattern, err)
			continue
		}
		check := func(paths string, want bool) {
			for _, p := range strings.Fields(paths) {
				rel, dir := strings.CutSuffix(p, "/")
				if got := g.Match(rel, dir); got != want {
					t.Errorf("%q with %s: %v", p, tt.pattern, got)
				}
				if want {
					checkLeadsTo(t, g, tt.pattern, rel)
				}
			}
		}
		check(tt.match, true)
		check(tt.mismatch, false)
		check(tt.match, true) // asked again, in another order, it says the same
	}
}

func reveals(g *Glob, rel string) bool { return g.Folder(path.Dir(rel)).Reveal(path.Base(rel)) }

func leadsInto(g *Glob, dir string) bool {
	return dir == "." || g.Folder(path.Dir(dir)).LeadsInto(path.Base(dir))
}

// checkLeadsTo sees to it that a walk comes by what is matched.
func checkLeadsTo(t *testing.T, g *Glob, pattern, rel string) {
	t.Helper()
	if !reveals(g, rel) {
		t.Errorf("%s does not ask for %q", pattern, rel)
	}
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		if !leadsInto(g, dir) || !reveals(g, dir) {
			t.Errorf("%s does not enter %q, where %q lies", pattern, dir, rel)
		}
	}
	if prefix := g.Prefix(); prefix != "." && !within(rel, prefix) {
		t.Errorf("%s has the prefix %q, and matches %q", pattern, prefix, rel)
	}
}

func TestGlobHidden(t *testing.T) {
	for pattern, paths := range map[string]string{"*": ".a", "**": ".a .a/.b", "**/b": ".a/b", "[.]a": ".a", "?a": ".a", "a/*": "a/.b"} {
		g, err := NewGlob(pattern, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range strings.Fields(paths) {
			if !g.Match(p, false) || !reveals(g, p) {
				t.Errorf("%s with hidden names does not match %q", pattern, p)
			}
		}
	}
}

func TestGlobEnter(t *testing.T) {
	for _, tt := range []struct{ pattern, enter, pass string }{
		{"*", ".", "a"},
		{"*.go", ".", "a a.go"},
		{"*/*", ". a", "a/b .a"},
		{"**/*.go", ". a a/b", ".a a/.b"},
		{"a/b/*.go", ". a a/b", "b a/c a/b/c"},
		{"a/**/*.go", "a a/b a/b/c", "b ab"},
		{"a/*/c", "a a/b", "a/b/c b a/.b"},
		{"{a/b,c}/*", "a a/b c", "b a/c c/d"},
		{"**/.x/y", "a .x a/.x", ".y a/.x/b"},
		{"a/b", ". a", "a/b b"},
	} {
		g, err := NewGlob(tt.pattern, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range strings.Fields(tt.enter) {
			if !leadsInto(g, dir) {
				t.Errorf("%s passes %q by", tt.pattern, dir)
			}
		}
		for _, dir := range strings.Fields(tt.pass) {
			if leadsInto(g, dir) {
				t.Errorf("%s enters %q", tt.pattern, dir)
			}
		}
	}
}

func TestGlobPrefix(t *testing.T) {
	for _, tt := range []struct {
		pattern, prefix string
		literal         bool
	}{
		{"*.go", ".", false},
		{"**/a", ".", false},
		{"src/app/**/*.ts", "src/app", false},
		{"src/a*/b", "src", false},
		{"src/**", "src", false},
		{"src/app.ts", "src/app.ts", true},
		{"./src//app.ts", "src/app.ts", true},
		{"/src/", "src", true},
		{".", ".", true},
		{`a\*/b\[`, "a*/b[", true},
		{"(auth)/x", "(auth)/x", true},
		{"app/[id].tsx", "app", false},
		{"{a,b}/c", ".", false},
		{"x/{a,b}", "x", false},
		{"x/{a/b,a/c}/*", "x/a", false},
		{"{a,a/b}", "a", false},
		{"{a}/b", "a/b", true},
		{"a/.b/*", "a/.b", false},
	} {
		g, err := NewGlob(tt.pattern, false)
		if err != nil {
			t.Fatal(err)
		}
		if g.Prefix() != tt.prefix || g.Literal() != tt.literal {
			t.Errorf("%s: prefix %q, literal %v", tt.pattern, g.Prefix(), g.Literal())
		}
	}
}

func TestGlobErrors(t *testing.T) {
	for pattern, want := range map[string]error{
		"[": wildcard.ErrSyntax, "a/[": wildcard.ErrSyntax, "[]": wildcard.ErrSyntax, "{a": wildcard.ErrSyntax, "a}": wildcard.ErrSyntax,
		`a\`: wildcard.ErrSyntax, "a\x00b": wildcard.ErrSyntax,
		"..": ErrGlobTraversal, "../a": ErrGlobTraversal, "a/../b": ErrGlobTraversal, "{a,..}/b": ErrGlobTraversal, `\.\./a`: ErrGlobTraversal,
		"*/.{.,}": ErrGlobTraversal,
		"..a/b..": nil, "[.][.]/a": nil, ".../a": nil,
		strings.Repeat("{a,b}", 20):               wildcard.ErrBraces,
		strings.Repeat("a", 8<<10+1):              wildcard.ErrLong,
		strings.Repeat("a", 8<<10):                nil,
		"{" + strings.Repeat("a,", 900) + "}/*.x": nil,
	} {
		_, err := NewGlob(pattern, false)
		var bad *GlobError
		if !errors.Is(err, want) || want != nil && (!errors.As(err, &bad) || bad.Pattern != pattern) {
			t.Errorf("%.40q: error %.80v, want %v", pattern, err, want)
		}
	}
}

// TestGlobBounded would not end, or fill the memory, if "**" were tried in every combination.
func TestGlobBounded(t *testing.T) {
	rel := strings.Repeat("a/", 200) + "b"
	g, err := NewGlob(strings.Repeat("**/a/", 100)+"c", false)
	if err != nil {
		t.Fatal(err)
	}
	if g.Match(rel, false) {
		t.Error("matches")
	}
	if n := len(g.Folder(path.Dir(rel)).live); n > 201 {
		t.Errorf("%d places in a pattern of 201", n)
	}
}

// randomGlob makes a pattern of the names in randomFiles. Its classes have a slash, since
// doublestar lets others match one.
func randomGlob(r *rand.Rand) string {
	parts := []string{"a", "a", "b", "**", "**", "*", "a*", "*-", "?", "[ab]", "[!b/]*", "{a,b}", "{a/b,b}", "{a*,**/b}", "{a,b/**}", "a?",
		"*{,0}", "é", `a\.`, "a.", "{b,{a,a0}}"}
	names := make([]string, 1+r.IntN(4))
	for i := range names {
		names[i] = parts[r.IntN(len(parts))]
	}
	return strings.Join(names, "/")
}

// matchWhole asks doublestar about a whole path. It has "a/**" match a, but not "a*/**" or
// "a/**/**": there it is asked twice.
func matchWhole(t *testing.T, pattern, rel string) bool {
	t.Helper()
	spelled, err := wildcard.NewBudget().Expand(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range append(spelled, pattern) {
		for more := true; more; p, more = strings.CutSuffix(p, "/**") {
			if doublestar.MatchUnvalidated(p, rel) {
				return true
			}
		}
	}
	return false
}

// TestGlobPrunes: a walk that begins at the prefix and enters only where the pattern leads finds
// what a walk of everything finds when doublestar is asked about each path.
func TestGlobPrunes(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	found, seeds := 0, 1000
	if *sweep {
		seeds = 4000
	}
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 2))
		files, pattern, ignore := randomFiles(r), randomGlob(r), r.IntN(3) == 0
		tree := newFakeTree(files)
		var want []string
		everything := Options{Path: ".", Recursive: true, IncludeHidden: true, NoIgnore: !ignore}
		if _, err := Walk(context.Background(), tree.folder(), everything, func(e Entry) error {
			if matchWhole(t, pattern, e.Path) {
				want = append(want, e.Path)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		got := globbed(t, tree, pattern, ignore)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %s finds\n%q, want\n%q", seed, pattern, got, want)
		}
		found += len(got)
	}
	if found < seeds {
		t.Errorf("only %d paths found: the patterns don't fit the trees", found)
	}
}

// globbed walks from the prefix on. What is matched there and isn't below it, the prefix itself, is
// added.
func globbed(t *testing.T, tree *fakeTree, pattern string, ignore bool) (found []string) {
	t.Helper()
	g, err := NewGlob(pattern, true)
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	prefix := g.Prefix()
	o := Options{Path: path.Dir(prefix), From: ".", Recursive: true, IncludeHidden: true, NoIgnore: !ignore}
	if _, err := tree.lookupFolder(prefix); err == nil {
		o.Path = prefix
	} else if _, err := tree.lookupFolder(o.Path); err != nil {
		return nil
	}
	o.Glob = g.Folder(o.Path)
	if o.Path == prefix && prefix != "." && g.Match(prefix, true) && !tree.passesBy(t, prefix, ignore) {
		found = append(found, prefix)
	}
	_, err = Walk(context.Background(), tree.folder(), o, func(e Entry) error {
		if e.Wanted != g.Match(e.Path, e.Type.IsDir()) {
			t.Errorf("%s: wanted %v by %s", e.Path, e.Wanted, pattern)
		}
		if e.Wanted {
			found = append(found, e.Path)
		}
		return nil
	})
	if err != nil && !errors.Is(err, ErrPassedBy) {
		t.Fatal(err)
	}
	return found
}

// lookupFolder finds a folder by its path.
func (t *fakeTree) lookupFolder(path string) (*fakeNode, error) {
	node := t.root
	for name := range strings.SplitSeq(path, "/") {
		if path == "." {
			break
		}
		if node = node.names[name]; node == nil || !node.kind.IsDir() {
			return nil, errFakeGone
		}
	}
	return node, nil
}

// passesBy reports whether a walk from the root does not get to a folder.
func (t *fakeTree) passesBy(test *testing.T, path string, ignore bool) bool {
	_, err := Walk(context.Background(), t.folder(), Options{Path: path, From: ".", Recursive: true, IncludeHidden: true, NoIgnore: !ignore},
		func(Entry) error { return ErrStop })
	if err != nil && !errors.Is(err, ErrPassedBy) {
		test.Fatal(err)
	}
	return err != nil
}

// TestWalkFrom: folders between From and Path are decided about, those above are not.
func TestWalkFrom(t *testing.T) {
	tree := newFakeTree(map[string]string{".gitignore": "out/\n", "a/out/b/c": "", "a/out/b/d/e": "", "a/.git/hooks/f": "", "out/g/h": "",
		"outer/i": ""})
	for _, tt := range []struct {
		from, path, want string
		ignored          int64
		both             bool // IncludeHidden and NoIgnore
	}{
		{"", "a/out/b", "a/out/b/c a/out/b/d a/out/b/d/e", 0, false},
		{"a/out/b", "a/out/b/d", "a/out/b/d/e", 0, false},
		{"a/out", "a/out/b/d", "a/out/b/d/e", 0, false},
		{"a", "a/out/b", "passed", 1, false},
		{".", "a/out", "passed", 1, false},
		{".", "out/g", "passed", 1, false},
		{".", "outer", "outer/i", 0, false},
		{".", "a/out/b/d", "a/out/b/d/e", 0, true},
		{".", "a/.git", "passed", 0, false},
		{"a", "a/.git/hooks", "passed", 0, false},
		{"a/.git", "a/.git/hooks", "a/.git/hooks/f", 0, false},
		{".", "a/.git/hooks", "a/.git/hooks/f", 0, true},
	} {
		var seen []string
		tally, err := Walk(context.Background(), tree.folder(), Options{Path: tt.path, From: tt.from, Recursive: true, IncludeHidden: tt.both,
			NoIgnore: tt.both},
			func(e Entry) error { seen = append(seen, e.Path); return nil })
		if errors.Is(err, ErrPassedBy) {
			seen, err = append(seen, "passed"), nil
		}
		if got := strings.Join(seen, " "); err != nil || got != tt.want || tally.Ignored != tt.ignored || tree.open != 0 {
			t.Errorf("%s from %q: %q, %d ignored, error %v, %d directories left open", tt.path, tt.from, got, tally.Ignored, err, tree.open)
		}
	}
}

// TestWalkReveal: single names are visited in spite of their dot, or of the rules.
func TestWalkReveal(t *testing.T) {
	tree := newFakeTree(map[string]string{".gitignore": "*.o\nbuild/\n", ".a/.b/c": "", ".a/.d": "", ".e": "", "f.o": "", "g.o": "",
		"build/h": ""})
	g, err := NewGlob("{.a/.b/*,*/*}", false)
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	tally, err := Walk(context.Background(), tree.folder(), Options{Path: ".", Recursive: true, Always: "g.o", Glob: g.Folder(".")},
		func(e Entry) error { seen = append(seen, e.Path); return nil })
	if got := strings.Join(seen, " "); err != nil || got != ".a .a/.b .a/.b/c g.o" {
		t.Errorf("visited %s, error %v", got, err)
	}
	if tally.Hidden != 3 || tally.Ignored != 2 {
		t.Errorf("%+v", tally)
	}
}

package policy

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"fsbox/wildcard"
)

func compiled(t testing.TB, deny, denyWrite []string) *Rules {
	t.Helper()
	p, err := New(deny, denyWrite)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// denies reports whether a path may not be read.
func denies(p *Rules, path string) bool { return p.Check(path, false).Blocks() }

func TestDefaultPolicy(t *testing.T) {
	p := compiled(t, DefaultDeny(), DefaultDenyWrite())
	for _, denied := range []string{
		".env", "a/.env", ".env/x", ".env.local", "a/b/.env.production", ".env.example.bak", ".env.examples",
		"credentials", "a/credentials", "credentials/x", "credentials.json", ".git/config", "sub/module/.git/config",
		"id_rsa", "a/id_dsa", "id_ecdsa", "id_ed25519", ".ssh", ".ssh/known_hosts", "home/.ssh/a/b", ".aws/config", ".gnupg/x", ".netrc",
		"a/.netrc",
		"a.pem", "a/b.pem", ".pem", "server.key", "a/.key", "dir.key/x",
		".env.sample/.env", ".env.sample/.env.local", "a/.env.example/b/.env", ".env.template/server.key", ".ssh/.env.example",
		".env.sample/.ssh/x",
	} {
		if !denies(p, denied) {
			t.Errorf("%q is allowed", denied)
		}
	}
	for _, allowed := range []string{
		".", "a", ".envrc", "env", "x.env", ".env.example", "a/.env.sample", ".env.template", "credentials.go", "my_credentials",
		"credentials.jsonl",
		".git", ".git/HEAD", ".git/configs", "config", "a/config", ".gitconfig", "id_rsa.pub", "id_rsa2", "my_id_rsa", "ssh", ".sshx/a",
		".aws2/x",
		".env.sample/README", "netrc", "a.pem.txt", "pem", "a.keys", "key", "monkey",
	} {
		if denies(p, allowed) {
			t.Errorf("%q is denied", allowed)
		}
	}
	for _, variant := range []string{".ENV", "a/.Env.Local", "ID_RSA", "A.PEM", ".Ssh/x", ".git/CONFIG"} {
		if !denies(p, variant) {
			t.Errorf("%q is allowed", variant)
		}
	}
	for path, blocked := range map[string]bool{".git/hooks/pre-commit": true, ".git": true, "a/.git/HEAD": true, ".gitignore": false,
		".github/x": false, "a": false} {
		v := p.Check(path, true)
		if v.Blocks() != blocked || (blocked && v != Verdict{"**/.git/**", true}) || p.Check(path, false).Blocks() {
			t.Errorf("%q to be changed: %+v, want it blocked: %v", path, v, blocked)
		}
	}
}

func TestPolicyPatterns(t *testing.T) {
	for _, tt := range []struct{ patterns, denied, allowed string }{
		{"secret", "secret a/secret secret/x a/secret/x/y", "secrets a/secret2 xsecret"},
		{"secret/", "secret a/secret secret/x", "secrets"},
		{"/secret", "secret secret/x", "a/secret"},
		{"./secret", "secret secret/x", "a/secret"},
		{"./a/k/", "a/k a/k/x", "x/a/k"},
		{"a/secret", "a/secret a/secret/x", "secret x/a/secret"},
		{"**/a/secret", "a/secret x/a/secret", "secret"},
		{"a/*", "a/x a/x/y", "a x/a/x"},
		{"a/**", "a a/x a/x/y", "x/a/x ab"},
		{"a*/**", "a a/x ab/x ab", "b b/a/x"},
		{"a/**/k", "a/k a/x/k a/x/y/k/z", "k x/a/k"},
		{"*.key", "a.key x/a.key .key a.key/x", "a.keys key"},
		{"tmp*", "tmp tmpx a/tmp1/x", "atmp"},
		{"a?c", "abc x/a-c", "ac abbc"},
		{"{a,b}.txt", "a.txt x/b.txt", "c.txt a"},
		{"{a/b,c}/k", "a/b/k c/k", "b/k x/c/k k"},
		{"{./a,.//b}/k", "a/k b/k", "x/a/k"},
		{"x{,/y}", "x x/y", "y"},
		{"[ab]", "a b x/a", "c ab"},
		{"[!a]", "b x/b", "a"},
		{"x/[ab]/k", "x/a/k", "x/c/k"},
		{"a[x/y]b", "axb ayb", "azb"},
		{"{a/[{]b,z}", "a/{b z", "a/b b"},
		{`\!a`, "!a x/!a", "a"},
		{`a\*`, "a* x/a*", "ab"},
		{`\{a`, "{a", "a"},
		{"**", "a a/b", "."},
		{"*", "a a/b", "."},
		{"*.key !pub.key", "a.key x/b.key", "pub.key x/pub.key pub.key/x"},
		{"!pub.key *.key", "a.key pub.key", "a"},
		{"secret !secret/pub", "secret secret/x", "secret/pub secret/pub/x"},
		{"secret/** !secret/pub/** secret/pub/k", "secret/x secret/pub/k secret/pub/k/z", "secret/pub/x secret/pub"},
		{"!a", "", "a b"},
		{"secret*{,.bak}", "secret secret.bak secret1 x/secret secret/x", "a/x"},
		{"a*{,b}/c", "a/c ab/c axb/c/d", "b/c"},
		{"k{,**}", "k ka x/k", "ak"},
		{"a***", "a ab x/a", "ba"},
		{"{a,}", "a x/a", "b"},
		{"{a/,b}", "a b b/x x/a x/b", "ab"},
		{"{a/b,c}", "a/b c x/c", "x/a/b"},
		{"a//b ./c/./d/", "a/b c/d/x", "b d x/a/b"},
		{`a\/b`, "a/b", "b"},
		// A pattern that matches a path itself decides before one that matches its folder, unless
		// the folder is denied later.
		{".env* !.env.sample", ".env.sample/.env .env.sample/x/.env.local", ".env.sample .env.sample/x"},
		{"*.env !x.env d", "a.env d/x.env d", "x.env c/x.env"},
		{"d *.env !x.env", "d d/a.env", "d/x.env"},
		{"*.key d !d/pub", "d/x d/pub/a.key d/pub/c/a.key", "d/pub d/pub/x"},
		{"*.key d !d/pub/**", "d/x", "d/pub d/pub/x d/pub/a.key d/pub/c/a.key"},
		{"d !d/* d/e !d/e/f", "d d/e d/e/g", "d/x d/e/f d/e/f/g"},
		{"a/** !a", "a/x a/x/y", "a"},
		{"d !d/{e,}", "d d/a", "d/e d/e/x"},
		{"d *.k !**/{e,}", "d d/a a.k d/x.k e/a.k", "d/e d/e/x"},
		{"d !d/{e,f}/", "d d/a d/e", "d/e/x d/f/x"},
		{"d/** *.k !x.k d2", "d d/x d/x.k/y d2/x.k", "x.k x.k/y d/x.k"},
		{"caf\u00e9", "caf\u00e9", "cafe"},
	} {
		p := compiled(t, strings.Fields(tt.patterns), nil)
		for path := range strings.FieldsSeq(tt.denied) {
			if !denies(p, path) {
				t.Errorf("%s allows %q", tt.patterns, path)
			}
		}
		for path := range strings.FieldsSeq(tt.allowed) {
			if denies(p, path) {
				t.Errorf("%s denies %q", tt.patterns, path)
			}
		}
	}
}

func TestPolicyErrors(t *testing.T) {
	for _, bad := range []string{"", "!", "/", "!/", "[", "a[", "[]", "{a", "a}", `a\`, "!{a", ".", "..", "./", "../a", "a/../b", "./.", "//", " ", "a ", " a", "!a ", "a\t", `"a"`, `!"a"`, "'a'", `["a","b"]`, "! a", " !a", "!!a", "! "} {
		for i, lists := range [][2][]string{{{"ok", bad}, nil}, {nil, {bad}}} {
			_, err := New(lists[0], lists[1])
			var e *PatternError
			if !errors.As(err, &e) || e.Pattern != bad {
				t.Errorf("%q in list %d: error %v", bad, i, err)
			}
		}
	}
}

// TestLetter: a rule for a path with signs in it denies that path and all in it, however it is
// written, and denies no plain path that its signs don't match. One that allows opens that path.
func TestLetter(t *testing.T) {
	for _, name := range []string{"[id]", "[...slug]", "[[opt]]", "{slug}", "{{x}}", "{a,b}", `a\b`, "[a-c]", "x*", "w?", "(auth)", "@m", "[Id]-[x]"} {
		for _, form := range []string{"app/%", "app/%/**", "app/%/", "./app/%", "**/%", "%", "app/%/s.txt", "app/%/*.txt", "app/%/[st].txt",
			"app/%/{s,t}.txt",
			"**/%/**", "*/%/s.txt"} {
			rule := strings.ReplaceAll(form, "%", name)
			p, err := New([]string{rule}, []string{rule})
			if err != nil {
				t.Fatal(rule, err)
			}
			path := "app/" + name + "/s.txt"
			if !p.Check(path, false).Blocks() || !p.Check(strings.ToUpper(path), true).Blocks() || p.Check("app/zz/s.txt", true).Blocks() {
				t.Errorf("%q: %q is open, or app/zz/s.txt closed", rule, path)
			}
			if exact, err := NewAllowance([]string{"app/" + name + "/**"}); err != nil || !exact.Allows(path, false) {
				t.Errorf("%q isn't let through: %v", path, err)
			}
			if p, err = New([]string{"app", "!app/" + name + "/s.txt"}, nil); err != nil || p.Check(path, false).Blocks() {
				t.Errorf("%q isn't allowed again: %v", path, err)
			}
		}
	}
	narrow, _ := NewAllowance([]string{"app/[id]/[ab].txt"})
	if narrow.Allows("app/[id]/a.txt", false) {
		t.Error("what is allowed is half a name and half a class")
	}
}

// TestAllowance: what is let through without asking, as a file and as a folder.
func TestAllowance(t *testing.T) {
	for _, tt := range []struct{ patterns, files, folders, none string }{
		{"build/", "build/x build/x/y a/build/x", "build a/build", "builds"},
		{"./build/", "build/x", "build", "a/build/x"},
		{"build", "build build/x", "build", "x"},
		{"app/[id]/", "app/[id]/x app/i/x", "app/[id] app/i", "app/x"},
		{"{build/,x}", "x", "x", "build build/y"},
		{"secrets/{public,}", "secrets/public secrets/public/x", "secrets/public", "secrets secrets/x"},
		{"secrets/{public,}/**", "secrets/public/x", "secrets/public", "secrets secrets/x secrets/x/y"},
		{"./{a,}/**", "a/x", "a", "x b/x"},
		{"./{a,{b,}}/**", "a/x b/x", "a b", "x c/x"},
		{"./{a,}{b,}/**", "a/x b/x ab/x", "a b ab", "x c/x"},
		{"{a,}/k", "a/k", "", "k b/k"},
		{"a{b,}/k", "a/k ab/k", "", "k"},
		{"{**/,}k", "k a/k", "", "a"},
		{"{a/,b}/{c,}", "a/c b/c/x", "a/c", "a b a/x"},
		{"src/** !src/[id]", "src/x", "src", "src/[id] src/i src/[id]/x"},
		{"src !{a/k,*.key}", "src/x", "src", "a/k src/a.key"},
		{"s/k?ß", "s/kaß", "", "s/kass s/kßss"},
		{"!x", "", "", "x a"},
	} {
		a, err := NewAllowance(strings.Fields(tt.patterns))
		if err != nil {
			t.Fatal(tt.patterns, err)
		}
		for path := range strings.FieldsSeq(tt.files) {
			if !a.Allows(path, false) {
				t.Errorf("%s doesn't let the file %q through", tt.patterns, path)
			}
		}
		for path := range strings.FieldsSeq(tt.folders) {
			if !a.Allows(path, true) || strings.HasSuffix(tt.patterns, "/") && a.Allows(path, false) {
				t.Errorf("%s doesn't let the directory %q through, or a file of that name", tt.patterns, path)
			}
		}
		for path := range strings.FieldsSeq(tt.none) {
			if a.Allows(path, false) || a.Allows(path, true) {
				t.Errorf("%s lets %q through", tt.patterns, path)
			}
		}
	}
	for _, bad := range []string{"", "!", "a ", "! a", "!!a", "a/../b", "{a", "!{a", ".", "!."} {
		if _, err := NewAllowance([]string{"a", bad}); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestPolicyModel compares the quick tests with the plain rule, with random patterns and paths.
func TestPolicyModel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	denied, checked := 0, 0
	rounds := 500
	switch {
	case *sweep:
		rounds = 3000
	case testing.Short():
		rounds = 30
	}
	for range rounds {
		patterns := make([]string, 1+rnd.IntN(4))
		for i := range patterns {
			patterns[i] = randomPattern(rnd)
		}
		p, err := New(patterns, nil)
		if err != nil {
			continue
		}
		for range 60 {
			name := randomName(rnd)
			want := deniedPlainly(t, patterns, name, false) >= 0
			if got := denies(p, name); got != want {
				t.Fatalf("%q: %q is denied: %v, want %v", patterns, name, got, want)
			}
			if got := p.CheckFolder(name, false).Blocks(); p.TellsFolders() && got != (deniedPlainly(t, patterns, name, true) >= 0) {
				t.Fatalf("%q: the directory %q is denied: %v", patterns, name, got)
			}
			checked++
			if want {
				denied++
			}
			if last := lastPlainly(t, patterns, name); last >= 0 && !strings.HasPrefix(patterns[last], "!") && !want {
				t.Fatalf("%q: %q is allowed, though the last pattern that matches it or a directory above denies", patterns, name)
			}
			if !p.CheckFolder(path.Dir(name), false).Blocks() {
				if want && !p.MayDeny(name, false) {
					t.Fatalf("%q: the quick test lets the entry %q pass", patterns, name)
				}
			}
		}
	}
	if denied < checked/20 || denied > checked*19/20 {
		t.Errorf("%d of %d denied: the patterns don't show it", denied, checked)
	}
}

// TestFolderRules: a rule with "!" and a slash at its end allows a folder and what is in it, and no
// file of its name.
func TestFolderRules(t *testing.T) {
	for _, tt := range []struct {
		rules, name  string
		file, folder bool // whether it is denied
	}{
		{"build !build/", "build", true, false},
		{"build !build/", "a/build", true, false},
		{"build !build/", "build/x", false, false},
		{"build !build/.", "build", true, false},
		{"build !./build/", "build", true, false},
		{"build !/build/", "a/build", true, true},
		{"** !src/", "src", true, false},
		{"** !src/", "src/a", true, true},
		{"d !d/{e,f}/", "d/e", true, false},
		{"d !d/{e/,f}", "d/f", false, false},
		{"d !d/{e/,f}", "d/e", true, true},
		{"BUILD !Build/", "build", true, false},
		{"b* !b?/", "bx", true, false},
		{"b* !b?/", "bé", true, true},
		{"[ab] ![ab]/", "a", true, false},
		{"[ab] ![ab]/", "[ab]", true, false},
		{"build !build", "build", false, false},
		{"build/", "build", true, true},
	} {
		p := compiled(t, strings.Fields(tt.rules), strings.Fields(tt.rules))
		for _, write := range []bool{false, true} {
			if got := p.Check(tt.name, write).Blocks(); got != tt.file {
				t.Errorf("%s: a file %q is denied: %v", tt.rules, tt.name, got)
			}
			if got := p.CheckFolder(tt.name, write).Blocks(); got != tt.folder {
				t.Errorf("%s: a directory %q is denied: %v", tt.rules, tt.name, got)
			}
		}
	}
}

// deniedPlainly is the documented rule without quick tests: the index of the pattern that denies
// name, -1 for none. folder says that it is that of a folder.
func deniedPlainly(t *testing.T, patterns []string, name string, folder bool) int {
	t.Helper()
	if name == "." {
		return -1
	}
	by := deniedPlainly(t, patterns, path.Dir(name), true)
	last := -1
	for i, text := range patterns {
		asksFolder := strings.HasSuffix(text, "/") || strings.HasSuffix(text, "/.")
		if matchesPlainly(t, text, name) && (folder || !strings.HasPrefix(text, "!") || !asksFolder) {
			last = i
		}
	}
	switch {
	case last < 0:
		return by
	case !strings.HasPrefix(patterns[last], "!"):
		return max(by, last)
	case last > by:
		return -1
	}
	return by
}

// lastPlainly gives the last pattern that matches a path or a folder above it.
func lastPlainly(t *testing.T, patterns []string, name string) int {
	t.Helper()
	for i := len(patterns) - 1; i >= 0; i-- {
		for p := name; p != "."; p = path.Dir(p) {
			if matchesPlainly(t, patterns[i], p) {
				return i
			}
		}
	}
	return -1
}

// matchesPlainly matches a pattern against a path itself, and "a/**" also against everything in a.
func matchesPlainly(t *testing.T, text, name string) bool {
	t.Helper()
	glob := strings.TrimPrefix(text, "!")
	expand := wildcard.NewBudget().ExpandClosing
	if glob != text {
		expand = wildcard.NewBudget().ExpandExact
	}
	spelled, err := expand(FoldName(glob))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range spelled {
		if strings.HasPrefix(text, "!") && !strings.HasSuffix(glob, "/") && strings.HasSuffix(p, "/") {
			continue // "!a/{b,}" doesn't open a
		}
		p = strings.TrimSuffix(p, "/")
		if rooted, ok := strings.CutPrefix(p, "./"); ok {
			p = rooted
		} else if rooted, ok := strings.CutPrefix(p, "/"); ok {
			p = rooted
		} else if !strings.Contains(strings.TrimSuffix(glob, "/"), "/") || glob == text && !strings.Contains(p, "/") {
			p = "**/" + p
		}
		front, deep := strings.CutSuffix(p, "/**")
		for above := FoldName(name); above != "."; above = path.Dir(above) {
			if p != "" && (above == FoldName(name) && matchesWhole(p, above) || deep && matchesWhole(front, above)) {
				return true
			}
		}
	}
	return false
}

func matchesWhole(glob, name string) bool {
	p := wildcard.CompilePath(glob)
	return p.Match(name, path.Base(name))
}

func randomPattern(rnd *rand.Rand) string {
	pieces := []string{"a", "b", "ab", ".k", "*", "?", "**", "[ab]", "[!a]", "[a/]", "{a,b}", "{a/b,.k}", "{,b}", "{b,}", "/**", "*{,.k}", "**{,k}", "{/**,}", "{[{]a,b/[}]}", "[a]", "{a}", "[[b]]", `\{`, `\a`, "/", "/", "/", "a*", "*.k"}
	var b strings.Builder
	if rnd.IntN(4) == 0 {
		b.WriteByte('!')
	}
	for range 1 + rnd.IntN(4) {
		b.WriteString(pieces[rnd.IntN(len(pieces))])
	}
	return b.String()
}

func randomName(rnd *rand.Rand) string {
	parts := make([]string, 1+rnd.IntN(4))
	for i := range parts {
		parts[i] = []string{"a", "b", "ab", ".k", "a.k", "{a", "}", "c", "aa", "[a]", "{a}", "[ab]", "{a,b}"}[rnd.IntN(13)]
	}
	return strings.Join(parts, "/")
}

// BenchmarkMayDeny asks about the names of a usual tree.
func BenchmarkMayDeny(b *testing.B) {
	p := compiled(b, DefaultDeny(), nil)
	var paths []string
	for i := range 100 {
		paths = append(paths, fmt.Sprintf("src/package%d/file_with_a_name_%d.go", i%7, i))
	}
	for n := 0; b.Loop(); n++ {
		if p.MayDeny(paths[n%len(paths)], false) {
			b.Fatal("denied")
		}
	}
}

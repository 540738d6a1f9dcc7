package commands

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/session"
	"fsbox/commands/settings"
	"fsbox/sandbox/policy"
)

// A config file that the workspace holds is refused, by whatever way it leads there; in a home
// folder a rule protects it.
func TestGuardConfig(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "root")
	inside := writeFile(t, filepath.Join(root, "a", "config.json"), "{}")
	outside := writeFile(t, filepath.Join(base, "config.json"), "{}")
	beside := writeFile(t, filepath.Join(base, "rootbeside", "config.json"), "{}")
	link := func(target, name string) string {
		path := filepath.Join(base, name)
		if err := os.Symlink(target, path); err != nil {
			return "" // no links here: the rest is tried all the same
		}
		return path
	}
	linkIn, linkedRoot := link(inside, "into.json"), link(root, "linked")
	for _, tt := range []struct {
		file, root string
		refused    bool
	}{
		{outside, root, false}, {beside, root, false}, {inside, root, true}, {linkIn, root, true}, {inside, linkedRoot, true},
		{filepath.Join(linkedRoot, "a", "config.json"), root, true}, {inside, filepath.Join(root, "a"), true},
		{inside, filepath.Join(base, "rootbeside"), false},
	} {
		if tt.root == "" || tt.file == "" || strings.HasPrefix(tt.file, "a") {
			continue
		}
		r := settings.OperatorRules{Root: tt.root}
		fail := r.Add(&settings.OperatorFile{Named: tt.file, Path: tt.file})
		rules := r.DenyWrite
		if (fail != nil) != tt.refused || fail == nil && rules != nil || fail != nil && fail.Code != answer.CodeInvalidInput {
			t.Errorf("%s in %s: %q, %v", tt.file, tt.root, rules, fail)
		}
	}
	if runtime.GOOS == "windows" {
		return // it has no such names
	}
	odd := writeFile(t, filepath.Join(root, "b[1]", "c*{x}.json"), "{}")
	r := settings.OperatorRules{Root: root, Wide: true}
	fail := r.Add(&settings.OperatorFile{Named: odd, Path: odd})
	if rules := r.DenyWrite; fail != nil || !slices.Equal(rules, []string{`/b\[1]/c\*\{x\}.json`}) {
		t.Errorf("%q, %v", rules, fail)
	} else if compiled, err := policy.New(rules, nil); err != nil || !compiled.Check("b[1]/c*{x}.json", false).Blocks() {
		t.Errorf("%q doesn't hold: %v", rules, err)
	}
}

// In a home folder the config file can be read, but no request changes it.
func TestConfigInHome(t *testing.T) {
	home := t.TempDir()
	writeFile(t, filepath.Join(home, ".config", "fsbox", "config.json"), `{"allow_write":true}`)
	s := defaultSettings(t)
	s.Root = "~"
	env, fail := session.Open(s, map[string]bool{"root": true}, fakeSystem(nil, home, filepath.Join(home, ".config")), All())
	if fail != nil {
		t.Fatal(fail)
	}
	defer env.Workspace.Close()
	for request, want := range map[string]answer.Code{
		`{"path":".config/fsbox/config.json","content":"{}","mode":"overwrite"}`: answer.CodePathBlocked,
		`{"path":".config/fsbox/other.json","content":"{}"}`:                     "",
	} {
		p := Program{Commands: All()}
		tool, _ := command.Find(p.Commands, "write")
		a := p.answerJSON(t.Context(), env, tool, []byte(request))
		if a.Error != want || !slices.Equal(a.Warnings, []string{"the root is the home directory"}) {
			t.Errorf("%s: %+v", request, a)
		}
	}
}

// A root that holds far more than a project is warned of, by whatever name it is given.
func TestWideRoot(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the roots are those of Unix")
	}
	home := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(home, link); err != nil {
		t.Skip(err)
	}
	project := filepath.Join(home, "project")
	if err := os.Mkdir(project, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ root, home, warning string }{
		{home, home, "the root is the home directory"},
		{home + "/", home, "the root is the home directory"},
		{home, home + "/.", "the root is the home directory"},
		{link, home, "the root is the home directory"},
		{home, link, "the root is the home directory"},
		{project, home, ""},
		{filepath.Dir(home), home, ""},
		{project, "", ""},
		{"/", home, "the root is the whole file system"},
		{"/", "/", "the root is the whole file system"},
		{"/../", home, "the root is the whole file system"},
	} {
		l := settings.Loaded{RootPath: tt.root}
		wide := l.WarnWideRoot(fakeSystem(nil, tt.home, ""))
		if got := strings.Join(l.Warnings, "; "); got != tt.warning || wide != (tt.warning != "") {
			t.Errorf("root %q, home %q: %q, %v", tt.root, tt.home, got, wide)
		}
	}
}

// A root that can't be opened is a failure with the next step.
func TestRootFailures(t *testing.T) {
	folder := t.TempDir()
	file := writeFile(t, filepath.Join(folder, "file"), "")
	for _, tt := range []struct {
		root string
		code answer.Code
		hint string
	}{
		{filepath.Join(folder, "missing"), answer.CodeNotFound, "name an existing directory with --root, or create it with --create-root"},
		{file, answer.CodeNotADirectory, "name a directory with --root"},
	} {
		s := defaultSettings(t)
		s.Root = tt.root
		_, fail := session.Open(s, map[string]bool{"root": true}, fakeSystem(nil, "", ""), All())
		if fail == nil || fail.Code != tt.code || fail.Hint != tt.hint ||
			!strings.HasPrefix(fail.Message, fmt.Sprintf("the root %q can't be used: ", tt.root)) {
			t.Errorf("%s: %+v", tt.root, fail)
		}
	}
	s := defaultSettings(t)
	s.Root, s.CreateRoot = filepath.Join(folder, "a", "b"), true
	env, fail := session.Open(s, map[string]bool{"root": true, "create_root": true}, fakeSystem(nil, "", ""), All())
	if fail != nil {
		t.Fatal(fail)
	}
	env.Workspace.Close()
	if info, err := os.Stat(s.Root); err != nil || !info.IsDir() {
		t.Errorf("the root wasn't made: %v", err)
	}
}

// Warnings belong to one call, except for those about the root.
func TestWarnings(t *testing.T) {
	env := &session.Session{Env: &command.Env{Settings: &settings.Loaded{Warnings: []string{"of all"}}}}
	first, second := env.ForCall(nil), env.ForCall(nil)
	first.Warn("one of %d", 2)
	if !slices.Equal(first.Warnings, []string{"of all", "one of 2"}) || !slices.Equal(second.Warnings, []string{"of all"}) ||
		env.Warnings != nil {
		t.Errorf("%q, %q, %q", first.Warnings, second.Warnings, env.Warnings)
	}
}

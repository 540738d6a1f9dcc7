package sandbox

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fsbox/sandbox/dir"
)

var parseTests = []struct {
	ask  string
	want string // asked, with a slash after it if it must be a folder
	err  error
}{
	{"a", "a", nil},
	{"a/b", "a/b", nil},
	{"a/", "a/", nil},
	{"a//", "a/", nil},
	{"./a/./b/.", "a/b/", nil},
	{"a//b", "a/b", nil},
	{".", ".", nil},
	{"./", "./", nil},
	{".///.", "./", nil},
	{"-", "-", nil},
	{"~", "~", nil},
	{"~/a", "~/a", nil},
	{"file:///etc/passwd", "file:/etc/passwd", nil}, // a name like any other
	{"%2e%2e/a", "%2e%2e/a", nil},
	{"...", "...", nil},
	{"..a", "..a", nil},
	{"a..", "a..", nil},
	{"a/.. /b", "a/.. /b", nil},
	{" a ", " a ", nil},
	{"a\n", "a\n", nil},
	{"caf\u00e9", "caf\u00e9", nil},
	{"caf\xe9", "caf\xe9", nil},
	{`a\..\b`, `a\..\b`, nil},
	{"/w/project", ".", nil},
	{"/w/project/", "./", nil},
	{"/w/project/a", "a", nil},
	{"/w/project//a/", "a/", nil},
	{"//w/./project/a", "a", nil}, // $TMPDIR may end in a slash
	{"/w/project/w/project/a", "w/project/a", nil},
	{strings.Repeat("a", maxPath), strings.Repeat("a", maxPath), nil},

	{"", "", dir.ErrInvalidPath},
	{" ", "", dir.ErrInvalidPath},
	{"\t\n", "", dir.ErrInvalidPath},
	{"\u3000", "", dir.ErrInvalidPath},
	{"\x00", "", dir.ErrInvalidPath},
	{"a\x00b", "", dir.ErrInvalidPath},
	{"../\x00", "", dir.ErrInvalidPath},
	{strings.Repeat("a", maxPath+1), "", dir.ErrInvalidPath},
	{"..", "", dir.ErrTraversal},
	{"../a", "", dir.ErrTraversal},
	{"a/..", "", dir.ErrTraversal},
	{"a/../b", "", dir.ErrTraversal},
	{"a/../../b", "", dir.ErrTraversal},
	{"./..", "", dir.ErrTraversal},
	{".//..//", "", dir.ErrTraversal},
	{"/..", "", dir.ErrTraversal},
	{"/w/project/../project/a", "", dir.ErrTraversal},
	{"/w/project/..", "", dir.ErrTraversal},
	{"/etc/../w/project/a", "", dir.ErrTraversal},
	{"/", "", dir.ErrOutside},
	{"/w", "", dir.ErrOutside},
	{"/w/", "", dir.ErrOutside},
	{"/w/projec", "", dir.ErrOutside},
	{"/w/project2", "", dir.ErrOutside},
	{"/w/project.bak/x", "", dir.ErrOutside},
	{"/w/project ", "", dir.ErrOutside},
	{"/W/project/a", "", dir.ErrOutside},
	{"/etc/passwd", "", dir.ErrOutside},
	{"//", "", dir.ErrOutside},
}

func parser() *Workspace {
	return &Workspace{finder: finder{given: "/w/project", real: func() string { return "/real/root" }}}
}

func TestParse(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the table is for systems with / alone")
	}
	w := parser()
	for _, tt := range parseTests {
		r, err := w.parse(tt.ask)
		if tt.err != nil {
			fails(t, err, tt.ask, tt.err)
			continue
		}
		got := r.asked
		if r.folder {
			got += "/"
		}
		if err != nil || got != tt.want || join(r.names) != r.asked {
			t.Errorf("%q: %q of %q, error %v, want %q", tt.ask, got, r.names, err, tt.want)
		}
	}
	if r, err := w.parse("/real/root/a"); err != nil || r.asked != "a" {
		t.Errorf("under the resolved root: %q, %v", r.asked, err)
	}
}

// TestParseRoot has the whole disk as its workspace.
func TestParseRoot(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no one root")
	}
	w := &Workspace{finder: finder{given: "/", real: func() string { return "/" }}}
	for ask, want := range map[string]string{"/": ".", "/etc/passwd": "etc/passwd", "etc": "etc", "//a": "a"} {
		if r, err := w.parse(ask); err != nil || r.asked != want {
			t.Errorf("%q: %q, error %v, want %q", ask, r.asked, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, tt := range parseTests {
		f.Add(tt.ask)
	}
	w := parser()
	f.Fuzz(func(t *testing.T, ask string) {
		r, err := w.parse(ask)
		if err != nil {
			if k := kind(t, err); !slices.Contains([]error{dir.ErrInvalidPath, dir.ErrTraversal, dir.ErrOutside}, k) {
				t.Errorf("%q: error %v", ask, err)
			}
			return
		}
		if !filepath.IsLocal(r.asked) || strings.ContainsRune(r.asked, 0) {
			t.Errorf("%q is accepted as %q, which may lead outside", ask, r.asked)
		}
		for _, name := range r.names {
			if name == "" || name == "." || name == ".." || strings.Contains(name, "/") {
				t.Errorf("%q has the component %q", ask, name)
			}
		}
		if strings.TrimSpace(r.asked) == "" { // "./ " names a file whose name alone would be refused as empty
			return
		}
		again, err := w.parse(r.asked)
		if err != nil || again.asked != r.asked || !slices.Equal(again.names, r.names) {
			t.Errorf("%q is %q, and that is %q: %v", ask, r.asked, again.asked, err)
		}
	})
}

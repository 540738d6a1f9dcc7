package sandbox_test

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/fixture"
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
	{strings.Repeat("a", sandbox.MaxPath), strings.Repeat("a", sandbox.MaxPath), nil},

	{"", "", fserr.ErrInvalidPath},
	{" ", "", fserr.ErrInvalidPath},
	{"\t\n", "", fserr.ErrInvalidPath},
	{"\u3000", "", fserr.ErrInvalidPath},
	{"\x00", "", fserr.ErrInvalidPath},
	{"a\x00b", "", fserr.ErrInvalidPath},
	{"../\x00", "", fserr.ErrInvalidPath},
	{strings.Repeat("a", sandbox.MaxPath+1), "", fserr.ErrInvalidPath},
	{"..", "", fserr.ErrTraversal},
	{"../a", "", fserr.ErrTraversal},
	{"a/..", "", fserr.ErrTraversal},
	{"a/../b", "", fserr.ErrTraversal},
	{"a/../../b", "", fserr.ErrTraversal},
	{"./..", "", fserr.ErrTraversal},
	{".//..//", "", fserr.ErrTraversal},
	{"/..", "", fserr.ErrTraversal},
	{"/w/project/../project/a", "", fserr.ErrTraversal},
	{"/w/project/..", "", fserr.ErrTraversal},
	{"/etc/../w/project/a", "", fserr.ErrTraversal},
	{"/", "", fserr.ErrOutside},
	{"/w", "", fserr.ErrOutside},
	{"/w/", "", fserr.ErrOutside},
	{"/w/projec", "", fserr.ErrOutside},
	{"/w/project2", "", fserr.ErrOutside},
	{"/w/project.bak/x", "", fserr.ErrOutside},
	{"/w/project ", "", fserr.ErrOutside},
	{"/W/project/a", "", fserr.ErrOutside},
	{"/etc/passwd", "", fserr.ErrOutside},
	{"//", "", fserr.ErrOutside},
}

func TestParse(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the table is for systems with / alone")
	}
	parse := sandbox.ParserAt("/w/project", "/real/root")
	for _, tt := range parseTests {
		r, err := parse(tt.ask)
		if tt.err != nil {
			fixture.Fails(t, err, tt.ask, tt.err)
			continue
		}
		got := r.Asked
		if r.Folder {
			got += "/"
		}
		if err != nil || got != tt.want || sandbox.Join(r.Names) != r.Asked {
			t.Errorf("%q: %q of %q, error %v, want %q", tt.ask, got, r.Names, err, tt.want)
		}
	}
	if r, err := parse("/real/root/a"); err != nil || r.Asked != "a" {
		t.Errorf("under the resolved root: %q, %v", r.Asked, err)
	}
}

// TestParseRoot has the whole disk as its workspace.
func TestParseRoot(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no one root")
	}
	parse := sandbox.ParserAt("/", "/")
	for ask, want := range map[string]string{"/": ".", "/etc/passwd": "etc/passwd", "etc": "etc", "//a": "a"} {
		if r, err := parse(ask); err != nil || r.Asked != want {
			t.Errorf("%q: %q, error %v, want %q", ask, r.Asked, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, tt := range parseTests {
		f.Add(tt.ask)
	}
	parse := sandbox.ParserAt("/w/project", "/real/root")
	f.Fuzz(func(t *testing.T, ask string) {
		r, err := parse(ask)
		if err != nil {
			if k := fixture.Kind(t, err); !slices.Contains([]error{fserr.ErrInvalidPath, fserr.ErrTraversal, fserr.ErrOutside}, k) {
				t.Errorf("%q: error %v", ask, err)
			}
			return
		}
		if !filepath.IsLocal(r.Asked) || strings.ContainsRune(r.Asked, 0) {
			t.Errorf("%q is accepted as %q, which may escape", ask, r.Asked)
		}
		for _, name := range r.Names {
			if name == "" || name == "." || name == ".." || strings.Contains(name, "/") {
				t.Errorf("%q has the component %q", ask, name)
			}
		}
		if strings.TrimSpace(r.Asked) == "" { // "./ " names a file whose name alone would be refused as empty
			return
		}
		again, err := parse(r.Asked)
		if err != nil || again.Asked != r.Asked || !slices.Equal(again.Names, r.Names) {
			t.Errorf("%q is %q, and that is %q: %v", ask, r.Asked, again.Asked, err)
		}
	})
}

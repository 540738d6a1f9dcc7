package hint

import (
	"path"
	"slices"
	"testing"
)

// listed is a workspace that has these paths.
type listed []string

func (listed) Root() string                       { return "/home/u/ws" }
func (listed) Clean(asked string) (string, error) { return path.Clean(asked), nil }
func (l listed) Exists(path string) bool          { return slices.Contains(l, path) }
func (listed) DeniesEntry(string, bool) bool      { return false }

func TestRespelled(t *testing.T) {
	tree := Tree{Workspace: listed{"src", "src/a.go", "a b.txt", "f(1).txt"}}
	for asked, want := range map[string]string{
		`"src/a.go"`: "src/a.go", " src/a.go\u00a0": "src/a.go", "<path>src/a.go</path>": "src/a.go", "[the file](src/a.go)": "src/a.go",
		"**`src/a.go`**": "src/a.go", "file:///src/a.go": "src/a.go", "FILE:/home/u/ws/src/a.go": "src/a.go", "~/src/a.go": "src/a.go",
		"${workspaceFolder}/src/a.go": "src/a.go", "@src/a.go": "src/a.go", "a%20b.txt": "a b.txt", `a\ b.txt`: "a b.txt",
		`f\(1\).txt`: "f(1).txt", `C:\home\u\ws\src\a.go`: "src/a.go", `src\a.go`: "src/a.go", "src/a.go:12:3": "src/a.go",
		"src/a.go#L1-L2": "src/a.go", "src/a.go (line 7)": "src/a.go", "src/a.go, line 7": "src/a.go", "src/a.go.": "src/a.go",
		"../ws/src/a.go": "src/a.go", "x/../src/a.go/": "src/a.go", "src/b.go": "", `"`: "", "": "", "src/a.go": "",
	} {
		if got, why := tree.Respelled(asked); got != want || got == "" && why != "" {
			t.Errorf("%q: %q, want %q (%s)", asked, got, want, why)
		}
	}
}

func TestNewPath(t *testing.T) {
	tree := Tree{Workspace: listed{"src"}}
	for asked, want := range map[string]string{
		"/home/u/ws/new.txt": "new.txt", "/tmp/src/deep/new.txt": "src/deep/new.txt", "/tmp/new.txt": "new.txt", "../../new.txt": "new.txt",
		`"~/ws/a/new.txt"`: "a/new.txt", `D:\src\new.txt`: "src/new.txt", "/src/new.txt": "src/new.txt", "/src/a/new.txt": "src/a/new.txt", "../..": "",
	} {
		if got := tree.NewPath(asked); got != want {
			t.Errorf("%q: %q, want %q", asked, got, want)
		}
	}
}

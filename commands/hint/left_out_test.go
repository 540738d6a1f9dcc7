package hint

import "testing"

func TestWithoutTools(t *testing.T) {
	leftOut := func(name string) bool { return name == "ls" || name == "write" }
	for _, tt := range []struct{ hint, want string }{
		{"", ""},
		{`did you mean "src/write me.go"?`, `did you mean "src/write me.go"?`},
		{"list what is there with ls, or create it with write", "list what is there with glob"},
		{"look with ls, or create it with write", ""},
		{"list what is there with glob, or create it with write", "list what is there with glob"},
		{`"write" makes a file, "append" adds to one`, ""},
		{`paths are relative to the root; "ls" lists a folder; there is no current folder`, "paths are relative to the root; there is no current folder"},
		{"it is in lib, or look with ls; see rewrite.go", "it is in lib; see rewrite.go"},
	} {
		if got := WithoutTools(tt.hint, leftOut); got != tt.want {
			t.Errorf("%q became %q, want %q", tt.hint, got, tt.want)
		}
	}
}

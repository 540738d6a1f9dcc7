package hint

import "testing"

func TestWithoutFields(t *testing.T) {
	undefined := func(name string) bool { return name == "max_bytes" || name == "eol" || name == "sort" || name == "raw" }
	for _, tt := range []struct{ hint, want string }{
		{"", ""},
		{"a larger max_bytes shows more of it, and grep finds what is in the rest", "grep finds what is in the rest"},
		{"write it as \\r, also in the replacement, or replace the file with write and eol lf", "write it as \\r, also in the replacement"},
		{"set raw, or sort the raw lines", "sort the raw lines"},
		{`did you mean "sort"?`, ""},
		{`did you mean "sort.go"?`, `did you mean "sort.go"?`},
		{"known fields: path, max_bytes, cursor, sort", "known fields: path, cursor"},
		{`"x": set recursive; known fields: path, eol`, `"x": set recursive; known fields: path`},
	} {
		if got := WithoutFields(tt.hint, undefined); got != tt.want {
			t.Errorf("%q became %q, want %q", tt.hint, got, tt.want)
		}
	}
}

func TestWithoutTools(t *testing.T) {
	leftOut := func(name string, quoted bool) bool {
		return name == "ls" || name == "write" || quoted && name == "count"
	}
	for _, tt := range []struct{ hint, want string }{
		{"", ""},
		{`did you mean "src/write me.go"?`, `did you mean "src/write me.go"?`},
		{"list the files with ls, or create it with write", "list the files with glob"},
		{"look with ls, or create it with write", ""},
		{"list the files with glob, or create it with write", "list the files with glob"},
		{`"write" creates a file, "append" adds to one`, ""},
		{`paths are relative to the root; "ls" lists a directory; there is no current directory`, "paths are relative to the root; there is no current directory"},
		{"it is in lib, or look with ls; see rewrite.go", "it is in lib; see rewrite.go"},
		{"omit eol to write it; look with ls; the first write, or a write", "omit eol to write it; the first write, or a write"},
		{"it is sent to the tool write; there is no shell: ls and grep look", ""},
		{"to replace all of the file use write with mode overwrite", ""},
		{`count the lines, and "count" does that`, "count the lines"},
	} {
		if got := WithoutTools(tt.hint, leftOut); got != tt.want {
			t.Errorf("%q became %q, want %q", tt.hint, got, tt.want)
		}
	}
}

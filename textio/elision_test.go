package textio

import "testing"

var elisionLines = []struct {
	line    string
	omits   bool
	shrinks bool // the new text has fewer lines than the old
}{
	{"[lines 1-20 of 60; continue with start_line 21]", true, false},
	{"[continue with start_line 21; lines 1-20 of 60]", true, false},
	{"[lines 41-60 of 60]", true, false},
	{"[lines 1-60 of 60]", false, false},
	{"[Showing lines 1-20 of 60]", true, false},
	{"[lines 1-20]", false, false},
	{"// ... rest of the code ...", true, false},
	{"// ...rest of code...", true, false},
	{"# … existing code …", true, false},
	{"/* unchanged */", true, false},
	{"// ... existing code ...", true, false},
	{"    # ... rest of the function ...", true, false},
	{"// rest of the code remains the same", true, false},
	{"// Rest of the file remains unchanged", true, false},
	{"# rest of the code unchanged", true, false},
	{"# (rest of the file is unchanged)", true, false},
	{"<!-- ... rest of the page ... -->", true, false},
	{"<!-- existing content ... -->", true, false},
	{"{/* ... existing code ... */}", true, false},
	{"{/* rest of the component stays the same */}", true, false},
	{"-- ... existing code ...", true, false},
	{"; ... rest of the file", true, false},
	{"% ... rest of the document ...", true, false},
	{"(* ... unchanged ... *)", true, false},
	{"... rest of the code ...", true, false},
	{"... existing code ...", true, false},
	{"… rest of the file unchanged …", true, false},
	{"[... rest of the file unchanged ...]", true, false},
	{"(rest of the code remains the same)", true, false},
	{"[remaining code unchanged]", true, false},
	{"// ... remaining methods ...", true, false},
	{"// ... other methods unchanged ...", true, false},
	{"// ... (unchanged)", true, false},
	{"// ... same as before ...", true, false},
	{"// ... rest of the UserService methods ...", true, false},
	{"// ... existing LoginForm code ...", true, false},
	{"// code omitted for brevity", true, false},
	{"# ... omitted for brevity ...", true, false},
	{"// [imports unchanged]", true, false},
	{"# ... lines 10-20 unchanged ...", true, false},
	{"// ... code ...", true, false},
	{"// ... implementation ...", true, false},
	{"// existing code here", true, false},
	{"// keep existing code", true, false},
	{"/* ... keep the rest of the styles ... */", true, false},
	{"func f() { /* ... existing code ... */ }", true, false},
	{"def f(): # ... existing code ...", true, false},
	{"    ... # rest of the function unchanged", false, false}, // a Python body with a remark
	{"// ... no changes ...", true, false},
	{"* ... rest of the class ...", true, false},
	{"// remaining code follows", true, false},
	{"// ... rest ...", true, false},
	{"// (rest unchanged)", true, false},
	{"// The rest of the code remains the same.", true, false},
	{"// ...", true, true},
	{"# ...", true, true},
	{"/* … */", true, true},

	{"// ...", false, false},
	{"...", false, true},
	{"…", false, true},
	{"[...]", false, true},
	{"(…)", false, true},
	{"...args", false, false},
	{"...rest", false, false},
	{"...rest,", false, false},
	{"  ...existing,", false, false},
	{"  ...existingCode,", false, false},
	{"{...props}", false, false},
	{"[...rest]", false, false},
	{"<Code {...rest} />", false, false},
	{"const { a, ...rest } = props;", false, false},
	{"return [...original, ...current];", false, false},
	{"func f(args ...string) {}", false, false},
	{"call(...)", false, false},
	{"def f(self) -> int: ...", false, false},
	{"Wait for it...", false, false},
	{"apples, pears, etc...", false, false},
	{"// and so on...", false, false},
	{"// Loading the rest of the page...", false, false},
	{"// the rest of the page loads later...", false, false},
	{"// ...and the rest of the data is ignored", false, false},
	{"The rest of the code is in main.go.", false, false},
	{"# Rest of the API", false, false},
	{"# The rest of the code", false, false},
	{"## Unchanged", false, false},
	{"# Unchanged", false, false},
	{"# Existing tests", false, false},
	{"// rest of the arguments", false, false},
	{"// same as above", false, false},
	{"// existing users keep their settings", false, false},
	{"// the file is truncated", false, false},
	{"// no change", false, false},
	{"// The file is unchanged.", false, false},
	{"// and the rest", false, false},
	{"* unchanged.", false, false}, // the end of a sentence
	{"* The original code was:", false, false},
	{"// Original file unchanged.", false, false},
	{"// Returns the original file unchanged if it has no BOM.", false, false},
	{"# the original text", false, false},
	{"print(\"... rest of the code ...\")", false, false},
	{"\"status\": \"unchanged\",", false, false},
	{"- unchanged", false, false},
	{"unchanged", false, false},
	{"log.Println(\"loading...\") // rest of the code", false, false},
	{"see http://... for the rest of the code", false, false},
	{"... and 5 more", false, false},
	{"... 5 more lines", false, false},
	{">>> for x in y:", false, false},
	{"... print(x)", false, false}, // a doctest
	{"... rest = x", false, false},
	{"#include <existing>", false, false},
	{"// TODO: your code here...", false, false},
	{"'use strict';", false, false},
	{"--same", false, false},
	{"", false, true},
}

func TestElisionLines(t *testing.T) {
	for _, tt := range elisionLines {
		old := "one"
		if tt.shrinks {
			old = "one\ntwo\nthree\nfour\n"
		}
		_, got := FindElision([]byte(old), []byte("a\n"+tt.line+"\n"), []byte(old))
		if got != tt.omits {
			t.Errorf("%q: %v, want %v", tt.line, got, tt.omits)
		}
	}
}

func TestFindElision(t *testing.T) {
	const line = "\t// ... existing code ..."
	got, ok := FindElision([]byte("x\n"), []byte("a\r\n"+line+"\r\nb\n"), nil)
	if want := (Elision{Line: 2, Text: "// ... existing code ..."}); !ok || got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, ok := FindElision(nil, []byte(line), []byte("x\n// ... existing code ...\n")); ok {
		t.Errorf("the old text has it as well: %v", got)
	}
	if got, ok := FindElision(nil, []byte("# unchanged\n// unchanged\n"), []byte("# unchanged\n")); !ok || got.Line != 2 {
		t.Errorf("a second one is new: %v", got)
	}
}

func FuzzFindElision(f *testing.F) {
	for _, tt := range elisionLines {
		f.Add([]byte("a\n"+tt.line), []byte(tt.line+"\nb"))
	}
	f.Fuzz(func(t *testing.T, old, new []byte) {
		got, ok := FindElision(old, new, old)
		if ok && (got.Line < 1 || got.Text == "") {
			t.Errorf("%v in %q", got, new)
		}
		if got, ok := FindElision(old, new, new); ok {
			t.Errorf("%v is in the old text as well", got)
		}
	})
}

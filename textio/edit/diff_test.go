package edit

import (
	"testing"

	"fsbox/textio/diff"
)

func TestUnifiedEdits(t *testing.T) {
	ten := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
	for _, tt := range []struct {
		name, content string
		edits         []Edit
		want          string // after the header
		added, gone   int
	}{
		{"e1", "hello world\n", oneEdit("hello world", "hello universe"), "@@ -1,1 +1,1 @@\n-hello world\n+hello universe\n", 1, 1},
		{"context", ten, oneEdit("5", "five"), "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n", 1, 1},
		{
			"near changes share a hunk", ten, edits("1\n", "", "8", "eight"),
			"@@ -1,10 +1,9 @@\n-1\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+eight\n 9\n 10\n", 1, 2,
		},
		{
			"far ones don't", ten, edits("1\n", "", "9", "nine"),
			"@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n@@ -6,5 +5,5 @@\n 6\n 7\n 8\n-9\n+nine\n 10\n", 1, 2,
		},
		{"two on a line", "a b\n", edits("a", "c", "b", "d"), "@@ -1,1 +1,1 @@\n-a b\n+c d\n", 1, 1},
		{"equal lines of an edit are context", "a\nb\nc\n", oneEdit("a\nb\nc\n", "a\nB\nc\n"), "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", 1, 1},
		{"line joined to the next", "a\nb\nc\n", oneEdit("a\n", "a "), "@@ -1,3 +1,2 @@\n-a\n-b\n+a b\n c\n", 1, 2},
		{"final newline added", "a\nb", oneEdit("b", "b\n"), "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n", 1, 1},
		{"final newline taken", "a\n", oneEdit("a\n", "a"), "@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n", 1, 1},
		{"no final newline in the context", "a\nb", oneEdit("a", "c"), "@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n", 1, 1},
		{"emptied", "a\n", oneEdit("a\n", ""), "@@ -1,1 +0,0 @@\n-a\n", 0, 1},
		{"CRLF stays", "a\r\nb\r\n", oneEdit("b", "c"), "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n", 1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, _, err := applyAll([]byte(tt.content), tt.edits)
			if err != nil {
				t.Fatal(err)
			}
			want := diff.Printed{Text: "--- a/f\n+++ b/f\n" + tt.want, Additions: tt.added, Deletions: tt.gone}
			if got := diff.Unified("f", []byte(tt.content), out, false, 0); got != want {
				t.Errorf("got  %#v\nwant %#v", got, want)
			}
		})
	}
}

package patch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fsbox/textio/edit"
	"fsbox/textio/nearest"
)

// onlyFile parses a patch of one file.
func onlyFile(t *testing.T, text string) *File {
	t.Helper()
	patch, err := Parse([]byte(text))
	if err != nil || len(patch.Files) != 1 {
		t.Fatalf("%v, %v", patch, err)
	}
	return &patch.Files[0]
}

func TestPatchResults(t *testing.T) {
	for _, tt := range []struct {
		name, old, patch string
		want             []HunkResult
	}{
		{"as stated", "a\nb\n", "--- x\n+++ x\n@@ -2 +2 @@\n-b\n+B\n", []HunkResult{{2, 0, "exact", false}}},
		{"moved", "0\n0\na\nb\n", "--- x\n+++ x\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n", []HunkResult{{3, 2, "exact", false}}},
		{"moved up", "a\nb\n", "--- x\n+++ x\n@@ -7,2 +7,2 @@\n a\n-b\n+B\n", []HunkResult{{1, -6, "exact", false}}},
		{"line ends", "a\r\nb\r\n", "--- x\n+++ x\n@@ -2 +2 @@\n-b\n+B\n", []HunkResult{{2, 0, "eol", false}}},
		{"final newline", "a\nb", "--- x\n+++ x\n@@ -2 +2 @@\n-b\n+B\n", []HunkResult{{2, 0, "eol", false}}},
		{"insertion", "a\nb\n", "--- x\n+++ x\n@@ -1,0 +2 @@\n+B\n", []HunkResult{{2, 0, "exact", false}}},
		{"insertion beyond the end", "a\n", "--- x\n+++ x\n@@ -9,0 +10 @@\n+B\n", []HunkResult{{2, -8, "exact", false}}},
		{"without numbers", "a\nb\n", "*** Begin Patch\n*** Update File: x\n@@\n-b\n+B\n*** End Patch", []HunkResult{{2, 0, "exact", false}}},
		{"final newline without marks", "a\nb", "*** Begin Patch\n*** Update File: x\n@@\n-b\n+B\n*** End Patch",
			[]HunkResult{{2, 0, "exact", false}}},
		{"in the order of the patch", "a\nb\nc\n", "--- x\n+++ x\n@@ -3 +3 @@\n-c\n+C\n@@ -1 +1 @@\n-a\n+A\n",
			[]HunkResult{{3, 0, "exact", false}, {1, 0, "exact", false}}},
		{"new file", "", "--- /dev/null\n+++ x\n@@ -0,0 +1 @@\n+a\n", []HunkResult{{1, 0, "exact", false}}},
		{"at the end, again", "a\nb\nword\n", "--- x\n+++ x\n@@ -2 +2,2 @@\n b\n+word\n", []HunkResult{{2, 0, "exact", true}}},
		{"at the start, again", "word\na\nb\n", "--- x\n+++ x\n@@ -1 +1,2 @@\n+word\n a\n", []HunkResult{{2, 1, "exact", true}}},
		{"without context, again", "a\nword\n", "--- x\n+++ x\n@@ -1,0 +2 @@\n+word\n", []HunkResult{{2, 0, "exact", true}}},
		{"after context, again", "a\nword\nb\n", "--- x\n+++ x\n@@ -2,2 +2,3 @@\n word\n+word\n b\n", []HunkResult{{2, 0, "exact", false}}},
		{"short lines, again", "a\nb\n}\n", "--- x\n+++ x\n@@ -2 +2,2 @@\n b\n+}\n", []HunkResult{{2, 0, "exact", false}}},
		{"instead of others", "a\nb\nword\n", "--- x\n+++ x\n@@ -2 +2 @@\n-b\n+word\n", []HunkResult{{2, 0, "exact", false}}},
		{"rename", "a\n", "diff --git a/x b/y\nrename from x\nrename to y\n", []HunkResult{}},
	} {
		_, got, err := onlyFile(t, tt.patch).Apply(context.Background(), []byte(tt.old), Options{})
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, %v; want %v", tt.name, got, err, tt.want)
		}
	}
}

// TestPatchLenient has one file in whose form every outcome must be, and patches
// that fit in no exact tier.
func TestPatchLenient(t *testing.T) {
	file := "func f() {\n\tif a { \n\t\tgo()\n\t}\n}\nsay “hi”\nend\n"
	update := func(body string) string {
		return "*** Begin Patch\n*** Update File: x\n" + body + "*** End Patch\n"
	}
	for _, tt := range []struct{ name, old, patch, want, match string }{
		{"exact comes first", file, update("@@\n-end\n+fin\n"), strings.Replace(file, "end", "fin", 1), "exact"},
		{"trailing blanks", file, update("@@\n \tif a {\n-\t\tgo()\n+\t\trun()\n"), strings.Replace(file, "go", "run", 1), "trailing_blanks"},
		{"indentation", file, update("@@\n     if a {\n-        go()\n+        run()\n+        stop()\n     }\n"), strings.Replace(file, "go()",
			"run()\n\t\tstop()", 1), "indentation"},
		{"unicode", file, update("@@\n say \"hi\"\n-end\n+fin\n"), strings.Replace(file, "end", "fin", 1), "unicode"},
		{"context keeps its bytes", file, update("@@\n-say \"hi\"\n+say \"hi\" twice\n end\n"), strings.Replace(file, "”", "” twice", 1),
			"unicode"},
		{"line ends", strings.ReplaceAll(file, "\n", "\r\n"), update("@@\n \tif a {\n-\t\tgo()\n+\t\trun()\n+\t\tstop()\n"),
			strings.ReplaceAll(strings.Replace(file, "go()", "run()\n\t\tstop()", 1), "\n", "\r\n"), "trailing_blanks"},
		{"no final newline", "a \nb ", update("@@\n a\n-b\n+c\n"), "a \nc", "trailing_blanks"},
		{"numbers don't choose", "a \nb\na \n", "--- x\n+++ x\n@@ -1 +1 @@\n-a\n+A\n", "!ambiguous [1 3]", ""},
		{"nor do other hunks", "a \nb\na \n", update("@@\n-a\n+A\n@@\n-b\n+B\n"), "!ambiguous [1 3]", ""},
		{"anchors do", "a \nb\na \n", update("@@ b\n-a\n+A\n"), "a \nb\nA\n", "trailing_blanks"},
		{"mark", "a \nb ", "--- x\n+++ x\n@@ -2 +2 @@\n-b\n+c\n\\ No newline at end of file\n", "!conflict 0", ""},
		{"end of file", "a \nb\n", update("@@\n-a\n+A\n*** End of File\n"), "!conflict 0", ""},
		{"no likeness", file, update("@@\n-\t\tgoo()\n+\t\trun()\n"), "!conflict 0", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := onlyFile(t, tt.patch)
			out, results, err := f.Apply(context.Background(), []byte(tt.old), Options{Lenient: true})
			if err != nil {
				if got := "!" + describePatchError(err); got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
				return
			}
			if string(out) != tt.want || results[0].Match != tt.match {
				t.Errorf("got %q by %s\nwant %q by %s", out, results[0].Match, tt.want, tt.match)
			}
			if _, _, err := f.Apply(context.Background(), []byte(tt.old), Options{}); (err == nil) != (tt.match == edit.TierExact) {
				t.Errorf("not lenient: %v", err)
			}
		})
	}
}

func TestPatchConflictDetails(t *testing.T) {
	f := onlyFile(t, "--- x\n+++ x\n@@ -1,3 +1,3 @@\n alpha\n-  beta\n+  BETA\n gamma\n@@ -9 +9 @@\n-nowhere\n+x\n")
	_, _, err := f.Apply(context.Background(), []byte("zero\nalpha\n\tbeta\ngamma\n"), Options{})
	var conflict *ConflictError
	if !errors.As(err, &conflict) || len(conflict.Hunks) != 2 {
		t.Fatal(err)
	}
	h := conflict.Hunks[0]
	if h.Hunk != 0 || h.Line != 3 || h.OldStart != 1 || h.Expected != "alpha\n  beta\ngamma" || h.Reason != nearest.Indentation ||
		h.Lenient != edit.TierIndentation {
		t.Errorf("%+v", h)
	}
	if len(h.Closest) != 1 || h.Closest[0].StartLine != 2 || h.Closest[0].EndLine != 4 || h.Closest[0].Text != "alpha\n\tbeta\ngamma" {
		t.Errorf("%+v", h.Closest)
	}
	if h := conflict.Hunks[1]; h.Hunk != 1 || h.Line != 8 || h.OldStart != 9 || h.Expected != "nowhere" || len(h.Closest) != 0 {
		t.Errorf("%+v", h)
	}
}

func TestPatchAmbiguityDetails(t *testing.T) {
	f := onlyFile(t, "--- x\n+++ x\n@@ @@\n-a\n+A\n")
	_, _, err := f.Apply(context.Background(), []byte(strings.Repeat("a\nb\n", 12)), Options{})
	var ambiguous *ConflictError
	if !errors.As(err, &ambiguous) || !ambiguous.Ambiguous || len(ambiguous.Hunks) != 1 {
		t.Fatal(err)
	}
	h := ambiguous.Hunks[0]
	want := []int64{1, 3, 5, 7, 9, 11, 13, 15, 17, 19}
	if h.Hunk != 0 || h.Line != 3 || h.Fits != 12 || !slices.Equal(h.Places, want) || len(h.Snippets) != 10 || h.Snippets[1] != "b\na\nb" {
		t.Errorf("%+v", h)
	}
}

func TestPatchAdded(t *testing.T) {
	patch, err := Parse([]byte("--- x\n+++ x\n@@ -1 +1 @@\n-a\n+bc\n--- y\n+++ y\n@@ -1 +1 @@\n-a\n+b\r\n\\ No newline at end of file\n"))
	if err != nil || patch.Added() != 5 {
		t.Errorf("%d, %v", patch.Added(), err)
	}
}

func TestPatchMayCreate(t *testing.T) {
	for patch, want := range map[string]bool{
		"--- x\n+++ x\n@@ -0,0 +1 @@\n+a\n":                                     true,
		"--- /dev/null\n+++ x\n@@ -0,0 +1 @@\n+a\n":                             false,
		"--- x\n+++ x\n@@ -1 +1,2 @@\n a\n+b\n":                                 false,
		"--- x\n+++ x\n@@ @@\n+b\n":                                             false,
		"*** Begin Patch\n*** Update File: x\n@@ -0,0 +1 @@\n+a\n*** End Patch": false,
	} {
		if got := onlyFile(t, patch).MayCreate(); got != want {
			t.Errorf("%q: %v", patch, got)
		}
	}
}

// TestPatchFiles checks the order and the formats of patches of several files.
func TestPatchFiles(t *testing.T) {
	for _, tt := range []struct{ name, patch, want string }{
		{"begin", "*** Begin Patch\n*** Add File: n\n+a\n*** Update File: u\n*** Move to: v\n@@\n-a\n+b\n*** Delete File: d\n*** Update File: " +
			"u\n@@\n+c\n*** End Patch",
			"begin_patch [2 add n] [4 move v from u] [9 delete d] [10 update u]"},
		{"two in a row", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n\n*** Begin Patch\n*** Delete File: b\n*** End Patch\n",
			"begin_patch [2 delete a] [6 delete b]"},
		{"unified", "--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n--- b\n+++ b\n@@ -1 +1 @@\n-a\n+b\n\n--- c\n+++ c\n@@ @@\n-a\n\n\n--- d\n+++ d\n@@ " +
			"@@\n-a\n",
			"unified [1 update a] [6 update b] [12 update c] [18 update d]"},
		{"git", "diff --git a/e b/e\nnew file mode 100644\nindex 0..e69de29\ndiff --git a/m b/m\nold mode 100644\nnew mode 100755\ndiff --git " +
			"a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
			"git [1 add e 100644] [4 mode m was 100644 100755] [7 update x]"},
		{"mails", "From 1 Mon\nSubject: a\n\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n-- \n2.39.5\n\nFrom 2 Mon\nSubject: b\n---\n y | 1 " +
			"+\n\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n-- \n2.39.5\n",
			"git [4 update x] [17 update y]"},
		{"a diff in the wrong envelope", "*** Begin Patch\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n+b\n*** End Patch\n", "unified [2 update x]"},
	} {
		patch, err := Parse([]byte(tt.patch))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		got := patch.Format
		for i := range patch.Files {
			got += fmt.Sprintf(" [%d %s]", patch.Files[i].Line, describeFile(&patch.Files[i]))
		}
		if got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// TestPatchTooCommon gives up a search rather than take minutes.
func TestPatchTooCommon(t *testing.T) {
	text := []byte(strings.Repeat("a\n", 1000))
	table := newLineTable(t.Context(), text, []Hunk{{Lines: []HunkLine{{Op: '-', Text: []byte("a")}}}}, make([]byte, len(text)))
	table.effort = 100
	f := onlyFile(t, "--- x\n+++ x\n@@ @@\n-a\n-a\n+b\n")
	p := placer{table: table, shown: new(int), hunks: []placement{{Hunk: &f.Hunks[0]}}}
	var conflict *ConflictError
	if err := p.place(); !errors.As(err, &conflict) || !conflict.Hunks[0].TooCommon {
		t.Errorf("%v", err)
	}
}

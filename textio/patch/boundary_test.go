package patch

import (
	"context"
	"maps"
	"strings"
	"testing"
)

// TestPatchLostBlank has context lines without their leading blank that look like
// what can follow a hunk. Nothing after them may be left out without a word.
func TestPatchLostBlank(t *testing.T) {
	for _, line := range []string{"```", "~~~", "```go", "======", "From here", "diff of x", "Index: x", "Only in x", "EOF", "*** End Patch",
		"}"} {
		old := "a\nb\n" + line + "\nd\ne\n"
		for name, text := range map[string]string{
			"counted":   "--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n a\n-b\n+B\n" + line + "\n d\n-e\n+E\n",
			"no counts": "--- a/x\n+++ b/x\n@@ @@\n a\n-b\n+B\n" + line + "\n d\n-e\n+E\n",
			"too few":   "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n" + line + "\n d\n-e\n+E\n",
			"fenced":    "```diff\n--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n a\n-b\n+B\n" + line + "\n d\n-e\n+E\n```\n",
			"begin":     "*** Begin Patch\n*** Update File: x\n@@\n a\n-b\n+B\n" + line + "\n d\n-e\n+E\n*** End Patch\n",
			"bare":      "*** Update File: x\n@@\n a\n-b\n+B\n" + line + "\n d\n-e\n+E\n",
		} {
			if out, err := applyText(text, []byte(old)); err == nil {
				t.Errorf("%s, %q: got %q", name, line, out)
			}
			whole := strings.Replace(text, "\n"+line+"\n", "\n "+line+"\n", 1)
			if out, err := applyText(whole, []byte(old)); err != nil || string(out) != strings.NewReplacer("\nb\n", "\nB\n", "\ne\n",
				"\nE\n").Replace(old) {
				t.Errorf("%s, %q, not damaged: got %q, %v", name, line, out, err)
			}
		}
	}
}

// TestPatchWrapping has what may rightly follow a hunk, with counts that are
// right, wrong, or missing.
func TestPatchWrapping(t *testing.T) {
	for _, header := range []string{"@@ -1,3 +1,3 @@", "@@ -1,4 +1,4 @@", "@@ -1,2 +1,2 @@", "@@ -1,4 +1,3 @@", "@@ -1,3 +1,4 @@", "@@ @@"} {
		part := "--- a/x\n+++ b/x\n" + header + "\n a\n-b\n+B\n c\n"
		for _, tail := range []string{
			"", "\n", "\n\n", "```\n", "EOF\n", "-- \n2.39.1\n", "\n-- \n2.39.1\n", "*** End Patch\n", "```\n\nAnd then, it is done.\n",
			"-- \n2.39.1\n\nFrom 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nSubject: x\n\n- one\n- two\n---\n x | 2 " +
				"+-\n\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
			"--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", "\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", "\n--- y\n+++ y\n@@ -1 +1 @@\n-a\n+b\n",
			"diff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", "Index: y\n=======\n--- y\n+++ y\n@@ -1 +1 @@\n-a\n+b\n",
			"--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+a\n", "--- /dev/null\n+++ b/y\n", "diff -ru a/y b/y\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
		} {
			patch, err := Parse([]byte(part + tail))
			if err != nil {
				t.Errorf("%s, %q: %v", header, tail, err)
				continue
			}
			if files := 1 + min(1, strings.Count(tail, "+++ ")); len(patch.Files) != files {
				t.Errorf("%s, %q: %d files", header, tail, len(patch.Files))
			}
			out, _, err := patch.Files[0].Apply(context.Background(), []byte("a\nb\nc\nd\n"), Options{})
			if string(out) != "a\nB\nc\nd\n" || len(patch.Files[0].Hunks) != 1 {
				t.Errorf("%s, %q: got %q, %v", header, tail, out, err)
			}
		}
	}
}

// TestPatchWarnings has patches that are taken, but with a word.
func TestPatchWarnings(t *testing.T) {
	part := "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
	for _, tt := range []struct{ text, want string }{
		{part, ""},
		{part + "\nIt is done:\n- one\n", "of the patch, line 10 looks like a change, but belongs to no hunk: it was ignored"},
		{"```diff\n" + part + "```\n\nIt is done:\n- one\n", ""},
		{part + "-- \nMe\nMyself\n", ""},
		{strings.Replace(part, "1,3", "1,4", 2), "of the patch, the hunk in line 3 has fewer lines than its header says: if the patch was cut " +
			"off, the rest is missing"},
		{strings.Replace(part, "1,3", "1,4", 2) + "```\n", "of the patch, the hunk in line 3 has fewer lines than its header says: if the " +
			"patch was cut off, the rest is missing"},
		{strings.Replace(part, "1,3", "1,4", 2) + "--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", ""},
		{strings.Replace(part, "1,3", "1,2", 2), ""},
	} {
		patch, err := Parse([]byte(tt.text))
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if got := strings.Join(patch.Warnings, ", "); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestTailsAgainstGit has what mails and files put after a hunk and into names, and what git makes
// of it.
func TestTailsAgainstGit(t *testing.T) {
	needGit(t)
	tree := testTree{"x": testFile{data: "a\n"}}
	part := "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
	texts := []string{part + "-- \nJane Doe\n--------\n", part + "-- \n2.39.5\n", part + "--\n2.39.5\n\n", part + "Jane Doe\n--------\n",
		part + "Jane Doe\n-- \n2.39.5\n", part + "\nJane Doe\n\n-------\nfar away\n", part + "-- \nJane\nDoe\n----\n----\n"}
	for _, stamp := range []string{"1970-01-01 00:00:00 +0000", "1970-01-01 00:00:00.000000000 +0000", "1969-12-31 16:00:00 -0800",
		"1969-12-31 16:00:00 -08:00", "1969-12-31 16:00:00.000000000 -08:00", "1970-01-01 05:30:00 +05:30", "1970-01-01 05:30:00 +0000",
		"1969-12-31 16:00:00 +08:00", "1970-01-01 08:00:00 +08:00", "1969-12-31 17:00:00 -08:00", "2024-01-01 00:00:00 +00:00"} {
		texts = append(texts, "--- a/x\t2024-01-02 03:04:05 +0000\n+++ b/x\t"+stamp+"\n@@ -1 +0,0 @@\n-a\n")
	}
	for _, text := range texts {
		theirs, err := gitApplyTree(t, tree, []byte(text))
		if err != nil {
			t.Fatalf("git refuses %q: %v", text, err)
		}
		patch, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if ours, err := tree.apply(patch); err != nil || !maps.Equal(ours, theirs) {
			t.Errorf("%q: %v, git has %v; %v", text, ours, theirs, err)
		}
	}
}

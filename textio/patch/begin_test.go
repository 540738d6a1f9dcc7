package patch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// applyCase is a patch of one file. Want is the outcome; or after "!" the error:
// the text of one about the patch itself, "conflict" with what is said of the
// first hunk, or "ambiguous" with the lines of its places.
type applyCase struct{ name, old, patch, want string }

func beginCases() []applyCase {
	update := func(body string) string {
		return "*** Begin Patch\n*** Update File: x\n" + body + "*** End Patch\n"
	}
	abc, class := "a\nb\nc\n", "class A:\n  def f():\n    pass\nclass B:\n  def f():\n    pass\n"
	return []applyCase{
		{"replace", abc, update("@@\n a\n-b\n+B\n c\n"), "a\nB\nc\n"},
		{"no @@ before the first hunk", abc, update(" a\n-b\n+B\n"), "a\nB\nc\n"},
		{"no context", abc, update("@@\n-b\n+B\n"), "a\nB\nc\n"},
		{"two hunks", abc, update("@@\n-a\n+A\n@@\n-c\n+C\n"), "A\nb\nC\n"},
		{"hunks out of order", abc, update("@@\n-c\n+C\n@@\n-a\n+A\n"), "!conflict 1 out of order places [1]"},
		{"hunks out of order in several places", "a\na\nb\n", update("@@\n-b\n+B\n@@\n-a\n+A\n"), "!conflict 1 out of order places [1 2]"},
		{"out of order, insertion after an anchor", abc, update("@@\n-c\n+C\n@@ a\n+x\n"), "!conflict 1 out of order"},
		{"out of order, insertion into a hunk", abc, update("@@\n a\n b\n-c\n+C\n@@ a\n+x\n"), "!conflict 1 out of order"},
		{"out of order, and the hunk before has several places", "x\na\nb\na\n", update("@@\n-a\n+A\n@@\n-x\n+X\n"),
			"!conflict 0 places [2 4] 1 out of order places [1]"},
		{"several places", "a\nb\na\n", update("@@\n-a\n+A\n"), "!ambiguous [1 3]"},
		{"several places, the rest decides", "a\nb\na\n", update("@@\n-a\n+A\n@@\n-a\n+Z\n"), "A\nb\nZ\n"},
		{"several places, the next hunk decides", "a\nb\na\n", update("@@\n-a\n+A\n@@\n-b\n+B\n"), "A\nB\na\n"},
		{"several places, the hunk before decides", "a\nb\na\n", update("@@\n-b\n+B\n@@\n-a\n+Z\n"), "a\nB\nZ\n"},
		{"three places for two hunks", "a\na\na\n", update("@@\n-a\n+A\n@@\n-a\n+Z\n"), "!ambiguous [1 2]"},
		{"overlapping places are several", "a\na\na\n", update("@@\n-a\n-a\n+b\n"), "!ambiguous [1 2]"},
		{"miss", abc, update("@@\n a\n-x\n+B\n"), "!conflict 0"},
		{"all misses at once", abc, update("@@\n-x\n+B\n@@\n-b\n+B\n@@\n-y\n+B\n"), "!conflict 0 2"},
		{"applied already", "alpha\nBETA!\n", update("@@\n-beta!\n+BETA!\n"), "!conflict 0 applied"},
		{"context of one hunk in the next", "1\n2\n3\n4\n5\n", update("@@\n 1\n-2\n+b\n 3\n 4\n@@\n 3\n-4\n+d\n 5\n"), "1\nb\n3\nd\n5\n"},
		{"changed line in the context of the next", "1\n2\n3\n", update("@@\n-2\n+b\n@@\n 2\n-3\n+c\n"), "!conflict 1 out of order places [2]"},

		{"anchor", class, update("@@ class B:\n   def f():\n-    pass\n+    go()\n"),
			"class A:\n  def f():\n    pass\nclass B:\n  def f():\n    go()\n"},
		{"the nearest after the anchor", class, update("@@ class A:\n   def f():\n-    pass\n+    go()\n"),
			"class A:\n  def f():\n    go()\nclass B:\n  def f():\n    pass\n"},
		{"stacked anchors", class, update("@@ class B:\n@@   def f():\n-    pass\n+    go()\n"),
			"class A:\n  def f():\n    pass\nclass B:\n  def f():\n    go()\n"},
		{"anchor without its blanks", class, update("@@ class B:\n@@ def f():\n-    pass\n+    go()\n"),
			"class A:\n  def f():\n    pass\nclass B:\n  def f():\n    go()\n"},
		{"part of the anchor's line", class, update("@@ class B\n-    pass\n+    go()\n"),
			"class A:\n  def f():\n    pass\nclass B:\n  def f():\n    go()\n"},
		{"anchor in several places", class, update("@@ def f():\n-    pass\n+    go()\n"), "!ambiguous [3 6]"},
		{"anchor in several places, one hunk each", class, update("@@ def f():\n-    pass\n+    1\n@@ def f():\n-    pass\n+    2\n"),
			"class A:\n  def f():\n    1\nclass B:\n  def f():\n    2\n"},
		{"anchor repeated as context", class, update("@@ class B:\n class B:\n-  def f():\n+  def g():\n"),
			"class A:\n  def f():\n    pass\nclass B:\n  def g():\n    pass\n"},
		{"anchor of the hunk before", class, update("@@ class B:\n-  def f():\n+  def g():\n@@ class B:\n-    pass\n+    go()\n"),
			"class A:\n  def f():\n    pass\nclass B:\n  def g():\n    go()\n"},
		{"anchor missing", class, update("@@ class C:\n-    pass\n+    go()\n"), "!conflict 0 anchor \"class C:\" places [3 6]"},
		{"second anchor missing", class, update("@@ class B:\n@@ def g():\n-    pass\n+    go()\n"),
			"!conflict 0 anchor \"def g():\" places [3 6]"},
		{"anchors in one line", class, update("@@ class B: @@ def f():\n-    pass\n+    go()\n"),
			"class A:\n  def f():\n    pass\nclass B:\n  def f():\n    go()\n"},
		{"anchors in one line, of which one is missing", class, update("@@ class C @@ def f():\n-    pass\n+    go()\n"),
			"!conflict 0 anchor \"class C\" places [3 6]"},
		{"insertion after anchors in one line", class, update("@@ class B: @@ def f():\n+    go()\n"),
			"class A:\n  def f():\n    pass\nclass B:\n  def f():\n    go()\n    pass\n"},
		{"anchor with @@ in it", "x @@ y\nx\ny\na\n", update("@@ x @@ y\n+b\n"), "x @@ y\nb\nx\ny\na\n"},
		{"anchor with @@ after it", class, update("@@ class B: @@\n-    pass\n+    go()\n"),
			"class A:\n  def f():\n    pass\nclass B:\n  def f():\n    go()\n"},
		{"insertion goes right after the anchor", abc, update("@@ a\n+x\n"), "a\nx\nb\nc\n"},
		{"insertion after stacked anchors", class, update("@@ class B:\n@@ def f():\n+    x\n"),
			"class A:\n  def f():\n    pass\nclass B:\n  def f():\n    x\n    pass\n"},
		{"insertion after part of a line", abc + "deed\n", update("@@ ee\n+x\n"), "!conflict 0 anchor \"ee\""},
		{"insertion without anchor", abc, update("@@\n+x\n"), "a\nb\nc\nx\n"},
		{"insertion without anchor, before other hunks", abc, update("@@\n+x\n@@\n a\n-b\n+B\n"), "a\nB\nc\nx\n"},
		{"insertion at the end, with a blank line last", "a\n\n", update("@@\n+x\n"), "a\n\nx\n"},
		{"insertion into an empty file", "", update("@@\n+x\n"), "x\n"},

		{"end of file", "a\nb\na\n", update("@@\n-a\n+Z\n*** End of File\n"), "a\nb\nZ\n"},
		{"end of file, elsewhere only", "a\nb\n", update("@@\n-a\n+Z\n*** End of File\n"), "!conflict 0 places [1]"},
		{"hunk after end of file", "a\nb\n", update("@@\n-a\n+A\n*** End of File\n@@\n-b\n+B\n"), "!conflict 0 places [1]"},
		{"end of file, then another file's hunks", "a\nb\n", update("@@\n-b\n+B\n*** End of File\n@@\n+c\n"), "a\nB\nc\n"},
		{"append at end of file", "a\nb\n", update("@@\n b\n+c\n*** End of File\n"), "a\nb\nc\n"},
		{"the blank line after the last line end", "a\nb\n", update("@@\n b\n+c\n \n*** End of File\n"), "a\nb\nc\n"},

		{"no final newline stays so", "a\nb", update("@@\n-b\n+B\n"), "a\nB"},
		{"no final newline, context last", "a\nb", update("@@\n-a\n+A\n b\n"), "A\nb"},
		{"no final newline, append", "a\nb", update("@@\n b\n+c\n"), "a\nb\nc"},
		{"no final newline, insertion", "a\nb", update("@@\n+c\n+d\n"), "a\nb\nc\nd"},
		{"no final newline, last line deleted", "a\nb", update("@@\n a\n-b\n"), "a\n"},
		{"final newline stays", "a\nb\n", update("@@\n-b\n+B\n"), "a\nB\n"},
		{"final blank lines stay", "a\nb\n\n\n", update("@@\n-b\n+B\n"), "a\nB\n\n\n"},
		{"all lines deleted", "a\nb\n", update("@@\n-a\n-b\n"), ""},
		{"final newline taken away by a mark", "a\nb\n", update("@@\n-b\n+B\n\\ No newline at end of file\n"), "a\nB"},

		{"CRLF file", "a\r\nb\r\nc\r\n", update("@@\n a\n-b\n+B\n+D\n"), "a\r\nB\r\nD\r\nc\r\n"},
		{"CRLF patch", abc, strings.ReplaceAll(update("@@\n a\n-b\n+B\n"), "\n", "\r\n"), "a\nB\nc\n"},
		{"CRLF patch and file", "a\r\nb\r\n", strings.ReplaceAll(update("@@\n a\n-b\n+B\n"), "\n", "\r\n"), "a\r\nB\r\n"},
		{"each line keeps its end", "a\nb\r\nc\nd\r\n", update("@@\n a\n-b\n-c\n+B\n+C\n+D\n d\n"), "a\nB\r\nC\nD\nd\r\n"},
		{"insertion takes the neighbour's end", "a\r\nb\n", update("@@ a\n+x\n"), "a\r\nx\r\nb\n"},
		{"append to CRLF without final newline", "a\r\nb", update("@@\n b\n+c\n+d\n"), "a\r\nb\r\nc\r\nd"},
		{"byte order mark stays", "\xef\xbb\xbfa\nb\n", update("@@\n-a\n+A\n b\n"), "\xef\xbb\xbfA\nb\n"},
		{"byte order mark, insertion at the top", "\xef\xbb\xbfa\n", update("@@\n+z\n a\n"), "\xef\xbb\xbfz\na\n"},
		{"other bytes stay", "\xe9\nb\n", update("@@\n-b\n+B\n"), "\xe9\nB\n"},
		{"context of other bytes", "\xe9\nb\n", update("@@\n \xe9\n-b\n+B\n"), "\xe9\nB\n"},

		{"blank line without its space", "a\n\nb\n", update("@@\n a\n\n-b\n+B\n"), "a\n\nB\n"},
		{"blank line between hunks", abc, update("@@\n-a\n+A\n\n@@\n-c\n+C\n\n"), "A\nb\nC\n"},
		{"blank line between hunks that is there", "a\n\nc\n", update("@@\n-a\n+A\n\n@@\n-c\n+C\n"), "A\n\nC\n"},
		{"context only", abc, update("@@\n a\n b\n"), abc},
		{"lines that look like markers", "*** End Patch\n@@\n", update("@@\n-*** End Patch\n+*** Begin Patch\n @@\n"), "*** Begin Patch\n@@\n"},
		{"context that looks like a marker, before the end", "b\n*** End of File\n*** End Patch\n",
			update("@@\n-b\n+B\n *** End of File\n *** End Patch\n"), "B\n*** End of File\n*** End Patch\n"},
		{"context that looks like a marker", "*** End Patch\nb\n", update("@@\n *** End Patch\n-b\n+B\n"), "*** End Patch\nB\n"},
		{"numbers choose", "a\nb\na\nb\na\n", update("@@ -3,1 +3,1 @@\n-a\n+A\n"), "a\nb\nA\nb\na\n"},
		{"numbers of 0 don't choose", "a\nb\na\n", update("@@ -0,0 +0,0 @@\n-a\n+A\n"), "!ambiguous [1 3]"},
		{"numbers that are off", abc, update("@@ -90,3 +90,3 @@ f\n a\n-b\n+B\n"), "a\nB\nc\n"},

		{"add", "", "*** Begin Patch\n*** Add File: x\n+a\n+\n+b\n*** End Patch", "a\n\nb\n"},
		{"add an empty file", "", "*** Begin Patch\n*** Add File: x\n*** End Patch", ""},
		{"add, blank line without plus", "", "*** Begin Patch\n*** Add File: x\n+a\n\n+b\n\n*** End Patch", "a\n\nb\n"},
		{"add with @@", "", "*** Begin Patch\n*** Add File: x\n@@\n+a\n*** End Patch", "a\n"},
		{"add without final newline", "", "*** Begin Patch\n*** Add File: x\n+a\n\\ No newline at end of file\n*** End Patch", "a"},
		{"add of marker lines", "", "*** Begin Patch\n*** Add File: x\n+*** End Patch\n+-- a\n*** End Patch", "*** End Patch\n-- a\n"},
		{"add with end of file", "", "*** Begin Patch\n*** Add File: x\n+a\n*** End of File\n*** End Patch", "a\n"},
		{"delete", abc, "*** Begin Patch\n*** Delete File: x\n*** End Patch", ""},
		{"rename only", abc, update("*** Move to: y\n"), abc},
		{"move and change", abc, update("*** Move to: y\n@@\n-b\n+B\n"), "a\nB\nc\n"},

		{"here document", abc, "apply_patch <<'EOF'\n" + update("@@\n-b\n+B\n") + "EOF\n", "a\nB\nc\n"},
		{"here document of a shell", abc, "bash -lc \"apply_patch <<\\\"PATCH\\\"\n" + update("@@\n-b\n+B\n") + "PATCH\"\n", "a\nB\nc\n"},
		{"argument of a command", abc, "apply_patch '*** Begin Patch\n*** Update File: x\n@@\n-b\n+B\n*** End Patch'", "a\nB\nc\n"},
		{"fence and prose", abc, "Here it is:\n\n```patch\n" + update("@@\n-b\n+B\n") + "```\nDone.\n", "a\nB\nc\n"},
		{"environment", abc, "*** Begin Patch\n*** Environment ID: e1\n*** Update File: x\n@@\n-b\n+B\n*** End Patch", "a\nB\nc\n"},
		{"markers with blanks around", abc, "\n  *** Begin Patch \n  *** Update File:   x  \n@@\n-b\n+B\n *** End Patch \n\n", "a\nB\nc\n"},
		{"no first and last line", abc, "*** Update File: x\n@@\n-b\n+B\n", "a\nB\nc\n"},
		{"no first and last line, fenced", abc, "```\n*** Update File: x\n@@\n-b\n+B\n```\n", "a\nB\nc\n"},
		{"no line end at all", abc, "*** Begin Patch\n*** Update File: x\n@@\n-b\n+B\n*** End Patch", "a\nB\nc\n"},

		{"cut off", abc, "*** Begin Patch\n*** Update File: x\n@@\n-b\n+B", "!line 5: the patch ends without \"*** End Patch\""},
		{"nothing", "", "*** Begin Patch\n*** End Patch\n", "!line 1: the patch names no file"},
		{"no hunks", "", update(""), "!line 2: nothing follows that changes the file"},
		{"no name", "", "*** Begin Patch\n*** Delete File: \n*** End Patch", "!line 2: the file has no name"},
		{"no new name", "", update("*** Move to:\n"), "!line 3: the file has no name"},
		{"line without mark", "", update("@@\n a\nb\n"), "!line 5: a line of a hunk begins with \"+\", \"-\" or, if it stays, a space"},
		{"tab without mark", "", update("@@\n a\n\tb\n"), "!line 5: a line of a hunk begins with \"+\", \"-\" or, if it stays, a space"},
		{"dots for lines", abc, update("@@\n-a\n...\n-c\n"), "!line 5: dots don't replace lines: what follows them is another hunk, under " +
			"its own \"@@\""},
		{"hunk without lines", "", update("@@\n@@ a\n"), "!line 3: the hunk has no lines"},
		{"hunk without @@", "", update("@@\n-a\n*** End of File\n-b\n"), "!line 6: a hunk begins with \"@@\""},
		{"unknown marker", "", update("*** Replace: a\n"), "!line 3: expected \"*** Add File:\", \"*** Update File:\", \"*** Delete File:\" or " +
			"\"*** End Patch\""},
		{"text in a new file", "", "*** Begin Patch\n*** Add File: x\n+a\nb\n*** End Patch", "!line 4: a line of a new file begins with \"+\""},
		{"nothing but text in a new file", "", "*** Begin Patch\n*** Add File: x\na\n*** End Patch",
			"!line 3: a line of a new file begins with \"+\""},
		{"rename", "", "*** Begin Patch\n*** Rename File: x -> y\n*** End Patch",
			"!line 2: a file moves by a line \"*** Move to:\" under its \"*** Update File:\""},
		{"a diff after it", abc, update("@@\n-b\n+B\n") + "--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
			"!line 7: a diff follows a patch in another format: send them separately"},
		{"lines under a deletion", "", "*** Begin Patch\n*** Delete File: x\n-a\n*** End Patch",
			"!line 3: expected \"*** Add File:\", \"*** Update File:\", \"*** Delete File:\" or \"*** End Patch\""},
	}
}

func TestBeginPatch(t *testing.T) {
	for _, tt := range beginCases() {
		t.Run(tt.name, func(t *testing.T) { checkPatchCase(t, tt, "begin_patch") })
	}
}

func checkPatchCase(t *testing.T, tt applyCase, format string) {
	t.Helper()
	before := strings.Clone(tt.patch)
	patch, err := Parse([]byte(tt.patch))
	if err == nil && patch.Format != format && !(format == "unified" && patch.Format == "git") {
		t.Errorf("format %q", patch.Format)
	}
	if err == nil && len(patch.Files) != 1 {
		t.Fatalf("%d files", len(patch.Files))
	}
	got := ""
	if err == nil {
		got, err = applyFirst(patch, tt.old)
	}
	if err != nil {
		got = "!" + describePatchError(err)
	}
	if got != tt.want {
		t.Errorf("got  %q\nwant %q", got, tt.want)
	}
	if before != tt.patch {
		t.Error("the patch was written to")
	}
}

func applyFirst(patch *Patch, old string) (string, error) {
	out, results, err := patch.Files[0].Apply(context.Background(), []byte(old), Options{})
	if err != nil {
		return "", err
	}
	if len(results) != len(patch.Files[0].Hunks) {
		return "", fmt.Errorf("%d results", len(results))
	}
	return string(out), nil
}

func describePatchError(err error) string {
	var conflict *ConflictError
	switch {
	case !errors.As(err, &conflict):
		return err.Error()
	case conflict.Ambiguous:
		return fmt.Sprintf("ambiguous %d", conflict.Hunks[0].Places)
	}
	text := "conflict"
	for _, h := range conflict.Hunks {
		text += fmt.Sprintf(" %d", h.Hunk)
		if h.Anchor != "" {
			text += fmt.Sprintf(" anchor %q", h.Anchor)
		}
		if h.OutOfOrder {
			text += " out of order"
		}
		if h.AlreadyApplied {
			text += " applied"
		}
		if h.Places != nil {
			text += fmt.Sprintf(" places %d", h.Places)
		}
	}
	if conflict.Remains > 0 {
		text += fmt.Sprintf(" remains %d", conflict.Remains)
	}
	return text
}

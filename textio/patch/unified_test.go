package patch

import (
	"fmt"
	"strings"
	"testing"
)

func unifiedCases() []applyCase {
	abc := "a\nb\nc\n"
	diff := func(body string) string { return "--- a/x\n+++ b/x\n" + body }
	git := func(header, body string) string { return "diff --git a/x b/x\n" + header + body }
	long := "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	var cases []applyCase
	for _, ranges := range []string{"-3+3", "-3,1+3,1", "-3 +3,1,", "-3 +3,1:", "-3 +3,1;", "-3 +3,1)", "-3 +3,1...", "-3 +3,1…",
		"-3 +3,1-@@", "-3 +3,1/@@", "-3\t+3\t@@", "-3 +3,1\u00a0@@", "-3 +3,1,5 @@"} {
		cases = append(cases, applyCase{"ranges as in " + ranges, "a\nb\na\n", diff("@@ " + ranges + "\n-a\n+A\n"), "a\nb\nA\n"})
	}
	return append(cases, []applyCase{
		{"replace", abc, diff("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"), "a\nB\nc\n"},
		{"git", abc, git("index 1..2 100644\n", diff("@@ -1,3 +1,3 @@ f()\n a\n-b\n+B\n c\n")), "a\nB\nc\n"},
		{"two hunks", long, diff("@@ -1,2 +1,2 @@\n-1\n+a\n 2\n@@ -8,2 +8,2 @@\n 8\n-9\n+i\n"), "a\n2\n3\n4\n5\n6\n7\n8\ni\n"},
		{"hunks out of order", long, diff("@@ -8,2 +8,2 @@\n 8\n-9\n+i\n@@ -1,2 +1,2 @@\n-1\n+a\n 2\n"), "a\n2\n3\n4\n5\n6\n7\n8\ni\n"},
		{"no final newline in the patch", abc, diff("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c"), "a\nB\nc\n"},
		{"blank line as context", "a\n\nc\n", diff("@@ -1,3 +1,3 @@\n a\n\n-c\n+C\n"), "a\n\nC\n"},
		{"blank lines after wrong counts", abc, diff("@@ -1,9 +1,9 @@\n a\n-b\n+B\n\n\n"), "a\nB\nc\n"},
		{"blank line that the counts count", abc, diff("@@ -1,3 +1,3 @@\n a\n-b\n+B\n\n\n"), "a\nB\nc\n"},

		{"counts too small", abc, diff("@@ -1,2 +1,2 @@\n a\n-b\n+B\n c\n"), "a\nB\nc\n"},
		{"counts too large", abc, diff("@@ -1,30 +1,30 @@\n a\n-b\n+B\n c\n"), "a\nB\nc\n"},
		{"counts wrong, then a file", abc, diff("@@ -1,9 +1,9 @@\n a\n-b\n+B\n c\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n"), "files 2"},
		{"counts too small, blank line", "a\nb\n\nc\n", diff("@@ -1,2 +1,2 @@\n a\n-b\n+B\n\n-c\n+C\n"), "a\nB\n\nC\n"},
		{"counts tell a deleted line from a header", "-- y\nb\n", diff("@@ -1,2 +1,2 @@\n--- y\n+++ z\n b\n"), "++ z\nb\n"},
		{"lines between hunks tell changed lines from a header", "-- q\nx\nx\nx\n",
			diff("@@ -1 +1 @@\n--- q\n+++ q\n@@ -4 +4 @@\n-x\n+y\n"), "++ q\nx\nx\ny\n"},
		{"a file without prefixes after wrong counts", abc, diff("@@ -2,2 +2,2 @@\n-b\n+B\n--- q\n+++ q\n@@ -1 +1 @@\n-x\n+y\n"), "files 2"},
		{"a count of 0 with old lines", "a\nb\na\nc\n", diff("@@ -1,0 +1,1 @@\n a\n+x\n"), "a\nx\nb\na\nc\n"},
		{"no counts", abc, diff("@@ -2 +2 @@\n-b\n+B\n"), "a\nB\nc\n"},
		{"bare @@", abc, diff("@@\n a\n-b\n+B\n"), "a\nB\nc\n"},
		{"@@ @@", abc, diff("@@ @@\n a\n-b\n+B\n"), "a\nB\nc\n"},
		{"@@ ... @@", abc, diff("@@ ... @@ f()\n a\n-b\n+B\n"), "a\nB\nc\n"},
		{"@@ -,+ @@", abc, diff("@@ -0,0 +0,0 @@\n a\n-b\n+B\n"), "a\nB\nc\n"},
		{"numbers of 0 don't choose", "a\nb\na\n", diff("@@ -0,0 +0,0 @@\n-a\n+A\n"), "!ambiguous [1 3]"},
		{"letters for numbers", abc, diff("@@ -X,Y +X,Y @@\n a\n-b\n+B\n"), "a\nB\nc\n"},
		{"unclosed ranges", abc, diff("@@ -1,3 +1,3\n a\n-b\n+B\n c\n"), "a\nB\nc\n"},
		{"bare @@ in several places", "a\nb\na\n", diff("@@ @@\n-a\n+A\n"), "!ambiguous [1 3]"},
		{"section chooses", "f\na\ng\na\n", diff("@@ ... @@ g\n-a\n+A\n"), "f\na\ng\nA\n"},
		{"section that isn't there", abc, diff("@@ ... @@ g\n-a\n+A\n"), "A\nb\nc\n"},
		{"bare insertion", abc, diff("@@ @@\n+d\n"), "a\nb\nc\nd\n"},

		{"moved down", "0\n0\na\nb\nc\n", diff("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"), "0\n0\na\nB\nc\n"},
		{"moved up", "4\n5\n6\n7\n", diff("@@ -4,3 +4,3 @@\n 4\n-5\n+V\n 6\n"), "4\nV\n6\n7\n"},
		{"the nearest", "a\nx\n1\n2\na\nx\n3\na\nx\n4\n", diff("@@ -4,2 +4,2 @@\n-a\n+A\n x\n"), "a\nx\n1\n2\nA\nx\n3\na\nx\n4\n"},
		{"equally near above and below", "1\na\nx\n2\n3\na\nx\n4\n", diff("@@ -4,2 +4,2 @@\n-a\n+A\n x\n"), "!ambiguous [2 6]"},
		{"as written, though it fits elsewhere", "a\nx\na\nx\na\nx\n", diff("@@ -3,2 +3,2 @@\n-a\n+A\n x\n"), "a\nx\nA\nx\na\nx\n"},
		{"no context behind, but not at the end", long, diff("@@ -4,2 +4,2 @@\n 4\n-5\n+V\n"), "1\n2\n3\n4\nV\n6\n7\n8\n9\n"},
		{"no context behind, fits at the end too", "a\nb\nc\na\nb\n", diff("@@ -1,2 +1,2 @@\n a\n-b\n+B\n"), "!ambiguous [1 4]"},
		{"no context before, but not at the top", "0\na\nb\n", diff("@@ -1,2 +1,2 @@\n-a\n+A\n b\n"), "0\nA\nb\n"},
		{"deletion without context", long, diff("@@ -4 +3,0 @@\n-4\n"), "1\n2\n3\n5\n6\n7\n8\n9\n"},
		{"insertion without context", abc, diff("@@ -1,0 +2 @@\n+x\n"), "a\nx\nb\nc\n"},
		{"insertion without context, by a new number that contradicts the old one", abc, diff("@@ -1,0 +1,1 @@\n+x\n"), "x\na\nb\nc\n"},
		{"insertion without context at the top", abc, diff("@@ -0,0 +1 @@\n+x\n"), "x\na\nb\nc\n"},
		{"old lines counted, none shown", abc, diff("@@ -2,7 +2,1 @@\n+x\n\n"),
			"!line 3: the header counts 7 old lines, and the hunk shows none"},
		{"insertion beyond the end", abc, diff("@@ -90,0 +91 @@\n+x\n"), "a\nb\nc\nx\n"},
		{"two insertions in one place", abc, diff("@@ -1,0 +2 @@\n+x\n@@ -1,0 +3 @@\n+y\n"), "a\nx\ny\nb\nc\n"},
		{"before the lines of the hunk before", "3\nx\n1\ny\n", diff("@@ -1 +1 @@\n-1\n+one\n@@ -3 +3 @@\n-3\n+three\n"),
			"!conflict 1 out of order places [1]"},
		{"on lines of the hunk before only", "0\n1\n", diff("@@ -2 +2 @@\n-1\n+one\n@@ -3 +3 @@\n-1\n+two\n"),
			"!conflict 1 out of order places [2]"},
		{"insertion after a hunk that moved", "0\n0\n0\n0\na\n", diff("@@ -1 +1,3 @@\n-a\n+A\n+A\n+A\n@@ -2,0 +5 @@\n+x\n"),
			"0\n0\n0\n0\nA\nA\nA\nx\n"},
		{"insertion among a hunk's lines", "0\n0\na\n0\n", diff("@@ -1 +1,3 @@\n-a\n+A\n+A\n+A\n@@ -2,0 +5 @@\n+x\n"), "0\n0\nA\nA\nA\nx\n0\n"},
		{"miss", abc, diff("@@ -1,3 +1,3 @@\n a\n-q\n+B\n c\n"), "!conflict 0"},
		{"miss and several", "a\nb\na\n", diff("@@ @@\n-q\n+B\n@@ @@\n-a\n+A\n"), "!conflict 0 1 places [1 3]"},
		{"applied already", "alpha\nBETA!\n", diff("@@ -1,2 +1,2 @@\n alpha\n-beta!\n+BETA!\n"), "!conflict 0 applied"},

		{"final newline taken away", "a\nb\n", diff("@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"), "a\nb"},
		{"final newline given", "a\nb", diff("@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"), "a\nb\n"},
		{"no final newline on both sides", "a\nb", diff("@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n"), "A\nb"},
		{"mark, but there is a newline", "a\nb\n", diff("@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n"), "A\nb\n"},
		{"mark, but the file goes on", "a\nb\nc\n", diff("@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n"), "A\nb\nc\n"},
		{"mark, but the CRLF file goes on", "a\r\nb\r\nc\r\n", diff("@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+B\n\\ No newline at end " +
			"of file\n"), "a\r\nB\r\nc\r\n"},
		{"mark, here and at the end", "a\nb\nc\na\nb", diff("@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n"), "a\nb\nc\nA\nb"},
		{"mark on the last line added, which fits at the end, too", "a\nb\na\n", diff("@@ -1 +1 @@\n-a\n+A\n\\ No newline at end of file\n"),
			"a\nb\nA"},
		{"mark on an insertion", "a\nb\n", diff("@@ -1,0 +2 @@\n+x\n\\ No newline at end of file\n"), "a\nb\nx"},
		{"mark on the new side, but no newline before", "a\nb", diff("@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n"),
			"!conflict 0"},
		{"mark in the middle of the file", "a\nb\nc\n", diff("@@ -1,2 +1,2 @@\n a\n-b\n+B\n\\ No newline at end of file\n"), "a\nB\nc\n"},
		{"no mark and no newline", "a\nb", diff("@@ -1,2 +1,2 @@\n a\n-b\n+B\n"), "a\nB"},
		{"no mark and no newline, append", "a\nb", diff("@@ -1,2 +1,3 @@\n a\n b\n+c\n"), "a\nb\nc"},

		{"LF patch, CRLF file", "a\r\nb\r\nc\r\n", diff("@@ -1,3 +1,4 @@\n a\n-b\n+B\n+D\n c\n"), "a\r\nB\r\nD\r\nc\r\n"},
		{"CRLF patch, LF file", abc, strings.ReplaceAll(diff("@@ -1,3 +1,4 @@\n a\n-b\n+B\n+D\n c\n"), "\n", "\r\n"), "a\nB\nD\nc\n"},
		{"CRLF patch, CRLF file", "a\r\nb\r\n", strings.ReplaceAll(diff("@@ -1,2 +1,2 @@\n a\n-b\n+B\n"), "\n", "\r\n"), "a\r\nB\r\n"},
		{"CRLF lines only", "a\r\nb\r\n", diff("@@ -1,2 +1,3 @@\n a\r\n-b\r\n+B\r\n+lf\n"), "a\r\nB\r\nlf\n"},
		{"CRLF lines, LF file", "a\nb\n", diff("@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n"), "a\nB\n"},
		{"line ends changed", "a\r\nb\r\n", diff("@@ -1,2 +1,2 @@\n-a\r\n-b\r\n+a\n+b\n"), "a\nb\n"},
		{"insertion into CRLF without context", "a\r\nb\r\n", diff("@@ -1,0 +2 @@\n+x\n"), "a\r\nx\r\nb\r\n"},
		{"the same by git", "a\r\nb\r\n", git("", diff("@@ -1,0 +2 @@\n+x\n")), "a\r\nx\nb\r\n"},
		{"byte order mark in the patch", "\xef\xbb\xbfa\n", diff("@@ -1 +1 @@\n-\xef\xbb\xbfa\n+b\n"), "b\n"},

		{"add", "", "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n", "a\nb\n"},
		{"add without final newline", "", git("new file mode 100755\n",
			"--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n"), "a"},
		{"add an empty file", "", git("new file mode 100644\nindex 0000000..e69de29\n", ""), ""},
		{"delete", "a\nb\n", "--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", ""},
		{"delete with a byte order mark", "\xef\xbb\xbfa\n", "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", ""},
		{"delete what has more lines", "a\nb\nc\n", "--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", "!conflict remains 1"},
		{"delete what has other lines", "a\nx\n", "--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", "!conflict 0"},
		{"delete an empty file", "", git("deleted file mode 100644\nindex e69de29..0000000\n", ""), ""},
		{"delete an empty file that isn't", "a\n", git("deleted file mode 100644\nindex e69de29..0000000\n", ""), "!conflict remains 1"},
		{"delete without content", "a\n", git("deleted file mode 100644\nindex 1234567..0000000\n", ""), "!conflict remains 1"},
		{"delete without content or id", "a\nb", git("deleted file mode 100644\n", ""), "!conflict remains 2"},
		{"delete of an empty file without id", "", git("deleted file mode 100644\n", ""), ""},
		{"delete by names alone", "\x00", git("", "--- a/x\n+++ /dev/null\n"), "!conflict remains 1"},
		{"rename alone", "\x00", "diff --git a/x b/y\nsimilarity index 60%\nrename from x\nrename to y\nindex 1234567..89abcde 100644\n", "\x00"},
		{"rename and delete", "", git("deleted file mode 100644\nrename from x\nrename to y\n", ""),
			"!line 1: a file can't be renamed and created or deleted at once"},
		{"rename and create", "", git("new file mode 100644\nrename from x\nrename to y\n", ""),
			"!line 1: a file can't be renamed and created or deleted at once"},
		{"mode alone", "\x00", git("old mode 100644\nnew mode 100755\n", ""), "\x00"},
		{"rename", abc, "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n", abc},
		{"mode", abc, git("old mode 100644\nnew mode 100755\n", ""), abc},

		{"prose and signature", abc, "From 1234 Mon Sep 17 00:00:00 2001\nSubject: x\n\n- a list\n---\n x | 2 +-\n\n" +
			git("index 1..2 100644\n", diff("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n-- \n2.39.5\n\n")), "a\nB\nc\n"},
		{"signature after wrong counts", abc, diff("@@ -1,5 +1,5 @@\n a\n-b\n+B\n c\n-- \n2.39.5\n"), "a\nB\nc\n"},
		{"fence", abc, "This:\n```diff\n" + diff("@@ -1,9 +1,9 @@\n a\n-b\n+B\n c\n```\nthat is all\n"), "a\nB\nc\n"},
		{"prose after right counts", abc, diff("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n\nThat is all.\n"), "a\nB\nc\n"},
		{"here document", abc, "git apply <<'EOF'\n" + diff("@@ -1,9 +1,9 @@\n a\n-b\n+B\nEOF\n"), "a\nB\nc\n"},

		{"no patch", "", "hello\n", "!line 1: this is not a patch: neither \"--- \" and \"+++ \" lines nor \"*** Begin Patch\""},
		{"empty", "", "", "!line 1: this is not a patch: neither \"--- \" and \"+++ \" lines nor \"*** Begin Patch\""},
		{"no header", "", "@@ -1 +1 @@\n-a\n+b\n", "!line 1: no file is named before this hunk, by a \"--- \" and a \"+++ \" line"},
		{"no hunks", "", diff(""), "!line 1: nothing follows that changes the file"},
		{"hunk without lines", "", diff("@@ -1 +1 @@\n"), "!line 3: the hunk has no lines"},
		{"no +++", "", "diff --git a/x b/x\n--- a/x\n@@ -1 +1 @@\n-a\n+b\n", "!line 3: a \"+++ \" line is missing"},
		{"binary", "", git("index 1..2\nGIT binary patch\nliteral 3\n", ""), "!line 3: binary patches are not supported"},
		{"binary notice", "", git("index 1..2\nBinary files a/x and b/x differ\n", ""), "!line 3: binary patches are not supported"},
		{"binary notice of diff -r", "", "Binary files a/x and b/x differ\n", "!line 1: binary patches are not supported"},
		{"copy", "", "diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n",
			"!line 3: copies are not supported; add the new file instead"},
		{"merge", "", "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n", "!line 1: the diff of a merge can't be applied"},
		{"context diff", "", "*** a/x\n--- b/x\n***************\n", "!line 3: context diffs are not supported, only unified ones"},
		{"symbolic link", "", git("new file mode 120000\n", "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+/etc\n"),
			"!line 2: only regular files can be patched, not symbolic links or submodules"},
		{"bad mode", "", git("new file mode 9\n", ""), "!line 2: the file mode is not an octal number"},
		{"line without mark", "", diff("@@ -1,3 +1,3 @@\n a\n-b\n+B\nc\n"),
			"!line 7: a line of a hunk begins with \"+\", \"-\" or, if it stays, a space"},
		{"dots for lines", "", diff("@@ ... @@\n-a\n...\n-c\n"),
			"!line 5: dots don't replace lines: what follows them is another hunk, under its own \"@@\""},
		{"prose after wrong counts", "", diff("@@ -1,9 +1,9 @@\n-a\n+b\n\nThis does it.\n"),
			"!line 7: a line of a hunk begins with \"+\", \"-\" or, if it stays, a space"},
		{"no @@", "", diff("-a\n+b\n"), "!line 3: a hunk begins with \"@@\""},
		{"no @@ after a git header", "", git("index 1..2 100644\n", diff("-a\n+b\n")), "!line 5: a hunk begins with \"@@\""},
		{"no @@ and no names", "", git("", "-a\n+b\n"), "!line 2: a hunk begins with \"@@\""},
		{"no @@ before context", "", git("", diff(" a\n-b\n+B\n")), "!line 4: a hunk begins with \"@@\""},
		{"a signature after an empty file", "", git("new file mode 100644\n", "-- \nThe Company\n- Bob\n"), ""},
		{"text with dashes after an empty file", "", git("new file mode 100644\n", "-----BEGIN PGP SIGNATURE-----\n"), ""},
		{"a list after a rename", abc, git("rename from x\nrename to y\n", "- done\n"), abc},
		{"no @@ after a rename", abc, git("rename from x\nrename to y\n", "- a\n+ b\n"), "!line 4: a hunk begins with \"@@\""},
		{"no @@ before an indented line", abc, git("rename from x\nrename to y\n", "-   a\n"), "!line 4: a hunk begins with \"@@\""},
		{"a number in a signature", "", git("new file mode 100644\n", "-- \n+49 30 1234\n"), ""},
		{"no @@ of a new file", "", git("new file mode 100644\n", "--- /dev/null\n+++ b/x\n+a\n"), "!line 5: a hunk begins with \"@@\""},
		{"no @@ after modes", "", git("old mode 100644\nnew mode 100755\n", "-a\n+b\n"), "!line 4: a hunk begins with \"@@\""},
		{"signature after modes", abc, git("old mode 100644\nnew mode 100755\n", "-- \n2.39.5\n\n"), abc},
		{"indented", "", "  --- a/x\n  +++ b/x\n  @@ -1 +1 @@\n  -a\n  +b\n",
			"!line 1: the patch is indented: remove the blanks before its lines"},
		{"search and replace", "", "x.go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n",
			"!line 2: these search and replace blocks are not a patch"},
		{"line feeds written out, by git", "", `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n`,
			"!line 1: the patch is in one line, with \"\\n\" written out where a line should end"},
		{"line feeds of modes written out", "", `diff --git a/x b/x\nold mode 100644\nnew mode 100755`,
			"!line 1: the patch is in one line, with \"\\n\" written out where a line should end"},
		{"line feeds written out", "", `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n`,
			"!line 1: the patch is in one line, with \"\\n\" written out where a line should end"},
		{"the other form after it", "", diff("@@ -1 +1 @@\n-a\n+b\n*** Update File: y\n@@\n-a\n+b\n*** End Patch\n"),
			"!line 6: a patch in another format follows a diff: send them separately"},
		{"in the other form's envelope", "a\n", "*** Begin Patch\n*** Update File: x\n" + diff("@@ -1 +1 @@\n-a\n+b\n*** End Patch\n"), "b\n"},
		{"two in the other form's envelope", "", "*** Begin Patch\n*** Update File: x\n" +
			diff("@@ -1,9 +1,9 @@\n-a\n+b\n*** Update File: x\n"+diff("@@ -1 +1 @@\n-a\n+b\n*** End Patch\n")), "files 2"},
		{"a deletion in an envelope that isn't its own", "", "*** Begin Patch\n*** Update File: x\n" +
			diff("@@ -1,9 +1,9 @@\n-a\n+b\n*** Delete File: y\n*** End Patch\n"),
			"!line 8: a patch in another format follows a diff: send them separately"},
		{"new file with old lines", "", "--- /dev/null\n+++ b/x\n@@ -1 +1,2 @@\n a\n+b\n", "!line 3: a new file has no old lines"},
		{"deleted file with new lines", "", "--- a/x\n+++ /dev/null\n@@ -1,2 +1 @@\n a\n-b\n", "!line 3: a deleted file has no lines left"},
		{"from nothing to nothing", "", "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n",
			"!line 1: a file can't be created and deleted at once"},
		{"other name", "", "--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", "!line 1: the old and the new name differ: give the same name in both " +
			"lines, or, for a move, \"rename from\" and \"rename to\" lines"},
		{"half a rename", "", "diff --git a/x b/y\nrename from x\n", "!line 1: \"rename from\" and \"rename to\" go together"},
		{"bad quotes", "", "--- \"a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "!line 1: a file name is missing or badly quoted"},
	}...)
}

func TestUnifiedPatch(t *testing.T) {
	for _, tt := range unifiedCases() {
		t.Run(tt.name, func(t *testing.T) {
			if strings.HasPrefix(tt.want, "files ") {
				patch, err := Parse([]byte(tt.patch))
				if err != nil || fmt.Sprint("files ", len(patch.Files)) != tt.want {
					t.Errorf("%v, %v", patch, err)
				}
				return
			}
			checkPatchCase(t, tt, "unified")
		})
	}
}

// TestPatchNames checks what is made of headers. Want is action, path, and where
// there are, the old path and modes.
func TestPatchNames(t *testing.T) {
	const hunk = "@@ -1 +1 @@\n-a\n+b\n"
	const added, deleted = "@@ -0,0 +1 @@\n+b\n", "@@ -1 +0,0 @@\n-b\n"
	for _, tt := range []struct{ header, want string }{
		{"--- a/x\n+++ b/x\n" + hunk, "update x"},
		{"--- x\n+++ x\n" + hunk, "update x"},
		{"--- i/x\n+++ w/x\n" + hunk, "update x"},
		{"--- c/x\n+++ i/x\n" + hunk, "update x"},
		{"--- b/x\n+++ a/x\n" + hunk, "update x"},
		{"--- linux-5.1/d/x\n+++ linux-5.2/d/x\n" + hunk, "update d/x"},
		{"--- a/a/x\n+++ b/a/x\n" + hunk, "update a/x"},
		{"--- a/x\n+++ a/x\n" + hunk, "update a/x"},
		{"--- a/x\n+++ x\n" + hunk, "update x"},
		{"--- x\n+++ b/x\n" + hunk, "update x"},
		{"--- x.orig\n+++ x\n" + hunk, "update x"},
		{"--- a/x.orig\n+++ b/x\n" + hunk, "update x"},
		{"--- /home/u/x\n+++ /home/u/x\n" + hunk, "update /home/u/x"},
		{"--- a/x y\t2024-01-01 00:00:00.000000000 +0000\n+++ b/x y\t2024-01-01 00:00:00.5 +0100\n" + hunk, "update x y"},
		{"--- a/x 2024-01-01 00:00:00.000000000 +0000\n+++ b/x 2024-01-01 00:00:00 +0000\n" + hunk, "update x"},
		{"--- x\t(revision 1)\n+++ x\t(working copy)\n" + hunk, "update x"},
		{"--- x\t(.../trunk/x)\t(revision 1)\n+++ x\t(.../branches/x)\t(revision 2)\n" + hunk, "update x"},
		{"--- x\t1 Jan 2024 10:00:00 -0000\t1.1\n+++ x\t2 Jan 2024 10:00:00 -0000\t1.2\n" + hunk, "update x"},
		{"--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n--- x\n+++ x\n" + hunk, "delete a/y"},
		{"--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n--- a/x\n+++ b/x\n" + hunk, "delete y"},
		{"--- a/x\ty\t(z)\tw\t2024-01-01 00:00:00 +0000\n+++ b/x\ty\t(z)\tw\t2024-01-01 00:00:00 +0000\n" + hunk, "update x\ty\t(z)\tw"},
		{"--- x\t2024/01/01 00:00:00\n+++ x\t2024/01/01 00:00:00\n" + hunk, "update x"},
		{"--- x\t1970-01-01 00:00:00.000000000 +0000\n+++ x\t2024-01-01 00:00:00 +0000\n" + added, "add x"},
		{"--- x\t2024-01-01 00:00:00 +0000\n+++ x\t1970-01-01 01:00:00.000000000 +0100\n" + deleted, "delete x"},
		{"--- x\n+++ x\n" + added, "update x"},
		{"--- /dev/null\n+++ b/x\n" + added, "add x"},
		{"--- /dev/null\n+++ x\n" + added, "add x"},
		{"--- /dev/null\n+++ b/x\n" + added + "--- a/y\n+++ b/y\n" + hunk, "add x"},
		{"--- a/x\n+++ /dev/null\n" + deleted, "delete x"},
		{"--- /dev/null\n+++ b/empty\n", "add empty"},
		{`--- "a/\303\244\t\"\\ \n"` + "\n" + `+++ "b/\303\244\t\"\\ \n"` + "\n" + hunk, "update ä\t\"\\ \n"},
		{`--- "a/\377"` + "\n" + `+++ "b/\377"` + "\n" + hunk, "update \xff"},
		{"diff --git a/x b/x\nnew file mode 100644\n", "add x 100644"},
		{"diff --git a/x b/x\nnew file mode 644\n--- /dev/null\n+++ b/x\n" + added, "add x 100644"},
		{"diff --git a/x b/x\ndeleted file mode 100755\n", "delete x was 100755"},
		{"diff --git b/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n" + added, "add b/x 100644"},
		{"diff --git a/b/x b/b/x\nnew file mode 100644\n--- /dev/null\n+++ b/b/x\n" + added, "add b/x 100644"},
		{"diff --git b/x a/x\ndeleted file mode 100644\n--- b/x\n+++ /dev/null\n" + deleted, "delete x was 100644"},
		{"diff --git x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n" + added, "add x 100644"},
		{"diff --git a/y b/y\nnew file mode 100644\n--- /dev/null\n+++ b/x\n" + added, "add x 100644"},
		{"diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", "mode x was 100644 100755"},
		{"diff --git a/x y b/x y\nold mode 100644\nnew mode 100755\n", "mode x y was 100644 100755"},
		{"diff --git x y x y\nold mode 100644\nnew mode 100755\n", "mode x y was 100644 100755"},
		{"diff --git a/x  b/x \nold mode 100644\nnew mode 100755\n", "mode x  was 100644 100755"},
		{`diff --git "a/\303\244" "b/\303\244"` + "\nold mode 100644\nnew mode 100755\n", "mode ä was 100644 100755"},
		{"diff --git src/x dst/x\nold mode 100644\nnew mode 100755\n", "mode x was 100644 100755"},
		{"diff --git a/x b/x \nold mode 100644\nnew mode 100755\n", "mode x was 100644 100755"},
		{"diff --git a/x b/x  \r\nold mode 100644\r\nnew mode 100755\r\n", "mode x was 100644 100755"},
		{"diff --git a/x y b/x y \nold mode 100644\nnew mode 100755\n", "mode x y was 100644 100755"},
		{"diff --git x/x y yyy/x y\nold mode 100644\nnew mode 100755\n", "mode x y was 100644 100755"},
		{"diff --git x/x yyy/x\nnew file mode 100644\n", "add x 100644"},
		{"diff --git x/x yyy/x\ndeleted file mode 100644\n", "delete x was 100644"},
		{"diff --git `x` `x`\nold mode 100644\nnew mode 100755\n", "mode `x` was 100644 100755"},
		{"diff --git \"a/x y\" b/x y\nold mode 100644\nnew mode 100755\n", "mode x y was 100644 100755"},
		{"diff --git a/x y \"b/x y\" \nold mode 100644\nnew mode 100755\n", "mode x y was 100644 100755"},
		{"diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\nindex 1..2 100644\n--- a/x\n+++ b/y\n" + hunk,
			"move y from x was 100644 100644"},
		{"diff --git a/x b/y\nrename from a/x\nrename to b/y\n", "move b/y from a/x"},
		{"diff --git a/x b/y\nold mode 100644\nnew mode 100755\nrename from \"\\303\\244\"\nrename to x y \n",
			"move x y  from ä was 100644 100755"},
		{"diff --git a/x b/y\n--- a/x\n+++ b/y\n" + hunk, "move y from x"},
		{"diff --git a/x b/x\nold mode 100644\nnew mode 100755\nindex 1..2\n--- a/x\n+++ b/x\n" + hunk, "update x was 100644 100755"},
		{"diff --git a/x b/x\nindex 1..2 100755\n--- a/x\n+++ b/x\n" + hunk, "update x was 100755 100755"},
		{"diff --git a/dev/null b/dev/null\nold mode 100644\nnew mode 100755\n", "mode dev/null was 100644 100755"},
		{"Index: x\n===================================================================\n--- x\t(revision 1)\n+++ x\t(working copy)\n" + hunk,
			"update x"},
		{"*** Begin Patch\n*** Update File: a/x y\n*** Move to: b/ü\n*** End Patch", "move b/ü from a/x y"},
		{"*** Begin Patch\n*** Update File: x\n*** Move to: x\n@@\n-a\n+b\n*** End Patch", "update x"},
		{"*** Begin Patch\n*** Delete File: x\n*** Add File: y\n+a\n*** End Patch", "delete x"},
	} {
		patch, err := Parse([]byte(tt.header))
		if err != nil {
			t.Errorf("%q: %v", tt.header, err)
			continue
		}
		if got := describeFile(&patch.Files[0]); got != tt.want {
			t.Errorf("%q:\ngot  %q\nwant %q", tt.header, got, tt.want)
		}
	}
}

func describeFile(f *File) string {
	text := f.Action + " " + f.Path
	if f.From != "" {
		text += " from " + f.From
	}
	if f.OldMode != 0 {
		text += fmt.Sprintf(" was %o", f.OldMode)
	}
	if f.NewMode != 0 {
		text += fmt.Sprintf(" %o", f.NewMode)
	}
	return text
}

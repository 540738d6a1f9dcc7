package commands

import (
	"fsbox/commands/answer"
	"fsbox/commands/cmdline"
	"fsbox/commands/verbs/rewrite"
	"io"
	"testing"
)

// TestPatchCommandLine checks where a command line has the patch come from: the same whether kong
// reads it or not.
func TestPatchCommandLine(t *testing.T) {
	const diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
	for _, tt := range []struct {
		args        []string
		plain       bool   // kong isn't needed
		text, file  string // what the request has
		stdin, dash bool
	}{
		{[]string{"patch"}, true, "", "", false, false},
		{[]string{"patch", "-"}, true, "", "", true, true},
		{[]string{"patch", "-", "--dry-run"}, true, "", "-", false, true},
		{[]string{"patch", "--match", "lenient", "-"}, true, "", "-", false, true},
		{[]string{"patch", "-", "--dry-run=false"}, false, "", "-", false, true},
		{[]string{"patch", "--json", "-"}, false, "", "", true, false},
		{[]string{"patch", "--json=-"}, true, "", "", true, false},
		{[]string{"patch", "--patch-file", "f"}, false, "", "f", false, false},
		{[]string{"patch", diff}, false, diff, "", false, false},
		{[]string{"patch", "--dry-run", diff}, false, diff, "", false, false},
		{[]string{"patch", "--patch", diff}, false, diff, "", false, false},
		{[]string{"patch", "--patch=" + diff}, false, diff, "", false, false},
		{[]string{"patch", "--", diff}, false, diff, "", false, false},
	} {
		if plain := compareWithKong(t, tt.args); plain != tt.plain {
			t.Errorf("%q: read without kong: %v", tt.args, plain)
		}
		inv, fail := cmdline.Parse(tt.args, Tools(), io.Discard)
		if fail != nil {
			t.Errorf("%q: %s", tt.args, fail.Message)
			continue
		}
		p := inv.Call.Request.(*rewrite.Patch)
		if p.Patch != tt.text || p.PatchFile != tt.file || inv.Stdin != tt.stdin || inv.Dash != tt.dash {
			t.Errorf("%q: %+v, stdin %v, dash %v", tt.args, p, inv.Stdin, inv.Dash)
		}
	}
	for _, args := range [][]string{
		{"patch", "--patch-file", "f", "-"}, {"patch", "--json", "{}", "-"}, {"patch", "--json", "{}", "-", "--dry-run"}, {"patch", "-", "-"},
		{"patch", "---x"},
	} {
		if inv, fail := cmdline.Parse(args, Tools(), io.Discard); fail == nil || fail.Code != answer.CodeInvalidInput {
			t.Errorf("%q: %+v, %v", args, inv, fail)
		}
	}
}

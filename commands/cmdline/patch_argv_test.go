package cmdline_test

import (
	"io"
	"testing"

	"fsbox/commands"
	"fsbox/commands/answer"
	"fsbox/commands/cmdline"
	"fsbox/commands/patch"
)

// TestPatchCommandLine checks where a command line has the patch come from: the same whether kong
// reads it or not.
func TestPatchCommandLine(t *testing.T) {
	const diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
	for _, tt := range []struct {
		args        []string
		text, file  string // what the request has
		stdin, dash bool
	}{
		{[]string{"patch"}, "", "", false, false},
		{[]string{"patch", "-"}, "", "", true, true},
		{[]string{"patch", "-", "--dry-run"}, "", "-", false, true},
		{[]string{"patch", "--match", "lenient", "-"}, "", "-", false, true},
		{[]string{"patch", "-", "--dry-run=false"}, "", "-", false, true},
		{[]string{"patch", "--json", "-"}, "", "", true, false},
		{[]string{"patch", "--json=-"}, "", "", true, false},
		{[]string{"patch", "--patch-file", "f"}, "", "f", false, false},
		{[]string{"patch", diff}, diff, "", false, false},
		{[]string{"patch", "--dry-run", diff}, diff, "", false, false},
		{[]string{"patch", "--patch", diff}, diff, "", false, false},
		{[]string{"patch", "--patch=" + diff}, diff, "", false, false},
		{[]string{"patch", "--", diff}, diff, "", false, false},
	} {
		if !compareWithKong(t, tt.args) {
			t.Errorf("%q is left to kong", tt.args)
		}
		inv, fail := cmdline.Parse(tt.args, commands.All(), io.Discard)
		if fail != nil {
			t.Errorf("%q: %s", tt.args, fail.Message)
			continue
		}
		p := inv.Call.Request.(*patch.Request)
		if p.Patch != tt.text || p.PatchFile != tt.file || inv.Stdin != tt.stdin || inv.Dash != tt.dash {
			t.Errorf("%q: %+v, stdin %v, dash %v", tt.args, p, inv.Stdin, inv.Dash)
		}
	}
	for _, args := range [][]string{
		{"patch", "--patch-file", "f", "-"}, {"patch", "--json", "{}", "-"}, {"patch", "--json", "{}", "-", "--dry-run"}, {"patch", "-", "-"},
		{"patch", "---x"},
	} {
		if inv, fail := cmdline.Parse(args, commands.All(), io.Discard); fail == nil || fail.Code != answer.CodeInvalidInput {
			t.Errorf("%q: %+v, %v", args, inv, fail)
		}
	}
}

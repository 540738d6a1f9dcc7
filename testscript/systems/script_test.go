// Package systems has the scripts about file systems and special files, and tests of mounts that
// hang and of systems that lack a home folder or system calls.
package systems

import (
	"testing"

	"fsbox/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, probes()) }

func TestScripts(t *testing.T) { testscript.Run(t) }

// TestScriptsBare runs a few scripts without a home folder: one for each way of reading and
// writing. See the flag -bare.
func TestScriptsBare(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	testscript.NeedsUnix(t, "a user without a home directory")
	testscript.RunBare(t, "../read/read.txtar", "../search/grep.txtar", "../write/write.txtar", "../edit/edit.txtar",
		"../files/move.txtar", "../undo/undo.txtar", "../requests/batch.txtar")
}

package systems

import (
	"flag"
	"path/filepath"
	"slices"
	"testing"

	"fsbox/testscript"
)

var without = flag.String("without", "",
	"run the scripts without these system calls, e.g. linkat=EPERM,rename-flags; all: every list of TestScriptsWithout")

// ways are the system calls that sandboxes, old kernels and odd file systems lack, with what they
// answer there.
var ways = []string{
	"openat2=ENOSYS", "openat2=EPERM",
	"statx=ENOSYS", "statx=EPERM",
	"rename-flags=EINVAL", "rename-flags=ENOSYS",
	"rename-exchange=EPERM", "rename-noreplace=EPERM", "rename-exchange=EACCES",
	"renameat2=ENOSYS", "renameat2=EPERM",
	"linkat=EPERM", "linkat=EOPNOTSUPP", "linkat=ENOSYS",
	"rename-flags=EINVAL,linkat=EPERM", "renameat2=EPERM,linkat=EOPNOTSUPP",
}

// The scripts that are tried: a run of the tests takes one of sample in each way, in turn, and the
// gate all of both.
var (
	sample     = []string{"../write/append.txtar", "../patch/patch.txtar"}
	gateSample = []string{"../files/move.txtar", "../write/write.txtar", "../files/copy.txtar", "../files/delete.txtar", "../undo/undo.txtar"}
)

// TestScriptsWithout runs scripts while the program lacks system calls. With -without it runs all
// of them.
func TestScriptsWithout(t *testing.T) {
	if testscript.Emulated() {
		t.Skip("an emulator has no seccomp")
	}
	lists := ways
	if *without != "" && *without != "all" {
		lists = []string{*without}
	}
	if testing.Short() {
		lists = lists[:1]
	}
	for i, list := range lists {
		t.Run(list, func(t *testing.T) { testscript.RunLacking(t, list, lackingSample(t, i)...) })
	}
}

// lackingSample are the scripts for list number i.
func lackingSample(t *testing.T, i int) []string {
	switch {
	case *without != "":
		all, err := filepath.Glob("../*/*.txtar")
		if err != nil {
			t.Fatal(err)
		}
		return all
	case testscript.Sweep():
		return slices.Concat(sample, gateSample)
	}
	return sample[i%2:][:1]
}

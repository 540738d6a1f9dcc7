package systems

import (
	"os/exec"
	"strings"
	"testing"

	"fsbox/testscript"
)

// rememberScript uses a folder in turn through two mounts, and prints what is read, and what fails.
const rememberScript = `mkdir real a b
for m in a b; do bindfs -o entry_timeout=60,negative_timeout=60,attr_timeout=60 real $m || exit 9; done
use() { at=$1; shift; fsbox -C $at --format text --allow-write --allow-delete --state-dir $PWD/state-$at "$@"; }
did() { use "$@" >out || { echo "$*"; cat out; }; }
has() { use $1 read $2; echo; }
for n in 1 2 3; do
	cat a/new$n b/new$n a/moved$n b/moved$n 2>/dev/null # now both remember that there is none
	did a write new$n --content one
	has b new$n
	did b append new$n --content ,two
	has a new$n
	did a edit new$n --expected-text one --replacement-text 1
	has b new$n
	did b move new$n moved$n
	has a moved$n
	did a append moved$n --content ,three
	did b edit moved$n --expected-text two,three --replacement-text 2,3
	has a moved$n
	did a delete moved$n
	did b write moved$n --content again
	has a moved$n
	use a undo >/dev/null && echo "undid the deletion of what the other has made again"
	has b moved$n
done
ls -A real; umount a b`

// TestRememberingMounts: through two mounts that remember names, missing names and attributes for a
// minute, as those of network file systems do, each call sees what was answered before through the
// other one.
func TestRememberingMounts(t *testing.T) {
	if _, err := exec.LookPath("bindfs"); err != nil || !testscript.Holds("can-mount") {
		t.Skip("needs bindfs, and mounts")
	}
	out, err := inMount(t, t.TempDir(), "true", rememberScript).CombinedOutput()
	if err != nil {
		t.Skipf("can't be had here: %v: %s", err, out)
	}
	want := strings.Repeat("one\none,two\n1,two\n1,two\n1,2,3\nagain\nagain\n", 3) + "moved1\nmoved2\nmoved3\n"
	if string(out) != want {
		t.Errorf("%s", out)
	}
}

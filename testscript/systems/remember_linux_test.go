package systems

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"fsbox/testscript"
)

// remembering are mounts at $m that remember as long as they can be told to.
var remembering = []struct {
	name, mount string
	cluster     *cluster
}{
	{"bindfs", "bindfs -o entry_timeout=60,negative_timeout=60,attr_timeout=60 real $m", nil},
	{"MooseFS", "mfsmount -H 10.9.0.1 -o mfsnice=0,mfscachemode=YES,mfsattrcacheto=60,mfsentrycacheto=60,mfsdirentrycacheto=60 " +
		"$PWD/$m >/dev/null 2>&1", &mooseFS},
	{"GlusterFS", "glusterfs -s 10.9.0.1 --volfile-id=/vol -l $PWD/gluster.log --attribute-timeout=60 --entry-timeout=60 --negative-timeout=60 $PWD/$m",
		&glusterFS},
	{"CephFS", "ceph-fuse -c served/ceph.conf $m >/dev/null 2>&1", &cephFS},
}

// rememberScript uses a folder in turn through two mounts, and prints what is read, and what fails.
const rememberScript = `mkdir real a b
for m in a b; do eval "$mount" || exit 9; done
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
ls -A a; umount a b`

// TestRememberingMounts: through two mounts that remember names, missing names and attributes for a
// minute, as those of network file systems do, each call sees what was answered before through the
// other one.
func TestRememberingMounts(t *testing.T) {
	if !testscript.Holds("can-mount") {
		t.Skip("can't mount")
	}
	for _, r := range remembering {
		t.Run(r.name, func(t *testing.T) {
			if r.cluster == nil {
				if _, err := exec.LookPath(r.name); err != nil {
					t.Skipf("needs %s", r.name)
				}
			} else if !testscript.Sweep() {
				t.Skip("needs -sweep")
			}
			base := t.TempDir()
			servers := r.cluster.start(t, base)
			cmd := servers.enter(inMount(t, base, "true", rememberScript), network)
			cmd.Env = append(os.Environ(), "mount="+r.mount)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Skipf("can't be had here: %v: %s", err, out)
			}
			want := strings.Repeat("one\none,two\n1,two\n1,two\n1,2,3\nagain\nagain\n", 3) + "moved1\nmoved2\nmoved3\n"
			if string(out) != want {
				t.Errorf("%s", out)
			}
		})
	}
}

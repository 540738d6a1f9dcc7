//go:build linux && amd64

package faults

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// disk is a file system in an image file. What has reached the image when the power fails is what
// there is afterwards.
type disk struct {
	name    string
	size    string
	mkfs    []string
	options string // of every mount
	again   string // of the mount of a copy
}

var disks = []disk{
	{name: "ext4", size: "32M", mkfs: []string{"mkfs.ext4", "-q", "-F"}, options: "loop"},
	{name: "ext4 noauto_da_alloc", size: "32M", mkfs: []string{"mkfs.ext4", "-q", "-F"}, options: "loop,noauto_da_alloc"},
	{name: "xfs", size: "320M", mkfs: []string{"mkfs.xfs", "-q", "-f"}, options: "loop", again: ",nouuid"},
}

// How many cuts are made on each disk: in the long run, with -sweep, and without either.
const (
	cutsLong  = 400
	cutsSweep = 8
	cutsShort = 4
)

// cut is one failure of the power: before a call of a scenario, or after its end.
type cut struct {
	s         *scenario
	at        int  // which call, -1 for after the end
	neighbour bool // somebody syncs another file right before: the journal is written, with what others did
}

func (c cut) String() string {
	where := "after the end"
	if c.at >= 0 {
		where = fmt.Sprintf("before call %d", c.at)
	}
	return fmt.Sprintf("%s, %s, neighbour %v", c.s.name, where, c.neighbour)
}

// TestPowerCut makes calls on a disk whose power then fails: what was acknowledged is there when it
// is back, and all files are whole.
func TestPowerCut(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	sum := newTotal(t)
	for _, d := range disks {
		t.Run(d.name, func(t *testing.T) {
			m := d.mount(t)
			all, random := scenarios(), rand.New(rand.NewPCG(1, 2))
			n := cutsShort
			switch {
			case *longRun:
				n = cutsLong
			case *sweep:
				n = cutsSweep
			}
			var y tally
			for range n {
				s := &all[random.IntN(len(all))]
				for !s.exists() {
					s = &all[random.IntN(len(all))]
				}
				c := cut{s: s, at: -1, neighbour: random.IntN(2) == 0}
				if random.IntN(2) == 0 {
					c.at = random.IntN(m.length(t, s))
				}
				y.aim(func() bool { return m.cut(t, &y, c) })
			}
			y.verify(t, sum)
		})
	}
}

// TestPowerCutControl runs without the syncs, which must lose something: else the cuts aren't cuts.
func TestPowerCutControl(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	for _, d := range disks {
		t.Run(d.name, func(t *testing.T) {
			m := d.mount(t)
			s := &scenario{name: "no-fsync", setup: around(plain), args: append([]string{"--no-fsync"}, overwrite...), after: []entry{plain.
				with(newText)}}
			var y tally
			m.cut(t, &y, cut{s: s, at: -1})
			m.cut(t, &y, cut{s: s, at: -1, neighbour: true})
			t.Logf("%d of %d cuts found out", y.bad, y.runs)
			if y.bad == 0 {
				t.Errorf("without syncs nothing was lost: the power isn't cut")
			}
		})
	}
}

// mounted is a disk in use.
type mounted struct {
	disk
	image, dir string
	runs       int
}

func (d disk) mount(t *testing.T) *mounted {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount")
	}
	if _, err := exec.LookPath(d.mkfs[0]); err != nil {
		t.Skipf("%s isn't installed", d.mkfs[0])
	}
	top := t.TempDir()
	m := &mounted{disk: d, image: filepath.Join(top, "image"), dir: filepath.Join(top, "disk")}
	check(t, os.Mkdir(m.dir, 0o755))
	shell(t, "truncate", "-s", d.size, m.image)
	shell(t, d.mkfs[0], append(d.mkfs[1:len(d.mkfs):len(d.mkfs)], m.image)...)
	if out, err := exec.Command("mount", "-o", d.options, m.image, m.dir).CombinedOutput(); err != nil {
		t.Skipf("no image can be mounted here: %s", out)
	}
	t.Cleanup(func() { shell(t, "umount", m.dir) })
	return m
}

func shell(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v: %s", name, args, err, out)
	}
}

// base is a new folder on the disk.
func (m *mounted) base(t *testing.T) string {
	t.Helper()
	m.runs++
	base := filepath.Join(m.dir, fmt.Sprint(m.runs))
	check(t, os.Mkdir(base, 0o755))
	return base
}

// length says how many calls a scenario has.
func (m *mounted) length(t *testing.T, s *scenario) int {
	t.Helper()
	r, err := s.prepare(m.base(t))
	check(t, err)
	n := len(follow(t, r.command, undisturbed).calls)
	check(t, os.RemoveAll(r.base))
	return n
}

// cut makes one call, and judges what a disk holds that lost its power then. It reports whether the
// call got that far.
func (m *mounted) cut(t *testing.T, y *tally, c cut) (asPlanned bool) {
	t.Helper()
	r, err := c.s.prepare(m.base(t))
	check(t, err)
	m.sync(t)
	o := follow(t, r.command, func(now call) verdict {
		if now.n != c.at {
			return verdict{}
		}
		asPlanned = true
		m.lose(t, c)
		return verdict{kill: true}
	})
	if c.at < 0 {
		asPlanned = true
		m.lose(t, c)
	}
	if !asPlanned {
		return false
	}
	defer os.Remove(m.copied())
	back := m.powerOn(t)
	defer shell(t, "umount", back)
	r.powerCut, r.base = true, filepath.Join(back, filepath.Base(r.base))
	renameState(t, r.command.program, r.base)
	rest := r.command.args[2:] // the first two name the root
	r.command.args, r.env = append([]string{"-C", filepath.Join(r.base, "ws")}, rest...), append(environment(r.base), c.s.settings...)
	y.judged(c.String(), o.stdout, slices.DeleteFunc(r.afterKill(o, y, (*run).judgeNext), isKeptAside))
	check(t, os.RemoveAll(filepath.Join(m.dir, filepath.Base(r.base))))
	return asPlanned
}

// isKeptAside passes over a file that was put aside. The journal isn't synced: where a power cut
// took its last line, nobody can tell a displaced old file from what somebody else wrote, and so it
// is kept.
func isKeptAside(complaint string) bool {
	name, _, cameUp := strings.Cut(complaint, " came up: ")
	return cameUp && strings.Contains(name, ".fsbox-conflict-")
}

// renameState gives the state folder the name that goes with the root's new path: the copy can't be
// mounted where the original is, which a disk after a power cut is.
func renameState(t *testing.T, program, base string) {
	t.Helper()
	old, err := filepath.Glob(filepath.Join(base, "home/.local/state/fsbox/ws-*"))
	check(t, err)
	if len(old) == 0 {
		return
	}
	cmd := exec.Command(program, "-C", filepath.Join(base, "ws"), "check")
	cmd.Env = environment(base)
	out, err := cmd.Output()
	check(t, err)
	var a struct {
		Result struct {
			StateDir string `json:"state_dir"`
		} `json:"result"`
	}
	check(t, json.Unmarshal(out, &a))
	if a.Result.StateDir != old[0] {
		check(t, os.Rename(old[0], a.Result.StateDir))
	}
}

// sync puts the setup on the disk.
func (m *mounted) sync(t *testing.T) {
	t.Helper()
	f, err := os.Open(m.dir)
	check(t, err)
	defer f.Close()
	check(t, unix.Syncfs(int(f.Fd())))
}

// lose copies what has reached the image: that is all there will be.
func (m *mounted) lose(t *testing.T, c cut) {
	if c.neighbour {
		f, err := os.Create(filepath.Join(m.dir, "neighbour"))
		if err == nil {
			_, err = f.WriteString(c.String())
		}
		if err == nil {
			err = f.Sync()
		}
		if err != nil || f.Close() != nil {
			t.Errorf("the neighbour can't write: %v", err)
		}
	}
	if out, err := exec.Command("cp", "--sparse=always", m.image, m.copied()).CombinedOutput(); err != nil {
		t.Errorf("the image can't be copied: %s", out)
	}
}

// copied is the image of a disk that lost its power. Each has a name of its own: while somebody
// else looks at loop devices, one that was unmounted stays for a moment, and would be mounted again
// with what it had.
func (m *mounted) copied() string { return fmt.Sprintf("%s.cut%d", m.image, m.runs) }

// powerOn mounts the copy: the file system recovers.
func (m *mounted) powerOn(t *testing.T) string {
	t.Helper()
	dir := m.dir + ".cut"
	check(t, os.MkdirAll(dir, 0o755))
	shell(t, "mount", "-o", m.options+m.again, m.copied(), dir)
	return dir
}

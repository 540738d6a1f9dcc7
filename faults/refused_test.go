//go:build linux && amd64

package faults

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// refusal is a call that the system will not let through, for real: code is what it must answer,
// and then nothing may have changed. Without a code it must succeed all the same.
type refusal struct {
	scenario
	under condition
	code  string
}

// condition is what a refusal happens under.
type condition struct {
	name  string
	root  bool                            // only root can make it
	apply func(t *testing.T, base string) // before the tree is made, and sealed after it
	seal  func(t *testing.T, base string)
	via   []string // a command to start the program with
}

// Flags of a file, from linux/fs.h.
const (
	immutableFlag  = 0x10
	appendOnlyFlag = 0x20
)

// tooLong doesn't fit where 64 KiB are free.
var tooLong = strings.Repeat("fifteen letters\n", 16<<10)

var (
	fullDisk = condition{name: "full disk", root: true, apply: func(t *testing.T, base string) {
		mount(t, base, "tmpfs", 0, "size=128k,mode=755")
	}}
	readOnlyDisk = condition{name: "read-only disk", root: true,
		apply: func(t *testing.T, base string) { mount(t, base, "tmpfs", 0, "size=1m,mode=755") },
		seal: func(t *testing.T, base string) {
			check(t, unix.Mount("", filepath.Join(base, "ws"), "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
		}}
	smallFiles = condition{name: "limit on the size of a file", via: []string{"/bin/sh", "-c", `ulimit -f 64; exec "$@"`, "sh"}}
	immutable  = condition{name: "immutable file", root: true, seal: func(t *testing.T, base string) {
		setFlag(t, filepath.Join(base, "ws/a.txt"), immutableFlag)
	}}
	appendOnly = condition{name: "append-only file", root: true, seal: func(t *testing.T, base string) {
		setFlag(t, filepath.Join(base, "ws/a.txt"), appendOnlyFlag)
	}}
	mountedFile = condition{name: "a mount on the file", root: true, seal: func(t *testing.T, base string) {
		path := filepath.Join(base, "home/mounted")
		check(t, os.WriteFile(path, []byte(oldText), 0o644))
		bind(t, path, filepath.Join(base, "ws/a.txt"))
	}}
	stateIsAFile = condition{name: "no state directory", seal: func(t *testing.T, base string) {
		check(t, os.WriteFile(filepath.Join(base, "home/.local"), nil, 0o644))
	}}
	stateFull = condition{name: "full state directory", root: true, apply: func(t *testing.T, base string) {
		mountAt(t, filepath.Join(base, "home"), "tmpfs", 0, "size=64k,mode=755")
	}}
	stateFilled = condition{name: "state directory without a free byte", root: true, apply: stateFull.apply,
		seal: func(t *testing.T, base string) {
			if err := os.WriteFile(filepath.Join(base, "home/filler"), make([]byte, 128<<10), 0o644); !errors.Is(err, unix.ENOSPC) {
				t.Fatalf("the disk isn't full: %v", err)
			}
		}}
	stateReadOnly = condition{name: "state directory on a read-only disk", root: true, apply: stateFull.apply,
		seal: func(t *testing.T, base string) {
			check(t, unix.Mount("", filepath.Join(base, "home"), "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
		}}
)

var (
	writeLong     = []string{"write", "a.txt", "--content-file", "-"}
	overwriteLong = []string{"write", "a.txt", "--mode", "overwrite", "--content-file", "-"}
	appendLong    = []string{"append", "a.txt", "--content-file", "-"}
	parentsLong   = []string{"write", "x/y/a.txt", "--content-file", "-"}
	appendOne     = []string{"append", "a.txt", "--content", "four\n"}
	editOne       = []string{"edit", "a.txt", "--expected-text", "two", "--replacement-text", "2"}
	writeNew      = []string{"write", "new.txt", "--content", "x"}
	writeDeep     = []string{"write", "x/y/new.txt", "--content", "x"}
	mkdirNew      = []string{"mkdir", "x/y"}
	appendNew     = []string{"append", "new.txt", "--content", "x"}
	copyNew       = []string{"copy", "a.txt", "new.txt"}
	copyTree      = []string{"copy", "d", "x/d"}
	moveAway      = []string{"move", "a.txt", "new.txt"}
	moveTree      = []string{"move", "d", "x/d"}
	deleteFile    = []string{"delete", "a.txt"}
	deleteTree    = []string{"delete", "d", "--recursive"}
	patchNew      = []string{"patch", "--json", `{"patch":"--- /dev/null\n+++ b/x/new.txt\n@@ -0,0 +1 @@\n+x\n"}`}
	patchNewTwo   = []string{"patch", "--json", `{"patch":"--- /dev/null\n+++ b/x/new.txt\n@@ -0,0 +1 @@\n+x\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+x\n"}`}
)

// refused makes refusals of several command lines under one condition.
func refused(under condition, code string, setup []entry, lines ...[]string) (all []refusal) {
	for _, args := range lines {
		r := refusal{scenario: scenario{setup: setup, args: args}, under: under, code: code}
		if slices.Contains(args, "-") {
			r.stdin = tooLong
		}
		for _, e := range setup {
			if e.path == "a.txt" { // an append that is undone leaves another time
				r.after = append(r.after, e)
			}
		}
		all = append(all, r)
	}
	return all
}

func refusals() []refusal {
	linked := around(plain, second("b.txt", "a.txt"))
	stays := refusal{scenario: scenario{setup: around(plain), args: appendOne, after: []entry{plain.with(oldText + "four\n")}}}
	mounted, only := stays, stays
	mounted.under, only.under = mountedFile, appendOnly
	return slices.Concat(
		refused(fullDisk, "no_space", []entry{plain}, overwriteLong, appendLong, parentsLong),
		refused(fullDisk, "no_space", []entry{plain, second("b.txt", "a.txt")}, overwriteLong, appendLong),
		refused(fullDisk, "no_space", []entry{file("b.txt", oldText)}, writeLong, appendLong),
		refused(smallFiles, "no_space", around(plain), overwriteLong, appendLong, parentsLong),
		refused(smallFiles, "no_space", linked, overwriteLong, appendLong),
		refused(smallFiles, "no_space", around(), writeLong, appendLong),
		refused(readOnlyDisk, "read_only", []entry{plain, folder("d")}, overwrite, appendOne, editOne, writeNew, writeDeep, mkdirNew),
		refused(immutable, "permission_denied", around(plain), overwrite, appendOne, editOne),
		refused(appendOnly, "permission_denied", around(plain), overwrite, editOne),
		refused(mountedFile, "busy", around(plain), overwrite, editOne),
		[]refusal{mounted, only},
		unkept(stateIsAFile), unkept(stateFilled), unkept(stateReadOnly),
		refused(stateFull, "backup_failed", around(file("a.txt", tooLong)), []string{"write", "a.txt", "--mode", "overwrite", "--content", "x"}),
	)
}

// unkept are calls that undo can undo, where nothing can be kept for that.
func unkept(under condition) []refusal {
	return refused(under, "backup_failed", around(plain), overwrite, editOne, writeNew, writeDeep, appendOne, appendNew, copyNew, copyTree,
		moveAway, moveTree, deleteFile, deleteTree, patchNew, patchNewTwo)
}

// TestRefused runs into the system's own limits: the answer has the right code, and nothing
// changed.
func TestRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	for _, r := range refusals() {
		t.Run(r.under.name+"/"+strings.Join(r.args, " "), func(t *testing.T) {
			r.under.need(t)
			r.attempt(t)
		})
	}
}

func (c condition) need(t *testing.T) {
	t.Helper()
	if c.root && os.Geteuid() != 0 {
		t.Skip("only root can mount, and set a file's flags")
	}
}

func (r *refusal) attempt(t *testing.T) {
	base := t.TempDir()
	if r.under.apply != nil {
		r.under.apply(t, base)
	}
	run, err := r.prepare(base)
	check(t, err)
	if r.under.seal != nil {
		r.under.seal(t, base)
		check(t, run.recordStart())
	}
	if len(r.under.via) > 0 {
		run.command.args = slices.Concat(r.under.via[1:], []string{program}, run.command.args)
		run.program = r.under.via[0]
	}
	a, err := run.again()
	check(t, err)
	if a.Error != r.code || a.Success != (r.code == "") {
		t.Errorf("it answers success %v, error %q, %q, want error %q", a.Success, a.Error, a.Message, r.code)
	}
	now, err := look(base)
	check(t, err)
	if litter := now.sweep(); len(litter) > 0 {
		t.Errorf("litter: %q", litter)
	}
	at, complaints := run.judge(now)
	if !at.new || len(complaints) > 0 {
		t.Errorf("the tree is %v: %s", at, strings.Join(complaints, "; "))
	}
}

// mount puts a file system in the place of the workspace.
func mount(t *testing.T, base, kind string, flags uintptr, options string) {
	t.Helper()
	mountAt(t, filepath.Join(base, "ws"), kind, flags, options)
}

func mountAt(t *testing.T, dir, kind string, flags uintptr, options string) {
	t.Helper()
	check(t, os.MkdirAll(dir, 0o755))
	if err := unix.Mount("none", dir, kind, flags, options); err != nil {
		t.Skipf("nothing can be mounted here: %v", err)
	}
	t.Cleanup(func() { check(t, unix.Unmount(dir, unix.MNT_DETACH)) })
}

func bind(t *testing.T, from, to string) {
	t.Helper()
	if err := unix.Mount(from, to, "", unix.MS_BIND, ""); err != nil {
		t.Skipf("nothing can be mounted here: %v", err)
	}
	t.Cleanup(func() { check(t, unix.Unmount(to, unix.MNT_DETACH)) })
}

// setFlag sets one of the flags of chattr until the test ends.
func setFlag(t *testing.T, path string, flag int) {
	t.Helper()
	f, err := os.Open(path)
	check(t, err)
	before, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, before|flag)
	}
	if err != nil {
		f.Close()
		t.Skipf("files have no flags here: %v", err)
	}
	t.Cleanup(func() {
		defer f.Close()
		check(t, unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, before))
	})
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

package plan

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/dirlock"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
)

// barring is a folder on NFS, in which another call does something just before an empty folder is made.
type barring struct {
	dir.Folder
	before func()
}

func (*barring) System() filesystem.System {
	return filesystem.System{Shared: true, NoExchange: true}
}

func (in *barring) Mkdir(name string, perm fs.FileMode) error {
	if before := in.before; before != nil {
		in.before = nil
		before()
	}
	return in.Folder.Mkdir(name, perm)
}

// TestBarOfUndone: a call of several steps has lost its lock, and is undone while the other machine is
// about to bar its renames: the empty folder doesn't stay. Nothing looks for it on NFS.
func TestBarOfUndone(t *testing.T) {
	w, root := workspace(t, "a = old", "b = old")
	in := &barring{Folder: root}
	var steps []*Step
	for i, name := range []string{"a", "b"} {
		found, err := root.Lstat(name)
		disktest.Must(t, err)
		steps = append(steps, &Step{Target: &sandbox.Target{Folder: in, Name: name, Path: name, Exists: true, Info: found}, Info: found,
			Creates: &NewFile{Content: []byte("new")}, Temp: policy.TransPrefix + "1-" + string(rune('0'+i)) + newMark + name})
	}
	p := &Plan{LockSet: &LockSet{Workspace: w, Ctx: t.Context()}, Steps: steps, Entry: &history.Entry{}, MayLackRecord: true}
	disktest.Must(t, errors.Join(p.Stage(steps[0]), p.Stage(steps[1])))
	all, err := dir.List(t.Context(), in)
	disktest.Must(t, err)
	in.before = func() { disktest.Must(t, p.Revert(fserr.ErrCollision)) } // its Check has told that the lock is lost
	disktest.Must(t, putOldBack(t.Context(), in, all))
	if left := disktest.Names(t, rootOf(t, w)); left != "a, b" {
		t.Errorf("left %s", left)
	}
}

// remembering is a folder on SMB: while a program on this machine has the file a open, the client
// takes the name for that file, whatever the server has (Linux 6.1).
type remembering struct {
	dir.Folder
	held bool
}

func (*remembering) System() filesystem.System {
	return filesystem.System{Shared: true, NoExchange: true, LosesTarget: true}
}

func (in *remembering) Lstat(name string) (stat.Info, error) {
	if in.held && name == "a" {
		return stat.Info{}, nil
	}
	return in.Folder.Lstat(name)
}

func (in *remembering) LstatNow(name string) (stat.Info, error) { return in.Lstat(name) }

func (in *remembering) Renew(string) {}

func (in *remembering) Move(name string, to dir.Folder, newName string, how dir.Moving) error {
	if in.held && newName == "a" && how == dir.IfFree {
		return fs.ErrExist
	}
	return in.Folder.Move(name, in.Folder, newName, how)
}

// TestHeldName: a call of another machine was killed between its two renames, so that no file has the
// name. If the machine that takes the lock has the old file open, it still sees the name. Once it
// doesn't, the file gets its name back: the new file, which alone tells the name, is still there.
func TestHeldName(t *testing.T) {
	const temp = policy.TransPrefix + "1-0" + newMark + "a"
	w, root := workspace(t, temp+" = new", AsideOf(temp)+" = old")
	in := &remembering{root, true}
	p := &sandbox.Target{Folder: in, Name: "a", Path: "a"}
	if err := clearFolder(t.Context(), w, p); err != errNotBack { // then the lock is left as that of a killed call
		t.Error(err)
	}
	in.held = false
	if err := clearFolder(t.Context(), w, p); err != nil || !dir.Exists(root, "a") {
		t.Errorf("%v: left %s", err, disktest.Names(t, rootOf(t, w)))
	}
}

// leased is a folder on SMB with a file a whose lease the server refuses.
type leased struct {
	remembering
	temp string // of the link by which it was made another one
}

func (*leased) LocksAll() bool { return false }

func (in *leased) Reopen() (dir.Folder, error) {
	again, err := in.Folder.Reopen()
	return &leased{remembering: remembering{Folder: again}}, err
}

func (in *leased) Open(name string, flag int) (*openfile.File, error) {
	if name == "a" && in.temp == "" {
		return nil, fserr.ErrHeld
	}
	return in.Folder.Open(name, flag)
}

func (in *leased) RenewLease(_, temp string) bool {
	in.temp = temp
	return true
}

// TestLostLease: only who has locked the folder gives a file a new lease, by a name that the next call
// removes if this one is killed.
func TestLostLease(t *testing.T) {
	w, root := workspace(t, "a = text")
	in := &leased{remembering: remembering{Folder: root}}
	found, err := root.Lstat("a")
	disktest.Must(t, err)
	p := &sandbox.Target{Folder: in, Name: "a", Path: "a", Exists: true, Info: found}
	if _, err := p.Open(os.O_RDONLY); !errors.Is(err, fserr.ErrHeld) || in.temp != "" {
		t.Errorf("without a lock: %v, %s", err, in.temp)
	}
	h := &LockSet{Workspace: w, Ctx: t.Context()}
	defer h.Release()
	disktest.Must(t, h.Lock(p))
	f, err := p.Open(os.O_RDONLY)
	disktest.Must(t, err)
	f.Close()
	if !strings.HasPrefix(in.temp, StagedTemp+policy.AloneMark) {
		t.Errorf("the link has the name %s", in.temp)
	}
}

// TestLostLeaseOfUndo: so does an undo, which opens the file by itself.
func TestLostLeaseOfUndo(t *testing.T) {
	w, root := workspace(t, "a = text")
	in := &leased{remembering: remembering{Folder: root}}
	found, err := root.Lstat("a")
	disktest.Must(t, err)
	p := &sandbox.Target{Folder: in, Name: "a", Path: "a", Exists: true, Info: found}
	h := &LockSet{Workspace: w, Ctx: t.Context()}
	defer h.Release()
	disktest.Must(t, h.Lock(p))
	made := history.Item{Path: "a", Kind: history.Create, FileID: found.ID(), New: openfile.ContentETag([]byte("text")), Temp: policy.TransPrefix + "1-0"}
	disktest.Must(t, RestoreStep(t.Context(), p, nil, made))
	if in.temp == "" || dir.Exists(root, "a") {
		t.Errorf("a link with the name %q; left %s", in.temp, disktest.Names(t, rootOf(t, w)))
	}
}

// freedLater is such a folder, in which the program closes the file right after the first rename.
type freedLater struct{ remembering }

func (in *freedLater) Move(name string, to dir.Folder, newName string, how dir.Moving) error {
	err := in.remembering.Move(name, to, newName, how)
	in.held = false
	return err
}

// TestNameFreeAfterAll: an old file gets its name back, and no other one, although the system takes that
// for taken at first.
func TestNameFreeAfterAll(t *testing.T) {
	const temp = policy.TransPrefix + "1-0" + newMark + "a"
	w, root := workspace(t, AsideOf(temp)+" = old")
	p := &sandbox.Target{Folder: &freedLater{remembering{root, true}}, Name: "a", Path: "a"}
	f := history.Item{Kind: history.Replace, Temp: temp, Old: openfile.ContentETag([]byte("old")), New: openfile.ContentETag([]byte("new"))}
	if err := RestoreStep(t.Context(), p, nil, f); err != nil || disktest.Names(t, rootOf(t, w)) != "a" {
		t.Errorf("%v: left %s", err, disktest.Names(t, rootOf(t, w)))
	}
}

// unsure is a folder on SMB in which another program replaces the file a just before its rename, and
// in which the look at what was renamed fails, as right after a cut.
type unsure struct {
	remembering
	before func()
}

func (in *unsure) Move(name string, to dir.Folder, newName string, how dir.Moving) error {
	if before := in.before; before != nil {
		in.before = nil
		before()
	}
	return in.Folder.Move(name, in.Folder, newName, how)
}

func (in *unsure) LstatNow(name string) (stat.Info, error) {
	if AsideOf(name) == name {
		return stat.Info{}, syscall.EAGAIN
	}
	return in.Folder.LstatNow(name)
}

// TestUnsureAside: if the look fails, nobody knows what was put aside, and it isn't removed.
func TestUnsureAside(t *testing.T) {
	w, root := workspace(t, "a = old")
	in := &unsure{remembering: remembering{Folder: root}}
	old, err := root.Lstat("a")
	disktest.Must(t, err)
	s := &Step{Target: &sandbox.Target{Folder: in, Name: "a", Path: "a", Exists: true, Info: old}, Creates: &NewFile{Content: []byte("new")},
		Info: old, Temp: policy.TransPrefix + "1-0" + newMark + "a"}
	p := &Plan{LockSet: &LockSet{Workspace: w, Ctx: t.Context()}, Steps: []*Step{s}, Entry: &history.Entry{}, MayLackRecord: true}
	disktest.Must(t, p.Stage(s))
	in.before = func() { disktest.Must(t, replaceFile(root, "a", "theirs")) }
	if err := p.carryOut(); err == nil {
		t.Errorf("made, and what another program has written is to be removed")
	}
}

// TestHeldTries: a file that a program has open is looked for a few times at once, and then after pauses.
func TestHeldTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries, began := 0, time.Now()
		_, err := RetryOnCollision(t.Context(), "a", func() (int, error) { tries++; return 0, fserr.ErrHeld })
		if took := time.Since(began); !errors.Is(err, errHeld) || tries != heldTries+1 || took != (heldTries-quickTries+1)*heldPause {
			t.Errorf("%v after %d tries in %v", err, tries, took)
		}
	})
}

// stillFinds is a folder whose file system finds a name that is gone, at one of the looks.
type stillFinds struct {
	remembering
	looks *int
	from  int // the look, from 1
}

func (*stillFinds) LocksAll() bool { return false }

func (in *stillFinds) Reopen() (dir.Folder, error) {
	again, err := in.Folder.Reopen()
	return &stillFinds{remembering{Folder: again}, in.looks, in.from}, err
}

func (in *stillFinds) Refresh(string, filesystem.Caches, *dir.Listing) error {
	if *in.looks++; *in.looks == in.from {
		return dir.ErrStillFound
	}
	return nil
}

// TestStillFound: a change of what is still found, and gone, is refused: when its folder is locked, or
// before it is made.
func TestStillFound(t *testing.T) {
	for from := 1; from <= 2; from++ {
		w, root := workspace(t, "a = old")
		in := &stillFinds{remembering{Folder: root}, new(int), from}
		old, err := root.Lstat("a")
		disktest.Must(t, err)
		p := &Plan{LockSet: &LockSet{Workspace: w, Ctx: t.Context()}, Entry: &history.Entry{}, MayLackRecord: true}
		defer p.Release()
		s := &Step{Target: &sandbox.Target{Folder: in, Name: "a", Path: "a", Exists: true, Info: old}, Creates: &NewFile{Content: []byte("new")},
			Info: old, Temp: policy.TransPrefix + "1-0" + newMark + "a"}
		p.Steps = []*Step{s}
		if err = p.Lock(s.Target); err == nil {
			disktest.Must(t, p.Stage(s))
			err = p.carryOut()
		}
		content, _ := os.ReadFile(rootOf(t, w) + "/a")
		if !errors.Is(err, dir.ErrStillFound) || string(content) != "old" {
			t.Errorf("at look %d: %v, %q", from, err, content)
		}
	}
}

// servedPlan is a plan that replaces the file a, whose content is "old", on SMB, and whose folder is locked.
func servedPlan(t *testing.T) (p *Plan, s *Step, root dir.Folder) {
	w, err := sandbox.Open(disktest.Grow(t, "a = old"), sandbox.Options{State: t.TempDir()})
	disktest.Must(t, err)
	t.Cleanup(w.Close)
	in := &leased{remembering: remembering{Folder: w.RootFolder}, temp: "renewed"}
	old, err := in.Folder.Lstat("a")
	disktest.Must(t, err)
	s = &Step{Target: &sandbox.Target{Folder: in, Name: "a", Path: "a", Exists: true, Info: old}, Creates: &NewFile{Content: []byte("new")}, Info: old}
	p = &Plan{LockSet: &LockSet{Workspace: w, Ctx: t.Context()}, Steps: []*Step{s}, Entry: history.NewEntry("edit", "")}
	t.Cleanup(p.Release)
	disktest.Must(t, p.Lock(s.Target))
	return p, s, w.RootFolder
}

// TestOldFileGoesWithLock: on SMB the old file is removed by who frees the lock.
func TestOldFileGoesWithLock(t *testing.T) {
	p, s, root := servedPlan(t)
	disktest.Must(t, p.Run())
	left := rootOf(t, p.Workspace)
	if names := disktest.Names(t, left); names != policy.LockName+", "+s.Temp+", a" || !strings.HasSuffix(s.Temp, policy.OldMark) {
		t.Errorf("before the lock is freed: %s; old file %s", names, s.Temp)
	}
	p.Release()
	content, _ := os.ReadFile(left + "/a")
	if names := disktest.Names(t, left); names != "a" || string(content) != "new" || dir.Exists(root, s.Temp) {
		t.Errorf("left %s, with %q", names, content)
	}
}

// TestLastLook: a file that somebody else has changed meanwhile isn't taken from its name at all, also if
// its size and time are the same.
func TestLastLook(t *testing.T) {
	for name, change := range map[string]func(in dir.Folder, path string){
		"replaced": func(in dir.Folder, _ string) { disktest.Must(t, replaceFile(in, "a", "theirs")) },
		"written": func(in dir.Folder, path string) {
			old, err := in.Lstat("a")
			disktest.Must(t, errors.Join(err, os.WriteFile(path, []byte("odd"), 0o600), in.Chtimes("a", old.Modified)))
		},
	} {
		p, s, root := servedPlan(t)
		p.Ready = func() { change(root, rootOf(t, p.Workspace)+"/a") }
		if err := p.Run(); !errors.Is(err, fserr.ErrCollision) || s.Done {
			t.Errorf("%s: %v; renamed %v", name, err, s.Done)
		}
	}
}

// TestAsideRefused: a change begins again if the file is gone just before it is put aside, or if the client
// fails to rename it, since another machine reads it.
func TestAsideRefused(t *testing.T) {
	for _, refused := range []error{syscall.ENOENT, syscall.EIO} {
		p, s, _ := servedPlan(t)
		s.Target.Folder = &asideRefused{*s.Target.Folder.(*leased), refused}
		if err := p.Run(); !fserr.IsClean(err, fserr.ErrCollision) {
			t.Errorf("%v: %v", refused, err)
		}
	}
}

// TestAsideFails: on NFS, such a failure is one of the server.
func TestAsideFails(t *testing.T) {
	_, root := workspace(t, "a = old")
	old, err := root.Lstat("a")
	disktest.Must(t, err)
	in := &failsToMove{barring{Folder: root}}
	s := &Step{Target: &sandbox.Target{Folder: in, Name: "a", Exists: true}, Temp: policy.TransPrefix + "1-0" + newMark + "a"}
	if _, err := s.putAside(old); !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
}

type failsToMove struct{ barring }

func (*failsToMove) Move(string, dir.Folder, string, dir.Moving) error { return syscall.EIO }

type asideRefused struct {
	leased
	err error
}

func (in *asideRefused) Move(name string, to dir.Folder, newName string, how dir.Moving) error {
	if name == "a" {
		return in.err
	}
	return in.Folder.Move(name, in.Folder, newName, how)
}

// TestLeaveOld: one old file of a folder goes with a lock that is a file, unless that is left as that of a
// killed call. Everything else is removed before.
func TestLeaveOld(t *testing.T) {
	_, root := workspace(t)
	_, other := workspace(t)
	served := &leased{remembering: remembering{Folder: root}}
	take := func(in dir.Folder) *dirlock.Lock {
		l, err := dirlock.Take(t.Context(), in, false)
		disktest.Must(t, err)
		return l
	}
	lock, plain := take(served), take(other)
	defer lock.Release()
	defer plain.Release()
	at := func(in dir.Folder, l *dirlock.Lock) *sandbox.Target {
		return &sandbox.Target{Folder: in, Exists: true, Lock: l}
	}
	for name, test := range map[string]struct {
		step      Step
		abandoned bool
		leaves    bool
	}{
		"file":      {Step{Target: at(served, lock), HasTemp: true}, false, true},
		"abandoned": {Step{Target: at(served, lock), HasTemp: true}, true, false},
		"no file":   {Step{Target: at(served, lock)}, false, false},
		"directory": {Step{Target: at(served, lock), HasTemp: true, Info: stat.Info{Mode: fs.ModeDir}}, false, false},
		"local":     {Step{Target: at(root, lock), HasTemp: true}, false, false},
		"flock":     {Step{Target: at(served, plain), HasTemp: true}, false, false},
		"no lock":   {Step{Target: at(served, nil), HasTemp: true}, false, false},
	} {
		first, second := test.step, test.step
		first.Temp, second.Temp = "first", "second"
		hadTemp := first.HasTemp
		p := &Plan{LockSet: &LockSet{abandoned: test.abandoned}, Steps: []*Step{&first, &second}}
		p.leaveOld()
		left := (lock.Old == "first") != (plain.Old == "first")
		if left != test.leaves || first.HasTemp != (hadTemp && !left) || second.HasTemp != hadTemp {
			t.Errorf("%s: left %q, %q; first %v, second %v", name, lock.Old, plain.Old, first.HasTemp, second.HasTemp)
		}
		lock.Old, plain.Old = "", ""
	}
}

// unsynced is a folder on SMB whose server can't write new files to its disk.
type unsynced struct{ leased }

func (in *unsynced) Create(name string, perm fs.FileMode) (*openfile.File, error) {
	f, err := in.Folder.Create(name, perm)
	if err == nil {
		f.Handle = failing{f.Handle}
	}
	return f, err
}

type failing struct{ openfile.Handle }

func (failing) Sync() error { return syscall.EIO }

// TestFailedSync: a new file that isn't on the server's disk replaces nothing.
func TestFailedSync(t *testing.T) {
	p, s, _ := servedPlan(t)
	s.Target.Folder = &unsynced{*s.Target.Folder.(*leased)}
	if err := p.Run(); !errors.Is(err, syscall.EIO) || s.Done {
		t.Errorf("%v; renamed %v", err, s.Done)
	}
}

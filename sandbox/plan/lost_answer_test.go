package plan

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

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

// cut is a folder on SMB whose server is out of reach after some renames. The last of them is made,
// and its answer is lost.
type cut struct {
	dir.Folder
	renames int    // that are made
	back    bool   // the server can be reached again
	late    func() // is called before the next rename, which the server makes only then
}

func (*cut) System() filesystem.System {
	return filesystem.System{Shared: true, NoExchange: true, LosesTarget: true}
}

func (in *cut) isOff() bool { return in.renames <= 0 && !in.back }

func (in *cut) Move(name string, to dir.Folder, newName string, how dir.Moving) error {
	if in.isOff() {
		return syscall.EIO
	}
	if late := in.late; late != nil {
		in.late = nil
		late()
	}
	if how == dir.Swapping {
		return fserr.ErrUnsupported
	}
	in.renames--
	err := in.Folder.Move(name, in.Folder, newName, how)
	if in.isOff() {
		err = syscall.EIO
	}
	return err
}

func (in *cut) Lstat(name string) (stat.Info, error) {
	if in.isOff() {
		return stat.Info{}, syscall.EIO
	}
	return in.Folder.Lstat(name)
}

// replaced is a plan that replaces the file a by two renames, of which so many are made. The new
// file is there.
func replaced(t *testing.T, renames int) (*Plan, *cut, string) {
	t.Helper()
	root := disktest.Grow(t, "a = old")
	w, err := sandbox.Open(root, sandbox.Options{})
	disktest.Must(t, err)
	t.Cleanup(w.Close)
	w.History().Off = true
	in := &cut{Folder: w.RootFolder, back: true}
	old, err := in.Lstat("a")
	disktest.Must(t, err)
	s := &Step{Target: &sandbox.Target{Folder: in, Name: "a", Path: "a", Exists: true, Info: old}, Creates: &NewFile{Content: []byte("new")},
		Info: old, Temp: policy.TransPrefix + "1-0" + newMark + "a"}
	p := &Plan{LockSet: &LockSet{Workspace: w, Ctx: t.Context()}, Steps: []*Step{s}, Entry: &history.Entry{}, MayLackRecord: true}
	disktest.Must(t, p.Stage(s))
	in.renames, in.back = renames, false
	return p, in, root
}

// byFile is a folder that is locked by a file.
type byFile struct{ dir.Folder }

func (in byFile) LocksAll() bool { return false }

func (in byFile) Reopen() (dir.Folder, error) {
	own, err := in.Folder.Reopen()
	return byFile{own}, err
}

// TestLostAnswer: a file whose name was taken by a rename of which the answer was lost gets the name
// back once the server can be reached, and a new one is gone.
func TestLostAnswer(t *testing.T) {
	for _, test := range []struct {
		kind    string
		renames int
		set     func(p *Plan, in *cut)
		want    string
	}{
		{"replaced", 1, func(*Plan, *cut) {}, "a"},
		{"removed", 1, func(p *Plan, in *cut) {
			s := p.Steps[0]
			disktest.Must(t, in.Folder.Remove(s.Temp))
			s.Creates, s.HasTemp = nil, false
		}, "a"},
		{"created", 1, func(p *Plan, in *cut) {
			s := p.Steps[0]
			disktest.Must(t, in.Folder.Remove("a"))
			s.Target.Exists, s.Info, s.NewTag = false, stat.Info{}, openfile.ContentETag([]byte("new"))
		}, ""},
		{"moved over, at the first rename", 1, movedOver(t), "a, from"},
		{"moved over, at the second rename", 2, movedOver(t), "a, from"},
	} {
		p, in, root := replaced(t, test.renames)
		test.set(p, in)
		err := p.carryOut()
		if !fserr.IsAny(err, syscall.EIO) {
			t.Fatal(test.kind, err)
		}
		in.back = true
		if err := p.Revert(err); err != nil || disktest.Names(t, root) != test.want {
			t.Errorf("%s: %v, left %s", test.kind, err, disktest.Names(t, root))
		}
	}
}

// movedOver makes the step of a plan a move of the new file, which then has the name from.
func movedOver(t *testing.T) func(p *Plan, in *cut) {
	return func(p *Plan, in *cut) {
		s := p.Steps[0]
		disktest.Must(t, dir.MoveFree(in.Folder, s.Temp, "from"))
		s.From = &sandbox.Target{Folder: in, Name: "from", Path: "from", Exists: true, Info: s.Made}
		s.Target.Info, s.Creates, s.Info, s.Replaces, s.HasTemp, s.Temp = s.Info, nil, s.Made, true, false, policy.TransPrefix+"1-0"
	}
}

// TestLateRenameAside: a rename that a server makes only after another machine has taken the lock never
// takes a newer file away for good.
func TestLateRenameAside(t *testing.T) {
	for _, test := range []struct {
		name string
		late func(in dir.Folder, p *Plan) error
		want string
	}{
		{"undone by another machine", func(in dir.Folder, p *Plan) error {
			bar(in, AsideOf(p.Steps[0].Temp), "a", true)
			return nil
		}, "old"},
		{"and replaced", func(in dir.Folder, p *Plan) error {
			bar(in, AsideOf(p.Steps[0].Temp), "a", true)
			return replaceFile(in, "a", "newer")
		}, "newer"},
		{"replaced by another program", func(in dir.Folder, _ *Plan) error { return replaceFile(in, "a", "newer") }, "newer"},
	} {
		p, in, root := replaced(t, 100)
		in.late = func() { disktest.Must(t, test.late(in.Folder, p)) }
		in.Folder = twoSteps{Folder: in.Folder, noExchange: true}
		err := p.carryOut()
		left := p.Revert(err)
		now, _ := os.ReadFile(filepath.Join(root, "a"))
		if !errors.Is(err, fserr.ErrCollision) || left != nil || disktest.Names(t, root) != "a" || string(now) != test.want {
			t.Errorf("%s: %v, %v, left %s with %s", test.name, err, left, disktest.Names(t, root), now)
		}
	}
}

// oneInode is a directory on a file system that gives a new file the inode number of a removed one.
type oneInode struct {
	dir.Folder
	onSMB bool
}

func (in oneInode) Lstat(name string) (stat.Info, error) {
	info, err := in.Folder.Lstat(name)
	info.Ino = 1
	return info, err
}

func (in oneInode) LstatNow(name string) (stat.Info, error) { return in.Lstat(name) }

func (in oneInode) System() filesystem.System {
	return filesystem.System{Shared: true, NoExchange: true, LosesTarget: in.onSMB}
}

// TestInodeReused: a call that was undone by another machine, before its last rename, doesn't take a
// later file of that machine for its own, which may have the same inode number.
func TestInodeReused(t *testing.T) {
	for _, onSMB := range []bool{false, true} {
		p, in, root := replaced(t, 100)
		s := p.Steps[0]
		s.Target.Folder, s.Made.Ino, s.Info.Ino = oneInode{in, onSMB}, 1, 1
		undone := func() {
			other := twoSteps{Folder: in.Folder, noExchange: true}
			bar(other, AsideOf(s.Temp), "a", true)
			disktest.Must(t, other.Remove(s.Temp))
			disktest.Must(t, replaceFile(other, "a", "newer"))
		}
		if in.late = undone; onSMB {
			in.late = func() { in.late = undone }
		}
		err := p.carryOut()
		left := p.Revert(err)
		now, _ := os.ReadFile(filepath.Join(root, "a"))
		if !errors.Is(err, fserr.ErrCollision) || left != nil || disktest.Names(t, root) != "a" || string(now) != "newer" {
			t.Errorf("on SMB %v: %v, %v, left %s with %s", onSMB, err, left, disktest.Names(t, root), now)
		}
	}
}

// TestRenameUndone: what a call has renamed gets its name back, and a later file of another machine with
// the same inode number keeps its own.
func TestRenameUndone(t *testing.T) {
	for _, replaced := range []bool{false, true} {
		root := disktest.Grow(t, "a = moved")
		in := oneInode{disktest.Open(t, dir.Open, root, false), false}
		found, err := in.Lstat("a")
		disktest.Must(t, err)
		from, to := &sandbox.Target{Folder: in, Name: "a", Path: "a"}, &sandbox.Target{Folder: in, Name: "b", Path: "b"}
		p := Plan{Entry: &history.Entry{}, Steps: []*Step{{From: from, Target: to, Info: found}}}
		disktest.Must(t, in.Move("a", in.Folder, "b", dir.IfFree))
		want := "a"
		if replaced {
			disktest.Must(t, replaceFile(in.Folder, "b", "newer"))
			want = "b"
		}
		if err := RestoreStep(t.Context(), to, from, p.recorded().Items[0]); err != nil || disktest.Names(t, root) != want {
			t.Errorf("replaced %v: %v, left %s", replaced, err, disktest.Names(t, root))
		}
	}
}

// TestRevertWhole: a plan whose file is replaced is undone without a rename over a file, which could
// be one that another machine has put there since.
func TestRevertWhole(t *testing.T) {
	for _, test := range []struct {
		newer int // at which rename of the undoing another file takes the name; 0 for none
		want  string
		aside bool
	}{{0, "old", false}, {1, "newer", true}, {2, "newer", true}} {
		p, in, root := replaced(t, 100)
		disktest.Must(t, p.carryOut())
		taken := func() { disktest.Must(t, replaceFile(in.Folder, "a", "newer")) }
		switch test.newer {
		case 1:
			in.late = taken
		case 2:
			in.late = func() { in.late = taken }
		}
		left := p.Revert(fserr.ErrBusy)
		_, isAside := errors.AsType[*asideError](left)
		name, kept, _ := strings.Cut(disktest.Names(t, root), ", ")
		now, _ := os.ReadFile(filepath.Join(root, name))
		old, _ := os.ReadFile(filepath.Join(root, kept))
		if name != "a" || string(now) != test.want || isAside != test.aside || test.aside != (string(old) == "old") {
			t.Errorf("%+v: %v, left %s with %s, and %s with %s", test, left, name, now, kept, old)
		}
	}
}

// TestTempOf: the name of what replaces a file names that, if there is room for it.
func TestTempOf(t *testing.T) {
	const temp = policy.TransPrefix + "0123456789abcdef-10"
	for _, length := range []int{1, maxName - len(temp+newMark), maxName - len(temp+newMark) + 1, maxName} {
		name := strings.Repeat("a", length)
		s := &Step{Target: &sandbox.Target{Folder: &cut{}, Name: name, Exists: true}, Creates: &NewFile{}}
		got, want := s.tempOf(temp), temp+newMark+name
		if len(want) > maxName {
			want = temp + newMark
		}
		if got != want || len(got) > maxName || AsideOf(got) != temp+policy.OldMark || AsideOf(AsideOf(got)) != temp+policy.OldMark {
			t.Errorf("a name of %d bytes: %s, %s", length, got, AsideOf(got))
		}
	}
}

// shortNames is a directory of a file system whose names are at most 60 bytes long.
type shortNames struct{ dir.Folder }

func (in shortNames) Create(name string, perm fs.FileMode) (*openfile.File, error) {
	if len(name) > 60 {
		return nil, syscall.ENAMETOOLONG
	}
	return in.Folder.Create(name, perm)
}

// TestShortNames: there the temporary name doesn't name the file.
func TestShortNames(t *testing.T) {
	p, in, root := replaced(t, 100)
	s, short := p.Steps[0], policy.TransPrefix+"1-0"+newMark
	disktest.Must(t, in.Remove(s.Temp))
	in.back, s.Temp, s.Target.Folder = true, short+strings.Repeat("a", 50), shortNames{in}
	if err := p.Stage(s); err != nil || s.Temp != short || disktest.Names(t, root) != short+", a" {
		t.Errorf("%v, %s, left %s", err, s.Temp, disktest.Names(t, root))
	}
}

// TestMoveOverTaken: a file that a move replaces is kept if somebody else has given a file its name
// meanwhile, and one that isn't the file that was found keeps its name.
func TestMoveOverTaken(t *testing.T) {
	for _, first := range []bool{true, false} {
		p, in, root := replaced(t, 100)
		movedOver(t)(p, in)
		taken := func() { disktest.Must(t, replaceFile(in.Folder, "a", "newer")) }
		if in.late = taken; !first {
			in.late = func() { in.late = taken }
		}
		err := p.carryOut()
		left := p.Revert(err)
		got := disktest.Names(t, root)
		now, _ := os.ReadFile(filepath.Join(root, "a"))
		_, isAside := errors.AsType[*asideError](left)
		if err == nil || string(now) != "newer" || isAside == first || first && got != "a, from" || !strings.HasSuffix(got, ", from") {
			t.Errorf("at the first rename %v: %v, %v, left %s with %s", first, err, left, got, now)
		}
	}
}

// madeTwice is a directory whose server is asked twice to make a file, since its first answer was
// lost.
type madeTwice struct {
	dir.Folder
	first *bool
}

func (in *madeTwice) Create(name string, perm fs.FileMode) (*openfile.File, error) {
	f, err := in.Folder.Create(name, perm)
	if err == nil && *in.first {
		*in.first = false
		f.Close()
		return nil, fs.ErrExist
	}
	return f, err
}

// TestCreateTwice: a new file keeps its temporary name, by which another machine finds it, if it is
// there already because an answer was lost.
func TestCreateTwice(t *testing.T) {
	p, in, root := replaced(t, 100)
	s := p.Steps[0]
	temp, first := s.Temp, true
	disktest.Must(t, in.Remove(temp))
	in.back = true
	s.Target.Folder = &madeTwice{Folder: in, first: &first}
	disktest.Must(t, p.Stage(s))
	if now, err := os.ReadFile(filepath.Join(root, temp)); s.Temp != temp || err != nil || string(now) != "new" || first {
		t.Errorf("%s with %q, %v, want %s", s.Temp, now, err, temp)
	}
}

// TestBarBeforeRenames: a call whose lock is taken while it makes its new file leaves nothing.
func TestBarBeforeRenames(t *testing.T) {
	p, in, root := replaced(t, 100)
	s := p.Steps[0]
	bar(in, AsideOf(s.Temp), "a", true)
	if err := p.Revert(fserr.ErrCollision); err != nil || disktest.Names(t, root) != "a" {
		t.Errorf("%v, left %s", err, disktest.Names(t, root))
	}
}

// TestPutBackTaken: if somebody gives a file the name just before an old one gets it back, both are
// kept.
func TestPutBackTaken(t *testing.T) {
	p, in, root := replaced(t, 100)
	in.late = func() {
		disktest.Must(t, replaceFile(in.Folder, "a", "newer"))
		in.late = func() { disktest.Must(t, replaceFile(in.Folder, "a", "newest")) }
	}
	err := p.carryOut()
	left := p.Revert(err)
	if _, isAside := errors.AsType[*asideError](left); !errors.Is(err, fserr.ErrCollision) || !isAside {
		t.Errorf("%v, %v", err, left)
	}
	disktest.Must(t, in.Remove(p.Steps[0].Temp)) // is left to the next call, with the record
	name, aside, _ := strings.Cut(disktest.Names(t, root), ", ")
	now, _ := os.ReadFile(filepath.Join(root, name))
	kept, _ := os.ReadFile(filepath.Join(root, aside))
	if name != "a" || string(now) != "newest" || string(kept) != "newer" {
		t.Errorf("%s with %s, and %s with %s", name, now, aside, kept)
	}
}

func replaceFile(in dir.Folder, name, content string) error {
	f, err := in.Create("new", 0o600)
	if err == nil {
		_, err = f.Write([]byte(content))
		err = errors.Join(err, f.Close(), in.Move("new", in, name, dir.Over))
	}
	return err
}

// TestAbandoned: if the server stays out of reach, the locks are left as after a kill.
func TestAbandoned(t *testing.T) {
	for _, renames := range []int{1, 100} {
		p, _, _ := replaced(t, renames)
		err := p.carryOut()
		if err != nil {
			_ = p.rollBack(err)
		}
		lock, failed := dirlock.Take(t.Context(), byFile{p.Workspace.RootFolder}, false)
		disktest.Must(t, failed)
		p.locks = append(p.locks, lock)
		p.unlock()
		if left := dir.Exists(p.Workspace.RootFolder, policy.LockName); left != (renames == 1) {
			t.Errorf("%d renames: %v, the lock is left: %v", renames, err, left)
		}
	}
}

// TestRemovalAside: where names can't be exchanged, what is removed has the name of an old file, which
// whoever takes the lock leaves.
func TestRemovalAside(t *testing.T) {
	p, in, root := replaced(t, 100)
	s := p.Steps[0]
	disktest.Must(t, in.Remove(s.Temp))
	s.Creates, s.HasTemp = nil, false
	disktest.Must(t, p.carryOut())
	disktest.Must(t, clearFolder(t.Context(), p.Workspace, s.Target))
	if want := AsideOf(policy.TransPrefix + "1-0"); disktest.Names(t, root) != want {
		t.Errorf("%s, want %s", disktest.Names(t, root), want)
	}
	disktest.Must(t, p.Revert(nil))
	if disktest.Names(t, root) != "a" {
		t.Errorf("not put back: %s", disktest.Names(t, root))
	}
}

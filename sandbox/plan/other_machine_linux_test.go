package plan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/tree"
)

// hooked is a directory on NFS in which another machine does something before a rename or a removal.
type hooked struct {
	dir.Folder
	onMove   func()
	onRemove func(name string)
}

func (*hooked) System() filesystem.System {
	return filesystem.System{Shared: true, NoExchange: true}
}

func (in *hooked) Move(name string, to dir.Folder, newName string, how dir.Moving) error {
	if hook := in.onMove; hook != nil {
		in.onMove = nil
		hook()
	}
	if how == dir.Swapping {
		return fserr.ErrUnsupported
	}
	return in.Folder.Move(name, in.Folder, newName, how)
}

func (in *hooked) Remove(name string) error {
	if in.onRemove != nil {
		in.onRemove(name)
	}
	return in.Folder.Remove(name)
}

// planned is a plan of one step in a workspace.
func planned(t *testing.T, w *sandbox.Workspace, s *Step) *Plan {
	p := &Plan{LockSet: &LockSet{Workspace: w, Ctx: t.Context()}, Steps: []*Step{s}, Entry: &history.Entry{}}
	p.Name()
	return p
}

// rootOf is the path of a workspace's root.
func rootOf(t *testing.T, w *sandbox.Workspace) string {
	path, err := os.Readlink(fmt.Sprint("/proc/self/fd/", w.RootFolder.Number()))
	disktest.Must(t, err)
	return path
}

// TestLateTree: the rename of a copied folder that comes late doesn't take one that another machine
// is copying.
func TestLateTree(t *testing.T) {
	w, root := workspace(t, "mine/a = A", "theirs/b = B")
	in := &hooked{Folder: root}
	copied := func(from, to string) *Plan {
		tree := &CopiedTree{From: w.RootFolder, Name: from, Hashed: true, Explain: func(err error) error { return err }}
		p := planned(t, w, &Step{Target: &sandbox.Target{Folder: in, Name: to, Path: to}, Creates: tree})
		disktest.Must(t, p.Stage(p.Steps[0]))
		return p
	}
	first := copied("mine", "to-mine")
	in.onMove = func() {
		disktest.Must(t, clearFolder(t.Context(), w, first.Steps[0].Target))
		copied("theirs", "to-theirs")
	}
	if err := first.apply(first.Steps[0]); !errors.Is(err, fserr.ErrCollision) {
		t.Errorf("%v, left %s", err, disktest.Names(t, rootOf(t, w)))
	}
}

// TestRevertSecondName: what another machine has put in the place of a second name stays, although it
// has the same inode number.
func TestRevertSecondName(t *testing.T) {
	w, root := workspace(t, "from = moved")
	in := oneInode{root, false}
	found, err := in.Lstat("from")
	disktest.Must(t, err)
	of := &Step{Target: &sandbox.Target{Folder: in, Name: "from", Path: "from", Exists: true, Info: found}, Info: found}
	s := &Step{Target: &sandbox.Target{Folder: in, Name: "to", Path: "to"}, Temp: policy.TransPrefix + "1-0", Creates: SecondName{of}}
	p := &Plan{LockSet: &LockSet{Workspace: w, Ctx: t.Context()}, Steps: []*Step{s, {Target: s.Target}}, Entry: &history.Entry{}}
	disktest.Must(t, p.Stage(s))
	disktest.Must(t, p.apply(s))
	p.Steps = p.Steps[:1]
	disktest.Must(t, replaceFile(root, "to", "newer"))
	if err := p.Revert(fserr.ErrCollision); err != nil || disktest.Names(t, rootOf(t, w)) != "from, to" {
		t.Errorf("%v, left %s", err, disktest.Names(t, rootOf(t, w)))
	}
}

// TestRevertCreatedMeanwhile: what another machine gives the name of a new file stays, also after the
// look at the file that is to be removed.
func TestRevertCreatedMeanwhile(t *testing.T) {
	w, root := workspace(t)
	in := &hooked{Folder: root}
	p := planned(t, w, &Step{Target: &sandbox.Target{Folder: in, Name: "a", Path: "a"}, Creates: &NewFile{Content: []byte("new")}})
	disktest.Must(t, p.Stage(p.Steps[0]))
	disktest.Must(t, p.apply(p.Steps[0]))
	replace := func() { disktest.Must(t, replaceFile(root, "a", "theirs")) }
	in.onMove = replace
	in.onRemove = func(name string) {
		if name == "a" {
			replace()
		}
	}
	err := p.Revert(fserr.ErrCollision)
	now, _ := os.ReadFile(filepath.Join(rootOf(t, w), "a"))
	if err != nil || string(now) != "theirs" || disktest.Names(t, rootOf(t, w)) != "a" {
		t.Errorf("%v, left %s with %q", err, disktest.Names(t, rootOf(t, w)), now)
	}
}

// TestRevertCreatedHalf: what a recovery has given another name, to remove it, is removed by the next
// one if that one was cut short.
func TestRevertCreatedHalf(t *testing.T) {
	w, root := workspace(t, "d/x = new")
	in := &hooked{Folder: root}
	info, err := root.Lstat("d")
	disktest.Must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	in.onMove = cancel
	f := history.Item{Path: "d", Kind: history.Create, FileID: info.ID(), New: tree.Identity(info), Mode: fs.ModeDir, Temp: policy.TransPrefix + "1-0"}
	p := &sandbox.Target{Folder: in, Name: "d", Path: "d"}
	if err := RestoreStep(ctx, p, nil, f); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := RestoreStep(t.Context(), p, nil, f); err != nil || disktest.Names(t, rootOf(t, w)) != "" {
		t.Errorf("%v, left %s", err, disktest.Names(t, rootOf(t, w)))
	}
}

// growing is a folder in which a program adds to a file before a rename fails.
type growing struct {
	dir.Folder
	path string
}

func (in *growing) Move(string, dir.Folder, string, dir.Moving) error {
	f, err := os.OpenFile(in.path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("+line")
		err = errors.Join(err, f.Close())
	}
	return errors.Join(err, syscall.EACCES)
}

// TestRevertGrowing: a move over a file that fails is undone, even if a program has added to the moved
// file meanwhile.
func TestRevertGrowing(t *testing.T) {
	w, root := workspace(t, "a = log", "b = old")
	path := rootOf(t, w)
	a, err := root.Lstat("a")
	disktest.Must(t, err)
	b, err := root.Lstat("b")
	disktest.Must(t, err)
	in := &growing{root, filepath.Join(path, "a")}
	leaving := &Step{Target: &sandbox.Target{Folder: in, Name: "a", Path: "a", Exists: true, Info: a}, Info: a, OldTag: tree.Identity(a), Moved: true}
	arriving := &Step{Target: &sandbox.Target{Folder: root, Name: "b", Path: "b", Exists: true, Info: b}, Info: b,
		Creates: SecondName{leaving}, OldTag: openfile.ContentETag([]byte("old"))}
	p := &Plan{LockSet: &LockSet{Workspace: w, Ctx: t.Context()}, Steps: []*Step{arriving, leaving}, Entry: history.NewEntry("move", "")}
	w.History().Off, p.MayLackRecord = true, true
	err = p.Run()
	now, _ := os.ReadFile(filepath.Join(path, "b"))
	if !errors.Is(err, syscall.EACCES) || string(now) != "old" || disktest.Names(t, path) != "a, b" {
		t.Errorf("%v, left %s with %q", err, disktest.Names(t, path), now)
	}
}

// renumbering is a directory on sshfs: the answer to a rename is lost, and the file has another
// inode number afterwards.
type renumbering struct {
	dir.Folder
	number uint64
}

func (*renumbering) System() filesystem.System {
	return filesystem.System{Shared: true, FUSE: true, Renumbers: true}
}

func (in *renumbering) Lstat(name string) (stat.Info, error) {
	info, err := in.Folder.Lstat(name)
	info.Ino += in.number
	return info, err
}

func (in *renumbering) LstatNow(name string) (stat.Info, error) { return in.Lstat(name) }

func (in *renumbering) Move(name string, to dir.Folder, newName string, how dir.Moving) error {
	if how == dir.Swapping {
		return fserr.ErrUnsupported
	}
	err := in.Folder.Move(name, in.Folder, newName, how)
	if err == nil && newName == "a" {
		in.number++
		err = syscall.EIO
	}
	return err
}

// TestLostAnswerRenumbered: a replacement that was made counts as made there.
func TestLostAnswerRenumbered(t *testing.T) {
	w, root := workspace(t, "a = old")
	in := &renumbering{Folder: root}
	old, err := in.Lstat("a")
	disktest.Must(t, err)
	s := &Step{Target: &sandbox.Target{Folder: in, Name: "a", Path: "a", Exists: true, Info: old}, Creates: &NewFile{Content: []byte("new")},
		Info: old}
	p := planned(t, w, s)
	disktest.Must(t, p.Stage(s))
	if err := p.carryOut(); err != nil {
		t.Error(err)
	}
}

// TestEmptyFileOfOthers: an empty file that another machine has made isn't taken for one that reserves
// a name.
func TestEmptyFileOfOthers(t *testing.T) {
	temp := policy.TransPrefix + "1-0"
	root := disktest.Grow(t, AsideOf(temp)+" = old", "a = ")
	in := twoSteps{Folder: disktest.Open(t, dir.Open, root, false), noExchange: true}
	old, err := in.Lstat(AsideOf(temp))
	disktest.Must(t, err)
	p := &sandbox.Target{Folder: in, Name: "a", Path: "a"}
	record := history.Item{Path: "a", Kind: history.Remove, Temp: temp, FileID: old.ID(), Old: openfile.ContentETag([]byte("old"))}
	err = RestoreStep(t.Context(), p, nil, record)
	if now, _ := os.ReadFile(filepath.Join(root, "a")); !errors.As(err, new(*asideError)) || len(now) > 0 {
		t.Errorf("%v, left %q", err, now)
	}
}

// TestSameContent: a call that another machine has undone doesn't take a file of that machine for its
// own because it has the same content and inode number.
func TestSameContent(t *testing.T) {
	for _, onSMB := range []bool{false, true} {
		p, in, _ := replaced(t, 100)
		s := p.Steps[0]
		s.Target.Folder, s.Made.Ino, s.Info.Ino = oneInode{in, onSMB}, 1, 1
		undone := func() {
			other := twoSteps{Folder: in.Folder, noExchange: true}
			bar(other, AsideOf(s.Temp), "a", true)
			disktest.Must(t, other.Remove(s.Temp))
			disktest.Must(t, replaceFile(other, "a", "new"))
			disktest.Must(t, other.Chtimes("a", time.Now().Add(time.Second)))
		}
		if in.late = undone; onSMB {
			in.late = func() { in.late = undone }
		}
		if err := p.carryOut(); !errors.Is(err, fserr.ErrCollision) {
			t.Errorf("on SMB %v: %v", onSMB, err)
		}
	}
}

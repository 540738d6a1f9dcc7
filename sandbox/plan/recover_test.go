package plan_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
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
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/transaction"
)

// onTheWay is the temporary name in the records of these tests.
const onTheWay = policy.TransPrefix + "0-0"

// putPending writes the record of a transaction that a kill cut short.
func putPending(t *testing.T, w *sandbox.Workspace, files ...history.Item) {
	t.Helper()
	e := history.NewEntry("patch", "", files...)
	r, err := w.History().Announce(e)
	disktest.Must(t, err)
	disktest.Must(t, w.History().Begin(r, e))
	r.Close()
}

// TestRecoverStaging: a call that was killed while it made its new files, in a folder whose lock
// another machine has taken since, is recovered as any other.
func TestRecoverStaging(t *testing.T) {
	bar := plan.AsideOf(onTheWay) + "/"
	for _, test := range []struct {
		mode fs.FileMode // of the new one
		left []string
	}{
		{0, []string{onTheWay + " = ne"}},
		{0, []string{bar}},
		{0, []string{bar, onTheWay + " = ne"}},
		{fs.ModeDir, []string{onTheWay + "/b = ne"}},
		{fs.ModeDir, []string{bar}},
	} {
		root := fixture.MakeTree(t, append(test.left, "a = old"))
		w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{}))
		r, err := w.History().Announce(history.NewEntry("move", "",
			history.Item{Path: "a", Kind: history.Replace, Temp: onTheWay, Mode: test.mode}))
		disktest.Must(t, err)
		r.Close()
		if told := fixture.Recovered(t, w); len(told) > 0 || fixture.Holdings(t, root) != "a=old" {
			t.Errorf("%v: told %q, left %s", test, told, fixture.Holdings(t, root))
		}
	}
}

// TestRecover kills a transaction on the file a, which had the content "old", in each of its
// states, with and without changes by somebody else. A second recovery has nothing left to do.
func TestRecover(t *testing.T) {
	replaced := history.Item{Kind: history.Replace, Old: openfile.ContentETag([]byte("old")), New: openfile.ContentETag([]byte("new"))}
	removed := history.Item{Kind: history.Remove, Old: replaced.Old}
	created := history.Item{Kind: history.Create, New: replaced.New}
	two := plan.AsideOf(onTheWay)
	tests := []struct {
		name  string
		saved history.Item
		old   string // where the old file is, "" if it is gone
		fs    []string
		after string
		aside bool // the first call tells that a file was set aside
	}{
		{"before all", replaced, "a", []string{"a = old"}, "a=old", false},
		{"staged", replaced, "a", []string{"a = old", onTheWay + " = new"}, "a=old", false},
		{"staged in part", replaced, "a", []string{"a = old", onTheWay + " = ne"}, "a=old", false},
		{"exchanged", replaced, onTheWay, []string{"a = new", onTheWay + " = old"}, "a=old", false},
		{"put away, in two steps", replaced, two, []string{onTheWay + " = new", two + " = old"}, "a=old", false},
		{"in place, in two steps", replaced, two, []string{"a = new", two + " = old"}, "a=old", false},
		{"undone by another machine", replaced, "a", []string{"a = old", two + "/"}, "a=old", false},
		{"undone by another machine, then changed", replaced, "", []string{"a = theirs", two + "/"}, "a=theirs", false},
		{"another with the new content put away", replaced, "", []string{onTheWay + " = new", two + " = new"}, "a=new", false},
		{"taken away", removed, onTheWay, []string{onTheWay + " = old"}, "a=old", false},
		{"taken away, by the name of an old file", removed, two, []string{two + " = old"}, "a=old", false},
		{"made", created, "a", []string{"a = new"}, "", false},
		{"made by somebody else before all was staged", created, "", []string{"a = new"}, "a=new", false},
		{"made by somebody else", created, onTheWay, []string{"a = new", onTheWay + " = new"}, "a=new", false},
		{"exchanged, then changed", replaced, onTheWay, []string{"a = theirs", onTheWay + " = old"}, "a=theirs, a.aside=old", true},
		{"exchanged, then removed", replaced, onTheWay, []string{onTheWay + " = old"}, "a=old", false},
		{"exchanged with another", replaced, "", []string{"a = new", onTheWay + " = theirs"}, "a=new, a.aside=theirs", true},
		{"staged, then replaced", replaced, "", []string{"a = theirs", onTheWay + " = new"}, "a=theirs", false},
		{"another taken away", removed, "", []string{onTheWay + " = theirs"}, "a=theirs", false},
		{"taken away, then a file made", removed, onTheWay, []string{"a = theirs", onTheWay + " = old"}, "a=theirs, a.aside=old", true},
		{"taken away, then a directory made", removed, onTheWay, []string{"a/b = theirs", onTheWay + " = old"}, "a.aside=old, a/, a/b=theirs", true},
		{"made, then changed", created, "a", []string{"a = theirs"}, "a=theirs", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
				root := fixture.MakeTree(t, test.fs)
				w := fixture.OpenWorkspace(t, root, fixture.WithState(t, o))
				f := test.saved
				if f.Path, f.Temp = "a", onTheWay; f.Old != "" {
					f.FileID = "none"
				}
				if test.old != "" {
					info, err := w.Lstat(test.old)
					disktest.Must(t, err)
					info.Dev++ // as after a restart of the host
					f.FileID = info.ID()
				}
				putPending(t, w, f)
				if told := fixture.Recovered(t, w); (len(told) > 0) != test.aside {
					t.Errorf("told %q, something is set aside: %v", told, test.aside)
				}
				if told := fixture.Recovered(t, w); len(told) > 0 {
					t.Errorf("told %q the second time", told)
				}
				if got := withoutMarks(fixture.Holdings(t, root)); got != test.after {
					t.Errorf("left %q, want %q", got, test.after)
				}
			})
		})
	}
}

// withoutMarks shortens the names of files that were set aside.
func withoutMarks(tree string) string {
	for {
		before, after, found := strings.Cut(tree, ".fsbox-conflict-")
		if !found {
			return tree
		}
		tree = before + ".aside" + after[len("xxxxx"):]
	}
}

// TestRecoverCanceled: what could not be read because time was short is still there for the next
// call.
func TestRecoverCanceled(t *testing.T) {
	root := fixture.MakeTree(t, []string{"a = new", onTheWay + " = old"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{}))
	old, err := w.Lstat(onTheWay)
	disktest.Must(t, err)
	f := history.Item{Path: "a", Kind: history.Replace, Old: openfile.ContentETag([]byte("old")), New: openfile.ContentETag([]byte("new")),
		Temp: onTheWay, FileID: old.ID()}
	p, err := w.Locate("a", sandbox.Purpose{})
	disktest.Must(t, err)
	defer p.Close()
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := plan.RestoreStep(canceled, p, nil, f); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	disktest.Must(t, plan.RestoreStep(context.Background(), p, nil, f))
	if got := fixture.Read(t, filepath.Join(root, "a")); got != "old" {
		t.Errorf("a holds %q", got)
	}
}

// TestRecordsInside: a record with a path outside of the workspace or the state folder is refused.
func TestRecordsInside(t *testing.T) {
	root := fixture.MakeTree(t, []string{"a = 1"})
	before := fixture.Snapshot(t, fixture.Outside(root))
	for name, f := range map[string]history.Item{
		"temporary name": {Path: "a", Kind: history.Create, New: "x", Temp: "../out/f"},
		"any name":       {Path: "b", Kind: history.Create, New: "x", Temp: "a"},
		"path":           {Path: "..", Kind: history.Create, New: "x", Temp: policy.TransPrefix + "/../../out/f"},
		"link upwards":   {Path: "a/../../out/f", Kind: history.Create, New: openfile.ContentETag([]byte(fixture.Secret)), Temp: onTheWay},
		"old path":       {Path: "a", From: "../out/f", Kind: history.Rename, Temp: onTheWay},
		"kept content": {Path: "a", Kind: history.Remove, Kept: "../../../../out/secret", Old: openfile.ContentETag([]byte(fixture.Secret)),
			Size: int64(len(fixture.Secret))},
		"kept directory": {Path: "a", Kind: history.Remove, Kept: "..", Temp: onTheWay},
		"length":         {Path: "a", Kind: history.Extend, Size: 2, AppendedBytes: -1},
	} {
		w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{}))
		putPending(t, w, f)
		if told := fixture.Recovered(t, w); len(told) != 2 || !strings.Contains(told[1], "set aside") {
			t.Errorf("%s: told %q", name, told)
		}
	}
	if after := fixture.Snapshot(t, fixture.Outside(root)); after != before || fixture.Read(t, filepath.Join(root, "a")) != "1" {
		t.Errorf("changed:\n%s", after)
	}
}

// TestSetAside: a file that somebody else left under the temporary name is kept, whatever its time
// and however long the new name is.
func TestSetAside(t *testing.T) {
	for _, name := range []string{"a", strings.Repeat("n", 250), strings.Repeat("ü", 125)} {
		root := fixture.MakeTree(t, []string{name + " = 1"})
		w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
		_, err := transaction.Commit(context.Background(), w, []transaction.Change{fixture.Put(name, "2", transaction.MustExist)})
		disktest.Must(t, err)
		disktest.MakeEntry(t, root, plan.FixedTemp+" = theirs")
		disktest.Must(t, os.Chtimes(filepath.Join(root, plan.FixedTemp), time.Unix(1, 0), time.Unix(1, 0)))
		_, err = transaction.Commit(context.Background(), w, []transaction.Change{fixture.Put(name, "3", transaction.MustExist)})
		disktest.Must(t, err)
		if got := fixture.Holdings(t, root); strings.Count(got, "=theirs") != 1 || !strings.Contains(got, ".fsbox-conflict-") || !strings.Contains(got,
			name+"=3") {
			t.Errorf("left %q", got)
		}
	}
}

// TestAnnounceTogether: no process takes over the record of a living one.
func TestAnnounceTogether(t *testing.T) {
	root := fixture.MakeTree(t, nil)
	o := fixture.WithState(t, sandbox.Options{NoSync: true})
	done := make(chan error)
	for i := range 8 {
		w := fixture.OpenWorkspace(t, root, o)
		go func() {
			var failed error
			for n := range fixture.Few(40) {
				e := history.NewEntry("patch", "", history.Item{Path: "a", Kind: history.Create, Temp: onTheWay})
				r, err := w.History().Announce(e)
				if err != nil {
					failed = err
					continue
				}
				failed = errors.Join(failed, w.History().Begin(r, e))
				if i%2 == 0 || n%2 == 0 {
					_, err := plan.Recover(context.Background(), w)
					failed = errors.Join(failed, err)
				}
				failed = errors.Join(failed, w.History().Commit(r)) // it renames the record
				r.End()
				r.Close()
			}
			done <- failed
		}()
	}
	for range 8 {
		disktest.Must(t, <-done)
	}
}

// stuck is a folder in which no file can be renamed.
type stuck struct{ dir.Folder }

func (stuck) Move(string, dir.Folder, string, dir.Moving) error { return os.ErrInvalid }

// TestStuck: a call that fails and can't put an old file back removes neither the file nor its
// backup. The next call puts it back.
func TestStuck(t *testing.T) {
	root := fixture.MakeTree(t, []string{"a = new", onTheWay + " = old"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
	p, err := w.Locate("a", sandbox.Purpose{})
	disktest.Must(t, err)
	defer p.Close()
	old, err := p.Folder.Lstat(onTheWay)
	disktest.Must(t, err)
	b := history.NewEntry("patch", "", history.Item{Path: "a", Kind: history.Replace, Size: 3, Old: openfile.ContentETag([]byte("old")),
		New:  openfile.ContentETag([]byte("new")),
		Temp: onTheWay, FileID: old.ID()})
	_, err = w.History().Keep(context.Background(), b, []history.Source{{Content: []byte("old")}})
	disktest.Must(t, err)
	under, err := w.History().Announce(b)
	disktest.Must(t, err)
	disktest.Must(t, w.History().Begin(under, b))
	s := &plan.Step{Target: &sandbox.Target{Folder: stuck{p.Folder}, Name: "a", Exists: true}, Creates: &plan.NewFile{}, Temp: onTheWay, HasTemp: true, Done: true,
		Info: old, OldTag: b.Items[0].Old, NewTag: b.Items[0].New}
	undone := &plan.Plan{LockSet: &plan.LockSet{Workspace: w, Ctx: context.Background()}, Entry: b, InJournal: true, Record: under, Steps: []*plan.Step{s}}
	if err := undone.Revert(nil); err == nil {
		t.Error("nothing is left to do")
	}
	under.Close()
	if content, err := w.History().Content(context.Background(), b.Items[0]); err != nil || string(content) != "old" {
		t.Errorf("kept is %q, %v", content, err)
	}
	fixture.Recovered(t, w)
	if got := fixture.Read(t, filepath.Join(root, "a")); got != "old" {
		t.Errorf("a is %q", got)
	}
}

// closedFolder is a folder in which no file can be read for now.
type closedFolder struct{ dir.Folder }

func (closedFolder) Open(name string, _ int) (*openfile.File, error) {
	return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrPermission}
}

// TestRestoreUnreadable: while nobody can tell which file is which, nothing is undone and the
// error says so. Later, all of it is.
func TestRestoreUnreadable(t *testing.T) {
	text := func(s string) string { return openfile.ContentETag([]byte(s)) }
	root := fixture.MakeTree(t, []string{"a = new", onTheWay + " = old", "made = new"})
	w := fixture.OpenWorkspace(t, root, sandbox.Options{})
	info := func(name string) stat.Info {
		p, err := w.Locate(name, sandbox.Purpose{})
		disktest.Must(t, err)
		defer p.Close()
		return p.Info
	}
	for _, f := range []history.Item{
		{Path: "a", Kind: history.Replace, Old: text("old"), New: text("new"), Temp: onTheWay},
		{Path: "made", Kind: history.Create, New: text("new"), FileID: info("made").ID()},
	} {
		p, err := w.Locate(f.Path, sandbox.Purpose{})
		disktest.Must(t, err)
		defer p.Close()
		folder := p.Folder
		p.Folder = closedFolder{folder}
		if err := p.Fail(plan.RestoreStep(t.Context(), p, nil, f)); !errors.Is(err, fserr.ErrPermission) || !plan.IsForLater(err) {
			t.Errorf("%s: %v", f.Path, err)
		}
		p.Folder = folder
		disktest.Must(t, plan.RestoreStep(t.Context(), p, nil, f))
	}
	want := onTheWay + "=new, a=old"
	if runtime.GOOS != "linux" { // no two names are exchanged: the new file is replaced
		want = "a=old"
	}
	if got := fixture.Holdings(t, root); got != want {
		t.Errorf("left %q, want %q", got, want)
	}
}

// TestRemovedAgain: an old file that comes back on SMB although it was removed is removed again, two
// seconds after the change and a minute after it, and nobody is told.
func TestRemovedAgain(t *testing.T) {
	two := plan.AsideOf(onTheWay)
	const second = policy.TransPrefix + "0-1"
	removed := plan.AsideOf(second)
	root := fixture.MakeTree(t, []string{"a = new", two + " = old", removed + "/b = old"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{}))
	e := history.NewEntry("edit", "", history.Item{Path: "a", Kind: history.Replace, Temp: onTheWay},
		history.Item{Path: "d", Kind: history.Remove, Temp: second})
	r, err := w.History().Announce(e)
	disktest.Must(t, errors.Join(err, w.History().Begin(r, e), w.History().Commit(r)))
	r.EndLate(false, true)
	r.Close()
	records := filepath.Join(w.History().Path(), "pending")
	both := two + "=old, " + removed + "/, " + removed + "/b=old, a=new"
	for i, test := range []struct {
		age  time.Duration
		left string
	}{{0, both}, {3 * time.Second, "a=new"}, {40 * time.Second, two + "=old, a=new"}, {time.Minute, "a=new"}} {
		if i == 2 {
			disktest.Must(t, os.WriteFile(filepath.Join(root, two), []byte("old"), 0o600))
		}
		fixture.AgeRecords(t, w, test.age)
		if told := fixture.Recovered(t, w); len(told) > 0 {
			t.Errorf("told %q", told)
		}
		if got := fixture.Holdings(t, root); got != test.left {
			t.Errorf("after %v: %q, want %q", test.age, got, test.left)
		}
	}
	if left := disktest.Names(t, records); left != "" {
		t.Errorf("records left: %s", left)
	}
}

// TestUndoneLate: two seconds after a change on SMB was undone, what another machine has put in the way
// of its rename is removed, and a file that was renamed all the same gets its name back, but not one
// that the change had made.
func TestUndoneLate(t *testing.T) {
	barred, renamed := plan.AsideOf(onTheWay), plan.AsideOf(policy.TransPrefix+"0-1")
	created := plan.AsideOf(policy.TransPrefix + "0-3")
	root := fixture.MakeTree(t, []string{"a = newer", barred + "/", renamed + " = newest", created + " = made", "-old = somebody's"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{}))
	e := history.NewEntry("edit", "", history.Item{Path: "a", Kind: history.Replace, Temp: onTheWay},
		history.Item{Path: "b", Kind: history.Replace, Temp: policy.TransPrefix + "0-1"}, history.Item{Path: "c", Kind: history.Empty},
		history.Item{Path: "d", Kind: history.Create, Temp: policy.TransPrefix + "0-3", New: openfile.ContentETag([]byte("made"))})
	r, err := w.History().Announce(e)
	disktest.Must(t, errors.Join(err, w.History().Begin(r, e)))
	r.EndLate(true, true)
	r.Close()
	records := filepath.Join(w.History().Path(), "pending")
	for _, age := range []time.Duration{3 * time.Second, time.Minute} {
		fixture.AgeRecords(t, w, age)
		if told := fixture.Recovered(t, w); len(told) > 0 {
			t.Errorf("told %q", told)
		}
	}
	if got := fixture.Holdings(t, root); got != "-old=somebody's, a=newer, b=newest" || disktest.Names(t, records) != "" {
		t.Errorf("left %s, and %s", got, disktest.Names(t, records))
	}
}

// forgetful is a directory on SMB whose server forgets removals.
type forgetful struct{ dir.Folder }

func (forgetful) System() filesystem.System {
	return filesystem.System{Shared: true, NoExchange: true, LosesTarget: true}
}

func (forgetful) LocksAll() bool { return false }

func (forgetful) Remove(string) error { return nil }

func (f forgetful) Reopen() (dir.Folder, error) {
	in, err := f.Folder.Reopen()
	return forgetful{in}, err
}

// TestFreedLockRemoved: a lock file on SMB that is there again after it was freed is removed a minute
// later.
func TestFreedLockRemoved(t *testing.T) {
	root := fixture.MakeTree(t, []string{"d/a = text"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{}))
	p, err := w.Locate("d/a", sandbox.Purpose{})
	disktest.Must(t, err)
	defer p.Close()
	p.Folder = forgetful{p.Folder}
	lock, _, err := plan.LockTarget(t.Context(), w, p, false)
	disktest.Must(t, err)
	lock.Release()
	if left := disktest.Names(t, filepath.Join(root, "d")); !strings.HasPrefix(left, policy.TransPrefix) {
		t.Fatalf("left %q", left)
	}
	fixture.AgeRecords(t, w, time.Minute)
	if told := fixture.Recovered(t, w); len(told) > 0 {
		t.Errorf("told %q", told)
	}
	if left := disktest.Names(t, filepath.Join(root, "d")); left != "a" {
		t.Errorf("left %q", left)
	}
}

// troubled is a root on SMB: a directory in it may not be entered, or the server is out of reach.
type troubled struct {
	dir.Folder
	closed string
	isOff  bool
}

func (in *troubled) Sub(name string) (dir.Folder, error) {
	if name == in.closed {
		return nil, syscall.EACCES
	}
	return in.Folder.Sub(name)
}

func (in *troubled) Descend(path string) (dir.Folder, error) {
	if path == in.closed {
		return nil, syscall.EACCES
	}
	return in.Folder.Descend(path)
}

func (in *troubled) Remove(name string) error {
	if in.isOff {
		return syscall.EIO
	}
	return in.Folder.Remove(name)
}

// lateRecords makes records of removals that are due, and a file that has come back after the last of
// them.
func lateRecords(t *testing.T, w *sandbox.Workspace, root string, paths ...string) (aside string, age func()) {
	for i, path := range paths {
		f := history.Item{Path: path, Kind: history.Remove, Temp: policy.TransPrefix + "7-" + string(rune('0'+i))}
		aside = plan.AsideOf(f.Temp)
		e := history.NewEntry("delete", "", f)
		r, err := w.History().Announce(e)
		disktest.Must(t, errors.Join(err, w.History().Begin(r, e), w.History().Commit(r)))
		r.EndLate(false, true)
		r.Close()
		time.Sleep(5 * time.Millisecond)
	}
	disktest.Must(t, os.WriteFile(filepath.Join(root, aside), []byte("back"), 0o600))
	return aside, func() { fixture.AgeRecords(t, w, 10*time.Minute) }
}

// TestLateBlocked: a record whose directory may not be entered any more keeps no other from being
// looked at.
func TestLateBlocked(t *testing.T) {
	root := fixture.MakeTree(t, []string{"a = new", "closed/x = y"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{}))
	aside, age := lateRecords(t, w, root, "closed/x", "a")
	w.RootFolder = &troubled{Folder: w.RootFolder, closed: "closed"}
	for range 5 {
		age()
		_, err := plan.Recover(t.Context(), w)
		disktest.Must(t, err)
	}
	if dir.Exists(w.RootFolder, aside) {
		t.Errorf("left %s", disktest.Names(t, root))
	}
}

// TestLateOff: while the server is out of reach, no look counts.
func TestLateOff(t *testing.T) {
	root := fixture.MakeTree(t, []string{"a = new"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{}))
	aside, age := lateRecords(t, w, root, "a")
	in := &troubled{Folder: w.RootFolder}
	w.RootFolder = in
	for i := range 4 {
		in.isOff = i < 2 // for two calls
		age()
		_, err := plan.Recover(t.Context(), w)
		disktest.Must(t, err)
	}
	if dir.Exists(w.RootFolder, aside) {
		t.Errorf("left %s", disktest.Names(t, root))
	}
}

package undo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/history"
	"fsbox/sandbox/transaction"
)

// killedCalls write a call's entry to the journal, and do nothing else.
var killedCalls = map[string]func(t *testing.T, w *sandbox.Workspace){
	"replace": func(t *testing.T, w *sandbox.Workspace) {
		killedWrite(t, w, fixture.Put("a", "2", transaction.MustExist))
	},
	"remove": func(t *testing.T, w *sandbox.Workspace) {
		killedWrite(t, w, transaction.Change{WriteOptions: transaction.WriteOptions{Path: "a"}, Remove: true})
	},
	"create": func(t *testing.T, w *sandbox.Workspace) {
		killedWrite(t, w, fixture.Put("new", "2", transaction.MustCreate))
	},
	"append": func(t *testing.T, w *sandbox.Workspace) {
		killedKeep(t, w, "a", history.Item{Path: "a", Kind: history.Extend, Size: 1, AppendedBytes: 3, New: openfile.ContentETag([]byte("abc"))})
	},
	"undo of an append": func(t *testing.T, w *sandbox.Workspace) {
		killedKeep(t, w, "a", history.Item{Path: "a", Kind: history.Cut, Size: 1, AppendedBytes: 1, Old: openfile.ContentETag([]byte("1"))})
	},
	"move": func(t *testing.T, w *sandbox.Workspace) { killedMove(t, w, transaction.Transfer{From: "a", To: "to"}) },
	"move over": func(t *testing.T, w *sandbox.Workspace) {
		killedMove(t, w, transaction.Transfer{From: "a", To: "c", Overwrite: true})
	},
	"remove empty": func(t *testing.T, w *sandbox.Workspace) {
		p, err := w.Locate("empty", sandbox.Purpose{})
		disktest.Must(t, err)
		defer p.Close()
		killedKeep(t, w, "empty", transaction.RemovedItem(p))
	},
}

func killedWrite(t *testing.T, w *sandbox.Workspace, c transaction.Change) {
	t.Helper()
	tx, p := fixture.Planned(t, w, c)
	defer tx.Release()
	defer p.Close()
	p.Name()
	disktest.Must(t, p.Prepare())
}

func killedKeep(t *testing.T, w *sandbox.Workspace, path string, f history.Item) {
	t.Helper()
	p, err := w.Locate(path, sandbox.Purpose{})
	disktest.Must(t, err)
	defer p.Close()
	_, err = w.History().Keep(context.Background(), history.NewEntry("append", "", f), []history.Source{{Empty: true, Present: &p.Info}})
	disktest.Must(t, err)
}

func killedMove(t *testing.T, w *sandbox.Workspace, tr transaction.Transfer) {
	t.Helper()
	tx, p := fixture.Planned(t, w, transaction.Change{Move: &tr})
	defer tx.Release()
	disktest.Must(t, p.Keep())
}

// TestUndoSkipsKilled: undo skips a call that was killed before it changed anything, also if a
// file was read since.
func TestUndoSkipsKilled(t *testing.T) {
	for name, kill := range killedCalls {
		root := fixture.MakeTree(t, []string{"a = 1", "b = 1", "c = 1", "empty/"})
		w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
		_, err := transaction.Commit(context.Background(), w, []transaction.Change{fixture.Put("b", "2", transaction.MustExist)})
		disktest.Must(t, err)
		kill(t, w)
		fixture.Read(t, filepath.Join(root, "a"))
		report, err := Undo(context.Background(), w, "", "", false, nil)
		if err != nil || report.Restored[0].Path != "b" {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
		if got := fixture.Holdings(t, root); got != "a=1, b=1, c=1, empty/" {
			t.Errorf("%s: left %q", name, got)
		}
	}
}

// TestUndoSkipsKilledAndCleared: so it does after a later call removed what the killed one had
// left, and then changed nothing either.
func TestUndoSkipsKilledAndCleared(t *testing.T) {
	ctx := context.Background()
	root := fixture.MakeTree(t, []string{"a = 1", "b = 1"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
	_, err := transaction.Commit(ctx, w, []transaction.Change{fixture.Put("b", "2", transaction.MustExist)})
	disktest.Must(t, err)
	killedWrite(t, w, fixture.Put("a", "2", transaction.MustExist))
	_, err = transaction.Commit(ctx, w, []transaction.Change{fixture.Put("a", "1", transaction.MustExist)})
	disktest.Must(t, err)
	report, err := Undo(ctx, w, "", "", false, nil)
	if err != nil || report.Restored[0].Path != "b" {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestChangeStamp: an append changes a file's change stamp, even within one tick of the clock.
func TestChangeStamp(t *testing.T) {
	a := stat.Info{Size: 1, Identity: stat.Identity{Ino: 1, Changed: 1}}
	b := a
	b.Size = 2
	if a.ChangeStamp() == b.ChangeStamp() {
		t.Errorf("both are %s", a.ChangeStamp())
	}
}

// TestStateRemoved: a session continues when somebody removes its state folder.
func TestStateRemoved(t *testing.T) {
	fixture.Lacks(t, "removing or replacing what is open")
	ctx := context.Background()
	root := fixture.MakeTree(t, []string{"a = 1", "b = 1"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
	for _, changes := range [][]transaction.Change{{fixture.Put("a", "2", transaction.MustExist)}, {fixture.Put("a", "3", transaction.MustExist)}, {fixture.Put("a", "4", transaction.MustExist), fixture.Put("b", "2",
		transaction.MustExist)}} {
		_, err := transaction.Commit(ctx, w, changes)
		disktest.Must(t, err)
		disktest.Must(t, os.RemoveAll(w.StateDir()))
	}
	if got := fixture.Holdings(t, root); got != "a=4, b=2" {
		t.Errorf("left %q", got)
	}
}

// TestUndoStaleIfPutBack: a call that changed something is the one to undo, also if somebody
// has restored everything since.
func TestUndoStaleIfPutBack(t *testing.T) {
	ctx := context.Background()
	commit := func(c transaction.Change) func(*sandbox.Workspace) error {
		return func(w *sandbox.Workspace) error {
			_, err := transaction.Commit(ctx, w, []transaction.Change{c})
			return err
		}
	}
	for name, call := range map[string]struct {
		make func(*sandbox.Workspace) error
		back func(root string) error
	}{
		"replace": {commit(fixture.Put("a", "2", transaction.MustExist)), func(root string) error { return os.WriteFile(root+"/a", []byte("1"), 0o666) }},
		"remove": {commit(transaction.Change{WriteOptions: transaction.WriteOptions{Path: "a"}, Remove: true}), func(root string) error {
			return os.WriteFile(root+"/a", []byte("1"),
				0o644)
		}},
		"create": {commit(fixture.Put("new", "2", transaction.MustCreate)), func(root string) error { return os.Remove(root + "/new") }},
		"append": {func(w *sandbox.Workspace) error {
			_, err := transaction.Append(ctx, w, transaction.WriteOptions{Path: "a"}, func(openfile.Edges) ([]byte, error) { return []byte("2"), nil })
			return err
		}, func(root string) error { return os.WriteFile(root+"/a", []byte("1"), 0o666) }},
		"move": {func(w *sandbox.Workspace) error {
			_, err := transaction.Move(ctx, w, transaction.Transfer{From: "a", To: "to"})
			return err
		}, func(root string) error { return os.Rename(root+"/to", root+"/a") }},
		"copy of a directory": {func(w *sandbox.Workspace) error {
			_, err := transaction.Copy(ctx, w, transaction.Transfer{From: "empty", To: "to"})
			return err
		}, func(root string) error { return os.Remove(root + "/to") }},
		"remove empty": {func(w *sandbox.Workspace) error {
			_, err := transaction.Delete(ctx, w, transaction.WriteOptions{Path: "empty"})
			return err
		}, func(root string) error { return os.Mkdir(root+"/empty", 0o755) }},
	} {
		root := fixture.MakeTree(t, []string{"a = 1", "b = 1", "empty/"})
		disktest.Must(t, os.Chmod(root+"/a", 0o644))
		disktest.Must(t, os.Chmod(root+"/empty", 0o755))
		w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
		disktest.Must(t, commit(fixture.Put("b", "2", transaction.MustExist))(w))
		disktest.Must(t, call.make(w))
		disktest.Must(t, call.back(root))
		if _, err := Undo(ctx, w, "", "", false, nil); !errors.Is(err, fserr.ErrStale) {
			t.Errorf("%s: got %v", name, err)
		}
		if got := fixture.Holdings(t, root); got != "a=1, b=2, empty/" {
			t.Errorf("%s: left %q", name, got)
		}
	}
}

// TestUndoAppendLonger: what another machine has added stays, although the system doesn't know of it.
func TestUndoAppendLonger(t *testing.T) {
	root := fixture.MakeTree(t, []string{"a = 1"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
	_, err := transaction.Append(t.Context(), w, transaction.WriteOptions{Path: "a"}, fixture.More("2"))
	disktest.Must(t, err)
	all, err := w.History().Entries(t.Context())
	disktest.Must(t, err)
	const theirs = "12theirs"
	disktest.Must(t, os.WriteFile(filepath.Join(root, "a"), []byte(theirs), 0o644))
	w.RootFolder = fixture.Delegated{Folder: w.RootFolder, Less: int64(len("theirs"))}
	_, err = (&undoing{w: w, ctx: t.Context(), b: all[len(all)-1]}).revertInPlace()
	if now := fixture.Read(t, filepath.Join(root, "a")); !errors.Is(err, fserr.ErrStale) || now != theirs {
		t.Errorf("%v, left %q", err, now)
	}
}

// TestUndoAppendGrown: what a logger adds during the undo of an append is not cut off.
func TestUndoAppendGrown(t *testing.T) {
	fixture.Lacks(t, "removing or replacing what is open")
	change := map[string]func(path string) error{
		"grown": func(path string) error { return os.WriteFile(path, []byte("1+2theirs"), 0o666) },
		"replaced": func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, []byte("1+2"), 0o666))
		},
	}
	for name, theirs := range change {
		root := fixture.MakeTree(t, []string{"log = 1+2"})
		w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
		f := history.Item{Path: "log", Kind: history.Extend, Size: 1, AppendedBytes: 2}
		r := appendUndo{undoing: &undoing{w: w, ctx: context.Background(), b: &history.Entry{}}, f: f, inverse: f.Inverse(), tail: []byte("+2")}
		p, err := w.Locate("log", sandbox.Purpose{Write: true})
		disktest.Must(t, err)
		defer p.Close()
		i, err := transaction.OpenInPlace(context.Background(), w, p, false)
		disktest.Must(t, err)
		disktest.Must(t, theirs(filepath.Join(root, "log")))
		before := fixture.Read(t, filepath.Join(root, "log"))
		if err := r.change(i); !errors.Is(err, fserr.ErrStale) {
			t.Errorf("%s: got %v", name, err)
		}
		i.Release()
		if after := fixture.Read(t, filepath.Join(root, "log")); after != before {
			t.Errorf("%s: left %q", name, after)
		}
	}
}

// Folders that an undo makes again, and of which the journal knows nothing, are closed to everybody
// else: the entry is from before folders were noted.
func TestUndoMakesUnknownFoldersPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("directories have no modes there")
	}
	host := fixture.MakeTree(t, []string{"p/q/f = old"})
	w := fixture.OpenWorkspace(t, host, sandbox.Options{State: filepath.Join(host, "../state"), Backups: true})
	_, err := transaction.Delete(t.Context(), w, transaction.WriteOptions{Path: "p/q/f", Tool: "delete"})
	disktest.Must(t, err)
	disktest.Must(t, os.RemoveAll(filepath.Join(host, "p")))
	calls, err := Backups(t.Context(), w, "", false)
	disktest.Must(t, err)
	calls[0].Above = nil
	u := undoing{w: w, ctx: t.Context()}
	_, err = u.revertTogether(calls, calls[0].ID)
	disktest.Must(t, err)
	for _, path := range []string{"p", "p/q"} {
		if info, err := os.Stat(filepath.Join(host, path)); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
}

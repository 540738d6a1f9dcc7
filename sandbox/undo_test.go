package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// killedCalls write a call's entry to the journal, and do nothing else.
var killedCalls = map[string]func(t *testing.T, w *Workspace){
	"replace": func(t *testing.T, w *Workspace) { killedWrite(t, w, put("a", "2", MustExist)) },
	"remove": func(t *testing.T, w *Workspace) {
		killedWrite(t, w, Change{WriteOptions: WriteOptions{Path: "a"}, Remove: true})
	},
	"create": func(t *testing.T, w *Workspace) { killedWrite(t, w, put("new", "2", MustCreate)) },
	"append": func(t *testing.T, w *Workspace) {
		killedKeep(t, w, "a", history.Item{Path: "a", Kind: history.Extend, Size: 1, AppendedBytes: 3, New: dir.ContentETag([]byte("abc"))})
	},
	"undo of an append": func(t *testing.T, w *Workspace) {
		killedKeep(t, w, "a", history.Item{Path: "a", Kind: history.Cut, Size: 1, AppendedBytes: 1, Old: dir.ContentETag([]byte("1"))})
	},
	"move":      func(t *testing.T, w *Workspace) { killedMove(t, w, Transfer{From: "a", To: "to"}) },
	"move over": func(t *testing.T, w *Workspace) { killedMove(t, w, Transfer{From: "a", To: "c", Overwrite: true}) },
	"remove empty": func(t *testing.T, w *Workspace) {
		p, err := w.Locate("empty", Purpose{})
		check(t, err)
		defer p.Close()
		killedKeep(t, w, "empty", p.removed())
	},
}

func killedWrite(t *testing.T, w *Workspace, c Change) {
	t.Helper()
	tx, p := planned(t, w, c)
	defer tx.release()
	defer p.close()
	p.name()
	check(t, p.prepare())
}

// planned is the plan of one change, which is locked.
func planned(t *testing.T, w *Workspace, c Change) (*transaction, *plan) {
	t.Helper()
	tx := &transaction{lockSet: lockSet{w: w, ctx: context.Background()}, changes: []Change{c}, failed: map[int]error{}}
	check(t, tx.locate())
	check(t, tx.prepareAll())
	p, err := tx.compile()
	check(t, err)
	return tx, p
}

func killedKeep(t *testing.T, w *Workspace, path string, f history.Item) {
	t.Helper()
	p, err := w.Locate(path, Purpose{})
	check(t, err)
	defer p.Close()
	_, err = w.history.Keep(context.Background(), history.NewEntry("append", "", f), []history.Source{{Empty: true, Present: &p.Info}})
	check(t, err)
}

func killedMove(t *testing.T, w *Workspace, tr Transfer) {
	t.Helper()
	tx, p := planned(t, w, Change{move: &tr})
	defer tx.release()
	check(t, p.keep())
}

// TestUndoSkipsKilled: undo skips a call that was killed before it changed anything, also if a
// file was read since.
func TestUndoSkipsKilled(t *testing.T) {
	for name, kill := range killedCalls {
		root := makefs(t, []string{"a = 1", "b = 1", "c = 1", "empty/"})
		w := open(t, root, withState(t, Options{Whole: 1 << 20}))
		_, err := w.Commit(context.Background(), []Change{put("b", "2", MustExist)})
		check(t, err)
		kill(t, w)
		read(t, filepath.Join(root, "a"))
		report, err := w.Undo(context.Background(), "", "", false, nil)
		if err != nil || report.Restored[0].Path != "b" {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
		if got := holdings(t, root); got != "a=1, b=1, c=1, empty/" {
			t.Errorf("%s: left %q", name, got)
		}
	}
}

// TestUndoSkipsKilledAndCleared: so it does after a later call removed what the killed one had
// left, and then changed nothing either.
func TestUndoSkipsKilledAndCleared(t *testing.T) {
	ctx := context.Background()
	root := makefs(t, []string{"a = 1", "b = 1"})
	w := open(t, root, withState(t, Options{Whole: 1 << 20}))
	_, err := w.Commit(ctx, []Change{put("b", "2", MustExist)})
	check(t, err)
	killedWrite(t, w, put("a", "2", MustExist))
	_, err = w.Commit(ctx, []Change{put("a", "1", MustExist)})
	check(t, err)
	report, err := w.Undo(ctx, "", "", false, nil)
	if err != nil || report.Restored[0].Path != "b" {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestChangeStamp: an append changes a file's change stamp, even within one tick of the clock.
func TestChangeStamp(t *testing.T) {
	a := dir.Info{Size: 1, Identity: dir.Identity{Ino: 1, Changed: 1}}
	b := a
	b.Size = 2
	if a.ChangeStamp() == b.ChangeStamp() {
		t.Errorf("both are %s", a.ChangeStamp())
	}
}

// TestStateRemoved: a session continues when somebody removes its state folder.
func TestStateRemoved(t *testing.T) {
	lacks(t, "removing or replacing what is open")
	ctx := context.Background()
	root := makefs(t, []string{"a = 1", "b = 1"})
	w := open(t, root, withState(t, Options{Whole: 1 << 20}))
	for _, changes := range [][]Change{{put("a", "2", MustExist)}, {put("a", "3", MustExist)}, {put("a", "4", MustExist), put("b", "2",
		MustExist)}} {
		_, err := w.Commit(ctx, changes)
		check(t, err)
		check(t, os.RemoveAll(w.StateDir()))
	}
	if got := holdings(t, root); got != "a=4, b=2" {
		t.Errorf("left %q", got)
	}
}

// TestUndoStaleIfPutBack: a call that changed something is the one to undo, also if somebody
// has restored everything since.
func TestUndoStaleIfPutBack(t *testing.T) {
	ctx := context.Background()
	commit := func(c Change) func(*Workspace) error {
		return func(w *Workspace) error {
			_, err := w.Commit(ctx, []Change{c})
			return err
		}
	}
	for name, call := range map[string]struct {
		make func(*Workspace) error
		back func(root string) error
	}{
		"replace": {commit(put("a", "2", MustExist)), func(root string) error { return os.WriteFile(root+"/a", []byte("1"), 0o666) }},
		"remove": {commit(Change{WriteOptions: WriteOptions{Path: "a"}, Remove: true}), func(root string) error {
			return os.WriteFile(root+"/a", []byte("1"),
				0o644)
		}},
		"create": {commit(put("new", "2", MustCreate)), func(root string) error { return os.Remove(root + "/new") }},
		"append": {func(w *Workspace) error {
			_, err := w.Append(ctx, WriteOptions{Path: "a"}, func(dir.Edges) ([]byte, error) { return []byte("2"), nil })
			return err
		}, func(root string) error { return os.WriteFile(root+"/a", []byte("1"), 0o666) }},
		"move": {func(w *Workspace) error {
			_, err := w.Move(ctx, Transfer{From: "a", To: "to"})
			return err
		}, func(root string) error { return os.Rename(root+"/to", root+"/a") }},
		"copy of a folder": {func(w *Workspace) error {
			_, err := w.Copy(ctx, Transfer{From: "empty", To: "to"})
			return err
		}, func(root string) error { return os.Remove(root + "/to") }},
		"remove empty": {func(w *Workspace) error {
			_, err := w.Delete(ctx, WriteOptions{Path: "empty"})
			return err
		}, func(root string) error { return os.Mkdir(root+"/empty", 0o755) }},
	} {
		root := makefs(t, []string{"a = 1", "b = 1", "empty/"})
		check(t, os.Chmod(root+"/a", 0o644))
		check(t, os.Chmod(root+"/empty", 0o755))
		w := open(t, root, withState(t, Options{Whole: 1 << 20}))
		check(t, commit(put("b", "2", MustExist))(w))
		check(t, call.make(w))
		check(t, call.back(root))
		if _, err := w.Undo(ctx, "", "", false, nil); !errors.Is(err, dir.ErrStale) {
			t.Errorf("%s: got %v", name, err)
		}
		if got := holdings(t, root); got != "a=1, b=2, empty/" {
			t.Errorf("%s: left %q", name, got)
		}
	}
}

// TestUndoAppendGrown: what a logger adds during the undo of an append is not cut off.
func TestUndoAppendGrown(t *testing.T) {
	lacks(t, "removing or replacing what is open")
	change := map[string]func(path string) error{
		"grown": func(path string) error { return os.WriteFile(path, []byte("1+2theirs"), 0o666) },
		"replaced": func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, []byte("1+2"), 0o666))
		},
	}
	for name, theirs := range change {
		root := makefs(t, []string{"log = 1+2"})
		w := open(t, root, withState(t, Options{Whole: 1 << 20}))
		f := history.Item{Path: "log", Kind: history.Extend, Size: 1, AppendedBytes: 2}
		r := appendUndo{undoing: &undoing{w: w, ctx: context.Background(), b: &history.Entry{}}, f: f, inverse: f.Inverse(), tail: []byte("+2")}
		p, err := w.Locate("log", Purpose{Write: true})
		check(t, err)
		defer p.Close()
		i, err := openInPlace(context.Background(), w, p, false)
		check(t, err)
		check(t, theirs(filepath.Join(root, "log")))
		before := read(t, filepath.Join(root, "log"))
		if err := r.change(i); !errors.Is(err, dir.ErrStale) {
			t.Errorf("%s: got %v", name, err)
		}
		i.release()
		if after := read(t, filepath.Join(root, "log")); after != before {
			t.Errorf("%s: left %q", name, after)
		}
	}
}

// Folders that an undo makes again, and of which the journal knows nothing, are closed to everybody
// else: the entry is from before folders were noted.
func TestUndoMakesUnknownFoldersPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders have no modes there")
	}
	host := makefs(t, []string{"p/q/f = old"})
	w := open(t, host, Options{State: filepath.Join(host, "../state"), Backups: true})
	_, err := w.Delete(t.Context(), WriteOptions{Path: "p/q/f", Tool: "delete"})
	check(t, err)
	check(t, os.RemoveAll(filepath.Join(host, "p")))
	calls, err := w.Backups(t.Context(), "", false)
	check(t, err)
	calls[0].Above = nil
	u := undoing{w: w, ctx: t.Context()}
	_, err = u.takeBackTogether(calls, calls[0].ID)
	check(t, err)
	for _, path := range []string{"p", "p/q"} {
		if info, err := os.Stat(filepath.Join(host, path)); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
}

package undo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/history"
	"fsbox/sandbox/transaction"
)

// since is a random sequence of calls on a few paths, with what the files were before each.
type since struct {
	t    *testing.T
	w    *sandbox.Workspace
	root string
	rand *rand.Rand
	ids  []string // of the calls
	old  []string // the files before each of them
}

// path is one of a few paths, so that calls meet often. Some are in folders.
func (s *since) path() string {
	return [...]string{"a", "b", "c", "d/a", "d/b", "e/f/a"}[s.rand.IntN(6)]
}

// step makes one call that may fail, as when there is no such file.
func (s *since) step(n int) {
	ctx, path, before := context.Background(), s.path(), files(s.t, s.root)
	id, text := "", fmt.Sprintf("%d\n", n)
	switch s.rand.IntN(10) {
	case 0, 1:
		if r, err := transaction.Rewrite(ctx, s.w, transaction.WriteOptions{Path: path, Creation: transaction.MayCreate, Parents: true, Tool: "write"}, fixture.Content(text)); err == nil {
			id = r.BackupID
		}
	case 2, 3:
		if r, err := transaction.Append(ctx, s.w, transaction.WriteOptions{Path: path, Creation: transaction.MayCreate, Parents: true, Tool: "append"}, fixture.More(text)); err == nil {
			id = r.BackupID
		}
	case 4, 5:
		if r, err := transaction.Move(ctx, s.w, transaction.Transfer{From: path, To: s.path(), Overwrite: s.rand.IntN(2) == 0, Parents: true, Tool: "move"}); err == nil {
			id = r.BackupID
		}
	case 6:
		if r, err := transaction.Copy(ctx, s.w, transaction.Transfer{From: path, To: s.path(), Overwrite: s.rand.IntN(2) == 0, Parents: true, Tool: "copy"}); err == nil {
			id = r.BackupID
		}
	case 7:
		id = s.remove(path)
	case 8:
		_, err := transaction.Mkdir(ctx, s.w, "d", true)
		disktest.Must(s.t, err)
	case 9:
		id = s.several(n)
	}
	if id == "" && s.rand.IntN(4) == 0 {
		if r, err := Undo(ctx, s.w, "", "", false, nil); err == nil {
			id = r.BackupID
		}
	}
	if id != "" {
		s.ids, s.old = append(s.ids, id), append(s.old, before)
	} else if after := files(s.t, s.root); after != before {
		s.t.Fatalf("changed without an entry: %s, now %s", before, after)
	}
}

// remove deletes a file or, rarely, a folder.
func (s *since) remove(path string) string {
	if s.rand.IntN(8) == 0 {
		path = "d"
	}
	r, err := transaction.Delete(context.Background(), s.w, transaction.WriteOptions{Path: path, Recursive: true, Tool: "delete"})
	if err != nil {
		return ""
	}
	return r.BackupID
}

// several is a patch of two files, or one that moves a file and changes another.
func (s *since) several(n int) string {
	changes := []transaction.Change{fixture.Put(s.path(), fmt.Sprintf("%d of several\n", n), transaction.MayCreate), fixture.Renamed(s.path(), s.path())}
	if s.rand.IntN(2) == 0 {
		changes[1] = fixture.Gone(s.path())
	}
	if r, err := transaction.Commit(context.Background(), s.w, changes); err == nil {
		return r[0].BackupID
	}
	return ""
}

// files is the tree as text, without folders: mkdir has no undo, and a folder that is empty may
// stay or go.
func files(t *testing.T, root string) string {
	var all []string
	for _, one := range strings.Split(fixture.Holdings(t, root), ", ") {
		if !strings.HasSuffix(one, "/") {
			all = append(all, one)
		}
	}
	return strings.Join(all, ", ")
}

// TestUndoSinceModel makes random sequences of calls, and takes them back since one of them: the
// files are what they were before that call, or nothing has changed, because of a folder. The undo
// of that gives all of it again.
func TestUndoSinceModel(t *testing.T) {
	sequences, refused := fixture.Few(20), 0
	if *fixture.Sweep {
		sequences = 300
	} else if testing.Short() {
		sequences = 5
	}
	for seed := range sequences {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			root := fixture.MakeTree(t, []string{"a = 1", "b = 1", "d/a = 1"})
			w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20, NoSync: true}))
			s := &since{t: t, w: w, root: root, rand: rand.New(rand.NewPCG(uint64(seed), 0))}
			for n := range 14 {
				s.step(n)
			}
			i := s.rand.IntN(len(s.ids))
			switch err := s.revert(s.ids[i], s.old[i]); {
			case errors.As(err, new(*UnmergeableError)):
				refused++
			case err != nil:
				t.Errorf("call %d: %v", i, err)
			}
		})
	}
	if refused > sequences/2 {
		t.Errorf("%d of %d refused", refused, sequences)
	}
}

// revert undoes the calls since one of them, and that again.
func (s *since) revert(id, want string) error {
	now := files(s.t, s.root)
	dry, dryErr := Since(s.t.Context(), s.w, id, true, nil)
	if got := files(s.t, s.root); got != now {
		return fmt.Errorf("a dry run made %s of %s", got, now)
	}
	report, err := Since(s.t.Context(), s.w, id, false, nil)
	got := files(s.t, s.root)
	switch {
	case err != nil && (dryErr == nil || got != now):
		return fmt.Errorf("dry run: %w, then %v; %s became %s", dryErr, err, now, got)
	case err != nil:
		return err
	case dryErr != nil || len(dry.Restored) != len(report.Restored):
		return fmt.Errorf("dry run: %+v, %w, then %+v", dry, dryErr, report)
	case got != want:
		return fmt.Errorf("got %s, want %s, from %s", got, want, now)
	case report.BackupID == "" && now != want:
		return fmt.Errorf("no entry for %s from %s", want, now)
	case report.BackupID == "":
		return nil
	}
	if _, err := Undo(s.t.Context(), s.w, report.BackupID, "", false, nil); err != nil {
		return fmt.Errorf("undo of the undo: %w", err)
	}
	if got := files(s.t, s.root); got != now {
		return fmt.Errorf("undo of the undo: got %s, want %s", got, now)
	}
	return nil
}

// TestUndoSinceGap: without the entry of a call after it, what a file was isn't known.
func TestUndoSinceGap(t *testing.T) {
	root := fixture.MakeTree(t, []string{"a = 1", "b = 1"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20, NoSync: true}))
	write := func(path, text string) string {
		r, err := transaction.Rewrite(t.Context(), w, transaction.WriteOptions{Path: path}, fixture.Content(text))
		disktest.Must(t, err)
		return r.BackupID
	}
	first := write("a", "2")
	for n := range 25 {
		write("b", fmt.Sprint(n+2))
	}
	last := write("a", "3")
	var gap *history.GapError
	if _, err := Since(t.Context(), w, first, false, nil); !errors.As(err, &gap) {
		t.Errorf("got %v", err)
	}
	for n := range 120 { // so many that the journal is pruned
		write("b", fmt.Sprint(n))
	}
	if _, err := Since(t.Context(), w, first, false, nil); !errors.As(err, &gap) {
		t.Errorf("after pruning: got %v", err)
	}
	if _, err := Since(t.Context(), w, last, false, nil); !errors.As(err, &gap) {
		t.Errorf("after pruning, since the last: got %v", err)
	}
	if got := fixture.Holdings(t, root); got != "a=3, b=119" {
		t.Errorf("left %q", got)
	}
}

// TestUndoSinceStale: what somebody changed after a call or between two stays, and all else too.
func TestUndoSinceStale(t *testing.T) {
	for name, theirs := range map[string]func(path string) error{
		"changed": func(path string) error { return os.WriteFile(path, []byte("theirs"), 0o666) },
		"removed": os.Remove,
		"link":    func(path string) error { return errors.Join(os.Remove(path), os.Symlink("b", path)) },
	} {
		if name == "link" && len(fixture.Linkless(t, []string{"a => b"})) == 0 {
			continue
		}
		root := fixture.MakeTree(t, []string{"a = 1", "b = 1"})
		w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20, NoSync: true}))
		r, err := transaction.Rewrite(t.Context(), w, transaction.WriteOptions{Path: "a"}, fixture.Content("2"))
		disktest.Must(t, err)
		_, err = transaction.Rewrite(t.Context(), w, transaction.WriteOptions{Path: "b"}, fixture.Content("2"))
		disktest.Must(t, err)
		disktest.Must(t, theirs(filepath.Join(root, "a")))
		before := fixture.Snapshot(t, root)
		if _, err := Since(t.Context(), w, r.BackupID, false, nil); !errors.Is(err, fserr.ErrStale) {
			t.Errorf("%s: got %v", name, err)
		}
		if got := fixture.Snapshot(t, root); got != before {
			t.Errorf("%s: left %q", name, got)
		}
	}
}

package transaction_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/history"
	"fsbox/sandbox/transaction"
	"fsbox/sandbox/undo"

	"golang.org/x/sys/unix"
)

func init() {
	fixture.Children["few descriptors"] = deepCalls
	fixture.Children["unprivileged"] = unprivilegedCalls
}

// makeDeep makes a chain of folders with a file at its end. The path is longer than any that the
// system accepts.
func makeDeep(t testing.TB, root, name string, levels int) {
	t.Helper()
	top, err := dir.Open(root, false)
	disktest.Must(t, err)
	for range levels {
		disktest.Must(t, top.Mkdir(name, 0o777))
		sub, err := top.Sub(name)
		disktest.Must(t, err)
		top.Close()
		top, name = sub, "d"
	}
	f, err := top.Create("end", 0o666)
	disktest.Must(t, err)
	f.Close()
	top.Close()
}

// deepCalls copies, moves and deletes a deep tree with few descriptors.
func deepCalls(args []string) error {
	root, portable, state := args[0], args[1] == "os.Root", args[2]
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 100, Max: 100}); err != nil {
		return err
	}
	w, err := sandbox.Open(root, sandbox.Options{Portable: portable, NoSync: true, Whole: 1 << 20, State: state, Backups: state != ""})
	if err != nil {
		return err
	}
	ctx := context.Background()
	copied, err := transaction.Copy(ctx, w, transaction.Transfer{From: "deep", To: "copy"})
	if err != nil {
		return fmt.Errorf("copy: %w", err)
	}
	if _, err := transaction.Move(ctx, w, transaction.Transfer{From: "copy", To: "moved"}); err != nil {
		return fmt.Errorf("move: %w", err)
	}
	for _, path := range []string{"moved", "deep"} {
		done, err := transaction.Delete(ctx, w, transaction.WriteOptions{Path: path, Recursive: true})
		if err != nil {
			return fmt.Errorf("delete: %w", err)
		}
		if done.Entries != copied.Entries {
			return fmt.Errorf("%d entries were deleted, %d copied", done.Entries, copied.Entries)
		}
		if state == "" {
			continue
		}
		if _, err := undo.Undo(ctx, w, done.BackupID, "", false, nil); err != nil {
			return fmt.Errorf("undo: %w", err)
		}
		if done, err = transaction.Delete(ctx, w, transaction.WriteOptions{Path: path, Recursive: true}); err != nil {
			return fmt.Errorf("delete again: %w", err)
		}
		e := &history.Entry{ID: done.BackupID}
		e.Items = []history.Item{{Kept: e.KeptName(0)}}
		kept, err := w.History().KeptFolder()
		if err != nil {
			return err
		}
		for dir.Exists(kept, e.Items[0].Kept) { // a call removes only as much as it has time for; os.RemoveAll can't go that deep
			w.History().Drop(e)
		}
	}
	fixture.Ready()
	return nil
}

func TestDeepTrees(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	levels := 80
	if *fixture.Sweep {
		levels = 3000
	}
	for _, implementation := range []string{"descriptors", "os.Root"} {
		if implementation == "os.Root" {
			levels = min(levels, 600) // it opens folders one by one
		}
		for _, keeps := range []bool{false, true} {
			t.Run(fmt.Sprint(implementation, keeps), func(t *testing.T) {
				root, state := fixture.MakeTree(t, nil), ""
				if keeps {
					state = t.TempDir()
				}
				makeDeep(t, root, "deep", levels)
				fixture.Child(t, "few descriptors", root, implementation, state)()
				if got := disktest.Names(t, root); got != "" {
					t.Errorf("there is %.200s", got)
				}
			})
		}
	}
}

func TestManyNames(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	forBothKeeping(t, func(t *testing.T, o sandbox.Options) {
		count := 300
		if *fixture.Sweep && !o.Portable && !o.Backups {
			count = 100_000
		}
		root := fixture.MakeTree(t, []string{"d/"})
		for i := range count {
			disktest.Must(t, os.WriteFile(fmt.Sprintf("%s/d/%d", root, i), nil, 0o666))
		}
		w := fixture.OpenWorkspace(t, root, o)
		_, err := transaction.Move(context.Background(), w, transaction.Transfer{From: "d", To: "n"})
		disktest.Must(t, err)
		done, err := transaction.Delete(context.Background(), w, transaction.WriteOptions{Path: "n", Recursive: true})
		disktest.Must(t, err)
		if got := disktest.Names(t, root); got != "" || done.Entries != count {
			t.Errorf("%d entries, left %.100s", done.Entries, got)
		}
	})
}

// Special files are moved and removed without being opened; they are never copied.
func TestSpecialTransfers(t *testing.T) {
	forBothKeeping(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"d/", "f"})
		for _, path := range []string{"p", "d/p"} {
			disktest.Must(t, unix.Mkfifo(filepath.Join(root, path), 0o666))
		}
		w := fixture.OpenWorkspace(t, root, o)
		ctx := context.Background()
		for from, about := range map[string]string{"p": "p", "d": "d/p"} {
			_, err := transaction.Copy(ctx, w, transaction.Transfer{From: from, To: "n"})
			fixture.Fails(t, err, about, fserr.ErrNotFile)
		}
		_, err := transaction.Move(ctx, w, transaction.Transfer{From: "f", To: "p", Overwrite: true})
		fixture.Fails(t, err, "p", fserr.ErrNotFile)
		_, err = transaction.Move(ctx, w, transaction.Transfer{From: "p", To: "q"})
		disktest.Must(t, err)
		for path := range map[string]bool{"q": true, "d": true} {
			_, err := transaction.Delete(ctx, w, transaction.WriteOptions{Path: path, Recursive: true})
			disktest.Must(t, err)
		}
		if got := disktest.Names(t, root); got != "f" {
			t.Error(got)
		}
	})
}

// unprivilegedCalls tries what another user's permission bits forbid, and reports the result of
// each call.
func unprivilegedCalls(args []string) error {
	root, portable := args[0], args[1] == "os.Root"
	if err := dropRights(); err != nil {
		return err
	}
	w, err := sandbox.Open(root, sandbox.Options{Portable: portable, NoSync: true, Whole: 1 << 20})
	if err != nil {
		return err
	}
	ctx := context.Background()
	for _, c := range []struct {
		name string
		call func() error
		want error
	}{
		{"delete in a directory that isn't writable", func() error { _, err := transaction.Delete(ctx, w, transaction.WriteOptions{Path: "ro/f"}); return err }, fserr.ErrPermission},
		{"delete a tree with one", func() error {
			_, err := transaction.Delete(ctx, w, transaction.WriteOptions{Path: "d", Recursive: true})
			return err
		}, fserr.ErrPermission},
		{"delete a tree that can't be listed", func() error {
			_, err := transaction.Delete(ctx, w, transaction.WriteOptions{Path: "x", Recursive: true})
			return err
		},
			fserr.ErrPermission},
		{"move out of one", func() error {
			_, err := transaction.Move(ctx, w, transaction.Transfer{From: "ro/f", To: "n"})
			return err
		}, fserr.ErrPermission},
		{"move out of one over a file", func() error {
			_, err := transaction.Move(ctx, w, transaction.Transfer{From: "ro/f", To: "f", Overwrite: true})
			return err
		},
			fserr.ErrPermission},
		{"move into one", func() error {
			_, err := transaction.Move(ctx, w, transaction.Transfer{From: "f", To: "ro/n"})
			return err
		}, fserr.ErrPermission},
		{"copy into one", func() error {
			_, err := transaction.Copy(ctx, w, transaction.Transfer{From: "d/w", To: "ro/n"})
			return err
		}, fserr.ErrPermission},
		{"copy what can't be read", func() error {
			_, err := transaction.Copy(ctx, w, transaction.Transfer{From: "secret", To: "n"})
			return err
		}, fserr.ErrPermission},
		{"copy a tree with that", func() error { _, err := transaction.Copy(ctx, w, transaction.Transfer{From: "s", To: "n"}); return err }, fserr.ErrPermission},
		{"copy out of one", func() error {
			_, err := transaction.Copy(ctx, w, transaction.Transfer{From: "ro", To: "a/b/mine", Parents: true})
			return err
		}, nil},
		{"delete what can't be read or written", func() error {
			_, err := transaction.Move(ctx, w, transaction.Transfer{From: "secret", To: "gone"})
			return err
		}, nil},
	} {
		if err := c.call(); (err == nil) != (c.want == nil) || !errors.Is(err, c.want) {
			fmt.Fprintf(os.Stderr, "%s: error %v, want %v\n", c.name, err, c.want)
			return errors.New("a call ended otherwise")
		}
	}
	fixture.Ready()
	return nil
}

func TestUnprivilegedTransfers(t *testing.T) {
	for _, implementation := range []string{"descriptors", "os.Root"} {
		t.Run(implementation, func(t *testing.T) {
			root := fixture.MakeTree(t, []string{"f", "ro/f", "d/ro/f", "d/w/f", "secret", "s/closed/f", "s/secret", "x/f"})
			share(t, root)
			before := disktest.Names(t, root)
			for path, mode := range map[string]os.FileMode{"ro": 0o555, "d/ro": 0o555, "s/closed": 0o555, "secret": 0, "s/secret": 0, "x": 0o333} {
				disktest.Must(t, os.Chmod(filepath.Join(root, path), mode))
			}
			fixture.Child(t, "unprivileged", root, implementation)()
			disktest.Must(t, os.Chmod(filepath.Join(root, "x"), 0o777))
			want := withNames(strings.ReplaceAll(before, ", secret", ", gone"), "a/, a/b/, a/b/mine/, a/b/mine/f")
			if got := disktest.Names(t, root); got != withNames(want, "") {
				t.Errorf("there is\n%s\nwant\n%s", got, want)
			}
		})
	}
}

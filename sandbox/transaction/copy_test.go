package transaction_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/transaction"
	"fsbox/sandbox/tree"
)

// TestCopyWithoutOwn copies and moves a folder in which another call is at work: what that has made
// is not copied.
func TestCopyWithoutOwn(t *testing.T) {
	forBothKeeping(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"d/f = x", "d/.fsbox-tmp-1 = x", "d/e/.fsbox-txn-0-1/g = x"})
		w := fixture.OpenWorkspace(t, root, o)
		done, err := transaction.Copy(context.Background(), w, transaction.Transfer{From: "d", To: "n"})
		disktest.Must(t, err)
		if got := disktest.Names(t, filepath.Join(root, "n")); got != "e/, f" || done.Entries != 2 {
			t.Errorf("the copy has %q, and tells of %d names", got, done.Entries)
		}
	})
}

func TestCopy(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	for _, tt := range []struct {
		from, to  string
		overwrite bool
		want      error
		about     string // the path of the error
		new       string // names that the tree then has in addition
	}{
		{from: "f", to: "n", new: "n"},
		{from: "f", to: "a/b/n", new: "a/, a/b/, a/b/n"},
		{from: "l", to: "n", new: "n"},
		{from: "f", to: "gone", new: "nothing"}, // as a write would do it
		{from: "d", to: "n", new: "n/, n/e/, n/e/x, n/l => e"},
		{from: "d", to: "a/n/", new: "a/, a/n/, a/n/e/, a/n/e/x, a/n/l => e"},
		{from: "dl", to: "n", new: "n/, n/e/, n/e/x, n/l => e"},
		{from: "d/e", to: "dl/n", new: "d/n/, d/n/x"},
		{from: "empty", to: "n", new: "n/"},
		{from: "f", to: "g", overwrite: true},
		{from: "f", to: "l", overwrite: true, want: fserr.ErrSame, about: "l"},
		{from: "f", to: "g", want: fserr.ErrExists, about: "g"},
		{from: "f", to: "d", want: fserr.ErrExists, about: "d"},
		{from: "f", to: "d", overwrite: true, want: fserr.ErrNotFile, about: "d"},
		{from: "d", to: "empty", want: fserr.ErrExists, about: "empty"},
		{from: "d", to: "empty", overwrite: true, want: fserr.ErrExists, about: "empty"},
		{from: "d", to: "f", overwrite: true, want: fserr.ErrNotFolder, about: "f"},
		{from: "d", to: "gone", want: fserr.ErrExists, about: "gone"},
		{from: "f", to: "f", overwrite: true, want: fserr.ErrSame, about: "f"},
		{from: "d", to: "d/n", want: fserr.ErrInvalidPath, about: "d/n"},
		{from: "dl", to: "d/e/n", want: fserr.ErrInvalidPath, about: "d/e/n"},
		{from: ".", to: "n", want: fserr.ErrInvalidPath, about: "."},
		{from: "f", to: ".", want: fserr.ErrInvalidPath, about: "."},
		{from: "none", to: "n", want: fserr.ErrNotFound, about: "none"},
		{from: "gone", to: "n", want: fserr.ErrNotFound, about: "gone"},
		{from: "o", to: "n", want: fserr.ErrLinkOutside, about: "o"},
		{from: "f", to: "o/n", want: fserr.ErrLinkOutside, about: "o/n"},
		{from: "f", to: "n/", want: fserr.ErrNotFile, about: "n/"},
		{from: "f", to: "g/n", want: fserr.ErrNotFolder, about: "g/n"},
	} {
		t.Run(strings.ReplaceAll(tt.from+" to "+tt.to, "/", "|"), func(t *testing.T) {
			forBothKeeping(t, func(t *testing.T, o sandbox.Options) {
				root := fixture.MakeTree(t, fixture.Linkless(t, transferEntries, tt.from, tt.to))
				w := fixture.OpenWorkspace(t, root, o)
				before, out := disktest.Names(t, root), fixture.Snapshot(t, fixture.Outside(root))
				transfer := transaction.Transfer{From: tt.from, To: tt.to, Overwrite: tt.overwrite, Parents: true, DryRun: true}
				_, dryErr := transaction.Copy(context.Background(), w, transfer)
				if after := disktest.Names(t, root); after != before {
					t.Errorf("a dry run left %s", after)
				}
				transfer.DryRun = false
				done, err := transaction.Copy(context.Background(), w, transfer)
				if fixture.Kind(t, dryErr) != tt.want || fixture.Kind(t, err) != tt.want {
					t.Fatalf("errors %v, dry %v, want %v", err, dryErr, tt.want)
				}
				if after, want := disktest.Names(t, root), withNames(before, asIn(before, tt.new)); after != want {
					t.Errorf("after %s\nwant %s", after, want)
				}
				if fixture.Snapshot(t, fixture.Outside(root)) != out {
					t.Error("outside changed")
				}
				if err != nil {
					fixture.Fails(t, err, tt.about, tt.want)
					return
				}
				checkCopied(t, w, root, tt.from, tt.to, before, done)
			})
		})
	}
}

func checkCopied(t *testing.T, w *sandbox.Workspace, root, from, to, before string, done *transaction.Done) {
	t.Helper()
	if from == "f" && done.ETag != openfile.ContentETag([]byte("old")) {
		t.Errorf("etag %q", done.ETag)
	}
	if got := fixture.Read(t, filepath.Join(root, "f")); got != "old" {
		t.Errorf("the original holds %q", got)
	}
	if from == "f" && fixture.Read(t, filepath.Join(root, to)) != "old" {
		t.Error("the copy differs")
	}
	if !w.History().Off && done.ParentsCreated == 0 {
		undoes(t, w, root, before, done.BackupID)
	}
}

// A copy has the mode and the attributes of the original, but no set-ID bits; a file that is
// replaced keeps its own.
func TestCopyMode(t *testing.T) {
	fixture.Lacks(t, "permission bits")
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f", "d/e/x", "d/x", "g"})
		for path, mode := range map[string]fs.FileMode{"f": 0o751 | fs.ModeSetuid, "d/e/x": 0o600, "d/x": 0o444 | fs.ModeSetgid, "d/e": 0o550,
			"d": 0o711 | fs.ModeSticky, "g": 0o640} {
			disktest.Must(t, os.Chmod(filepath.Join(root, path), mode))
		}
		w := fixture.OpenWorkspace(t, root, o)
		for from, to := range map[string]string{"f": "n", "d": "dn"} {
			_, err := transaction.Copy(context.Background(), w, transaction.Transfer{From: from, To: to})
			disktest.Must(t, err)
		}
		_, err := transaction.Copy(context.Background(), w, transaction.Transfer{From: "f", To: "g", Overwrite: true})
		disktest.Must(t, err)
		for path, mode := range map[string]fs.FileMode{"n": 0o751, "dn/e/x": 0o600, "dn/x": 0o444, "dn/e": 0o550 | fs.ModeDir,
			"dn": 0o711 | fs.ModeSticky | fs.ModeDir, "g": 0o640} {
			info, err := os.Stat(filepath.Join(root, path))
			disktest.Must(t, err)
			if info.Mode() != mode {
				t.Errorf("%s has %v, want %v", path, info.Mode(), mode)
			}
		}
	})
}

// A folder that is too large for a copy is refused before anything is made.
func TestCopyLimits(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		o.Whole = 10
		root := fixture.MakeTree(t, []string{"large = 12345678901", "d/e/large = 12345678901", "many/1", "many/2", "many/3/4"})
		w := fixture.OpenWorkspace(t, root, o)
		before := fixture.Snapshot(t, root)
		for from, about := range map[string]string{"large": "large", "d": "d/e/large"} {
			_, err := transaction.Copy(context.Background(), w, transaction.Transfer{From: from, To: "n"})
			fixture.Fails(t, err, about, fserr.ErrTooLarge)
		}
		_, err := transaction.Copy(context.Background(), w, transaction.Transfer{From: "many", To: "n", Entries: 3})
		var size *tree.LimitError
		if !errors.As(err, &size) || size.MaxEntries != 3 {
			t.Errorf("error %v", err)
		}
		if after := fixture.Snapshot(t, root); after != before {
			t.Errorf("after\n%s", after)
		}
		if _, err = transaction.Copy(context.Background(), w, transaction.Transfer{From: "many", To: "n", Entries: 4}); err != nil {
			t.Error(err)
		}
	})
}

package transaction_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/transaction"

	"golang.org/x/sys/unix"
)

// nobody is a user without rights; permission bits don't bind root.
const nobody = 65534

func dropRights() error {
	if os.Geteuid() != 0 {
		return nil
	}
	return errors.Join(unix.Setgroups(nil), unix.Setresgid(nobody, nobody, nobody), unix.Setresuid(nobody, nobody, nobody))
}

// share lets everybody into a test's folder, and lets them change what is in it.
func share(t *testing.T, root string) {
	t.Helper()
	for dir := filepath.Dir(root); dir != filepath.Clean(os.TempDir()) && dir != "/"; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		disktest.Must(t, err)
		disktest.Must(t, os.Chmod(dir, info.Mode().Perm()|0o055))
	}
	disktest.Must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		return os.Chmod(path, map[bool]fs.FileMode{true: 0o777, false: 0o666}[d.IsDir()])
	}))
}

func init() {
	fixture.Children["nobody"] = inChild(dropRights)
	fixture.Children["limited"] = inChild(func() error { // files of at most 4096 bytes
		return unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 4096, Max: 4096})
	})
}

// inChild makes one call in another process with other limits, and prints its result: "ok", the
// kind of the error, or what it read.
func inChild(prepare func() error) func(args []string) error {
	return func(args []string) error {
		root, portable, command, path, text := args[0], args[1] == "os.Root", args[2], args[3], args[4]
		if err := prepare(); err != nil {
			return err
		}
		w, err := sandbox.Open(root, sandbox.Options{Portable: portable, NoSync: true, Whole: 1 << 20})
		if err != nil {
			return err
		}
		target := transaction.WriteOptions{Path: path, Creation: transaction.MayCreate, Parents: true}
		switch command {
		case "read":
			if text, err = slurp(w.OpenFile(path)); err == nil {
				fmt.Print(text)
				return nil
			}
		case "rewrite":
			_, err = transaction.Rewrite(context.Background(), w, target, fixture.Content(text))
		case "append":
			_, err = transaction.Append(context.Background(), w, target, fixture.More(text))
		case "mkdir":
			_, err = transaction.Mkdir(context.Background(), w, path, true)
		}
		for _, k := range fixture.AllKinds {
			if errors.Is(err, k) {
				fmt.Print(k)
				return nil
			}
		}
		if err == nil {
			fmt.Print("ok")
		}
		return err
	}
}

// as makes one call in a child.
func as(t *testing.T, who, root string, o sandbox.Options, command, path, text string) string {
	t.Helper()
	implementation := map[bool]string{false: "descriptors", true: "os.Root"}[o.Portable]
	cmd := exec.Command("/proc/self/exe", root, implementation, command, path, text)
	cmd.Env = append(os.Environ(), fixture.ChildVariable+"="+who)
	cmd.Dir = "/"
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s %s: %v", who, command, path, err)
	}
	return string(out)
}

// TestNoRights: the system refuses a call, the error says so, and the tree is unchanged.
func TestNoRights(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"readonly/f", "closed/f", "unreadable", "open/f"})
		share(t, root)
		disktest.Must(t, os.Chmod(filepath.Join(root, "readonly"), 0o555))
		disktest.Must(t, os.Chmod(filepath.Join(root, "unreadable"), 0o200))
		disktest.Must(t, os.Chmod(filepath.Join(root, "closed"), 0))
		t.Cleanup(func() { // else it could not be removed
			for _, dir := range []string{"closed", "readonly"} {
				disktest.Must(t, os.Chmod(filepath.Join(root, dir), 0o777))
			}
		})
		for _, tt := range []struct{ command, path, want string }{
			{"read", "readonly/f", "readonly/f"},
			{"read", "unreadable", fserr.ErrPermission.Error()},
			{"read", "closed/f", fserr.ErrPermission.Error()},
			{"rewrite", "readonly/f", fserr.ErrPermission.Error()},
			{"rewrite", "readonly/new", fserr.ErrPermission.Error()},
			{"rewrite", "readonly/a/b/new", fserr.ErrPermission.Error()},
			{"rewrite", "unreadable", fserr.ErrPermission.Error()},
			{"rewrite", "closed/f", fserr.ErrPermission.Error()},
			{"append", "closed/f", fserr.ErrPermission.Error()},
			{"append", "readonly/new", fserr.ErrPermission.Error()},
			{"mkdir", "readonly/new", fserr.ErrPermission.Error()},
			{"mkdir", "readonly/a/b", fserr.ErrPermission.Error()},
			{"mkdir", "closed/a", fserr.ErrPermission.Error()},
			{"append", "readonly/f", "ok"}, // in place: the file itself may be written
			{"rewrite", "open/f", "ok"},
		} {
			if got := as(t, "nobody", root, o, tt.command, tt.path, "+new"); got != tt.want {
				t.Errorf("%s %s: %s, want %s", tt.command, tt.path, got, tt.want)
			}
		}
		disktest.Must(t, os.Chmod(filepath.Join(root, "closed"), 0o777))
		disktest.Must(t, os.Chmod(filepath.Join(root, "unreadable"), 0o666))
		if got, want := disktest.Names(t, root), "closed/, closed/f, open/, open/f, readonly/, readonly/f, unreadable"; got != want {
			t.Errorf("the tree holds %s, want %s", got, want)
		}
		for path, want := range map[string]string{"closed/f": "closed/f", "readonly/f": "readonly/f+new", "unreadable": "unreadable",
			"open/f": "+new"} {
			if got := fixture.Read(t, filepath.Join(root, path)); got != want {
				t.Errorf("%s holds %q, want %q", path, got, want)
			}
		}
	})
}

// TestOwner: the owner is kept where that is possible, or only the group. New content never has
// set-ID bits.
func TestOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	owner := func(path string) string {
		var st unix.Stat_t
		disktest.Must(t, unix.Stat(path, &st))
		return fmt.Sprintf("%d:%d %o", st.Uid, st.Gid, st.Mode&0o7777)
	}
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f = old", "theirs = old"})
		share(t, root)
		path := filepath.Join(root, "f")
		disktest.Must(t, os.Chown(path, 1234, 5678))
		disktest.Must(t, unix.Chmod(path, 0o6751))
		disktest.Must(t, second(transaction.Rewrite(context.Background(), fixture.OpenWorkspace(t, root, o), transaction.WriteOptions{Path: "f"}, fixture.Content("new"))))
		if got := owner(path); got != "1234:5678 751" || fixture.Read(t, path) != "new" {
			t.Errorf("rewritten by root: %s", got)
		}
		theirs := filepath.Join(root, "theirs")
		disktest.Must(t, unix.Chmod(theirs, 0o6777))
		if got := as(t, "nobody", root, o, "rewrite", "theirs", "new"); got != "ok" {
			t.Errorf("rewritten by nobody: %s", got)
		}
		if got := owner(theirs); got != fmt.Sprintf("%d:%d 777", nobody, nobody) || fixture.Read(t, theirs) != "new" {
			t.Errorf("rewritten by nobody: %s", got)
		}
	})
}

// TestNoSpace: a write reaches the limit on the size of a file part-way, as on a full disk.
func TestNoSpace(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		old := strings.Repeat("o", 3000)
		root := fixture.MakeTree(t, []string{"f = " + old, "linked = " + old, "empty = "})
		disktest.Must(t, os.Link(filepath.Join(root, "linked"), filepath.Join(root, "other")))
		before := fixture.Snapshot(t, root)
		large := strings.Repeat("n", 5000)
		for _, tt := range []struct{ command, path string }{
			{"rewrite", "f"}, {"rewrite", "new"}, {"rewrite", "a/b/new"}, {"rewrite", "linked"},
			{"append", "f"}, {"append", "new"}, {"append", "a/b/new"}, {"append", "linked"}, {"append", "empty"},
		} {
			if got := as(t, "limited", root, o, tt.command, tt.path, large); got != fserr.ErrNoSpace.Error() {
				t.Errorf("%s %s: %s, want %s", tt.command, tt.path, got, fserr.ErrNoSpace)
			}
		}
		// Only the times of folders, and of what was undone, may change.
		if got, want := stripTimes(fixture.Snapshot(t, root)), stripTimes(before); got != want {
			t.Errorf("the tree changed:\n%s\nbefore:\n%s", got, want)
		}
		if got := as(t, "limited", root, o, "append", "f", strings.Repeat("+", 1000)); got != "ok" || len(fixture.Read(t, filepath.Join(root,
			"f"))) != 4000 {
			t.Errorf("within the limit: %s", got)
		}
	})
}

// stripTimes removes the fourth word from every line of a snapshot.
func stripTimes(snapshot string) string {
	var b strings.Builder
	for line := range strings.Lines(snapshot) {
		words := strings.SplitN(line, " ", 5)
		if strings.HasPrefix(words[1], "d") {
			words[2] = "-" // a folder's size may stay grown
		}
		fmt.Fprintln(&b, words[:3], words[4])
	}
	return b.String()
}

package transaction_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/transaction"
	"fsbox/sandbox/undo"

	"golang.org/x/sys/unix"
)

// The two access control lists of Linux, by the names of their attributes.
const (
	accessList  = "system.posix_acl_access"
	defaultList = "system.posix_acl_default"
)

// list is an access control list in the kernel's form (linux/posix_acl_xattr.h): besides the owner,
// the group and the others, user 1234 has rights, and at most those of mask.
func list(owner, user, group, mask, others byte) string {
	entry := func(kind, permits byte, id string) string {
		return string([]byte{kind, 0, permits, 0}) + id
	}
	const none = "\xff\xff\xff\xff"
	return "\x02\x00\x00\x00" + entry(0x01, owner, none) + entry(0x02, user, "\xd2\x04\x00\x00") +
		entry(0x04, group, none) + entry(0x10, mask, none) + entry(0x20, others, none)
}

// give sets an attribute, and skips the test where there is none of that kind.
func give(t *testing.T, path, name, value string) {
	t.Helper()
	err := unix.Lsetxattr(path, name, []byte(value), 0)
	if errors.Is(err, unix.EOPNOTSUPP) {
		t.Skipf("the file system has no %s", name)
	}
	disktest.Must(t, err)
}

// rightsOf are mode and attributes of a file or folder.
func rightsOf(t *testing.T, path string) string {
	t.Helper()
	var st unix.Stat_t
	disktest.Must(t, unix.Lstat(path, &st))
	all := fmt.Sprintf("%o", st.Mode&0o7777)
	for _, name := range []string{accessList, defaultList, "user.note"} {
		value := make([]byte, 100)
		if n, err := unix.Lgetxattr(path, name, value); err == nil {
			all += fmt.Sprintf(" %s %q", name, value[:n])
		}
	}
	return all
}

// A file that is made anew in place of another one, or as its copy, doesn't get the list that new
// files get in its folder. A new file does.
func TestDefaultListOfFolder(t *testing.T) {
	ctx := context.Background()
	all := map[string]func(w *sandbox.Workspace) error{
		"rewrite": func(w *sandbox.Workspace) error {
			return second(transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: "d/f"}, fixture.Content("new")))
		},
		"undo of rewrite": func(w *sandbox.Workspace) error {
			if _, err := transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: "d/f"}, fixture.Content("new")); err != nil {
				return err
			}
			return second(undo.Undo(ctx, w, "", "", false, nil))
		},
		"undo of delete": func(w *sandbox.Workspace) error {
			if _, err := transaction.Delete(ctx, w, transaction.WriteOptions{Path: "d/f"}); err != nil {
				return err
			}
			return second(undo.Undo(ctx, w, "", "", false, nil))
		},
		"append to a file with two names": func(w *sandbox.Workspace) error {
			if err := os.Link(filepath.Join(w.Root(), "d/f"), filepath.Join(w.Root(), "d/other")); err != nil {
				return err
			}
			return second(transaction.Append(ctx, w, transaction.WriteOptions{Path: "d/f"}, fixture.More("more")))
		},
		"move by patch": func(w *sandbox.Workspace) error {
			if _, err := transaction.Commit(ctx, w, []transaction.Change{fixture.Renamed("d/f", "d/g")}); err != nil {
				return err
			}
			return os.Rename(filepath.Join(w.Root(), "d/g"), filepath.Join(w.Root(), "d/f"))
		},
		"copy": func(w *sandbox.Workspace) error {
			if _, err := transaction.Copy(ctx, w, transaction.Transfer{From: "d/f", To: "d/g"}); err != nil {
				return err
			}
			return os.Rename(filepath.Join(w.Root(), "d/g"), filepath.Join(w.Root(), "d/f"))
		},
		"copy of a directory": func(w *sandbox.Workspace) error {
			if err := os.Mkdir(filepath.Join(w.Root(), "from"), 0o777); err != nil {
				return err
			}
			if err := os.Rename(filepath.Join(w.Root(), "d/f"), filepath.Join(w.Root(), "from/f")); err != nil {
				return err
			}
			if _, err := transaction.Copy(ctx, w, transaction.Transfer{From: "from", To: "d/g"}); err != nil {
				return err
			}
			return os.Rename(filepath.Join(w.Root(), "d/g/f"), filepath.Join(w.Root(), "d/f"))
		},
	}
	own := list(6, 4, 0, 4, 0)
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		for name, change := range all {
			for _, hasOwn := range []bool{false, true} {
				root := fixture.MakeTree(t, []string{"d/f = old"})
				path := filepath.Join(root, "d/f")
				disktest.Must(t, os.Chmod(path, 0o640))
				want := "640"
				if hasOwn {
					give(t, path, accessList, own)
					want += fmt.Sprintf(" %s %q", accessList, own)
				}
				give(t, filepath.Join(root, "d"), defaultList, list(7, 7, 7, 7, 0))
				w := fixture.OpenWorkspace(t, root, fixture.WithState(t, o))
				disktest.Must(t, change(w))
				if got := rightsOf(t, path); got != want {
					t.Errorf("%s: %s, want %s", name, got, want)
				}
				disktest.Must(t, second(transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: "d/new", Creation: transaction.MustCreate}, fixture.Content("new"))))
				if got := rightsOf(t, filepath.Join(root, "d/new")); !strings.HasPrefix(got, "660 "+accessList) {
					t.Errorf("%s: a new file has %s", name, got)
				}
			}
		}
	})
}

// otherDisk is a folder on another file system than those of t.TempDir, and one with access control
// lists.
func otherDisk(t *testing.T) string {
	t.Helper()
	other, err := os.MkdirTemp("/dev/shm", "fsbox-test-")
	if err != nil {
		t.Skip("there is no other file system: ", err)
	}
	t.Cleanup(func() { disktest.Must(t, os.RemoveAll(other)) })
	var here, there unix.Stat_t
	disktest.Must(t, unix.Stat(t.TempDir(), &here))
	disktest.Must(t, unix.Stat(other, &there))
	if here.Dev == there.Dev {
		t.Skip("there is no other file system")
	}
	return other
}

// A folder has its lists after an undo, even if a copy of it was kept on another file system.
func TestFolderKeepsLists(t *testing.T) {
	other := otherDisk(t)
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"d/sub/f"})
		disktest.Must(t, os.Chmod(filepath.Join(root, "d"), 0o700))
		give(t, filepath.Join(root, "d"), accessList, list(7, 7, 0, 7, 0))
		give(t, filepath.Join(root, "d"), defaultList, list(7, 5, 0, 5, 0))
		give(t, filepath.Join(root, "d/sub"), "user.note", "kept")
		var want []string
		for _, path := range []string{"d", "d/sub", "d/sub/f"} {
			want = append(want, rightsOf(t, filepath.Join(root, path)))
		}
		o = fixture.WithState(t, o)
		o.State = filepath.Join(other, t.Name())
		w := fixture.OpenWorkspace(t, root, o)
		ctx := context.Background()
		disktest.Must(t, second(transaction.Delete(ctx, w, transaction.WriteOptions{Path: "d", Recursive: true})))
		report, err := undo.Undo(ctx, w, "", "", false, nil)
		disktest.Must(t, err)
		noNotes := errors.Is(unix.Setxattr(other, "user.note", nil, 0), unix.EOPNOTSUPP) // tmpfs before Linux 6.6
		if noNotes {
			want[1], _, _ = strings.Cut(want[1], " user.note")
		}
		if hasLost := report.Lost&rights.LostAttributes != 0; hasLost != noNotes {
			t.Errorf("lost are %b", report.Lost)
		}
		for i, path := range []string{"d", "d/sub", "d/sub/f"} {
			if got := rightsOf(t, filepath.Join(root, path)); got != want[i] {
				t.Errorf("%s has %s, want %s", path, got, want[i])
			}
		}
	})
}

// A copied folder has the lists and attributes of the original, and the setgid bit of either that
// or the folder where it is made.
func TestCopiedFolderRights(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"d/sub/f", "plain/f", "to/"})
		disktest.Must(t, unix.Chmod(filepath.Join(root, "d"), 0o6770))
		give(t, filepath.Join(root, "d/sub"), accessList, list(7, 7, 0, 7, 0))
		give(t, filepath.Join(root, "d/sub"), defaultList, list(7, 5, 0, 5, 0))
		give(t, filepath.Join(root, "d"), "user.note", "kept")
		disktest.Must(t, unix.Chmod(filepath.Join(root, "to"), 0o2777))
		w := fixture.OpenWorkspace(t, root, o)
		ctx := context.Background()
		for _, to := range []string{"d2", "to/d", "to/plain"} {
			from := strings.TrimSuffix(filepath.Base(to), "2")
			disktest.Must(t, second(transaction.Copy(ctx, w, transaction.Transfer{From: from, To: to})))
		}
		sub := rightsOf(t, filepath.Join(root, "d/sub"))
		for path, want := range map[string]string{
			"d2":       `2770 user.note "kept"`,
			"d2/sub":   sub,
			"to/d":     `2770 user.note "kept"`,
			"to/d/sub": "2" + sub,
			"to/plain": "2755",
		} {
			if got := rightsOf(t, filepath.Join(root, path)); got != want {
				t.Errorf("%s has %s, want %s", path, got, want)
			}
		}
	})
}

// An empty folder that was moved over comes back without its list, and nobody has more rights.
func TestReplacedFolderRights(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"d/", "e/f"})
		disktest.Must(t, os.Chmod(filepath.Join(root, "d"), 0o700))
		give(t, filepath.Join(root, "d"), accessList, list(7, 7, 0, 7, 0))
		w := fixture.OpenWorkspace(t, root, fixture.WithState(t, o))
		ctx := context.Background()
		disktest.Must(t, second(transaction.Move(ctx, w, transaction.Transfer{From: "e", To: "d", Overwrite: true})))
		report, err := undo.Undo(ctx, w, "", "", false, nil)
		disktest.Must(t, err)
		if got := rightsOf(t, filepath.Join(root, "d")); got != "700" || report.Lost != rights.LostAttributes {
			t.Errorf("it has %s, lost are %b", got, report.Lost)
		}
	})
}

// A capability, and what else isn't given to new content, is missed.
func TestLostAttributes(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root sets such attributes")
	}
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f"})
		give(t, filepath.Join(root, "f"), "trusted.note", "x")
		w := fixture.OpenWorkspace(t, root, fixture.WithState(t, o))
		ctx := context.Background()
		done, err := transaction.Copy(ctx, w, transaction.Transfer{From: "f", To: "copy"})
		disktest.Must(t, err)
		if done.Lost != 0 {
			t.Errorf("a copy lost %b", done.Lost)
		}
		disktest.Must(t, second(transaction.Delete(ctx, w, transaction.WriteOptions{Path: "f"})))
		report, err := undo.Undo(ctx, w, "", "", false, nil)
		disktest.Must(t, err)
		if report.Lost != rights.LostAttributes {
			t.Errorf("an undo lost %b", report.Lost)
		}
	})
}

// What the state folder has no room for is lost, and the file is deleted nevertheless. Elsewhere a
// disk that may be full is an error.
func TestNoRoomForAttributes(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root, err := os.MkdirTemp("/dev/shm", "fsbox") // mostly in memory, with room for large ones
		if err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { os.RemoveAll(root) })
		path, large := filepath.Join(root, "f"), strings.Repeat("x", 60_000)
		disktest.Must(t, os.WriteFile(path, []byte("f"), 0o644))
		if err := unix.Setxattr(path, "user.large", []byte(large), 0); err != nil {
			t.Skip(err)
		}
		w := fixture.OpenWorkspace(t, root, fixture.WithState(t, o))
		ctx := context.Background()
		disktest.Must(t, second(transaction.Delete(ctx, w, transaction.WriteOptions{Path: "f"})))
		report, err := undo.Undo(ctx, w, "", "", false, nil)
		disktest.Must(t, err)
		value := make([]byte, len(large))
		n, _ := unix.Getxattr(path, "user.large", value)
		if isKept := string(value[:max(0, n)]) == large; isKept == (report.Lost == rights.LostAttributes) {
			t.Errorf("attribute kept: %v, lost are %b", isKept, report.Lost)
		}
	})
	for mayLack, want := range map[bool]error{false: unix.ENOSPC, true: nil} {
		r := rights.Rights{Of: stat.Info{Mode: 0o640}, Attributes: rights.Attributes{"user.note": nil}, MayLack: mayLack}
		_, lost, err := r.Give(&poor{full: unix.ENOSPC}, stat.Info{})
		if err != want || lost != rights.LostAttributes {
			t.Errorf("may lack %v: %v, lost are %b", mayLack, err, lost)
		}
	}
}

// A list that the system refuses is lost, and the one of the folder around is taken away as well.
func TestRefusedList(t *testing.T) {
	root := fixture.MakeTree(t, []string{"d/"})
	give(t, filepath.Join(root, "d"), defaultList, list(7, 7, 7, 7, 0))
	folder, err := dir.Open(filepath.Join(root, "d"), false)
	disktest.Must(t, err)
	defer folder.Close()
	f, err := folder.Create("f", 0o600)
	disktest.Must(t, err)
	defer f.Close()
	unknown := "\x02\x00\x00\x00\x40\x00\x07\x00\xff\xff\xff\xff"
	r := rights.Rights{Of: f.Info, Attributes: rights.Attributes{accessList: []byte(unknown), "user.note": []byte("n")}}
	_, lost, err := r.Give(f, f.Info)
	disktest.Must(t, err)
	if got := rightsOf(t, filepath.Join(root, "d", "f")); got != `600 user.note "n"` || lost != rights.LostAttributes {
		t.Errorf("it has %s, lost are %b", got, lost)
	}
}

// poor is a new file that gets no owner, and as many attributes as it can hold.
type poor struct {
	rights.Node
	keepsGroup, hasLists bool
	full                 error
	attributes           rights.Attributes
}

func (p *poor) Chown(owner stat.Info) error {
	if p.keepsGroup && owner.UID == 0 {
		return nil
	}
	return fs.ErrPermission
}

func (p *poor) SetAttributes(a rights.Attributes) (lost rights.Attributes, err error) {
	if !p.hasLists {
		return a, p.full
	}
	p.attributes = a
	return nil, nil
}

// Nobody gets more rights by an owner, a group or a list that is lost.
func TestLostRights(t *testing.T) {
	for _, c := range []struct {
		keepsGroup, hasLists bool
		mode                 fs.FileMode
		list                 string
		want                 string
	}{
		{false, true, 0o660, "", "600"},
		{false, true, 0o664, "", "644"},
		{false, true, 0o604, "", "604"},
		{true, true, 0o660, "", "660"},
		{false, true, 0o670, list(6, 7, 6, 7, 0), "670 " + list(6, 7, 0, 7, 0)},
		{true, true, 0o670, list(6, 7, 6, 7, 0), "670 " + list(6, 7, 6, 7, 0)},
		{true, false, 0o670, list(6, 7, 6, 7, 0), "660"},
		{true, false, 0o640, list(6, 7, 6, 4, 0), "640"},
		{true, false, 0o664, list(6, 0, 6, 6, 4), "600"},
		{false, false, 0o664, list(6, 7, 6, 6, 4), "644"},
	} {
		r := rights.Rights{Of: stat.Info{Mode: c.mode, Identity: stat.Identity{UID: 1234, GID: 5678}}}
		if c.list != "" {
			r.Attributes = rights.Attributes{accessList: []byte(c.list)}
		}
		made := &poor{keepsGroup: c.keepsGroup, hasLists: c.hasLists}
		mode, lost, err := r.Give(made, stat.Info{})
		disktest.Must(t, err)
		got := fmt.Sprintf("%o", mode)
		if has := made.attributes[accessList]; has != nil {
			got += " " + string(has)
		}
		if got != c.want || lost&rights.LostOwner == 0 {
			t.Errorf("%+v: %q, lost %b, want %q", c, got, lost, c.want)
		}
		if string(r.Attributes[accessList]) != c.list {
			t.Errorf("%+v: the list of the old file was changed", c)
		}
	}
}

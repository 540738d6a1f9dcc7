package transaction_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/transaction"
)

// smb is a folder of an SMB share, whose server may have another file under each name.
type smb struct {
	dir.Folder
	has openfile.Named
}

func (smb) System() filesystem.System {
	return filesystem.System{Shared: true, Remote: true, NoExchange: true, AsksForFile: true, LosesTarget: true}
}

func (smb) LocksAll() bool { return false }

func (in smb) Reopen() (dir.Folder, error) {
	again, err := in.Folder.Reopen()
	return smb{again, in.has}, err
}

func (in smb) Move(name string, to dir.Folder, newName string, how dir.Moving) error {
	return in.Folder.Move(name, inner(to), newName, how)
}

// inner is the folder below.
func inner(f dir.Folder) dir.Folder {
	switch f := f.(type) {
	case smb:
		return f.Folder
	case longOnce:
		return f.Folder
	}
	return f
}

func (in smb) Open(name string, flag int) (*openfile.File, error) {
	f, err := in.Folder.Open(name, flag)
	if err == nil {
		f.Handle = servedFile{f.Handle, in.has}
	}
	return f, err
}

type servedFile struct {
	openfile.Handle
	named openfile.Named
}

func (f servedFile) Named() openfile.Named { return f.named }

// smbChanges are changes of the file a, whose content is "one".
var smbChanges = map[string]struct {
	make func(ctx context.Context, w *sandbox.Workspace) error
	want string
}{
	"edit": {func(ctx context.Context, w *sandbox.Workspace) error {
		_, err := transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: "a", Creation: transaction.MustExist}, fixture.Content("two"))
		return err
	}, "a=two"},
	"delete": {func(ctx context.Context, w *sandbox.Workspace) error {
		_, err := transaction.Delete(ctx, w, transaction.WriteOptions{Path: "a", Creation: transaction.MustExist})
		return err
	}, ""},
	"append": {func(ctx context.Context, w *sandbox.Workspace) error {
		_, err := transaction.Append(ctx, w, transaction.WriteOptions{Path: "a"}, func(openfile.Edges) ([]byte, error) { return []byte(" two"), nil })
		return err
	}, "a=one two"},
}

// TestChangeOnSMB: a change is made if the file has its name on the server, or if nobody can tell, since
// numbers on this mount aren't the server's. If it hasn't, the call fails after some tries, and nothing is
// changed.
func TestChangeOnSMB(t *testing.T) {
	for name, change := range smbChanges {
		for _, has := range []openfile.Named{openfile.NamesThis, openfile.NamesOther, openfile.NamesNone} {
			root := fixture.MakeTree(t, []string{"a = one"})
			state := fixture.WithState(t, sandbox.Options{Whole: 1 << 20})
			synctest.Test(t, func(t *testing.T) {
				w := fixture.OpenWorkspace(t, root, state)
				w.RootFolder = smb{w.RootFolder, has}
				err := change.make(t.Context(), w)
				got, want := fixture.Holdings(t, root), change.want
				if has == openfile.NamesNone {
					want = "a=one"
				}
				if isHeld := errors.Is(err, fserr.ErrBusy); isHeld != (has == openfile.NamesNone) || got != want {
					t.Errorf("%s, on the server %d: %v, left %q", name, has, err, got)
				}
			})
		}
	}
}

// longOnce says of a file that it is long, as a client does that has an old size, until it is opened.
type longOnce struct {
	smb
	looks *int
}

func (in longOnce) Reopen() (dir.Folder, error) {
	again, err := in.smb.Reopen()
	return longOnce{again.(smb), in.looks}, err
}

func (in longOnce) Lstat(name string) (stat.Info, error) {
	info, err := in.Folder.Lstat(name)
	if *in.looks++; name == "a" && *in.looks == 1 {
		info.Size = 2 << 20
	}
	return info, err
}

// TestAppendToShorterOnSMB: a file that is short by now is replaced, although the system said that it is
// long.
func TestAppendToShorterOnSMB(t *testing.T) {
	root := fixture.MakeTree(t, []string{"a = one"})
	before, err := os.Stat(filepath.Join(root, "a"))
	disktest.Must(t, err)
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 4 << 20}))
	w.RootFolder = longOnce{smb{w.RootFolder, openfile.NamesThis}, new(int)}
	disktest.Must(t, smbChanges["append"].make(t.Context(), w))
	after, err := os.Stat(filepath.Join(root, "a"))
	if disktest.Must(t, err); os.SameFile(before, after) || fixture.Holdings(t, root) != "a=one two" {
		t.Errorf("left %q; written in place %v", fixture.Holdings(t, root), os.SameFile(before, after))
	}
}

// TestAppendToLongerOnNFS: a file that is longer than the system says isn't written in place.
func TestAppendToLongerOnNFS(t *testing.T) {
	for _, isOld := range []bool{true, false} {
		root := fixture.MakeTree(t, []string{"a = one"})
		before, err := os.Stat(filepath.Join(root, "a"))
		disktest.Must(t, err)
		w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 4 << 20}))
		if isOld {
			w.RootFolder = fixture.Delegated{Folder: w.RootFolder, Less: 2}
		}
		disktest.Must(t, smbChanges["append"].make(t.Context(), w))
		after, err := os.Stat(filepath.Join(root, "a"))
		if disktest.Must(t, err); os.SameFile(before, after) == isOld || fixture.Holdings(t, root) != "a=one two" {
			t.Errorf("old size %v: left %q; written in place %v", isOld, fixture.Holdings(t, root), os.SameFile(before, after))
		}
	}
}

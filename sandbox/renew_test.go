package sandbox

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/dirlock"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/policy"
)

// grown is an open folder with files in it.
func grown(t *testing.T, files ...string) dir.Folder {
	return disktest.Open(t, dir.Open, disktest.Grow(t, files...), false)
}

// asked is a directory that notes what its file system is asked.
type asked struct {
	dir.Folder
	calls []string
	err   error // of RenewPath
}

func (f *asked) Renew(name string) { f.calls = append(f.calls, "renew "+name) }

func (f *asked) RenewPath(names []string, _ filesystem.Caches) error {
	f.calls = append(f.calls, fmt.Sprintf("path %q", names))
	return f.err
}

func (f *asked) Refresh(name string, drop filesystem.Caches, _ *dir.Listing) error {
	f.calls = append(f.calls, fmt.Sprintf("refresh %s %+v", name, drop))
	return nil
}

// TestFindAsks: a file that is read is asked about as its mount needs it, and others are less, since
// they are locked and asked about later.
func TestFindAsks(t *testing.T) {
	root := grown(t, "a")
	const all = "refresh a {Delegated:false Pages:true Synced:true Listed:true Removed:true}"
	caches := filesystem.Caches{Delegated: true, Pages: true, Synced: true, Listed: true, Removed: true}
	for _, test := range []struct {
		name   string
		shared bool
		caches filesystem.Caches
		reads  bool
		want   []string
	}{
		{"of this machine alone", false, filesystem.Caches{}, true, nil},
		{"shared", true, filesystem.Caches{Delegated: true}, true, []string{"renew a"}},
		{"remembers, read", true, caches, true, []string{all}},
		{"remembers, written", true, caches, false, []string{"renew a"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := &asked{Folder: root}
			w := &finder{RootFolder: in, shared: test.shared, caches: test.caches}
			for _, ask := range []func() (*Target, error){
				func() (*Target, error) {
					return w.find(request{asked: "a", names: []string{"a"}, reads: test.reads}, false)
				},
				func() (*Target, error) { // step by step
					walk := walker{w: w, stack: []level{{folder: in}}, asked: request{reads: test.reads}}
					return &walk.place, walk.to([]string{"a"})
				},
			} {
				in.calls = nil
				p, err := ask()
				if disktest.Must(t, err); !p.Exists || !slices.Equal(in.calls, test.want) {
					t.Errorf("exists %v, asked %q, want %q", p.Exists, in.calls, test.want)
				}
				p.Close()
			}
		})
	}
}

// TestFindAsksForPath: the directories of a path are asked about before they are opened, if others
// may rename them: at once, or step by step.
func TestFindAsksForPath(t *testing.T) {
	root := grown(t, "a/b/c")
	names := []string{"a", "b", "c"}
	for _, shared := range []bool{false, true} {
		in := &asked{Folder: root}
		w := &finder{RootFolder: in, shared: shared}
		p, err := w.find(request{asked: "a/b/c", names: names}, false)
		disktest.Must(t, err)
		p.Close()
		walk := walker{w: w, stack: []level{{folder: in}}}
		disktest.Must(t, walk.to(names))
		walk.place.Close()
		var want []string
		if shared {
			want = []string{`path ["a" "b"]`, `path ["a"]`} // what a has in it is asked of a
		}
		if !slices.Equal(in.calls, want) {
			t.Errorf("shared %v: asked %q, want %q", shared, in.calls, want)
		}
	}
}

// TestFindStillFound: what the file system goes on finding is looked for once, since that takes
// seconds.
func TestFindStillFound(t *testing.T) {
	root := grown(t, "a/b")
	in := &asked{Folder: root, err: dir.ErrStillFound}
	w := &finder{RootFolder: in, shared: true}
	if _, err := w.find(request{asked: "a/b", names: []string{"a", "b"}}, false); !errors.Is(err, dir.ErrStillFound) || len(in.calls) != 1 {
		t.Errorf("%v, asked %q", err, in.calls)
	}
}

// onSMB is a directory of an SMB share. has is what its server has under each name of a file.
type onSMB struct {
	dir.Folder
	has openfile.Named
}

func (onSMB) LocksAll() bool { return false }

func (f onSMB) Reopen() (dir.Folder, error) {
	again, err := f.Folder.Reopen()
	return onSMB{again, f.has}, err
}

func (onSMB) System() filesystem.System { return filesystem.System{Shared: true, LosesTarget: true} }

func (f onSMB) Open(name string, flag int) (*openfile.File, error) {
	file, err := f.Folder.Open(name, flag)
	if err == nil {
		file.Handle = served{file.Handle, f.has}
	}
	return file, err
}

type served struct {
	openfile.Handle
	named openfile.Named
}

func (f served) Named() openfile.Named { return f.named }

// TestFindOpens: on SMB, a regular file that is opened next isn't asked about before that. Everything else
// is, and so is a file that can't be opened.
func TestFindOpens(t *testing.T) {
	root := grown(t, "a", "d/b")
	for _, test := range []struct {
		name  string
		opens bool
		want  []string
	}{{"a", true, nil}, {"a", false, []string{"renew a"}}, {"d", true, []string{"renew d"}}, {"none", true, []string{"renew none"}}} {
		in := &asked{Folder: onSMB{Folder: root}}
		p, err := (&finder{RootFolder: in, shared: true}).findOnce(request{asked: test.name, names: []string{test.name}, opens: test.opens}, false)
		if disktest.Must(t, err); !slices.Equal(in.calls, test.want) {
			t.Errorf("%s, opened %v: asked %q", test.name, test.opens, in.calls)
		}
		p.Close()
	}
	for _, test := range []struct {
		on   dir.Folder
		want []string
	}{{onSMB{Folder: root}, []string{"renew gone"}}, {root, nil}} {
		in := &asked{Folder: test.on}
		p := &Target{Folder: in, Name: "gone", Exists: true, shared: true}
		if _, err := p.OpenAgain(os.O_RDONLY); !errors.Is(err, fserr.ErrCollision) || !slices.Equal(in.calls, test.want) {
			t.Errorf("%T: %v, asked %q", test.on, err, in.calls)
		}
	}
	for _, test := range []struct {
		on   dir.Folder
		only map[string]Agreed
	}{{root, nil}, {onSMB{Folder: root}, map[string]Agreed{}}} { // as on NFS; and for a change that somebody has agreed to
		in := &asked{Folder: test.on}
		p, err := (&finder{RootFolder: in, shared: true, only: test.only}).findOnce(request{asked: "a", names: []string{"a"}, opens: true}, false)
		if disktest.Must(t, err); !slices.Equal(in.calls, []string{"renew a"}) {
			t.Errorf("%T: asked %q", test.on, in.calls)
		}
		p.Close()
	}
}

// TestReadConfirmed: a file that is only read is asked about at its server, on a tree that others share.
// One in a locked directory has been.
func TestReadConfirmed(t *testing.T) {
	root := grown(t, "a")
	found, err := root.Lstat("a")
	disktest.Must(t, err)
	for _, test := range []struct {
		shared bool
		lock   *dirlock.Lock
		want   error
	}{{true, nil, fserr.ErrHeld}, {false, nil, nil}, {true, &dirlock.Lock{}, nil}} {
		p := &Target{Folder: onSMB{root, openfile.NamesNone}, Name: "a", Info: found, Exists: true, Lock: test.lock, shared: test.shared}
		f, err := p.Open(os.O_RDONLY)
		disktest.Must(t, err)
		if _, err := f.ReadAll(t.Context(), 100); !errors.Is(err, test.want) {
			t.Errorf("shared %v, locked %v: %v", test.shared, test.lock != nil, err)
		}
		f.Close()
	}
}

// delegated is a directory on NFS whose client has a file that another one has replaced.
type delegated struct{ asked }

func (*delegated) System() filesystem.System { return filesystem.System{AsksOnOpen: true} }

func (f *delegated) LstatNow(name string) (stat.Info, error) {
	now, err := f.Folder.Lstat(name)
	now.Links = 0
	return now, err
}

// TestUnchangedDelegated: a file that has no name any more isn't the one that has its name on the server.
// The next try finds that.
func TestUnchangedDelegated(t *testing.T) {
	root := grown(t, "a")
	found, err := root.Lstat("a")
	disktest.Must(t, err)
	in := &delegated{asked{Folder: root}}
	err = CheckUnchanged(&Target{Folder: in, Name: "a", Info: found, Exists: true}, found)
	const listed = "refresh a {Delegated:false Pages:false Synced:false Listed:true Removed:false}"
	if !errors.Is(err, fserr.ErrCollision) || !slices.Equal(in.calls, []string{listed}) {
		t.Errorf("%v, asked %q", err, in.calls)
	}
	disktest.Must(t, CheckUnchanged(&Target{Folder: root, Name: "a", Info: found, Exists: true}, found))
}

// openedLater is a file system that opens files at the second try.
type openedLater struct {
	asked
	tries int
}

func (f *openedLater) Open(name string, flag int) (*openfile.File, error) {
	if f.tries++; f.tries == 1 {
		return nil, fserr.ErrHeld
	}
	return f.Folder.Open(name, flag)
}

// TestOpensAreAsked: whoever opens a file of SMB next says so, and if it can't be opened, asks for it
// before trying once more.
func TestOpensAreAsked(t *testing.T) {
	root := grown(t, "a")
	rules, err := policy.New(nil, nil)
	disktest.Must(t, err)
	for name, open := range map[string]func(*Workspace) error{
		"read":   func(w *Workspace) error { f, err := w.OpenFile("a"); closeAll(f); return err },
		"change": func(w *Workspace) error { _, _, err := w.ReadForChange(t.Context(), "a"); return err },
		"search": func(w *Workspace) error { _, f, err := w.OpenStart("a"); closeAll(f); return err },
	} {
		in := &asked{Folder: onSMB{Folder: root}}
		if err := open(&Workspace{finder: finder{RootFolder: in, shared: true, policy: rules}, whole: 100}); err != nil || len(in.calls) > 0 {
			t.Errorf("%s: %v, asked %q", name, err, in.calls)
		}
		later := &openedLater{asked: asked{Folder: onSMB{Folder: root}}}
		err := open(&Workspace{finder: finder{RootFolder: later, shared: true, policy: rules}, whole: 100})
		if err != nil || !slices.Equal(later.calls, []string{"renew a"}) {
			t.Errorf("%s at the second try: %v, asked %q", name, err, later.calls)
		}
		for on, shared := range map[dir.Folder]bool{root: true, onSMB{Folder: root}: false} {
			once := &openedLater{asked: asked{Folder: on}}
			if err := open(&Workspace{finder: finder{RootFolder: once, shared: shared, policy: rules}, whole: 100}); !errors.Is(err, fserr.ErrHeld) {
				t.Errorf("%s on %T, shared %v: %v", name, on, shared, err)
			}
		}
		guarded := &asked{Folder: onSMB{Folder: root}}
		err = open(&Workspace{finder: finder{RootFolder: guarded, shared: true, policy: rules, guards: []Guard{{}}}, whole: 100})
		if err != nil || !slices.Equal(guarded.calls, []string{"renew a"}) {
			t.Errorf("%s with a guard: %v, asked %q", name, err, guarded.calls)
		}
	}
}

func closeAll(f *openfile.File) {
	if f != nil {
		f.Close()
	}
}

// TestCheckName: a file in a locked directory is refused if the server has none under its name. Its number
// tells nothing where the list of mounts can't be seen.
func TestCheckName(t *testing.T) {
	for has, want := range map[openfile.Named]error{openfile.NamesThis: nil, openfile.NamesOther: nil, openfile.NamesNone: fserr.ErrHeld} {
		in := onSMB{grown(t, "a"), has}
		lock, err := dirlock.Take(t.Context(), in, false)
		disktest.Must(t, err)
		defer lock.Release()
		p := &Target{Folder: in, Name: "a", Exists: true, Lock: lock}
		f, err := p.OpenAgain(os.O_RDONLY)
		disktest.Must(t, err)
		defer f.Close()
		if err := p.CheckName(f); !errors.Is(err, want) {
			t.Errorf("%d: %v", has, err)
		}
	}
}

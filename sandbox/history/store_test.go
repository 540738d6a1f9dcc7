package history

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
)

// open makes the history of a new, empty root.
func open(t *testing.T) *Store {
	t.Helper()
	root, err := dir.Open(t.TempDir(), false)
	check(t, err)
	t.Cleanup(root.Close)
	state := filepath.Join(t.TempDir(), "state")
	s := New(root, func() string { return state })
	s.NoSync = true
	t.Cleanup(s.Close)
	return s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// replaced is an entry that replaced a file with this content.
func replaced(path, old string) *Entry {
	return NewEntry("write", "", Item{Path: path, Kind: Replace, Size: int64(len(old)), Old: openfile.ContentETag([]byte(old))})
}

// keep puts an old content and its entry into the history.
func keep(t *testing.T, s *Store, path, old string) *Entry {
	t.Helper()
	e := replaced(path, old)
	kept, err := s.Keep(t.Context(), e, []Source{{Content: []byte(old)}})
	if check(t, err); !kept {
		t.Fatal("not kept")
	}
	return e
}

func ids(t *testing.T, s *Store) (all []string) {
	t.Helper()
	entries, err := s.Entries(t.Context())
	check(t, err)
	for _, e := range entries {
		all = append(all, e.ID)
	}
	return all
}

// TestKeep: what is kept can be read again, until its entry is dropped, or damaged.
func TestKeep(t *testing.T) {
	s := open(t)
	first, second := keep(t, s, "a", "1"), keep(t, s, "a", "2")
	if got := ids(t, s); !slices.Equal(got, []string{first.ID, second.ID}) {
		t.Errorf("entries %q", got)
	}
	content, err := s.Content(t.Context(), second.Items[0])
	if check(t, err); string(content) != "2" {
		t.Errorf("kept %q", content)
	}
	s.Drop(second)
	if got := ids(t, s); !slices.Equal(got, []string{first.ID}) {
		t.Errorf("entries %q after one was dropped", got)
	}
	var unusable *KeptError
	if _, err := s.Content(t.Context(), second.Items[0]); !errors.As(err, &unusable) || unusable.Why != "gone" {
		t.Errorf("dropped content: %v", err)
	}
	check(t, os.WriteFile(filepath.Join(s.Path(), "kept", first.Items[0].Kept), []byte("x"), 0o600))
	if _, err := s.Content(t.Context(), first.Items[0]); !errors.As(err, &unusable) || unusable.Why != "damaged" {
		t.Errorf("damaged content: %v", err)
	}
}

// TestOff: nothing is kept, but records of changes under way are made.
func TestOff(t *testing.T) {
	s := open(t)
	s.Off = true
	kept, err := s.Keep(t.Context(), replaced("a", "1"), []Source{{Content: []byte("1")}})
	if check(t, err); kept {
		t.Error("kept")
	}
	r, err := s.Announce(replaced("a", "1"))
	check(t, err)
	r.End()
	r.Close()
}

// TestNoFolder: without a state folder nothing can be kept or recorded.
func TestNoFolder(t *testing.T) {
	s := New(open(t).root, func() string { return "" })
	if _, err := s.Keep(t.Context(), replaced("a", "1"), []Source{{Content: []byte("1")}}); !errors.Is(err, fserr.ErrBackup) {
		t.Errorf("got %v", err)
	}
	if _, err := s.Announce(replaced("a", "1")); !errors.Is(err, fserr.ErrBackup) {
		t.Errorf("record: %v", err)
	}
	if all := s.Underway(t.Context(), os.O_RDONLY); len(all) > 0 {
		t.Errorf("unfinished: %v", all)
	}
}

// TestRemoved: the folder is made again after somebody removed it.
func TestRemoved(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows removes no directory that is open")
	}
	s := open(t)
	keep(t, s, "a", "1")
	check(t, os.RemoveAll(s.Path()))
	second := keep(t, s, "a", "2")
	if got := ids(t, s); !slices.Equal(got, []string{second.ID}) {
		t.Errorf("entries %q", got)
	}
	check(t, os.RemoveAll(s.Path()))
	names, err := s.Records(t.Context())
	if check(t, err); len(names) > 0 {
		t.Errorf("records %q", names)
	}
	r, err := s.Announce(second)
	check(t, err)
	r.End()
	r.Close()
}

// TestRecord: a record is found again after its process closed it without an end, and says last
// what it was told last. Of an announced one the whole lines count.
func TestRecord(t *testing.T) {
	s := open(t)
	r, err := s.Announce(replaced("a", "1"))
	check(t, err)
	if got, err := s.Adopt(t.Context(), r.id); got != nil || err != nil {
		t.Errorf("the record of a living process: %v, %v", got, err)
	}
	_, err = r.file.Write([]byte("torn"))
	check(t, err)
	r.Close()
	if all := s.Underway(t.Context(), os.O_RDONLY); len(all) > 0 {
		t.Errorf("unfinished: %v", all)
	}
	r, err = s.Adopt(t.Context(), r.id)
	check(t, err)
	if e, err := r.Read(t.Context()); err != nil || e.Items[0].Path != "a" || !r.Done {
		t.Errorf("read %v, %v, done %v", e, err, r.Done)
	}
	check(t, r.file.Truncate(0)) // the next line is written to the beginning
	check(t, s.Begin(r, replaced("b", "1")))
	r.Close()
	if all := s.Underway(t.Context(), os.O_RDONLY); len(all) != 1 || !all[0].IsDead || all[0].Entry.Items[0].Path != "b" {
		t.Errorf("unfinished: %v", all)
	}
	r, err = s.Adopt(t.Context(), r.id)
	check(t, err)
	e, err := r.Read(t.Context())
	if check(t, err); e.Items[0].Path != "b" || r.Done {
		t.Errorf("read %v, done %v", e, r.Done)
	}
	check(t, s.Commit(r))
	r.Close()
	if all := s.Underway(t.Context(), os.O_RDONLY); len(all) > 0 {
		t.Errorf("unfinished: %v", all)
	}
	names, err := s.Records(t.Context())
	check(t, err)
	r, err = s.Adopt(t.Context(), names[0])
	if check(t, err); !r.Done {
		t.Error("not committed")
	}
	r.End()
	r.Close()
	if names, err = s.Records(t.Context()); err != nil || len(names) > 0 {
		t.Errorf("records %q, %v", names, err)
	}
}

// TestRecordOfFolders says all that it was told, and comes last.
func TestRecordOfFolders(t *testing.T) {
	s := open(t)
	folders, err := s.AnnounceFolders(replaced("a", "1"))
	check(t, err)
	check(t, s.Add(folders, replaced("b", "1")))
	folders.Close()
	folders, err = s.Adopt(t.Context(), folders.id)
	check(t, err)
	defer folders.Close()
	other, err := s.Announce(replaced("c", "1"))
	check(t, err)
	defer other.Close()
	if e, err := folders.Read(t.Context()); err != nil || len(e.Items) != 2 {
		t.Errorf("read %v, %v", e, err)
	}
	if names, err := s.Records(t.Context()); err != nil || !slices.Equal(names, []string{other.id, folders.id}) {
		t.Errorf("records %q, %v", names, err)
	}
}

// TestDamagedRecord: a record can be torn only while it is announced.
func TestDamagedRecord(t *testing.T) {
	s := open(t)
	whole := string(replaced("a", "1").encode())
	for _, text := range []string{"", "\x00\x00", "torn", "from a later release\n", whole + "torn", whole + "\x00", whole[:len(whole)/2]} {
		for _, begun := range []bool{false, true} {
			r, err := s.Announce(replaced("a", "1"))
			check(t, err)
			want := error(nil)
			if begun {
				check(t, s.Begin(r, replaced("a", "1")))
				want = errUnreadable
			}
			check(t, os.WriteFile(filepath.Join(s.Path(), pendingName, r.id), []byte(text), 0o600))
			r.Close()
			if all := s.Underway(t.Context(), os.O_RDONLY); len(all) > 0 != begun || begun && all[0].Entry != nil {
				t.Errorf("%q: unfinished %v", text, all)
			}
			r, err = s.Adopt(t.Context(), r.id)
			check(t, err)
			if e, err := r.Read(t.Context()); !errors.Is(err, want) || begun && e != nil {
				t.Errorf("%q: read %v, %v", text, e, err)
			}
			r.Close()
			if name, err := s.SetAside(r.id); err != nil || !dir.Exists(r.s.dir, name) {
				t.Errorf("set aside as %q: %v", name, err)
			}
		}
	}
}

// TestLost: a displaced file whose call is newer than all entries tells of a lost entry.
func TestLost(t *testing.T) {
	s := open(t)
	keep(t, s, "a", "1")
	id := newID(time.Now().Add(time.Minute))
	check(t, os.WriteFile(filepath.Join(s.Path(), "kept", id+"-0"), nil, 0o600))
	lost, err := s.Lost(t.Context())
	if check(t, err); lost != id {
		t.Errorf("lost %q, want %q", lost, id)
	}
	if lost, err := s.IsLost(t.Context(), id); err != nil || !lost {
		t.Errorf("%v, %v", lost, err)
	}
}

// TestMany: after many calls only the newest versions are there, in the journal and in the folder.
func TestMany(t *testing.T) {
	s := open(t)
	for range 800 {
		keep(t, s, "a", "1")
	}
	f, err := s.open.dir.Open(journalName, 0)
	check(t, err)
	defer f.Close()
	length := prunedTo(f)
	if length == 0 || length > f.Info.Size || f.Info.Size-length > 2*pruneEvery {
		t.Errorf("pruned to %d of %d bytes", length, f.Info.Size)
	}
	if got := len(ids(t, s)); got != maxVersions {
		t.Errorf("%d entries, want %d", got, maxVersions)
	}
}

// TestDueLate: files of a change that removes something, or that was undone, are looked for soon, and
// once more together with those of all others.
func TestDueLate(t *testing.T) {
	s := open(t)
	var names []string // the oldest first
	path := func(name string) string { return filepath.Join(s.Path(), pendingName, name) }
	age := func(name string, by time.Duration) {
		at := time.Now().Add(-by)
		check(t, os.Chtimes(path(name), at, at))
	}
	for _, test := range []struct {
		age             time.Duration
		undone, removes bool
	}{{50, false, false}, {40, false, false}, {3, true, false}, {3, false, true}, {1, false, true}} {
		e := replaced("a", "1")
		e.ID = newID(time.Now().Add(-test.age * time.Second))
		r, err := s.Announce(e)
		check(t, err)
		r.EndLate(test.undone, test.removes)
		age(r.id, test.age*time.Second)
		names = append(names, r.id)
		r.Close()
	}
	if got := s.DueLate(names); !slices.Equal(got, names[2:4]) {
		t.Errorf("due %q of %q", got, names)
	}
	r, err := s.AdoptLate(names[2])
	check(t, err)
	r.EndLook(false)
	names[2] = r.id
	r.Close()
	young := names[0]
	if names[0] = newID(time.Now().Add(-time.Minute)) + againMark + lateSuffix; os.Rename(path(young), path(names[0])) != nil {
		t.Fatalf("%s can't be renamed", young)
	}
	age(names[0], time.Minute)
	if got := s.DueLate(names); !slices.Equal(got, []string{names[0], names[1], names[3]}) {
		t.Errorf("due %q of %q", got, names)
	}
	age(names[4], time.Hour) // its ID says when it was made
	if got := s.DueLate(names[4:]); got != nil {
		t.Errorf("due %q", got)
	}
}

package sandbox

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fsbox/sandbox/dir"
)

// TestPruneDue adds calls to a journal, prunes it when that is due, and counts.
func TestPruneDue(t *testing.T) {
	tests := []struct {
		name  string
		calls int
		line  int64 // bytes that each call adds to the journal
		size  int64 // of each kept content
		files int
		left  int64 // bytes that pruning leaves of the journal
		want  int
	}{
		{"small calls", 8000, 200, 100, 1, 0, 97},
		{"at the edge of a step", 8000, 200, 100, 1, 4*pruneEvery - 100, 97},
		{"a long journal", 8000, 200, 100, 1, 1 << 20, 6},
		{"long lines", 1600, 40 << 10, 8 << 10, 200, 20 << 10, 100},
		{"a long journal, and contents of some size", 8000, 200, 512 << 10, 1, 1 << 20, 62},
		{"a large file", 5, 200, largeContent, 1, 0, 5},
		{"nearly large files", 5, 200, largeContent - 1, 1, 0, 0},
		{"many that are large together", 5, 4 << 10, 64 << 10, largeCall / (64 << 10), 0, 5},
	}
	for _, test := range tests {
		b := &Backup{}
		for range test.files {
			b.Files = append(b.Files, Saved{Kept: "kept", Size: test.size})
		}
		got := 0
		journal := extent{test.left, test.left}
		for range test.calls {
			journal.size += test.line
			if isPruneDue(b, test.size*int64(test.files), test.line, journal) {
				got++
				journal = extent{test.left, test.left}
			}
		}
		if got != test.want {
			t.Errorf("%s: %d prunings, want %d", test.name, got, test.want)
		}
	}
}

// TestPrunedTo: a journal records its length after the last pruning.
func TestPrunedTo(t *testing.T) {
	root := makefs(t, []string{"a = 0"})
	w := open(t, root, withState(t, Options{Whole: 1 << 20}))
	for range 400 {
		_, err := w.Commit(t.Context(), []Change{put("a", "1", MustExist), put("b", "1", MayCreate)})
		check(t, err)
		_, err = w.Commit(t.Context(), []Change{put("a", "0", MustExist), gone("b")})
		check(t, err)
	}
	s, err := w.state.get(false)
	check(t, err)
	f, err := s.dir.Open(journalName, 0)
	check(t, err)
	defer f.Close()
	length := prunedTo(f)
	if length == 0 || length > f.Info.Size || f.Info.Size-length > 2*pruneEvery {
		t.Errorf("pruned to %d of %d bytes", length, f.Info.Size)
	}
	all, err := w.Backups(t.Context(), "")
	check(t, err)
	if len(all) != maxVersions {
		t.Errorf("%d entries, want %d", len(all), maxVersions)
	}
}

// TestJournalBytes: whatever the length of its entries, a journal stays within its bounds, and the
// newest entry is kept.
func TestJournalBytes(t *testing.T) {
	root := makefs(t, []string{"a = 0"})
	w := open(t, root, withState(t, Options{Whole: 1 << 20}))
	_, err := w.Commit(t.Context(), []Change{put("a", "1", MustExist)})
	check(t, err)
	s, err := w.state.get(false)
	check(t, err)
	long := newBackup("patch")
	for len(long.encode()) < maxEntry*9/10 {
		for range 64 {
			long.Files = append(long.Files, Saved{Path: strings.Repeat("d/", maxPath/2-1) + "f", Action: Created})
		}
	}
	for range 3 * journalTail / maxEntry { // more than any release that prunes leaves
		long.ID = newID(time.Now())
		check(t, s.record(long))
	}
	all, err := w.Backups(t.Context(), "")
	check(t, err)
	if len(all) != 1 || all[0].ID != long.ID {
		t.Errorf("%d entries, want the newest", len(all))
	}
	done, err := w.Commit(t.Context(), []Change{put("a", "2", MustExist)})
	check(t, err)
	info, err := s.dir.Lstat(journalName)
	check(t, err)
	if info.Size > maxLines+maxEntry {
		t.Errorf("the journal has %d bytes", info.Size)
	}
	report, err := w.Undo(t.Context(), "", "", false)
	check(t, err)
	if report.Undid.ID != done[0].BackupID {
		t.Errorf("took back %q, want %q", report.Undid.ID, done[0].BackupID)
	}
	long.Files = append(long.Files, long.Files...)
	var size *EntrySizeError
	if err := s.record(long); !errors.As(err, &size) || !errors.Is(err, dir.ErrBackup) {
		t.Errorf("an entry that is too long: error %v", err)
	}
	if _, err := w.announce(long); !errors.As(err, &size) {
		t.Errorf("a record that is too long: error %v", err)
	}
}

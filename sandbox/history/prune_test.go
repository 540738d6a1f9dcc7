package history

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fsbox/sandbox/disk/fserr"
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
		b := &Entry{}
		for range test.files {
			b.Items = append(b.Items, Item{Kept: "kept", Size: test.size})
		}
		got := 0
		journal := extent{test.left, test.line, test.left, b.Time}
		for range test.calls {
			journal.size += test.line
			if isPruneDue(b, journal) {
				got++
				journal = extent{test.left, test.line, test.left, b.Time}
			}
		}
		if got != test.want {
			t.Errorf("%s: %d prunings, want %d", test.name, got, test.want)
		}
	}
}

// TestPruneDaily: the first call of a day prunes, however small it is.
func TestPruneDaily(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for before, want := range map[time.Time]bool{noon: false, noon.Add(-11 * time.Hour): false, noon.Add(-13 * time.Hour): true, {}: true} {
		if got := isPruneDue(&Entry{Time: noon}, extent{1, 1, 0, before}); got != want {
			t.Errorf("the call before was at %v: due is %v", before, got)
		}
	}
}

// TestJournalBytes: whatever the length of its entries, a journal stays within its bounds, and the
// newest entry is kept.
func TestJournalBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	s := open(t)
	keep(t, s, "a", "0")
	long := NewEntry("patch", "")
	for len(long.encode()) < maxEntry*9/10 {
		for range 64 {
			long.Items = append(long.Items, Item{Path: strings.Repeat("d/", 2047) + "f", Kind: Create})
		}
	}
	for range 3 * journalTail / maxEntry { // more than any release that prunes leaves
		long.ID = newID(time.Now())
		_, err := s.open.record(long)
		check(t, err)
	}
	if got := ids(t, s); len(got) != 1 || got[0] != long.ID {
		t.Errorf("%d entries, want the newest", len(got))
	}
	last := keep(t, s, "a", "1")
	info, err := s.open.dir.Lstat(journalName)
	check(t, err)
	if info.Size > maxLines+maxEntry {
		t.Errorf("the journal has %d bytes", info.Size)
	}
	if got := ids(t, s); got[len(got)-1] != last.ID {
		t.Errorf("the newest entry is %q, want %q", got[len(got)-1], last.ID)
	}
	long.Items = append(long.Items, long.Items...)
	var size *EntrySizeError
	if _, err := s.open.record(long); !errors.As(err, &size) || !errors.Is(err, fserr.ErrBackup) {
		t.Errorf("an entry that is too long: error %v", err)
	}
	if _, err := s.Announce(long); !errors.As(err, &size) {
		t.Errorf("a record that is too long: error %v", err)
	}
}

// TestRetainedCut: the undo of an append keeps only the bytes that it cut off, and only they count,
// however large the file.
func TestRetainedCut(t *testing.T) {
	now := time.Now()
	cut := &Entry{ID: "cut", Time: now, Items: []Item{{Path: "log", Kind: Cut, Kept: "cut-0", Size: MaxBytes, AppendedBytes: 10}}}
	other := &Entry{ID: "other", Time: now, Items: []Item{{Path: "x", Kind: Replace, Kept: "other-0", Size: 300 << 10}}}
	for _, all := range [][]*Entry{{cut, other}, {other, cut}} {
		if kept := (past{entries: all}).retained().entries; len(kept) != len(all) {
			t.Errorf("%d of %d are kept", len(kept), len(all))
		}
	}
}

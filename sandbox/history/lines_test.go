package history

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestJournalLines: whatever else a journal has, its whole lines are read, and pruning keeps them.
func TestJournalLines(t *testing.T) {
	line := func(id, tool string) string {
		e := &Entry{ID: id, Time: time.Now(), Tool: tool}
		if tool == "write" {
			e.Items = []Item{{Path: id, Kind: Create}}
		}
		return string(e.encode())
	}
	many := &Entry{ID: "long", Time: time.Now(), Tool: "patch"}
	for n := range 5000 {
		many.Items = append(many.Items, Item{Path: strings.Repeat("x", 200) + strconv.Itoa(n), Kind: Create})
	}
	long := string(many.encode())
	tests := []struct {
		name, text string
		want       []string // IDs
		gap        string
	}{
		{"two lines", line("1", "write") + line("2", "write"), []string{"1", "2"}, ""},
		{"blank lines", "\n\n" + line("1", "write") + "\n\n" + line("2", "write") + "\n", []string{"1", "2"}, ""},
		{"no end", line("1", "write") + strings.TrimSuffix(line("2", "write"), "\n"), []string{"1", "2"}, ""},
		{"torn at the end", line("1", "write") + line("2", "write")[:30], []string{"1"}, ""},
		{"torn in the middle", line("1", "write")[:30] + "\n" + line("2", "write"), []string{"2"}, ""},
		{"voided", line("1", "write") + line("2", "write") + line("1", voided), []string{"2"}, ""},
		{"pruned before", line("0", pruned) + line("1", "write"), []string{"1"}, "0"},
		{"pruned twice", line("0", pruned) + line("9", pruned) + line("1", "write"), []string{"1"}, "9"},
		{"lines of a megabyte", long + line("2", "write") + long + line("3", "write"), []string{"long", "2", "long", "3"}, ""},
		{"more than is read", strings.Repeat("x", journalTail) + "\n" + line("1", "write"), []string{"1"}, ""},
		{"nothing", "", nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := open(t)
			keep(t, s, "f", "")
			path := filepath.Join(s.Path(), journalName)
			check(t, os.WriteFile(path, []byte(test.text), 0o600))
			for _, when := range []string{"as it was", "pruned"} {
				got, err := s.open.read(t.Context())
				check(t, err)
				var ids []string
				for _, e := range got.entries {
					ids = append(ids, e.ID)
				}
				gap := ""
				if got.gap != nil {
					gap = got.gap.ID
				}
				if !slices.Equal(ids, test.want) || gap != test.gap {
					t.Errorf("%s: entries %q and gap %q, want %q and %q", when, ids, gap, test.want, test.gap)
				}
				check(t, s.open.prune(t.Context()))
			}
			if left, err := s.open.dir.Lstat(journalName); err != nil || left.Size > maxLines {
				t.Errorf("%d bytes are left, %v", left.Size, err)
			}
		})
	}
}

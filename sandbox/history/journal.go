package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
)

// Bounds of the journal, in bytes. Its entries are read one by one, but those that a call needs
// stay in memory. An entry has at most maxEntry bytes. Pruning leaves at most maxLines bytes of
// entries, or only the newest entry. It is due when there are more than maxJournal. If that fails
// again and again, the journal grows: of more than journalTail, only the end is read.
const (
	maxEntry    = 4 << 20
	maxLines    = 4 << 20
	maxJournal  = 6 << 20
	journalTail = 12 << 20
)

// EntrySizeError says that a call changes so many paths that its entry would be too long for the
// journal. It is an ErrBackup.
type EntrySizeError struct{ Size int }

func (e *EntrySizeError) Error() string {
	return fmt.Sprintf("the paths of this call take %d bytes in the journal, and the limit is %d", e.Size, maxEntry)
}

func (e *EntrySizeError) Is(target error) bool { return target == fserr.ErrBackup }

// checkEntry refuses an entry that is too long.
func checkEntry(line []byte) error {
	if len(line) > maxEntry {
		return &EntrySizeError{Size: len(line)}
	}
	return nil
}

// extent is the length of the journal, of its last entry, and of what the last pruning left, in
// bytes, and when something was added to it before.
type extent struct {
	size, last, pruned int64
	before             time.Time
}

// prunedLine is the first line of a pruned journal: its length after pruning, always with the same
// number of digits. No entry looks like it.
func prunedLine(length int64) []byte { return fmt.Appendf(nil, "pruned %019d\n", length) }

// prunedTo reads the length from a journal's first line; 0 if there is none.
func prunedTo(f *openfile.File) (length int64) {
	line := prunedLine(0)
	if _, err := f.ReadAt(line, 0); err != nil {
		return 0
	}
	digits, ok := strings.CutPrefix(string(line), "pruned ")
	length, err := strconv.ParseInt(strings.TrimSuffix(digits, "\n"), 10, 64)
	if !ok || err != nil || length < 0 || length > f.Info.Size {
		return 0
	}
	return length
}

// record appends an entry to the journal, with the root that it belongs to. A line end comes before
// it: if the last line was torn, the new entry is not lost with it.
func (s *state) record(b *Entry) (extent, error) {
	b.Root = s.writing().text
	line := b.encode()
	if err := checkEntry(line); err != nil {
		return extent{}, err
	}
	f, err := s.openJournal(os.O_RDWR | os.O_APPEND)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = dir.CreatePrivate(s.dir, journalName)
	}
	if err != nil {
		return extent{}, err
	}
	defer f.Close()
	grown := extent{last: int64(len(line)), pruned: prunedTo(f), before: f.Info.Modified}
	line = append(line, 0)
	copy(line[1:], line)
	line[0] = '\n'
	n, err := f.Write(line)
	if err != nil && n > 0 {
		_ = f.Truncate(f.Info.Size) // if this fails, the next entry first ends the torn line
	}
	grown.size = f.Info.Size + int64(n)
	return grown, err
}

// voided is the tool of a line that removes an entry from the journal: the announced call changed
// nothing.
const voided = "-"

// void removes an entry from the journal.
func (s *state) void(id string) error {
	_, err := s.record(&Entry{ID: id, Time: time.Now(), Tool: voided})
	return err
}

// pruned is the tool of a line that names the newest entry that pruning has removed.
const pruned = "pruned"

// past is what was read from the journal.
type past struct {
	entries []*Entry // oldest first; voided ones are left out
	gap     *Entry   // the newest entry that pruning has removed; nil if none was removed
}

// read reads the journal.
func (s *state) read(ctx context.Context) (p past, err error) {
	lines, err := s.journal(ctx)
	if err != nil {
		return past{}, err
	}
	defer lines.close()
	void := map[string]bool{}
	for _, at := range lines.all {
		b, err := lines.entry(at)
		if err != nil {
			return past{}, err
		}
		switch {
		case b == nil:
		case b.Tool == voided:
			void[b.ID] = true
		case b.Tool == pruned:
			p.gap = b
		default:
			p.entries = append(p.entries, b)
		}
	}
	p.entries = slices.DeleteFunc(p.entries, func(b *Entry) bool { return void[b.ID] })
	return p, nil
}

// ofRoot gives the entries of one root.
func (p past) ofRoot(root rootID) []*Entry {
	return slices.DeleteFunc(p.entries, func(e *Entry) bool { return !root.owns(e) })
}

// openJournal refuses a journal that others may write to.
func (s *state) openJournal(flag int) (*openfile.File, error) {
	f, err := s.dir.Open(journalName, flag)
	if err != nil {
		return nil, err
	}
	if err := f.Info.Trust("the journal"); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// withJournal calls do with what the journal tells of this root and others, while nobody else can
// change it. Without a state folder it does nothing.
func (s *Store) withJournal(ctx context.Context, do func(*state, past) error) error {
	return s.locked(ctx, func(state *state) error {
		all, err := state.read(ctx)
		if err == nil {
			err = do(state, all)
		}
		return err
	})
}

// Entries reads the entries of this root that are still kept, oldest first.
func (s *Store) Entries(ctx context.Context) (kept []*Entry, err error) {
	err = s.withJournal(ctx, func(state *state, all past) error {
		kept = all.retained().ofRoot(rootIDOf(state.root))
		return nil
	})
	return kept, err
}

// All reads the whole journal without a lock, oldest entry first. none says that there is no state
// folder, or one without a journal: it was made just now.
func (s *Store) All(ctx context.Context) (all []*Entry, none bool, err error) {
	state, err := s.get(false)
	if err != nil {
		return nil, false, err
	}
	if state == nil || !dir.Exists(state.dir, journalName) {
		return nil, true, nil
	}
	read, err := state.read(ctx)
	return read.entries, false, err
}

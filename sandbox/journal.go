package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"fsbox/sandbox/dir"
)

// Bounds of the journal, in bytes. It is read whole, so they bound the memory of every call that looks at it. An entry has at most
// maxEntry; a pruning leaves maxLines of entries, or the newest alone; and one is due where there are more than maxJournal. Of a
// journal of more than journalTail, which releases before these bounds could make, only the end is read.
const (
	maxEntry    = 4 << 20
	maxLines    = 4 << 20
	maxJournal  = 6 << 20
	journalTail = 12 << 20
)

// EntrySizeError says that a call changes so many paths that its entry would be too long for the journal. It is an ErrBackup.
type EntrySizeError struct{ Size int }

func (e *EntrySizeError) Error() string {
	return fmt.Sprintf("the paths of this call take %d bytes in the journal, and the limit is %d", e.Size, maxEntry)
}

func (e *EntrySizeError) Is(target error) bool { return target == dir.ErrBackup }

// checkEntry refuses a line that is too long.
func checkEntry(line []byte) error {
	if len(line) > maxEntry {
		return &EntrySizeError{Size: len(line)}
	}
	return nil
}

// extent is how long the journal is, in bytes, and how long the last pruning left it.
type extent struct{ size, pruned int64 }

// prunedLine is what a pruned journal begins with: its own length, always in as many digits. No entry looks like it.
func prunedLine(length int64) []byte { return fmt.Appendf(nil, "pruned %019d\n", length) }

// prunedTo reads a journal's first line.
func prunedTo(f *dir.File) (length int64) {
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

// lineOf encodes an entry, with the root that it is about.
func (s *state) lineOf(b *Backup) []byte {
	b.root = s.writing().String()
	return b.encode()
}

// record appends an entry to the journal.
func (s *state) record(b *Backup) error {
	_, err := s.recordLine(s.lineOf(b))
	return err
}

// recordLine is record for an entry that is encoded; it tells how long the journal is. A line that was torn is closed first, so
// that this one is not lost with it.
func (s *state) recordLine(line []byte) (extent, error) {
	if err := checkEntry(line); err != nil {
		return extent{}, err
	}
	f, err := s.dir.Open(journalName, os.O_RDWR|os.O_APPEND)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = s.dir.Create(journalName, privateMode&0o666)
	}
	if err != nil {
		return extent{}, err
	}
	defer f.Close()
	if err := f.Info.Trust("the journal"); err != nil {
		return extent{}, err
	}
	var grown extent
	if size := f.Info.Size; size > 0 {
		grown.pruned = prunedTo(f)
		var last [1]byte
		if _, err := f.ReadAt(last[:], size-1); err != nil {
			return extent{}, err
		}
		if last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	n, err := f.Write(line)
	if err != nil && n > 0 {
		_ = f.Truncate(f.Info.Size) // else the next line goes on behind it, closed off as above
	}
	grown.size = f.Info.Size + int64(n)
	return grown, err
}

// voided is the tool of a line that takes an entry out of the journal: what it announced did not happen.
const voided = "-"

func (s *state) void(id string) error {
	return s.record(&Backup{ID: id, Time: time.Now(), Tool: voided})
}

// history reads the journal, oldest first, without what was voided.
func (s *state) history(ctx context.Context) ([]*Backup, error) {
	f, err := s.dir.Open(journalName, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := f.Info.Trust("the journal"); err != nil {
		return nil, err
	}
	text, err := f.Tail(ctx, journalTail)
	if err != nil {
		return nil, err
	}
	var all []*Backup
	void := map[string]bool{}
	for line := range strings.Lines(text) {
		switch b, ok := decodeBackup(line); {
		case !ok:
		case b.Tool == voided:
			void[b.ID] = true
		default:
			all = append(all, b)
		}
	}
	kept := all[:0]
	for _, b := range all {
		if !void[b.ID] {
			kept = append(kept, b)
		}
	}
	return kept, nil
}

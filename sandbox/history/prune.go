package history

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
)

// Bounds of what is kept. The newest entry is always kept.
const (
	maxVersions = 20                 // of one path
	maxAge      = 7 * 24 * time.Hour // of an entry
	MaxBytes    = 256 << 20          // bytes, of all kept content together
)

// Pruning reads and writes the whole journal, so it is not done after every call. It is due when
// the journal has grown since the last pruning by all of these: pruneEvery bytes (about 80
// entries), 1/pruneShare of its length then, and pruneCalls times the length of the present entry.
//
// So that what is kept never passes its limit by much, it is due at once when a call keeps a
// content of largeContent bytes, or contents of largeCall bytes together. The same goes for many
// smaller calls: if all entries since the last pruning kept as much as this one, that would be
// largeSum bytes. And it is due at the first call of each day (UTC), since entries grow old without
// any call.
const (
	pruneEvery   = 16 << 10
	pruneShare   = 4 // a quarter
	pruneCalls   = 16
	largeContent = 1 << 20
	largeCall    = 4 << 20
	largeSum     = 64 << 20
)

// isPruneDue decides after a call whose entry was added to the journal.
func isPruneDue(b *Entry, journal extent) bool {
	kept, largest := b.keeps()
	grown := journal.size - journal.pruned
	day := 24 * time.Hour
	isNewDay := b.Time.Truncate(day).After(journal.before.Truncate(day))
	return isNewDay || largest >= largeContent || kept >= largeCall || journal.size > maxJournal || kept*(grown/journal.last) >= largeSum ||
		grown >= max(pruneEvery, journal.pruned/pruneShare, pruneCalls*journal.last)
}

// keeps tells how many bytes are kept for an entry, and how many of them for one path at most.
func (b *Entry) keeps() (all, largest int64) {
	for _, f := range b.Items {
		all, largest = all+f.KeptSize(), max(largest, f.KeptSize())
	}
	return all, largest
}

// orphanAge is how old content without an entry must be before pruning removes it. Younger content
// may belong to a call that is still running.
const orphanAge = time.Hour

// retention decides which entries are kept: the newest maxVersions of each path, none older than
// maxAge, with at most MaxBytes of content and maxLines of journal together. The newest entry is
// always kept. It is asked about all entries in turn, the newest first.
type retention struct {
	now          time.Time
	gap          *Entry // the newest entry that is not kept
	versions     map[string]int
	bytes, lines int64
}

func newRetention(gap *Entry) *retention {
	return &retention{now: time.Now(), gap: gap, versions: map[string]int{}}
}

func (r *retention) keeps(b *Entry) bool {
	wanted, isNewest := false, len(r.versions) == 0
	for _, f := range b.Items {
		r.versions[f.Path]++
		wanted = wanted || r.versions[f.Path] <= maxVersions
	}
	size, _ := b.keeps()
	if !isNewest && (!wanted || r.now.Sub(b.Time) > maxAge || r.bytes+size > MaxBytes || r.lines+int64(b.size) > maxLines) {
		if r.gap == nil || b.Time.After(r.gap.Time) {
			r.gap = &Entry{ID: b.ID, Time: b.Time, Tool: pruned}
		}
		return false
	}
	if size <= MaxBytes { // a larger tree is kept only as the newest entry, and must not push out all the others
		r.bytes += size
	}
	r.lines += int64(b.size)
	return true
}

// retained leaves the entries to keep. The order doesn't change.
func (p past) retained() past {
	kept := newRetention(p.gap)
	var entries []*Entry
	for _, b := range slices.Backward(p.entries) {
		if kept.keeps(b) {
			entries = append(entries, b)
		}
	}
	slices.Reverse(entries)
	return past{entries, kept.gap}
}

// prune removes what is no longer kept. The caller holds the lock of the state folder.
func (s *state) prune(ctx context.Context) error {
	journal, err := s.journal(ctx)
	if err != nil {
		return err
	}
	defer journal.close()
	kept := newRetention(nil)
	var gap *Entry // of an earlier pruning
	void, known, wanted := map[string]bool{}, map[string]bool{}, map[string]bool{}
	var left []span
	for _, at := range slices.Backward(journal.all) {
		b, err := journal.entry(at)
		if err != nil {
			return err
		}
		switch {
		case b == nil || void[b.ID]:
		case b.Tool == voided: // it comes after the one that it removes
			void[b.ID] = true
		case b.Tool == pruned:
			gap = cmp.Or(gap, b)
		default:
			known[b.ID] = true
			if kept.keeps(b) {
				left = append(left, at)
				for _, f := range b.Items {
					wanted[f.Kept] = true
				}
			}
		}
	}
	if kept.gap == nil || gap != nil && gap.Time.After(kept.gap.Time) {
		kept.gap = gap
	}
	slices.Reverse(left)
	if err := s.rewriteJournal(journal, left, kept.gap); err != nil {
		return err
	}
	return s.removeUnwanted(ctx, known, wanted)
}

// removeUnwanted removes the contents of entries that are no longer kept, known by their IDs, and
// old contents without an entry.
func (s *state) removeUnwanted(ctx context.Context, known, wanted map[string]bool) error {
	names, err := dir.List(ctx, s.kept)
	for _, e := range names {
		id, _, _ := strings.Cut(e.Name, "-")
		if err == nil && !wanted[e.Name] && (known[id] || !s.isYoung(e.Name)) {
			err = s.removeKept(e.Name)
		}
	}
	return err
}

func (s *state) isYoung(name string) bool {
	info, err := s.kept.Lstat(name)
	return err == nil && time.Since(time.Unix(0, max(info.Changed, info.Modified.UnixNano()))) < orphanAge
}

const newJournal = "journal.new"

// rewriteJournal replaces the journal by one that has only the lines that are kept.
func (s *state) rewriteJournal(journal *lines, kept []span, gap *Entry) error {
	if err := fserr.IgnoreMissing(s.dir.Remove(newJournal)); err != nil {
		return err
	}
	f, err := dir.CreatePrivate(s.dir, newJournal)
	if err != nil {
		return err
	}
	err = writeJournal(f, journal, kept, gap)
	if err == nil {
		err = f.Sync() // the new journal must be whole before it replaces the old one
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return s.dir.Move(newJournal, s.dir, journalName, dir.Over)
}

func writeJournal(f io.Writer, journal *lines, kept []span, gap *Entry) error {
	var first []byte
	if gap != nil {
		first = gap.encode()
	}
	size := int64(len(prunedLine(0)) + len(first))
	for _, at := range kept {
		size += at.size + 1
	}
	w := bufio.NewWriter(f)
	w.Write(prunedLine(size))
	w.Write(first)
	for _, at := range kept {
		text, err := journal.read(at)
		if err != nil {
			return err
		}
		w.Write(text)
		w.WriteByte('\n')
	}
	return w.Flush()
}

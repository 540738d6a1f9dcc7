package history

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"fsbox/sandbox/dir"
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

// retained leaves the entries to keep: the newest maxVersions of each path, none older than maxAge,
// with at most MaxBytes of content and maxLines of journal together. The newest entry is always
// kept. The order doesn't change.
func (p past) retained(now time.Time) past {
	kept := past{gap: p.gap}
	versions := map[string]int{}
	var bytes, lines int64
	for i, b := range slices.Backward(p.entries) {
		wanted := false
		for _, f := range b.Items {
			versions[f.Path]++
			wanted = wanted || versions[f.Path] <= maxVersions
		}
		size, _ := b.keeps()
		isNewest := i == len(p.entries)-1
		if !isNewest && (!wanted || now.Sub(b.Time) > maxAge || bytes+size > MaxBytes || lines+int64(len(b.line)) > maxLines) {
			if kept.gap == nil || b.Time.After(kept.gap.Time) {
				kept.gap = b
			}
			continue
		}
		if size <= MaxBytes { // a larger tree is kept only as the newest entry, and must not push out all the others
			bytes += size
		}
		lines += int64(len(b.line))
		kept.entries = append(kept.entries, b)
	}
	slices.Reverse(kept.entries)
	return kept
}

// prune removes what is no longer kept. The caller holds the lock of the state folder.
func (s *state) prune(ctx context.Context) error {
	all, err := s.read(ctx)
	if err != nil {
		return err
	}
	kept := all.retained(time.Now())
	if err := s.rewriteJournal(kept); err != nil {
		return err
	}
	return s.removeUnwanted(ctx, all, kept)
}

// removeUnwanted removes the contents of entries that are no longer kept, and old contents without
// an entry.
func (s *state) removeUnwanted(ctx context.Context, all, kept past) error {
	wanted, known := map[string]bool{}, map[string]bool{}
	for _, b := range kept.entries {
		for _, f := range b.Items {
			wanted[f.Kept] = true
		}
	}
	for _, b := range all.entries {
		known[b.ID] = true
	}
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

// text is a journal of what is kept.
func (p past) text() []byte {
	var lines []byte
	if p.gap != nil {
		lines = (&Entry{ID: p.gap.ID, Time: p.gap.Time, Tool: pruned}).encode()
	}
	for _, b := range p.entries {
		lines = append(append(lines, b.line...), '\n')
	}
	return append(prunedLine(int64(len(prunedLine(0))+len(lines))), lines...)
}

const newJournal = "journal.new"

// rewriteJournal replaces the journal by one that has only the entries that are kept.
func (s *state) rewriteJournal(kept past) error {
	if err := dir.IgnoreMissing(s.dir.Remove(newJournal)); err != nil {
		return err
	}
	f, err := dir.CreatePrivate(s.dir, newJournal)
	if err != nil {
		return err
	}
	_, err = f.Write(kept.text())
	if err == nil {
		err = f.Sync() // the new journal must be whole before it replaces the old one
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return s.dir.Move(newJournal, s.dir, journalName, dir.Over)
}

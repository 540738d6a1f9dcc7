package patch

import (
	"context"
	"math"

	"fsbox/textio/charset"
	"fsbox/textio/lines"
)

// Options says how a File is applied.
type Options struct {
	Lenient bool // hunks that fit nowhere exactly are looked for in the lenient tiers
	Shown   *int // failing hunks described so far, for all files of a patch; nil for one file alone
}

// MaxShown is how many failing hunks errors describe: all would take more memory than the file.
const MaxShown = 1000

// HunkResult says where a hunk went. Line is the 1-based line of the old text at which it begins.
// Offset is Line less the line that the patch said, 0 if it didn't say one.
type HunkResult struct {
	Line   int64  `json:"line"`   // first line of the hunk, context included, in the old file
	Offset int    `json:"offset"` // distance in lines from the place that the patch named
	Match  string `json:"match"`  // exact, eol, trailing_blanks, indentation, unicode
	Again  bool   `json:"-"`      // the lines that it adds at its start or end were next to its place before: it may have been applied twice
}

// Creates reports whether an update that MayCreate a file fails if a file with text is there. Under
// "diff --git" it doesn't: there it inserts into that file, since git writes "new file mode" for a
// new one. Nor does it where the old name has a date: diff writes 1970 for a file that isn't there.
func (f *File) Creates() bool { return f.MayCreate() && !f.form.git && !f.form.existed }

// MayCreate reports whether an update makes sense for a file that doesn't exist: a diff without
// "new file mode" that only adds lines from the first on.
func (f *File) MayCreate() bool {
	if f.Action != Update || f.form.begin || len(f.Hunks) != 1 {
		return false
	}
	hunk := &f.Hunks[0]
	return hunk.Numbered && hunk.OldStart == 0 && !hunk.hasOld()
}

// Apply changes old as the hunks say, all or none; old is nil for a file that doesn't exist, and
// never written to. A new file is what the patch says whatever old is, and a deleted one has no
// text left. Unchanged lines keep their bytes, and the file its byte order mark; without hunks any
// content is accepted, except that a file which a diff deletes must be empty.
//
// A hunk goes where all its old lines are, in the order of the patch: where its numbers say, or at
// the nearest such place; without numbers, at the only one. Results are in the order of Hunks.
//
// Errors: *ConflictError, and that of ctx.
func (f *File) Apply(ctx context.Context, old []byte, options Options) (out []byte, results []HunkResult, err error) {
	if f.Action == Add {
		old = nil
	}
	switch {
	case len(f.Hunks) > 0, f.Action == Add:
		return f.applyHunks(ctx, old, options)
	case f.Action == Delete:
		return f.deleteWhole(old)
	}
	return old, nil, nil // another name or mode
}

func (f *File) applyHunks(ctx context.Context, old []byte, options Options) ([]byte, []HunkResult, error) {
	bom := f.keptBOM(old)
	room := make([]byte, len(old)+int(f.added())) // for the marks of lines, and afterwards for the outcome
	places := newPlacer(ctx, old[len(bom):], f, room, options)
	if err := places.place(); err != nil {
		return nil, nil, err
	}
	places.table.forget()
	b := builder{table: places.table, form: f.form, out: append(room[:0], bom...)}
	for i := range places.hunks {
		b.hunk(&places.hunks[i])
	}
	b.rest()
	if f.Action == Delete {
		if left := b.out[len(bom):]; len(left) > 0 {
			return nil, nil, &ConflictError{Hunks: []HunkConflict{}, Remains: lines.Count(left)}
		}
		return []byte{}, places.results(), nil
	}
	return b.out, places.results(), nil
}

// Removes reports whether a section takes a file away from its path.
func (f File) Removes() bool { return f.Action == Delete || f.Action == Move }

func (f *File) added() int64 {
	added := int64(0)
	for i := range f.Hunks {
		added += f.Hunks[i].added()
	}
	return added
}

// AppendAdded appends the lines that a section adds to text.
func (f *File) AppendAdded(text []byte) []byte {
	for i := range f.Hunks {
		text = append(text, joinLines(linesThat(HunkLine.isAdded, f.Hunks[i].Lines), math.MaxInt)...)
	}
	return text
}

// deleteWhole deletes a file without looking for its text, which the patch doesn't show. A diff
// shows all text that it deletes, so one that shows none is only for an empty file.
func (f *File) deleteWhole(old []byte) ([]byte, []HunkResult, error) {
	if !f.form.begin && len(old) > 0 {
		return nil, nil, &ConflictError{Hunks: []HunkConflict{}, Remains: lines.Count(old)}
	}
	return []byte{}, nil, nil
}

// keptBOM returns the byte order mark of old, which must be kept: tools don't show it to those who
// write patches. It returns nil if old has none, or if a context line or a removed line begins
// with one.
func (f *File) keptBOM(old []byte) []byte {
	if !hasPrefix(old, charset.BOM) {
		return nil
	}
	for _, hunk := range f.Hunks {
		for _, line := range hunk.Lines {
			if line.isOld() && hasPrefix(line.Text, charset.BOM) {
				return nil
			}
		}
	}
	return old[:len(charset.BOM)]
}

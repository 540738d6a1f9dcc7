package textio

import (
	"bytes"
	"context"
)

// Edit replaces literal text: nothing in Expected or Replacement is a pattern.
// Expected must match in exactly one place, and no other may overlap it, unless
// All is set or Count says in how many. Then every place is replaced, from the
// top, but for those that overlap one before; Count doesn't count them either. A
// Count of 1 is as strict as none. A Count of 0 or less asks for nothing.
//
// With Lenient, an Expected that stands nowhere may match otherwise, in one
// place only: whole lines that differ in blanks at their ends, then in
// indentation, for which one rule must translate all lines; then any text that
// differs in typographic quotes, dashes, ellipses and spaces, then lines that
// differ in all of these. What Replacement has in common with Expected stays as
// it is in the text; its other lines are re-indented.
type Edit struct {
	Expected    []byte
	Replacement []byte
	All         bool
	Count       int
	Lenient     bool
}

// MaxEditLines is how many places of one edit are reported with their lines.
const MaxEditLines = 100

// EditResult reports what one edit did. Lines has the 1-based line of each of the
// first MaxEditLines places, ascending, in the text this edit was applied to, which for a later
// edit of a list is the outcome of the earlier ones.
type EditResult struct {
	Replacements int
	Lines        []int64
	Tier         string // how the text matched: one of the Tier… constants
}

// How a text can match. The lenient tiers come after TierEOL.
const (
	TierExact          = "exact"
	TierEOL            = "eol" // equal but for LF and CRLF
	TierTrailingBlanks = "trailing_blanks"
	TierIndentation    = "indentation"
	TierUnicode        = "unicode"
)

// EditLimits bounds the outcome of a list of edits, in bytes. Zero means no limit.
type EditLimits struct {
	MaxAdded int64 // all replacements together, counted once for each place
	MaxSize  int64 // the content, after each edit that makes it grow
}

// ApplyEdits applies edits in order, each on the outcome of the one before, all
// or none, without limits. See ApplyEditsWithin.
func ApplyEdits(content []byte, edits []Edit) (out []byte, results []EditResult, changes []DiffRange, err error) {
	return ApplyEditsWithin(context.Background(), content, edits, EditLimits{})
}

// ApplyEditsWithin applies edits in order, each on the outcome of the one
// before, all or none. Bytes outside the matched places stay as they are, and
// content itself is never written to. Changes is the difference between content
// and out, ready for UnifiedFromRanges.
//
// Errors: *EmptyExpectedError, *NoChangeError, *MatchNotFoundError,
// *MultipleMatchesError, *CountMismatchError, and *EditTooLargeError, which
// is returned before the oversized text is built; or that of ctx.
func ApplyEditsWithin(ctx context.Context, content []byte, edits []Edit, limits EditLimits) (out []byte, results []EditResult, changes []DiffRange, err error) {
	run := editRun{ctx: ctx, limits: limits, text: content}
	for i, edit := range edits {
		err := run.apply(i, edit)
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, nil, nil, err
		}
	}
	if bytes.Equal(run.text, content) {
		return nil, nil, nil, &NoChangeError{Edit: -1}
	}
	return run.text, run.results, changedRanges(content, run.text, run.changes), nil
}

package edit

import (
	"bytes"
	"context"
)

// Edit replaces literal text: nothing in Expected or Replacement is a pattern. Expected must match
// in exactly one place, and no other may overlap it, unless All is set or Count says in how many
// places. Then every place is replaced, from the top, except those that overlap an earlier one,
// which Count doesn't count either. A Count of 1 is as strict as no Count. A Count of 0 or less is
// no Count.
//
// With Lenient, an Expected that isn't in the text may match less strictly, in one place only. The
// tiers are tried in this order: whole lines that differ in blanks at their ends; whole lines that
// differ in indentation, if one rule translates that of all lines; any text that differs in
// typographic quotes, dashes, ellipses and spaces; whole lines that differ in all of these. What
// Replacement has in common with Expected stays as it is in the text; the other lines of
// Replacement are re-indented.
type Edit struct {
	Expected    []byte
	Replacement []byte
	All         bool
	Count       int
	Lenient     bool
	WholeWord   bool   // only places with no character of a word right before or after them
	From        *Lines // of the same content, as it is before all edits, in place of Replacement
	Origin      Origin
}

// MaxLines is how many places of one edit are reported with their lines.
const MaxLines = 100

// Result reports what one edit did. Lines has the 1-based line of each of the first MaxLines
// places, ascending. Lines are counted in the text that this edit was applied to: in a list of
// edits, the outcome of those before it. It is also what an answer says of the edit, which may cut
// the lines.
type Result struct {
	Replacements   int     `json:"replacements"`
	Lines          []int64 `json:"lines"` // of the first 100 replacements
	LinesTruncated bool    `json:"lines_truncated,omitzero"`
	// exact, eol (equal except for LF and CRLF), anchor, or in a lenient edit trailing_blanks,
	// indentation, unicode
	Tier     string      `json:"match"`
	Longer   LongerWords `json:"-"`
	Again    bool        `json:"-"` // the one place had the replacement around it: the edit may have come twice
	Joins    int64       `json:"-"` // in the first place, the line of the outcome that the next one now continues: see joinsLine; else 0
	Anchored *Anchored   `json:"-"` // of a LineEdit
}

// How a text can match. The lenient tiers come after TierEOL.
const (
	TierExact          = "exact"
	TierEOL            = "eol" // equal except for LF and CRLF
	TierTrailingBlanks = "trailing_blanks"
	TierIndentation    = "indentation"
	TierUnicode        = "unicode"
)

// Limits bounds the outcome of a list of edits, in bytes. Zero means no limit.
type Limits struct {
	MaxAdded int64 // all replacements together, counted once for each place
	MaxSize  int64 // the content, after each edit that makes it grow
	MayStay  bool  // edits that leave the content as it is are no error
}

// Apply applies edits in order, each on the outcome of the one before, all or none. Bytes
// outside the matched places stay as they are, and content itself is never written to.
//
// Lines of the content that an edit puts elsewhere are cut before all edits. A text of lines is put
// in without its last line end where Expected doesn't end with one.
//
// Errors: *EmptyExpectedError, *NoChangeError, *MatchNotFoundError, *PlacesError, and
// *TooLargeError, which is returned before the oversized text is built; those of Take, and
// *NamedTwiceError; or that of ctx.
func Apply(ctx context.Context, content []byte, edits []Edit, limits Limits) (out []byte, results []Result, err error) {
	edits, start, err := resolve(ctx, content, markOf(content), edits)
	if err != nil {
		return nil, nil, err
	}
	r := run{ctx: ctx, limits: limits, text: start}
	for i, edit := range edits {
		err := r.apply(i, edit)
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if bytes.Equal(r.text, content) && !limits.MayStay {
		return nil, nil, &NoChangeError{Edit: -1}
	}
	return r.text, r.results, nil
}

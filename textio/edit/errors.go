package edit

import (
	"fmt"

	"fsbox/textio/nearest"
)

// MatchNotFoundError says that an edit's expected text isn't in the text. Line numbers refer to the
// text the edit was applied to. It is also what an answer says of the miss.
type MatchNotFoundError struct {
	Edit           int             `json:"edit"`            // index of the edit, from 0
	Closest        []nearest.Match `json:"closest"`         // at most three regions, best first
	AlreadyApplied bool            `json:"already_applied"` // the replacement is in the file
	// how the best region differs: indentation, trailing_blanks, blanks, unicode, case, content, or
	// whole_word (the text is equal, and a letter, digit or _ is next to it); or what is wrong with
	// the expected text: line_numbers, escapes, unescaped, entities, fence, diff_marks, blocks,
	// entities_twice, decoded, unicode_escapes
	Reason     string `json:"reason,omitzero"`
	Lenient    string `json:"-"` // the tier that a lenient edit would match in, or ""
	BlankSent  bool   `json:"-"` // the expected text has a blank line where the best region has none
	BlankFound bool   `json:"-"` // the other way round
	GoesOn     bool   `json:"-"` // the best region's line goes on where the expected text has a line end
	NextToWord int    `json:"-"` // number of places that match, but aren't whole words, as WholeWord demands
}

func (e *MatchNotFoundError) Error() string {
	return fmt.Sprintf("edit %d: expected text not found", e.Edit)
}

// PlacesError says that an expected text is in another number of places than its edit is for: in
// several, or with ExpectedCount, the edit's Count, in at least one. A Count above 1 is compared
// with the places that don't overlap an earlier one, a Count of 1 with all. Lines and Snippets
// describe the first ten: Snippets, without a Count, has the line where each begins between its
// neighbours, separated by "\n" and each cut to 200 code points. In a lenient tier an edit never
// has several places, even with All or Count, and at most 10,001 are counted. It is also what an
// answer says of the places.
type PlacesError struct {
	Edit  int `json:"edit"`  // index of the edit, from 0
	Count int `json:"count"` // places found, including those that overlap
	// if some overlap, how many replace_all replaces: from the top, those that don't overlap one
	// before
	CountApart    int      `json:"count_apart,omitzero"`
	Match         string   `json:"match,omitzero"` // the lenient tier that found them
	ExpectedCount int      `json:"expected_count,omitzero"`
	Lines         []int64  `json:"lines"` // of the first ten
	Snippets      []string `json:"snippets,omitzero"`
	Truncated     bool     `json:"snippets_truncated,omitzero"` // fewer snippets than lines, for the size of the answer
}

func (e *PlacesError) Error() string {
	return fmt.Sprintf("edit %d: expected text found in %d places", e.Edit, e.Count)
}

// EmptyExpectedError says that an edit has no expected text.
type EmptyExpectedError struct{ Edit int }

func (e *EmptyExpectedError) Error() string {
	return fmt.Sprintf("edit %d: expected text is empty", e.Edit)
}

// NoChangeError says that an edit, or with Edit -1 the list as a whole, leaves the text as it was,
// and in what its two texts differ all the same.
type NoChangeError struct {
	Edit    int
	Differs TextDifference
}

// TextDifference is in what an expected text and its replacement differ that leaves a text as it
// is.
type TextDifference int

// What the texts of an edit without effect differ in.
const (
	DiffersNot     TextDifference = iota // the texts are equal
	DiffersInEnds                        // in line ends, and the file has those of the replacement
	DiffersInForm                        // in what a lenient edit takes from the file
	DiffersInMark                        // in a byte order mark, which the file keeps
	DiffersInLines                       // the lines that an anchor names have the new text already
)

func (e *NoChangeError) Error() string {
	if e.Edit < 0 {
		return "the edits together change nothing"
	}
	return fmt.Sprintf("edit %d changes nothing", e.Edit)
}

// TooLargeError says that an edit, or with Edit -1 a patch, would pass a limit of Limits: MaxAdded
// if Added is set, else MaxSize. Size is how many bytes there were when Limit was passed; the whole
// may have more.
type TooLargeError struct {
	Edit        int
	Size, Limit int64
	Added       bool
}

func (e *TooLargeError) Error() string {
	text := fmt.Sprintf("the text would grow past the limit of %d bytes", e.Limit)
	if e.Added {
		text = fmt.Sprintf("the added text passes the limit of %d bytes", e.Limit)
	}
	if e.Edit < 0 {
		return text
	}
	return fmt.Sprintf("edit %d: %s", e.Edit, text)
}

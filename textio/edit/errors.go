package edit

import "fmt"

// MatchNotFoundError says that an edit's expected text isn't in the text. Line numbers refer to the
// text the edit was applied to.
type MatchNotFoundError struct {
	Edit           int            // index of the edit, from 0
	Closest        []ClosestMatch // at most three regions, best first
	AlreadyApplied bool           // the replacement is in the text
	Reason         string         // how the best region differs: one of the Closest… and Garble… constants, or ""
	Lenient        string         // the tier that a lenient edit would match in, or ""
	GoesOn         bool           // the best region's line goes on where the expected text has a line end
	NextToWord     int            // number of places that match, but aren't whole words, as WholeWord demands
}

func (e *MatchNotFoundError) Error() string {
	return fmt.Sprintf("edit %d: expected text not found", e.Edit)
}

// MultipleMatchesError says that an edit meant for one place matches several. Overlap says how many
// of them overlap an earlier one, from the top. Lines and Snippets describe the first ten: Lines
// has the 1-based line where each begins, Snippets that line between its neighbours, separated by
// "\n" and each cut to 200 code points. Tier is the lenient tier of the places, or "". In a lenient
// tier an edit may never have several places, even with All or Count, and at most 10,001 are
// counted.
type MultipleMatchesError struct {
	Edit, Count int
	Lines       []int64
	Snippets    []string
	Tier        string
	Overlap     int
}

func (e *MultipleMatchesError) Error() string {
	return fmt.Sprintf("edit %d: expected text found in %d places", e.Edit, e.Count)
}

// CountMismatchError says that an edit's Count is not the number of places found. Found counts all
// places, at least one, and Overlap those that overlap an earlier one, from the top: a Count above
// 1 is compared with Found minus Overlap, a Count of 1 with Found. Lines has the 1-based lines of
// the first ten places.
type CountMismatchError struct {
	Edit, Expected, Found int
	Lines                 []int64
	Overlap               int
}

func (e *CountMismatchError) Error() string {
	return fmt.Sprintf("edit %d: expected text found in %d places, not %d", e.Edit, e.Found, e.Expected)
}

// EmptyExpectedError says that an edit has no expected text.
type EmptyExpectedError struct{ Edit int }

func (e *EmptyExpectedError) Error() string {
	return fmt.Sprintf("edit %d: expected text is empty", e.Edit)
}

// NoChangeError says that an edit, or with Edit -1 the list as a whole, leaves the text as it was.
type NoChangeError struct{ Edit int }

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

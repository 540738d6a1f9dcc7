package rewrite

import (
	"errors"
	"fmt"
	"slices"

	"fsbox/commands/answer"
	"fsbox/commands/request"
	"fsbox/commands/verb"
	"fsbox/commands/words"
	"fsbox/textio"
	"fsbox/textio/edit"
)

// MissDetails are the details of match_not_found.
type MissDetails struct {
	Edit           int            `json:"edit"`            // index of the edit, from 0
	Closest        []ClosestMatch `json:"closest"`         // at most three regions, best first
	AlreadyApplied bool           `json:"already_applied"` // the replacement is in the file
	// how the best region differs: indentation, trailing_blanks, blanks, unicode, case, content, or
	// whole_word (the text is equal, and a letter, digit or _ is next to it); or what is wrong with
	// the expected text: line_numbers, escapes, unescaped, entities, fence, diff_marks, blocks
	Reason string `json:"reason,omitzero"`
}

// ClosestMatch is a region of the file that resembles the expected text.
type ClosestMatch struct {
	StartLine       int64           `json:"start_line"`
	EndLine         int64           `json:"end_line"`
	Text            string          `json:"text"`                    // exactly as in the file
	TextTruncated   bool            `json:"text_truncated,omitzero"` // Text is cut, or empty if max_output_bytes is reached: don't copy it
	FirstDifference FirstDifference `json:"first_difference"`
}

// FirstDifference shows the first line that differs, blanks made visible: · blank, → tab, ␍
// carriage return.
type FirstDifference struct {
	Line     int64  `json:"line"`
	Column   int    `json:"column"` // code points, from 1
	Expected string `json:"expected"`
	Found    string `json:"found"`
}

// PlacesDetails are the details of multiple_matches and count_mismatch.
type PlacesDetails struct {
	Edit  int `json:"edit"`  // index of the edit, from 0
	Count int `json:"count"` // places found, including those that overlap
	// if some overlap, how many replace_all replaces: from the top, those that don't overlap one
	// before
	CountApart    int      `json:"count_apart,omitzero"`
	Match         string   `json:"match,omitzero"` // the lenient tier that found them
	ExpectedCount int      `json:"expected_count,omitzero"`
	Lines         []int64  `json:"lines"` // of the first ten
	Snippets      []string `json:"snippets,omitzero"`
	Truncated     bool     `json:"snippets_truncated,omitzero"` // fewer snippets than lines, because of max_output_bytes
}

// missFailure says what is wrong with an edit that could not be made.
func missFailure(path string, err error, text *textio.Edited, edits []edit.Edit, limits request.Limits) error {
	boundTexts(err, verb.FailureBudget(limits))
	f := EditFailure(hintMiss(textFailure(path, err), text.Before, edits))
	if c := f.Code; len(edits) > 1 && (c == answer.CodeMatchNotFound || c == answer.CodeMultipleMatches || c == answer.CodeCountMismatch) {
		f.Message += "; nothing was changed"
	}
	return f
}

// boundTexts removes texts of the file from an error if they don't fit into the answer.
func boundTexts(err error, r *answer.Budget) {
	if miss, ok := errors.AsType[*edit.MatchNotFoundError](err); ok {
		for i := range miss.Closest {
			c := &miss.Closest[i]
			if d := &c.Difference; !r.Text(d.Expected + d.Found) {
				d.Expected, d.Found = "…", "…"
			}
			if !r.Text(c.Text) {
				c.Text, c.Truncated = "", true
			}
		}
	}
	if many, ok := errors.AsType[*edit.MultipleMatchesError](err); ok {
		if i := slices.IndexFunc(many.Snippets, func(s string) bool { return !r.Text(s) }); i >= 0 {
			many.Snippets = many.Snippets[:i]
		}
	}
}

// EditDetails are the details of empty_expected_text and no_change.
type EditDetails struct {
	Edit int `json:"edit"` // index of the edit, from 0; -1 for the list as a whole
}

// EditFailure is failureOf for what can go wrong with an edit.
func EditFailure(err error) *answer.Failure {
	if miss, ok := errors.AsType[*edit.MatchNotFoundError](err); ok {
		return notFoundFailure(miss)
	}
	if many, ok := errors.AsType[*edit.MultipleMatchesError](err); ok {
		return placesFailure(many)
	}
	if count, ok := errors.AsType[*edit.CountMismatchError](err); ok {
		return countFailure(count)
	}
	if empty, ok := errors.AsType[*edit.EmptyExpectedError](err); ok {
		return answer.Failf(answer.CodeEmptyExpectedText, "%s is empty", expected(empty.Edit)).WithDetails(&EditDetails{empty.Edit}).
			WithHint("give the text to replace; to add to the end use append, to replace all of the file write with mode overwrite")
	}
	if stale, ok := errors.AsType[*edit.StaleError](err); ok {
		return staleFailure(stale)
	}
	if twice, ok := errors.AsType[*edit.NamedTwiceError](err); ok {
		return namedTwiceFailure(twice)
	}
	if same, ok := errors.AsType[*edit.NoChangeError](err); ok {
		return sameFailure(same)
	}
	return verb.FailureOf(err)
}

func sameFailure(same *edit.NoChangeError) *answer.Failure {
	f := answer.Failf(answer.CodeNoChange, "the edit leaves the file as it is").WithDetails(&EditDetails{same.Edit})
	if same.Edit < 0 {
		return f.WithHint("the edits of the list cancel each other out")
	}
	return f.WithHint("the replacement equals the text it replaces")
}

func countFailure(count *edit.CountMismatchError) *answer.Failure {
	d := &PlacesDetails{Edit: count.Edit, Count: count.Found, ExpectedCount: count.Expected, Lines: count.Lines}
	what := expected(count.Edit)
	if count.Overlap == 0 {
		return answer.Failf(answer.CodeCountMismatch, "%s is in %s, not in %d", what, words.Plural(int64(count.Found), "place"),
			count.Expected).WithDetails(d).
			WithHint("look at the places, then correct expected_count")
	}
	d.CountApart = count.Found - count.Overlap
	f := answer.Failf(answer.CodeCountMismatch, "%s is in %d places that overlap: %d can be replaced, not %d", what, count.Found, d.CountApart,
		count.Expected)
	if count.Expected == 1 {
		f.Message = fmt.Sprintf("%s is in %d places that overlap, not in 1", what, count.Found)
	}
	return f.WithDetails(d).WithHint("look at the places, then " + hintOverlap)
}

const hintOverlap = "add lines around it so that only one place fits; replace_all takes from the top those that don't overlap one before"

func placesFailure(many *edit.MultipleMatchesError) *answer.Failure {
	d := &PlacesDetails{Edit: many.Edit, Count: many.Count, Match: many.Tier, Lines: many.Lines, Snippets: many.Snippets,
		Truncated: len(many.Snippets) < len(many.Lines)}
	f := answer.Failf(answer.CodeMultipleMatches, "%s is in %d places", expected(many.Edit), many.Count).WithDetails(d).
		WithHint("add lines around it so that only one place fits, or set replace_all or expected_count")
	switch {
	case many.Tier != "":
		f.Message = fmt.Sprintf("%s isn't in the file exactly, but is in %d places by match %q", expected(many.Edit), many.Count, many.Tier)
		f.WithHint("a lenient match changes one place only: add lines around it, or copy one of the places as it is; " +
			"replace_all and expected_count need the exact text")
	case many.Overlap > 0:
		d.CountApart = many.Count - many.Overlap
		f.Message += " that overlap"
		f.WithHint(hintOverlap)
	}
	return shortenPlaces(f, d)
}

func expected(edit int) string {
	if edit == 0 {
		return "the expected text"
	}
	return fmt.Sprintf("the expected text of edits[%d]", edit)
}

func notFoundFailure(miss *edit.MatchNotFoundError) *answer.Failure {
	f := answer.Failf(answer.CodeMatchNotFound, "%s isn't in the file", expected(miss.Edit))
	d := &MissDetails{Edit: miss.Edit, Closest: []ClosestMatch{}, AlreadyApplied: miss.AlreadyApplied, Reason: miss.Reason}
	d.Closest = append(d.Closest, closestMatches(miss.Closest)...)
	f.Details = d
	if miss.NextToWord > 0 {
		f.Message = expected(miss.Edit) + " isn't in the file as a whole word"
	}
	return shortenMiss(f.WithHint("%s", missHint(miss)), miss, d)
}

func closestMatches(found []edit.ClosestMatch) []ClosestMatch {
	return words.Mapped(found, func(c edit.ClosestMatch) ClosestMatch {
		return ClosestMatch{StartLine: c.StartLine, EndLine: c.EndLine, Text: c.Text, TextTruncated: c.Truncated,
			FirstDifference: FirstDifference(c.Difference)}
	})
}

package edit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/change"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/words"
	"fsbox/textio"
	"fsbox/textio/edit"
	"fsbox/textio/lines"
)

// MissDetails are the details of match_not_found.
type MissDetails edit.MatchNotFoundError

// PlacesDetails are the details of multiple_matches and count_mismatch.
type PlacesDetails edit.PlacesError

// missFailure says what is wrong with an edit that could not be made.
func missFailure(path string, err error, text *textio.Changed, edits []edit.Edit, limits request.Limits) error {
	boundTexts(err, command.FailureBudget(limits))
	f := FailureOf(change.TextFailure(path, err))
	if places, ok := err.(*edit.PlacesError); ok {
		hintMadePlaces(f, places, text.Before, edits)
	}
	if miss, ok := err.(*edit.MatchNotFoundError); ok {
		f.Hint = cmp.Or(causeOfMiss(miss, text.Before, edits), f.Hint)
	}
	if c := f.Code; len(edits) > 1 && (c == answer.CodeMatchNotFound || c == answer.CodeMultipleMatches || c == answer.CodeCountMismatch) {
		f.Message += "; nothing was changed"
	}
	return f
}

// hintMadePlaces says that edits before this one made some of its places.
func hintMadePlaces(f *answer.Failure, places *edit.PlacesError, before []byte, edits []edit.Edit) {
	asked := edits[places.Edit].Expected
	made := places.Count - bytes.Count(lines.WithLF(before), lines.WithLF(asked))
	if places.Edit == 0 || places.Match != "" || made <= 0 {
		return
	}
	maker := "an earlier edit"
	for i, e := range edits[:places.Edit] {
		if bytes.Contains(lines.WithLF(e.Replacement), lines.WithLF(asked)) {
			maker = fmt.Sprintf("edits[%d]", i)
		}
	}
	f.Message = strings.Replace(f.Message, " is in ", fmt.Sprintf(" is, after %s, in ", maker), 1)
	f.WithHint("each edit applies to the result of those before it, and %s made %d of the places: make one edit of both, or add lines "+
		"around it", maker, made)
}

// boundTexts removes texts of the file from an error if they don't fit into the answer.
func boundTexts(err error, r *answer.Budget) {
	switch e := err.(type) {
	case *edit.MatchNotFoundError:
		for i := range e.Closest {
			c := &e.Closest[i]
			if d := &c.Difference; !r.Text(d.Expected + d.Found) {
				d.Expected, d.Found = "…", "…"
			}
			if !r.Text(c.Text) {
				c.Text, c.Truncated = "", true
			}
		}
	case *edit.PlacesError:
		if i := slices.IndexFunc(e.Snippets, func(s string) bool { return !r.Text(s) }); i >= 0 {
			e.Snippets, e.Truncated = e.Snippets[:i], true
		}
	}
}

// Details are the details of empty_expected_text and no_change.
type Details struct {
	Edit int `json:"edit"` // index of the edit, from 0; -1 for the list as a whole
}

// FailureOf is command.FailureOf for what can go wrong with an edit.
func FailureOf(err error) *answer.Failure {
	switch e := err.(type) {
	case *edit.MatchNotFoundError:
		return notFoundFailure(e)
	case *edit.PlacesError:
		return placesFailure((*PlacesDetails)(e))
	case *edit.StaleError:
		return staleFailure(e, "")
	case *edit.NamedTwiceError:
		return answer.Failf(answer.CodeInvalidInput, "edits[%d] and edits[%d] both name line %d", e.Edits[0], e.Edits[1], e.Line).
			WithHint("make one edit of the two: its text replaces all their lines")
	case *edit.OverlapError:
		return answer.Failf(answer.CodeInvalidInput, "the lines from %d on can't be inserted into themselves", e.Line).
			WithHint("choose a place above their first line or below their last one")
	case *edit.EmptyExpectedError:
		return answer.Failf(answer.CodeEmptyExpectedText, "%s is empty", expected(e.Edit)).WithDetails(&Details{e.Edit}).
			WithHint("give the text to replace; to add to the end use append, to replace all of the file use write with mode overwrite")
	case *edit.NoChangeError:
		return answer.Failf(answer.CodeNoChange, "the edit doesn't change the file").WithDetails(&Details{e.Edit}).
			WithHint("%s", noChangeHint(e))
	}
	return command.FailureOf(err)
}

// noChangeHint says why an edit changes nothing.
func noChangeHint(e *edit.NoChangeError) string {
	switch {
	case e.Differs == edit.DiffersInMark:
		return "the file keeps its byte order mark, which no other edit changes"
	case e.Edit < 0 && e.Differs == edit.DiffersNot:
		return "the edits of the list cancel each other out"
	case e.Differs == edit.DiffersInEnds:
		return "the two texts differ in line ends only, and the file already has those of the replacement"
	case e.Differs == edit.DiffersInForm:
		return "a lenient edit keeps the indentation, blanks, quotes and dashes of the file, and the texts differ only in these: to " +
			"change these, copy the text of the file exactly, and omit match"
	case e.Differs == edit.DiffersInLines:
		return "these lines already have this text"
	}
	return "the replacement equals the text it replaces"
}

const hintOverlap = "add surrounding lines so that only one place matches; replace_all replaces, from the top, those that don't overlap"

func placesFailure(d *PlacesDetails) *answer.Failure {
	in, hint := fmt.Sprintf("%s is in %s", expected(d.Edit), words.Plural(int64(d.Count), "place")), hintOverlap
	if d.CountApart > 0 {
		in += " that overlap"
	}
	switch {
	case d.ExpectedCount > 0:
		return countFailure(d, in)
	case d.Match != "":
		in = fmt.Sprintf("%s isn't in the file exactly, but is in %d places by match %q", expected(d.Edit), d.Count, d.Match)
		hint = "a lenient match changes one place only: add surrounding lines, or copy one of the places exactly; " +
			"replace_all and expected_count need the exact text"
	case d.CountApart == 0:
		hint = "add surrounding lines so that only one place matches, or set replace_all or expected_count"
	}
	return shortenPlaces(answer.Failf(answer.CodeMultipleMatches, "%s", in).WithDetails(d).WithHint("%s", hint), d)
}

func countFailure(d *PlacesDetails, in string) *answer.Failure {
	f, remedy := answer.Failf(answer.CodeCountMismatch, "%s, not in %d", in, d.ExpectedCount).WithDetails(d), hintOverlap
	switch {
	case d.CountApart == 0:
		remedy = "correct expected_count"
	case d.ExpectedCount > 1:
		f.Message = fmt.Sprintf("%s: %d can be replaced, not %d", in, d.CountApart, d.ExpectedCount)
	}
	return f.WithHint("look at the places, then %s", remedy)
}

func expected(edit int) string {
	if edit == 0 {
		return "the expected text"
	}
	return fmt.Sprintf("the expected text of edits[%d]", edit)
}

func notFoundFailure(miss *edit.MatchNotFoundError) *answer.Failure {
	f := answer.Failf(answer.CodeMatchNotFound, "%s isn't in the file", expected(miss.Edit)).WithDetails((*MissDetails)(miss))
	if miss.NextToWord > 0 {
		f.Message += " as a whole word"
	}
	return shortenMiss(f.WithHint("%s", missHint(miss)), miss)
}

// WriteDetails writes the lines that come closest, as they are in the file, so that they can be
// copied.
func (d *MissDetails) WriteDetails(t *answer.Text, _ string) { change.WriteClosest(t, d.Closest) }

// WriteDetails writes the places as grep does.
func (d *PlacesDetails) WriteDetails(t *answer.Text, _ string) {
	change.WritePlaces(t, d.Lines, d.Snippets)
	if more := d.Count - len(d.Lines); more > 0 {
		t.Note(words.Plural(int64(more), "more place"))
	}
	if d.CountApart > 0 {
		t.Note(fmt.Sprintf("%d that don't overlap", d.CountApart))
	}
}

// WriteDetails writes nothing for a single edit: the message has it all.
func (d *Details) WriteDetails(t *answer.Text, _ string) {
	if d.Edit > 0 {
		t.Facts(d)
	}
}

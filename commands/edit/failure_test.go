package edit

import (
	"reflect"
	"testing"

	"fsbox/commands/answer"
	"fsbox/textio/edit"
	"fsbox/textio/nearest"

	"github.com/go-json-experiment/json"
)

// What an edit fails with has its code, its hint and its details.
func TestFailures(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want answer.Failure
	}{
		{&edit.PlacesError{Edit: 0, Count: 2, Lines: []int64{1, 3}, Snippets: []string{"a", "b"}},
			answer.Failure{Code: answer.CodeMultipleMatches,
				Message: "the expected text is in 2 places",
				Hint:    "add surrounding lines so that only one place matches, or set replace_all or expected_count",
				Details: &PlacesDetails{Count: 2, Lines: []int64{1, 3}, Snippets: []string{"a", "b"}}}},
		{&edit.PlacesError{Edit: 1, ExpectedCount: 3, Count: 1, Lines: []int64{7}}, answer.Failure{Code: answer.CodeCountMismatch,
			Message: "the expected text of edits[1] is in 1 place, not in 3", Hint: "look at the places, then correct expected_count",
			Details: &PlacesDetails{Edit: 1, Count: 1, ExpectedCount: 3, Lines: []int64{7}}}},
		{&edit.EmptyExpectedError{Edit: 2}, answer.Failure{Code: answer.CodeEmptyExpectedText, Message: "the expected text of edits[2] is empty",
			Hint:    "give the text to replace; to add to the end use append, to replace all of the file use write with mode overwrite",
			Details: &Details{Edit: 2}}},
		{&edit.NoChangeError{Edit: -1}, answer.Failure{Code: answer.CodeNoChange, Message: "the edit doesn't change the file",
			Hint: "the edits of the list cancel each other out", Details: &Details{Edit: -1}}},
	} {
		if got := FailureOf(tt.err); !reflect.DeepEqual(*got, tt.want) {
			t.Errorf("%v:\n%+v %+v\nwant\n%+v %+v", tt.err, *got, got.Details, tt.want, tt.want.Details)
		}
	}
}

// A miss says how the nearest text differs, and where it is.
func TestMissHint(t *testing.T) {
	one := []nearest.Match{{StartLine: 4, EndLine: 4, Text: "a", Truncated: true,
		Difference: nearest.Difference{Line: 4, Column: 1, Expected: "b", Found: "a"}}}
	two := []nearest.Match{{StartLine: 4, EndLine: 6}, {StartLine: 1, EndLine: 1}}
	for _, tt := range []struct {
		err  edit.MatchNotFoundError
		hint string
	}{
		{edit.MatchNotFoundError{}, "nothing in the file is similar: read the file and copy the text from there, or find the right file " +
			"with grep"},
		{edit.MatchNotFoundError{Lenient: "unicode"},
			"it is found by match \"unicode\": set match to lenient, or read the file and copy the text from there"},
		{edit.MatchNotFoundError{AlreadyApplied: true},
			"nothing in the file is similar, and the replacement occurs once: the edit may have been made before"},
		{edit.MatchNotFoundError{AlreadyApplied: true, Closest: one},
			"the replacement is in the file once: look there, the edit may have been made before; " +
				"otherwise line 4 comes closest: see details.closest, then read the file from line 4 on, and copy the text from there"},
		{edit.MatchNotFoundError{Closest: one},
			"line 4 comes closest: see details.closest, then read the file from line 4 on, and copy the text from there"},
		{edit.MatchNotFoundError{Closest: two, Reason: "content"},
			"lines 4 to 6 come closest: see details.closest, then copy the text from there"},
		{edit.MatchNotFoundError{Closest: two, Reason: "indentation"},
			"lines 4 to 6 differ only in indentation: copy details.closest[0].text, tabs and blanks as they are"},
		{edit.MatchNotFoundError{Closest: two, Reason: "trailing_blanks"},
			"lines 4 to 6 differ only in trailing blanks: copy details.closest[0].text"},
		{edit.MatchNotFoundError{Closest: two, Reason: "blanks"}, "lines 4 to 6 differ only in blanks: copy details.closest[0].text"},
		{edit.MatchNotFoundError{Closest: two, Reason: "unicode"},
			"lines 4 to 6 differ only in quotes, dashes, special blanks or the form of accents: copy details.closest[0].text"},
		{edit.MatchNotFoundError{Closest: two, Reason: "case"}, "lines 4 to 6 differ only in case: copy details.closest[0].text"},
	} {
		f := FailureOf(&tt.err)
		if f.Code != answer.CodeMatchNotFound || f.Hint != tt.hint {
			t.Errorf("%+v: %s %q", tt.err, f.Code, f.Hint)
		}
		d := f.Details.(*MissDetails)
		if len(d.Closest) != len(tt.err.Closest) || d.AlreadyApplied != tt.err.AlreadyApplied || d.Reason != tt.err.Reason {
			t.Errorf("%+v: details %+v", tt.err, d)
		}
	}
	for _, tt := range []struct {
		err  edit.MatchNotFoundError
		want string
	}{
		{edit.MatchNotFoundError{Lenient: "unicode", GoesOn: true}, `{"edit":0,"closest":[],"already_applied":false}`},
		{edit.MatchNotFoundError{Edit: 1, Closest: one, Reason: "case"}, `{"edit":1,"closest":[{"start_line":4,"end_line":4,"text":"a",` +
			`"text_truncated":true,"first_difference":{"line":4,"column":1,"expected":"b","found":"a"}}],"already_applied":false,"reason":"case"}`},
	} {
		if got, err := json.Marshal(FailureOf(&tt.err).Details); err != nil || string(got) != tt.want {
			t.Errorf("%s, want %s (%v)", got, tt.want, err)
		}
	}
}

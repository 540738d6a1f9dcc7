package answer

import (
	"io"
	"reflect"
	"strings"

	"fsbox/commands/words"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Answer is the envelope of every reply, its members in the order of the wire format.
type Answer struct {
	ID        jsontext.Value `json:"id,omitzero"`
	Success   bool           `json:"success"`
	Result    any            `json:"result,omitzero"`
	Error     Code           `json:"error,omitzero"`
	Message   string         `json:"message"`
	Hint      string         `json:"hint,omitzero"`
	Retryable bool           `json:"retryable,omitzero"`
	Details   any            `json:"details,omitzero"`
	Warnings  []string       `json:"warnings,omitzero"`

	ShowDiff bool `json:"-"` // the text form has the diff, whether it tells something new or not
	Aside    any  `json:"-"` // isn't written: by what a change was allowed, or the plan that a person is asked about
}

// Result is the outcome of a request that succeeded. Its fields are the wire format; Summary says
// in one sentence what happened. A Result with a method NextStep() string has a hint, too.
type Result interface{ Summary() string }

func Succeeded(id jsontext.Value, result Result, warnings []string) Answer {
	a := Answer{ID: id, Success: true, Result: result, Message: result.Summary(), Warnings: warnings}
	if r, ok := result.(interface{ NextStep() string }); ok {
		a.Hint = r.NextStep()
	}
	return a
}

// LongestSentence is the most of a sentence that a failure has, in bytes: enough for one with a
// path in it.
const LongestSentence = 1024

func Failed(id jsontext.Value, f *Failure, warnings []string) Answer {
	return Answer{ID: id, Error: f.Code, Message: words.ShortTo(LongestSentence, f.Message), Hint: words.ShortTo(LongestSentence, f.Hint),
		Retryable: f.Retryable, Details: f.Details, Warnings: warnings}
}

// ExitStatus is what a process ends with after this answer: 2 for a request that could not be
// understood, 1 for one that failed.
func (a Answer) ExitStatus() int {
	switch {
	case a.Success:
		return 0
	case a.Error == CodeInvalidInput, a.Error == CodeUnknownTool:
		return 2
	}
	return 1
}

// jsonOptions say how answers are written: names may hold bytes that aren't UTF-8, and raw values
// stay as they came.
var jsonOptions = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true), jsontext.PreserveRawStrings(true))

// Encode writes an answer as JSON, without a line end. What a person decides by, and what goes to a
// terminal, has no hidden characters.
func (a Answer) Encode(w io.Writer, terminal bool) error {
	_, approved := a.Result.(decisive)
	_, asked := a.Details.(decisive)
	if approved || asked || terminal {
		w = words.VisibleJSON{W: w}
	}
	if r, ok := a.Result.(interface{ LongList() Items }); ok {
		return a.encodeItems(w, r.LongList())
	}
	return json.MarshalWrite(w, &a, jsonOptions)
}

// decisive is implemented by results and details by which a person decides.
type decisive interface{ Decisive() }

// Member is a member that answers have: a field of a struct.
type Member struct {
	reflect.StructField
	Key      string
	OmitZero bool // it is left out if it has no value
}

// Members are the members of a struct type in their order, those of embedded structs among them.
func Members(t reflect.Type) (all []Member) {
	for _, f := range reflect.VisibleFields(t) {
		if key, options, _ := strings.Cut(f.Tag.Get("json"), ","); key != "" && key != "-" {
			if items, ok := reflect.Zero(f.Type).Interface().(Items); ok {
				f.Type = reflect.SliceOf(items.ItemType())
			}
			all = append(all, Member{f, key, options == "omitzero"})
		}
	}
	return all
}

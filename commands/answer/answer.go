package answer

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"fsbox/commands/words"
	"fsbox/textio"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/term"
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

	Bound    Bound                      `json:"-"` // of the text form
	Useful   func(advice string) string `json:"-"` // what of an advice the caller can follow; nil: all
	ShowDiff bool                       `json:"-"` // the text form has the diff, whether it tells something new or not
	Detail   any                        `json:"-"` // isn't written: by what a change was allowed, or the plan that a person is asked about
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

// Values of the setting format.
const (
	FormatJSON   = "json"   // one line for each answer
	FormatText   = "text"   // what a model or a person reads, see text.go; at a terminal in colour, see style.go
	formatPretty = "pretty" // the same for a person alone, with tables wherever it goes
)

// Output writes the answers of one process in the format that its operator chose.
type Output struct {
	w        io.Writer
	buffer   *bufio.Writer // for JSON, to w
	text     bool          // the text form
	pretty   bool          // with diffs
	stream   bool          // each answer is one line, in the text form too
	terminal bool          // JSON goes to a terminal, which must get no control characters
	style    *Style
	bound    Bound // of the text form
}

// Chunk is how much is written at a time, in bytes, so that a long answer isn't held in memory a
// second time as text.
const Chunk = 64 << 10

// NewOutput writes answers to w. variable looks up what the environment says about colours.
func NewOutput(w io.Writer, format string, stream bool, bound Bound, variable func(string) (string, bool)) *Output {
	o := &Output{w: w, buffer: bufio.NewWriterSize(w, Chunk), stream: stream, text: format != FormatJSON && format != "",
		pretty: format == formatPretty, bound: bound}
	if stream || !o.text {
		o.terminal = IsTerminal(w)
	} else {
		o.style = StyleOf(format, w, variable)
	}
	return o
}

func (o *Output) Answer(a Answer) error {
	a.ShowDiff, a.Bound = a.ShowDiff || o.pretty, o.bound
	if o.text && !o.stream {
		return a.WriteText(o.w, o.style)
	}
	encode := a.Encode
	if o.text {
		encode = a.encodeText
	}
	if err := encode(o.buffer, o.terminal); err != nil {
		return err
	}
	_ = o.buffer.WriteByte('\n') // Flush returns the error
	return o.buffer.Flush()
}

// encodeText writes the text form as a member of a JSON object, so that a reader of a stream knows
// where an answer ends and what it answers.
func (a Answer) encodeText(w io.Writer, terminal bool) error {
	if terminal {
		w = words.VisibleJSON{W: w}
	}
	id := ""
	if a.ID != nil {
		id = `"id":` + string(a.ID) + ","
	}
	_, _ = fmt.Fprintf(w, `{%s"success":%t,"text":"`, id, a.Success) // w keeps the first error
	_ = a.WriteText(quoting{w}, nil)
	_, err := io.WriteString(w, `"}`)
	return err
}

// quoting writes text as the inside of a JSON string.
type quoting struct{ w io.Writer }

func (q quoting) Write(text []byte) (int, error) { return q.WriteString(string(text)) }

// WriteString writes text that ends at the end of a character.
func (q quoting) WriteString(text string) (int, error) {
	for part := range textio.Parts(text, Chunk) {
		if _, err := q.w.Write(textio.AppendEscaped(nil, part)); err != nil {
			return 0, err
		}
	}
	return len(text), nil
}

func KnownFormat(name string) string {
	if name == formatPretty || name == FormatText {
		return name
	}
	return FormatJSON
}

// IsTerminal reports whether a person reads what is written. The method Fd would give the
// descriptor, too, but it changes how the file blocks for every process that has it open.
func IsTerminal(out io.Writer) (is bool) {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	if raw, err := file.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { is = term.IsTerminal(int(fd)) })
	}
	return is
}

// Member is a member that answers have: a field of a struct.
type Member struct {
	reflect.StructField
	Key      string
	OmitZero bool // it is left out if it has no value
	Brief    bool // it may be left out beside the text form: hosts show a model both, or JSON alone (the tag mcp)
}

// Members are the members of a struct type in their order, those of embedded structs among them.
func Members(t reflect.Type) (all []Member) {
	for _, f := range reflect.VisibleFields(t) {
		if key, options, _ := strings.Cut(f.Tag.Get("json"), ","); key != "" && key != "-" {
			if items, ok := reflect.Zero(f.Type).Interface().(Items); ok {
				f.Type = reflect.SliceOf(items.ItemType())
			}
			_, brief := f.Tag.Lookup("mcp")
			all = append(all, Member{f, key, options == "omitzero", brief})
		}
	}
	return all
}

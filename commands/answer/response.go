package answer

import (
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fsbox/commands/words"
	"fsbox/textio"

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

	Aside any `json:"-"` // what the caller of a call wants to know besides
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

func Failed(id jsontext.Value, f *Failure, warnings []string) Answer {
	return Answer{ID: id, Error: f.Code, Message: f.Message, Hint: f.Hint, Retryable: f.Retryable, Details: f.Details, Warnings: warnings}
}

// ExitStatus is what a process ends with after this answer.
func (a Answer) ExitStatus() int {
	if a.Success {
		return 0
	}
	return a.Error.exitStatus()
}

// Encode writes one line of JSON.
func (a Answer) Encode(w io.Writer) error {
	e := Encoder{W: w}
	return e.answer(a)
}

// Encoder writes what answers are made of: structs with json tags, of which it knows "omitzero" and
// "-", embedded structs, pointers (nil is null), lists (nil is []), listings, strings, numbers,
// booleans, raw JSON. A general encoder takes longer for its first value than the rest of a call
// does, and most processes write only one. A test compares its output with that of encoding/json.
//
// It adds two things. A member that names a file, such as "path", is followed by "path_base64"
// where the name isn't UTF-8, unless the struct has that field itself. And failures repeat only the
// beginning and the end of a long request.
type Encoder struct {
	W        io.Writer
	B        []byte
	err      error
	fails    bool // the current answer is a failure
	terminal bool // answers go to a terminal, which must get no control characters
	visible  bool // the current answer is shown to a person, who decides by it, or at a terminal
	plans    map[reflect.Type][]memberPlan
}

// EncodeChunk is how much is written at a time, in bytes: so a long listing isn't held in memory a
// second time as text.
const EncodeChunk = 64 << 10

// answer writes one line. An encoder may write many.
func (e *Encoder) answer(a Answer) error {
	e.Envelope(a)
	e.B = append(e.B, '\n')
	e.Flush()
	return e.err
}

// Envelope writes an answer without a line end. Its last part is not flushed.
func (e *Encoder) Envelope(a Answer) {
	e.fails = !a.Success
	_, approved := a.Result.(decisive)
	_, asked := a.Details.(decisive)
	e.visible = approved || asked || e.terminal
	e.Value(reflect.ValueOf(a))
}

// decisive is implemented by results and details by which a person decides.
type decisive interface{ Decisive() }

func (e *Encoder) Flush() {
	e.write(e.B)
	e.B = e.B[:0]
}

func (e *Encoder) write(b []byte) {
	if e.err == nil {
		_, e.err = e.W.Write(b)
	}
}

func (e *Encoder) Value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			e.B = append(e.B, "null"...)
			return
		}
		e.Value(v.Elem())
	case reflect.Struct:
		e.B = append(e.B, '{')
		e.members(v, true)
		e.B = append(e.B, '}')
	case reflect.Slice, reflect.Array:
		e.list(v)
	case reflect.String:
		e.quote(v.String())
	case reflect.Bool:
		e.B = strconv.AppendBool(e.B, v.Bool())
	case reflect.Int, reflect.Int64:
		e.B = strconv.AppendInt(e.B, v.Int(), 10)
	case reflect.Uint64:
		e.B = strconv.AppendUint(e.B, v.Uint(), 10)
	case reflect.Float64:
		e.B = AppendNumber(e.B, v.Float())
	default:
		panic("no answer holds a " + v.Kind().String())
	}
}

func (e *Encoder) quote(s string) {
	if e.visible {
		e.B = words.AppendVisible(e.B, s)
		return
	}
	e.B = textio.AppendQuoted(e.B, s)
}

// appendInside is for a part of a text, without quotes.
func (e *Encoder) appendInside(b []byte, s string) []byte {
	if e.terminal {
		quoted := words.AppendVisible(nil, s)
		return append(b, quoted[1:len(quoted)-1]...)
	}
	return textio.AppendEscaped(b, s)
}

func (e *Encoder) list(v reflect.Value) {
	if raw, ok := v.Interface().(jsontext.Value); ok {
		e.B = append(e.B, raw...)
		return
	}
	e.B = append(e.B, '[')
	for i := range v.Len() {
		if i > 0 {
			e.B = append(e.B, ',')
		}
		e.Value(v.Index(i))
		if len(e.B) >= EncodeChunk {
			e.Flush()
		}
	}
	e.B = append(e.B, ']')
}

// memberPlan is what the tags of one struct field say.
type memberPlan struct {
	Index    int
	Key      string // quoted, with its colon; "" for an embedded struct
	OmitZero bool
	encoded  bool   // the value writes its own JSON
	longest  int    // most bytes of this text in a failure, since it may repeat a long request; 0 for no limit
	Twin     string // key of the base64 twin that is added if the text is a name that isn't UTF-8
}

// encoded is implemented by values that write their own JSON.
type encoded interface{ EncodeTo(e *Encoder) }

// members writes the members of a struct. first says that the object has none yet.
func (e *Encoder) members(v reflect.Value, first bool) (stillFirst bool) {
	for _, m := range e.Plan(v.Type()) {
		field := v.Field(m.Index)
		if m.OmitZero && field.IsZero() {
			continue
		}
		if m.Key == "" {
			first = e.members(field, first)
			continue
		}
		if !first {
			e.B = append(e.B, ',')
		}
		first = false
		e.B = append(e.B, m.Key...)
		switch {
		case m.encoded:
			field.Interface().(encoded).EncodeTo(e)
		case m.longest > 0:
			e.text(m, reflect.Indirect(field))
		default:
			e.Value(field)
		}
	}
	return first
}

// text writes a text that may come from a request.
func (e *Encoder) text(m memberPlan, v reflect.Value) {
	if !v.IsValid() {
		e.B = append(e.B, "null"...)
		return
	}
	text := v.String()
	if e.fails && len(text) > m.longest {
		text = textio.Shorten(text)
		m.Twin = ""
	}
	e.quote(text)
	if m.Twin != "" && !utf8.ValidString(text) {
		e.B = textio.AppendQuoted(append(append(e.B, ','), m.Twin...), words.Base64(text))
	}
}

// LongestSentence is the most of a sentence that a failure has, in bytes: enough for one with a
// path in it.
const LongestSentence = 1024

// planText sets the limit for texts that may come from a request.
func (m *memberPlan) planText(name string) {
	switch name {
	case "message", "hint":
		m.longest = LongestSentence
	case "path", "from", "to", "link_target":
		m.longest, m.Twin = words.LongestName, `"`+name+words.Base64Suffix+`":`
	case "file": // of grep
		m.longest, m.Twin = words.LongestName, `"path`+words.Base64Suffix+`":`
	}
}

// Plan gives what the tags of a struct type say. They are read once.
func (e *Encoder) Plan(t reflect.Type) []memberPlan {
	plan, ok := e.plans[t]
	if !ok {
		plan = e.readPlan(t)
	}
	return plan
}

func (e *Encoder) readPlan(t reflect.Type) []memberPlan {
	var plan []memberPlan
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous:
			plan = append(plan, memberPlan{Index: i})
		case field.IsExported() && name != "-":
			m := memberPlan{Index: i, Key: `"` + name + `":`, OmitZero: options == "omitzero",
				encoded: field.Type.Implements(reflect.TypeFor[encoded]())}
			if isText(field.Type) {
				m.planText(name)
			}
			plan = append(plan, m)
		}
	}
	dropOwnTwins(plan)
	if e.plans == nil {
		e.plans = map[reflect.Type][]memberPlan{}
	}
	e.plans[t] = plan
	return plan
}

// dropOwnTwins removes the twins that the struct has as fields of its own.
func dropOwnTwins(plan []memberPlan) {
	for i, m := range plan {
		if m.Twin != "" && slices.ContainsFunc(plan, func(other memberPlan) bool { return other.Key == m.Twin }) {
			plan[i].Twin = ""
		}
	}
}

func isText(t reflect.Type) bool {
	return t.Kind() == reflect.String || (t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.String)
}

// AppendNumber writes a number without an exponent.
func AppendNumber(b []byte, f float64) []byte {
	const exact = 1 << 53 // up to here floats are exact, and whole numbers are written faster as integers
	if whole := int64(f); whole != 0 && float64(whole) == f && -exact < whole && whole < exact {
		return strconv.AppendInt(b, whole, 10)
	}
	return strconv.AppendFloat(b, f, 'f', -1, 64)
}

// MemberName is the name of a member, from its key with quotes and colon.
func MemberName(key string) string { return strings.Trim(key, `":`) }

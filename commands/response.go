package commands

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

// answer is the envelope of every reply, its members in the order of the wire format.
type answer struct {
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

func succeeded(id jsontext.Value, result Result, warnings []string) answer {
	a := answer{ID: id, Success: true, Result: result, Message: result.Summary(), Warnings: warnings}
	if r, ok := result.(interface{ NextStep() string }); ok {
		a.Hint = r.NextStep()
	}
	return a
}

func failed(id jsontext.Value, f *Failure, warnings []string) answer {
	return answer{ID: id, Error: f.Code, Message: f.Message, Hint: f.Hint, Retryable: f.Retryable, Details: f.Details, Warnings: warnings}
}

// exitStatus is what a process ends with after this answer.
func (a answer) exitStatus() int {
	if a.Success {
		return 0
	}
	return a.Error.exitStatus()
}

// encode writes one line of JSON.
func (a answer) encode(w io.Writer) error {
	e := encoder{w: w}
	return e.answer(a)
}

// encoder writes what answers are made of: structs with json tags, of which it knows "omitzero" and
// "-", embedded structs, pointers (nil is null), lists (nil is []), listings, strings, numbers,
// booleans, raw JSON. A general encoder takes longer for its first value than the rest of a call
// does, and most processes write only one. A test compares its output with that of encoding/json.
//
// It adds two things. A member that names a file, such as "path", is followed by "path_base64"
// where the name isn't UTF-8, unless the struct has that field itself. And failures repeat only the
// beginning and the end of a long request.
type encoder struct {
	w        io.Writer
	b        []byte
	err      error
	fails    bool // the current answer is a failure
	terminal bool // answers go to a terminal, which must get no control characters
	visible  bool // the current answer is shown to a person, who decides by it, or at a terminal
	plans    map[reflect.Type][]memberPlan
}

// encodeChunk is how much is written at a time, in bytes: so a long listing isn't held in memory a
// second time as text.
const encodeChunk = 64 << 10

// answer writes one line. An encoder may write many.
func (e *encoder) answer(a answer) error {
	e.envelope(a)
	e.b = append(e.b, '\n')
	e.flush()
	return e.err
}

// envelope writes an answer without a line end. Its last part is not flushed.
func (e *encoder) envelope(a answer) {
	e.fails = !a.Success
	_, approved := a.Result.(decisive)
	_, asked := a.Details.(decisive)
	e.visible = approved || asked || e.terminal
	e.value(reflect.ValueOf(a))
}

// decisive is implemented by results and details by which a person decides.
type decisive interface{ Decisive() }

func (e *encoder) flush() {
	e.write(e.b)
	e.b = e.b[:0]
}

func (e *encoder) write(b []byte) {
	if e.err == nil {
		_, e.err = e.w.Write(b)
	}
}

func (e *encoder) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			e.b = append(e.b, "null"...)
			return
		}
		e.value(v.Elem())
	case reflect.Struct:
		e.b = append(e.b, '{')
		e.members(v, true)
		e.b = append(e.b, '}')
	case reflect.Slice, reflect.Array:
		e.list(v)
	case reflect.String:
		e.quote(v.String())
	case reflect.Bool:
		e.b = strconv.AppendBool(e.b, v.Bool())
	case reflect.Int, reflect.Int64:
		e.b = strconv.AppendInt(e.b, v.Int(), 10)
	case reflect.Uint64:
		e.b = strconv.AppendUint(e.b, v.Uint(), 10)
	case reflect.Float64:
		e.b = appendNumber(e.b, v.Float())
	default:
		panic("no answer holds a " + v.Kind().String())
	}
}

func (e *encoder) quote(s string) {
	if e.visible {
		e.b = words.AppendVisible(e.b, s)
		return
	}
	e.b = textio.AppendQuoted(e.b, s)
}

// appendInside is for a part of a text, without quotes.
func (e *encoder) appendInside(b []byte, s string) []byte {
	if e.terminal {
		quoted := words.AppendVisible(nil, s)
		return append(b, quoted[1:len(quoted)-1]...)
	}
	return textio.AppendEscaped(b, s)
}

func (e *encoder) list(v reflect.Value) {
	if raw, ok := v.Interface().(jsontext.Value); ok {
		e.b = append(e.b, raw...)
		return
	}
	e.b = append(e.b, '[')
	for i := range v.Len() {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		e.value(v.Index(i))
		if len(e.b) >= encodeChunk {
			e.flush()
		}
	}
	e.b = append(e.b, ']')
}

// memberPlan is what the tags of one struct field say.
type memberPlan struct {
	index    int
	key      string // quoted, with its colon; "" for an embedded struct
	omitZero bool
	encoded  bool   // the value writes its own JSON
	longest  int    // most bytes of this text in a failure, since it may repeat a long request; 0 for no limit
	twin     string // key of the base64 twin that is added if the text is a name that isn't UTF-8
}

// encoded is implemented by values that write their own JSON.
type encoded interface{ encodeTo(e *encoder) }

// members writes the members of a struct. first says that the object has none yet.
func (e *encoder) members(v reflect.Value, first bool) (stillFirst bool) {
	for _, m := range e.plan(v.Type()) {
		field := v.Field(m.index)
		if m.omitZero && field.IsZero() {
			continue
		}
		if m.key == "" {
			first = e.members(field, first)
			continue
		}
		if !first {
			e.b = append(e.b, ',')
		}
		first = false
		e.b = append(e.b, m.key...)
		switch {
		case m.encoded:
			field.Interface().(encoded).encodeTo(e)
		case m.longest > 0:
			e.text(m, reflect.Indirect(field))
		default:
			e.value(field)
		}
	}
	return first
}

// text writes a text that may come from a request.
func (e *encoder) text(m memberPlan, v reflect.Value) {
	if !v.IsValid() {
		e.b = append(e.b, "null"...)
		return
	}
	text := v.String()
	if e.fails && len(text) > m.longest {
		text = textio.Shorten(text)
		m.twin = ""
	}
	e.quote(text)
	if m.twin != "" && !utf8.ValidString(text) {
		e.b = textio.AppendQuoted(append(append(e.b, ','), m.twin...), words.Base64(text))
	}
}

// longestSentence is the most of a sentence that a failure has, in bytes: enough for one with a
// path in it.
const longestSentence = 1024

// planText sets the limit for texts that may come from a request.
func (m *memberPlan) planText(name string) {
	switch name {
	case "message", "hint":
		m.longest = longestSentence
	case "path", "from", "to", "link_target":
		m.longest, m.twin = words.LongestName, `"`+name+words.Base64Suffix+`":`
	case "file": // of grep
		m.longest, m.twin = words.LongestName, `"path`+words.Base64Suffix+`":`
	}
}

// plan gives what the tags of a struct type say. They are read once.
func (e *encoder) plan(t reflect.Type) []memberPlan {
	plan, ok := e.plans[t]
	if !ok {
		plan = e.readPlan(t)
	}
	return plan
}

func (e *encoder) readPlan(t reflect.Type) []memberPlan {
	var plan []memberPlan
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous:
			plan = append(plan, memberPlan{index: i})
		case field.IsExported() && name != "-":
			m := memberPlan{index: i, key: `"` + name + `":`, omitZero: options == "omitzero",
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
		if m.twin != "" && slices.ContainsFunc(plan, func(other memberPlan) bool { return other.key == m.twin }) {
			plan[i].twin = ""
		}
	}
}

func isText(t reflect.Type) bool {
	return t.Kind() == reflect.String || (t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.String)
}

// appendNumber writes a number without an exponent.
func appendNumber(b []byte, f float64) []byte {
	const exact = 1 << 53 // up to here floats are exact, and whole numbers are written faster as integers
	if whole := int64(f); whole != 0 && float64(whole) == f && -exact < whole && whole < exact {
		return strconv.AppendInt(b, whole, 10)
	}
	return strconv.AppendFloat(b, f, 'f', -1, 64)
}

// memberName is the name of a member, from its key with quotes and colon.
func memberName(key string) string { return strings.Trim(key, `":`) }

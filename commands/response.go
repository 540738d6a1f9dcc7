package commands

import (
	"io"
	"reflect"
	"strconv"
	"strings"

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
}

// Result is what a request comes to. Its fields are the wire format; Summary says in one sentence what happened. One with a
// method NextStep() string has a hint, too.
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

// encode writes one line.
func (a answer) encode(w io.Writer) error {
	e := encoder{w: w}
	e.value(reflect.ValueOf(a))
	e.b = append(e.b, '\n')
	e.flush()
	return e.err
}

// encoder writes what answers are made of: structs with json tags, of which it knows "omitzero" and "-", embedded structs,
// pointers (nil is null), lists (nil is []; lists of lists are one list in parts), strings, numbers, booleans, raw JSON. A general encoder spends more time on its
// first value than the rest of a call takes, and a process has but one to write. A test holds it against one.
type encoder struct {
	w     io.Writer
	b     []byte
	err   error
	plans map[reflect.Type][]memberPlan
	last  struct { // of plans: long lists ask for one again and again
		of   reflect.Type
		plan []memberPlan
	}
}

// encodeChunk is how much is written at a time, in bytes: long listings needn't stand in memory once more as text.
const encodeChunk = 64 << 10

func (e *encoder) flush() {
	if e.err == nil {
		_, e.err = e.w.Write(e.b)
	}
	e.b = e.b[:0]
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
		e.members(v)
		e.b = append(e.b, '}')
	case reflect.Slice, reflect.Array:
		e.list(v)
	case reflect.String:
		e.b = appendText(e.b, v.String())
	case reflect.Bool:
		e.b = strconv.AppendBool(e.b, v.Bool())
	case reflect.Int, reflect.Int64:
		e.b = strconv.AppendInt(e.b, v.Int(), 10)
	case reflect.Uint64:
		e.b = strconv.AppendUint(e.b, v.Uint(), 10)
	case reflect.Float64:
		e.b = strconv.AppendFloat(e.b, v.Float(), 'f', -1, 64)
	default:
		panic("no answer holds a " + v.Kind().String())
	}
}

func (e *encoder) list(v reflect.Value) {
	if raw, ok := v.Interface().(jsontext.Value); ok {
		e.b = append(e.b, raw...)
		return
	}
	e.b = append(e.b, '[')
	e.elements(v, true)
	e.b = append(e.b, ']')
}

// elements writes what a list holds. A list of lists is one list in parts.
func (e *encoder) elements(v reflect.Value, first bool) (none bool) {
	inParts := v.Type().Elem().Kind() == reflect.Slice
	for i := range v.Len() {
		if inParts {
			first = e.elements(v.Index(i), first)
			continue
		}
		if !first {
			e.b = append(e.b, ',')
		}
		first = false
		e.value(v.Index(i))
		if len(e.b) >= encodeChunk {
			e.flush()
		}
	}
	return first
}

// memberPlan is what the tags of one struct field say.
type memberPlan struct {
	index    int
	key      string // quoted, with its colon; "" for an embedded struct
	omitZero bool
}

func (e *encoder) members(v reflect.Value) {
	first := true
	for _, m := range e.plan(v.Type()) {
		field := v.Field(m.index)
		if m.omitZero && field.IsZero() {
			continue
		}
		if !first {
			e.b = append(e.b, ',')
		}
		first = false
		if m.key == "" {
			e.members(field)
			continue
		}
		e.b = append(e.b, m.key...)
		e.value(field)
	}
}

// plan gives what the tags of a struct type say. They are read once per answer.
func (e *encoder) plan(t reflect.Type) []memberPlan {
	if t == e.last.of {
		return e.last.plan
	}
	plan, ok := e.plans[t]
	if !ok {
		plan = e.readPlan(t)
	}
	e.last.of, e.last.plan = t, plan
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
			plan = append(plan, memberPlan{index: i, key: `"` + name + `":`, omitZero: options == "omitzero"})
		}
	}
	if e.plans == nil {
		e.plans = map[reflect.Type][]memberPlan{}
	}
	e.plans[t] = plan
	return plan
}

// appendText quotes text. Bytes that aren't UTF-8, which only file names and messages about them can hold, become U+FFFD.
func appendText(b []byte, s string) []byte {
	quoted, err := jsontext.AppendQuote(b, s)
	if err != nil {
		quoted, _ = jsontext.AppendQuote(b, strings.ToValidUTF8(s, "\ufffd"))
	}
	return quoted
}

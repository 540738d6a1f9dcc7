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

// Result is what a request comes to. Its fields are the wire format; Summary says in one sentence what happened.
type Result interface{ Summary() string }

func succeeded(id jsontext.Value, result Result, warnings []string) answer {
	return answer{ID: id, Success: true, Result: result, Message: result.Summary(), Warnings: warnings}
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
	_, err := w.Write(append(appendJSON(nil, reflect.ValueOf(a)), '\n'))
	return err
}

// appendJSON writes what answers are made of: structs with json tags, of which it knows "omitzero" and "-", embedded
// structs, pointers (nil is null), lists (nil is []), strings, numbers, booleans, raw JSON. A general encoder spends more
// time on its first value than the rest of a call takes, and a process has but one to write. A test holds it against one.
func appendJSON(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return append(b, "null"...)
		}
		return appendJSON(b, v.Elem())
	case reflect.Struct:
		b = append(b, '{')
		return append(appendFields(b, v), '}')
	case reflect.Slice, reflect.Array:
		if raw, ok := v.Interface().(jsontext.Value); ok {
			return append(b, raw...)
		}
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, v.Index(i))
		}
		return append(b, ']')
	case reflect.String:
		return appendText(b, v.String())
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case reflect.Int, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10)
	case reflect.Uint64:
		return strconv.AppendUint(b, v.Uint(), 10)
	case reflect.Float64:
		return strconv.AppendFloat(b, v.Float(), 'f', -1, 64)
	}
	panic("no answer holds a " + v.Kind().String())
}

func appendFields(b []byte, v reflect.Value) []byte {
	t := v.Type()
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			b = appendFields(b, v.Field(i))
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !field.IsExported() || name == "-" || (options == "omitzero" && v.Field(i).IsZero()) {
			continue
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = append(b, name...)
		b = append(b, '"', ':')
		b = appendJSON(b, v.Field(i))
	}
	return b
}

// appendText quotes text. Bytes that aren't UTF-8, which only file names and messages about them can hold, become U+FFFD.
func appendText(b []byte, s string) []byte {
	quoted, err := jsontext.AppendQuote(b, s)
	if err != nil {
		quoted, _ = jsontext.AppendQuote(b, strings.ToValidUTF8(s, "\ufffd"))
	}
	return quoted
}

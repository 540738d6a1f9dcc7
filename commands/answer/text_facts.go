package answer

import (
	"fsbox/commands/words"
	"reflect"
	"strconv"
)

// Facts writes what has no form of its own: a line "key: value" for each member that says
// something, with the keys of the JSON form.
func (t *Text) Facts(of any) { t.members("", reflect.ValueOf(of)) }

func (t *Text) members(prefix string, v reflect.Value) {
	if v = reflect.Indirect(v); v.Kind() != reflect.Struct {
		return
	}
	for _, m := range Members(v.Type()) {
		if field := v.FieldByIndex(m.Index); !m.OmitZero || !field.IsZero() {
			t.member(prefix+m.Key, field)
		}
	}
}

func (t *Text) member(key string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			t.member(key, v.Elem())
		}
	case reflect.Struct:
		t.members(key+".", v)
	case reflect.Slice:
		t.items(key, v)
	case reflect.String:
		t.fact(key, v.String())
	case reflect.Float64:
		t.fact(key, words.Time(v.Float())) // the only fractions in answers are times
	case reflect.Bool:
		t.fact(key, strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int64:
		t.fact(key, words.Int(v.Int()))
	case reflect.Uint64:
		t.fact(key, strconv.FormatUint(v.Uint(), 10))
	}
}

// items writes a line for each element of a list.
func (t *Text) items(key string, v reflect.Value) {
	if v.Type().Elem().Kind() == reflect.Uint8 { // raw JSON
		t.fact(key, string(v.Bytes()))
		return
	}
	for i := range v.Len() {
		t.member(key, v.Index(i))
	}
}

// fact writes a line, or for a diff a block after the key.
func (t *Text) fact(key, value string) {
	if value == "" {
		return
	}
	t.Paint(HueKey, key, ":")
	if key == "diff" {
		t.Line()
		t.Block(value)
	} else {
		t.Line(" ", words.Value(value))
	}
}

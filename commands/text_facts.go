package commands

import (
	"fsbox/commands/words"
	"reflect"
	"strconv"
)

// facts writes what has no form of its own: a line "key: value" for each member that says
// something, with the keys of the JSON form.
func (t *text) facts(of any) { t.members("", reflect.ValueOf(of)) }

func (t *text) members(prefix string, v reflect.Value) {
	if v = reflect.Indirect(v); v.Kind() != reflect.Struct {
		return
	}
	for _, m := range new(encoder).plan(v.Type()) {
		field := v.Field(m.index)
		switch {
		case m.key == "":
			t.members(prefix, field)
		case !m.omitZero || !field.IsZero():
			t.member(prefix+memberName(m.key), field)
		}
		if name := reflect.Indirect(field); m.twin != "" && name.IsValid() {
			t.fact(prefix+memberName(m.twin), words.Base64(name.String()))
		}
	}
}

func (t *text) member(key string, v reflect.Value) {
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
func (t *text) items(key string, v reflect.Value) {
	if v.Type().Elem().Kind() == reflect.Uint8 { // raw JSON
		t.fact(key, string(v.Bytes()))
		return
	}
	for i := range v.Len() {
		t.member(key, v.Index(i))
	}
}

// fact writes a line, or for a diff a block after the key.
func (t *text) fact(key, value string) {
	if value == "" {
		return
	}
	t.paint(hueKey, key, ":")
	if key == "diff" {
		t.line()
		t.block(value)
	} else {
		t.line(" ", words.Value(value))
	}
}

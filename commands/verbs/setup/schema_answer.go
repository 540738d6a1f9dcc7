package setup

import (
	"fsbox/commands/answer"
	"fsbox/commands/request"
	"fsbox/commands/verb"
	"fsbox/commands/words"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"
)

// AnswerSchema is the JSON Schema of the answers of a tool: the envelope, with the tool's own
// result in it. It comes from the tags that the encoder goes by, so that it can't differ.
// It allows further members: a program that checks answers by it shouldn't fail when one is added.
func AnswerSchema(t verb.Verb) []byte {
	var properties, o jsonObject
	for _, m := range answer.Members(reflect.TypeFor[answer.Answer]()) {
		switch m.Key {
		case "id": // of a request in a stream
		case "result":
			properties.raw(m.Key, resultSchema(t))
		case "details":
			properties.raw(m.Key, []byte(`{"type":"object"}`))
		default:
			properties.raw(m.Key, valueSchema(m.Type))
		}
	}
	o.text("type", "object").raw("properties", properties.end())
	return o.raw("required", jsonTexts([]string{"success", "message"})).end()
}

func resultSchema(t verb.Verb) []byte {
	results := words.Mapped(t.Results, func(r answer.Result) []byte { return valueSchema(reflect.TypeOf(r).Elem()) })
	if len(results) == 1 {
		return results[0]
	}
	return anyOf(results...)
}

func anyOf(schemas ...[]byte) []byte {
	var o jsonObject
	return o.raw("anyOf", JsonArray(schemas)).end()
}

// valueSchema describes the JSON of a value, as the encoder writes it.
func valueSchema(t reflect.Type) []byte {
	switch {
	case t == reflect.TypeFor[[]byte]():
		return []byte(`{"type":"string","contentEncoding":"base64"}`)
	case t.Kind() == reflect.Interface, t == reflect.TypeFor[jsontext.Value]():
		return []byte("{}")
	case t.Kind() == reflect.Pointer: // a list of types would be shorter, but some clients take only one
		return anyOf(valueSchema(t.Elem()), []byte(`{"type":"null"}`))
	}
	var o jsonObject
	o.text("type", request.KindOf(t.Kind()).Name)
	switch t.Kind() {
	case reflect.Struct:
		addMembers(&o, t)
	case reflect.Slice:
		o.raw("items", valueSchema(t.Elem()))
	case reflect.Array:
		o.raw("items", valueSchema(t.Elem())).number("minItems", int64(t.Len())).number("maxItems", int64(t.Len()))
	}
	return o.end()
}

func addMembers(o *jsonObject, t reflect.Type) {
	var properties jsonObject
	var required []string
	for _, m := range answer.Members(t) {
		of := m.Type
		if m.OmitZero && of.Kind() == reflect.Pointer { // it is left out instead of null
			of = of.Elem()
		}
		if !m.OmitZero {
			required = append(required, m.Key)
		}
		properties.raw(m.Key, valueSchema(of))
	}
	o.raw("properties", properties.end())
	if len(required) > 0 {
		o.raw("required", jsonTexts(required))
	}
}

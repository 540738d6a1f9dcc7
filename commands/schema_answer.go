package commands

import (
	"fsbox/commands/answer"
	"fsbox/commands/words"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"
)

// answerSchema is the JSON Schema of the answers of a tool: the envelope, with the tool's own
// result in it. It comes from what the encoder goes by, so that it can't differ from the answers.
// It allows further members: a program that checks answers by it shouldn't fail when one is added.
func answerSchema(t Tool) []byte {
	var e answer.Encoder
	var properties, o jsonObject
	for _, m := range e.Plan(reflect.TypeFor[answer.Answer]()) {
		switch field := reflect.TypeFor[answer.Answer]().Field(m.Index); answer.MemberName(m.Key) {
		case "id": // of a request in a stream
		case "result":
			properties.raw("result", resultSchema(&e, t))
		case "details":
			properties.raw("details", []byte(`{"type":"object"}`))
		default:
			properties.raw(answer.MemberName(m.Key), valueSchema(&e, field.Type))
		}
	}
	o.text("type", "object").raw("properties", properties.end())
	return o.raw("required", jsonTexts([]string{"success", "message"})).end()
}

func resultSchema(e *answer.Encoder, t Tool) []byte {
	results := aboutOf(t.Name).results
	if len(results) == 1 {
		return valueSchema(e, reflect.TypeOf(results[0]).Elem())
	}
	return anyOf(words.Mapped(results, func(r answer.Result) []byte { return valueSchema(e, reflect.TypeOf(r).Elem()) })...)
}

func anyOf(schemas ...[]byte) []byte {
	var o jsonObject
	return o.raw("anyOf", jsonArray(schemas)).end()
}

// valueSchema describes the JSON of a value, as the encoder writes it.
func valueSchema(e *answer.Encoder, t reflect.Type) []byte {
	switch {
	case t == reflect.TypeFor[base64Bytes]():
		return []byte(`{"type":"string","contentEncoding":"base64"}`)
	case t.Kind() == reflect.Interface, t == reflect.TypeFor[jsontext.Value]():
		return []byte("{}")
	case t.Kind() == reflect.Pointer: // a list of types would be shorter, but some clients take only one
		return anyOf(valueSchema(e, t.Elem()), []byte(`{"type":"null"}`))
	}
	var o jsonObject
	o.text("type", kindOf(t.Kind()).name)
	switch t.Kind() {
	case reflect.Struct:
		addMembers(&o, e, t)
	case reflect.Slice:
		o.raw("items", valueSchema(e, elementOf(t)))
	case reflect.Array:
		o.raw("items", valueSchema(e, t.Elem())).number("minItems", int64(t.Len())).number("maxItems", int64(t.Len()))
	}
	return o.end()
}

// elementOf is what a list holds.
func elementOf(t reflect.Type) reflect.Type {
	if l, ok := reflect.Zero(t).Interface().(interface{ Element() reflect.Type }); ok {
		return l.Element()
	}
	return t.Elem()
}

func addMembers(o *jsonObject, e *answer.Encoder, t reflect.Type) {
	var properties jsonObject
	required := collectMembers(&properties, e, t)
	o.raw("properties", properties.end())
	if len(required) > 0 {
		o.raw("required", jsonTexts(required))
	}
}

// collectMembers adds the members of a struct, and gives the names of those that are always there.
func collectMembers(properties *jsonObject, e *answer.Encoder, t reflect.Type) (required []string) {
	for _, m := range e.Plan(t) {
		of := t.Field(m.Index).Type
		if m.Key == "" {
			required = append(required, collectMembers(properties, e, of)...)
			continue
		}
		if m.OmitZero && of.Kind() == reflect.Pointer { // it is left out instead of null
			of = of.Elem()
		}
		if !m.OmitZero {
			required = append(required, answer.MemberName(m.Key))
		}
		properties.raw(answer.MemberName(m.Key), valueSchema(e, of))
		if m.Twin != "" {
			properties.raw(answer.MemberName(m.Twin), []byte(`{"type":"string"}`))
		}
	}
	return required
}

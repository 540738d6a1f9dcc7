package schema

import (
	"reflect"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/words"

	"github.com/go-json-experiment/json/jsontext"
)

// AnswerSchema is the JSON Schema of the answers of a tool: the envelope, with the tool's own
// result in it. It comes from the tags that the encoder goes by, so that it can't differ.
// It allows further members: a program that checks answers by it shouldn't fail when one is added.
func AnswerSchema(t command.Command) []byte {
	var properties []any
	for _, m := range answer.Members(reflect.TypeFor[answer.Answer]()) {
		switch m.Key {
		case "id": // of a request in a stream
		case "result":
			properties = append(properties, m.Key, resultSchema(t))
		case "details":
			properties = append(properties, m.Key, object("type", "object"))
		default:
			properties = append(properties, m.Key, valueSchema(m.Type))
		}
	}
	return object("type", "object", "properties", object(properties...), "required", []string{"success", "message"})
}

func resultSchema(t command.Command) []byte {
	results := words.Mapped(t.Results, func(r answer.Result) []byte { return valueSchema(reflect.TypeOf(r).Elem()) })
	if len(results) == 1 {
		return results[0]
	}
	return anyOf(results...)
}

func anyOf(schemas ...[]byte) []byte { return object("anyOf", schemas) }

// valueSchema describes the JSON of a value, as the encoder writes it.
func valueSchema(t reflect.Type) []byte {
	switch {
	case t == reflect.TypeFor[[]byte]():
		return object("type", "string", "contentEncoding", "base64")
	case t.Kind() == reflect.Interface, t == reflect.TypeFor[jsontext.Value]():
		return object()
	case t.Kind() == reflect.Pointer: // a list of types would be shorter, but some clients take only one
		return anyOf(valueSchema(t.Elem()), object("type", "null"))
	}
	kind := request.KindOf(t.Kind()).Name
	switch t.Kind() {
	case reflect.Struct:
		return structSchema(t)
	case reflect.Slice:
		return object("type", kind, "items", valueSchema(t.Elem()))
	case reflect.Array:
		return object("type", kind, "items", valueSchema(t.Elem()), "minItems", t.Len(), "maxItems", t.Len())
	}
	return object("type", kind)
}

func structSchema(t reflect.Type) []byte {
	var properties []any
	var required []string
	for _, m := range answer.Members(t) {
		of := m.Type
		if m.OmitZero && of.Kind() == reflect.Pointer { // it is left out instead of null
			of = of.Elem()
		}
		if !m.OmitZero && !m.Brief {
			required = append(required, m.Key)
		}
		properties = append(properties, m.Key, valueSchema(of))
	}
	return object("type", "object", "properties", object(properties...), "required", required)
}

package setup

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"fsbox/commands/request"
	"fsbox/commands/settings"
	"fsbox/commands/verb"
	"fsbox/commands/words"
	"fsbox/textio"
)

// RequestSchema makes the JSON Schema of requests from the tags of their structs. A strict one is
// for OpenAI's strict mode, which takes only a part of JSON Schema. There every property is
// required: one that may be absent is null instead. Some of its versions refuse defaults, so these
// are in the description, with the ranges. No schema has a keyword that some API refuses, such as
// anyOf or minimum: fsbox itself checks the ranges.
type RequestSchema struct {
	Limits   *request.Limits
	Strict   bool
	Approval bool // changes may need a token: without that, the field for it would only cost
	All      bool // also the fields that a model hardly ever needs
}

// RequestsOf is that of the requests that this Env takes.
func RequestsOf(e *verb.Env) RequestSchema {
	return RequestSchema{Limits: &e.Limits, Approval: e.Settings.Approval == settings.ApprovalToken, All: e.Settings.AllFields}
}

// Of describes the requests of a tool, under the names of its fields: the aliases that fsbox takes
// as well are not for a model to choose from.
func (s RequestSchema) Of(t verb.Verb) []byte { return s.object(reflect.TypeOf(t.New()).Elem()) }

func (s RequestSchema) object(t reflect.Type) []byte {
	var properties []any
	var required []string
	for _, f := range request.Fields(t) {
		if f.Habit || !s.All && (f.Rare || f.Name == "approval" && !s.Approval) {
			continue
		}
		tag := t.Field(f.Index).Tag
		_, needed := tag.Lookup("need")
		if needed || s.Strict {
			required = append(required, f.Name)
		}
		p := property{Field: f, of: t.Field(f.Index).Type, help: tag.Get("help"), needed: needed, words: f.Words(tag)}
		properties = append(properties, f.Name, s.property(p))
	}
	return object("type", "object", "properties", object(properties...), "required", required, "additionalProperties", false)
}

// property is a field as a schema describes it.
type property struct {
	request.Field
	of     reflect.Type
	help   string
	needed bool
	words  []string // the only values, if there are any
}

func (s RequestSchema) property(p property) []byte {
	only := words.Mapped(p.words, func(word string) []byte { return textio.AppendQuoted(nil, word) })
	members := []any{"type", request.KindOf(p.Kind).Name, "description", s.text(p)}
	if s.Strict && !p.needed { // null is one of the values: it would be refused else
		members[1] = []string{request.KindOf(p.Kind).Name, "null"}
		only = append(only, []byte("null"))
	}
	if len(p.words) > 0 {
		members = append(members, "enum", only)
	}
	if p.Kind == reflect.Slice {
		members = append(members, "items", s.items(p.of.Elem()))
	}
	if value := p.defaultJSON(s.Limits); !s.Strict && value != "0" { // 0 asks for nothing, as an absent number does
		members = append(members, "default", []byte(value))
	}
	return object(members...)
}

func (s RequestSchema) items(t reflect.Type) []byte {
	if t.Kind() == reflect.Struct {
		return s.object(t)
	}
	return object("type", request.KindOf(t.Kind()).Name)
}

// defaultJSON is the value of an absent field as JSON. It is "" for an absent text or list, and for
// a switch that is off: these say so themselves.
func (p property) defaultJSON(limits *request.Limits) string {
	switch p.Kind {
	case reflect.Bool:
		if p.Def == "true" {
			return "true"
		}
		return ""
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(p.Def, 10, 64)
		if _, largest := p.Bounds(limits); err == nil {
			return words.Int(min(n, largest))
		}
		return ""
	}
	if p.Def == "" {
		return ""
	}
	return string(textio.AppendQuoted(nil, p.Def))
}

// text is the help of a field, in a strict schema with what its keywords can't say.
func (s RequestSchema) text(p property) string {
	if !s.Strict {
		return p.help
	}
	text := p.help
	if request.IsInteger(p.Kind) {
		text += rangeText(p.Bounds(s.Limits))
	}
	if value := p.defaultJSON(s.Limits); value != "" {
		text += " Default, for null: " + value + "."
	}
	return text
}

func rangeText(least, largest int64) string {
	switch {
	case least == math.MinInt64:
		return " Not 0."
	case largest == math.MaxInt64:
		return fmt.Sprintf(" At least %d.", least)
	}
	return fmt.Sprintf(" From %d to %d.", least, largest)
}

package schema

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/settings"
	"fsbox/commands/words"
	"fsbox/textio"
)

// RequestSchema makes the JSON Schema of requests from the tags of their structs. A strict one is
// for OpenAI's strict mode, which takes only a part of JSON Schema. There every property is
// required: one that may be absent is null instead, and further properties are closed. A schema
// that isn't strict leaves them open: a host that checks would refuse aliases else.
//
// No schema has a keyword that some API refuses or drops, such as anyOf, minimum and default: fsbox
// itself checks the ranges, and the descriptions say the defaults.
type RequestSchema struct {
	Limits   *request.Limits
	Strict   bool
	Approval bool // changes may need a token: without that, the field for it would only cost
	All      bool // also the fields that a model hardly ever needs
	Longest  int  // characters of an answer, where the operator says; else 0
}

// RequestsOf is that of the requests that this Env takes.
func RequestsOf(e *command.Env) RequestSchema {
	return RequestSchema{Limits: &e.Limits, Approval: e.Settings.Approval == settings.ApprovalToken, All: e.Settings.AllFields,
		Longest: e.Settings.MaxAnswer}
}

// Of describes the requests of a tool, under the names of its fields: the aliases that fsbox takes
// as well are not for a model to choose from.
func (s RequestSchema) Of(t command.Command) []byte {
	return s.object(reflect.TypeOf(t.New()).Elem(), nil)
}

// object describes a struct. What a field of the same name around it says isn't said again.
func (s RequestSchema) object(t, around reflect.Type) []byte {
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
		p := property{Field: f, help: tag.Get("help"), needed: needed, words: f.Words(tag), within: t}
		if !s.Strict && saysSame(around, t.Field(f.Index)) {
			p.help = ""
		}
		properties = append(properties, f.Name, s.property(p))
	}
	schema := []any{"type", "object", "properties", object(properties...), "required", required}
	if s.Strict {
		schema = append(schema, "additionalProperties", false)
	}
	return object(schema...)
}

// saysSame reports whether a struct has a field of the same name with the same help.
func saysSame(around reflect.Type, f reflect.StructField) bool {
	if around == nil {
		return false
	}
	outer, has := around.FieldByName(f.Name)
	return has && outer.Tag.Get("help") == f.Tag.Get("help")
}

// property is a field as a schema describes it.
type property struct {
	request.Field
	help   string
	needed bool
	within reflect.Type
	words  []string // the only values, if there are any
}

func (s RequestSchema) property(p property) []byte {
	only := words.Mapped(p.words, func(word string) []byte { return textio.AppendQuoted(nil, word) })
	kind := request.TypeOf(p.Type).JSON
	members := []any{"type", kind, "description", s.text(p)}
	if p.help == "" {
		members = members[:2]
	}
	if s.Strict && !p.needed { // null is one of the values: it would be refused else
		members[1] = []string{kind, "null"}
		only = append(only, []byte("null"))
	}
	if len(p.words) > 0 {
		members = append(members, "enum", only)
	}
	if p.Kind == reflect.Slice {
		members = append(members, "items", s.items(p.Type.Elem(), p.within))
	}
	return object(members...)
}

func (s RequestSchema) items(t, around reflect.Type) []byte {
	if t.Kind() == reflect.Struct {
		return s.object(t, around)
	}
	return object("type", request.TypeOf(t).JSON)
}

// defaultJSON is the value of an absent field as JSON. It is "" for an absent text or list, and for
// a switch that is off: these say so themselves.
func (p property) defaultJSON(limits *request.Limits) string {
	switch {
	case p.Kind == reflect.Bool:
		if p.Def == "true" {
			return "true"
		}
		return ""
	case request.IsInteger(p.Kind) && p.Type != request.DurationType:
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

// text is the help of a field with its default, in a strict schema also with what its keywords
// can't say.
func (s RequestSchema) text(p property) string {
	if p.Type == request.DurationType && p.help != "" {
		p.help += durationForm
	}
	if !s.Strict {
		return withDefault(p.help, strings.Trim(p.defaultJSON(s.Limits), `"`))
	}
	text := p.help
	if request.IsInteger(p.Kind) && p.Type != request.DurationType {
		text += rangeText(p.Bounds(s.Limits))
	}
	if value := p.defaultJSON(s.Limits); value != "" {
		text += " Default, for null: " + value + "."
	}
	return text
}

// durationForm says how a duration is written: a schema only calls it a string, since some APIs
// refuse the keyword format.
const durationForm = " A duration in " + request.DurationUnits + ", such as 24h."

// withDefault puts a default in brackets after the first words of a help text, unless these are it
// already. 0 asks for nothing, as an absent number does.
func withDefault(help, value string) string {
	if value == "" || value == "0" || strings.HasPrefix(help, value+" (") {
		return help
	}
	end := len(help)
	for _, sign := range [...]string{", ", "; ", ": ", ". "} {
		if at := strings.Index(help+" ", sign); at >= 0 {
			end = min(end, at)
		}
	}
	return help[:end] + " (" + value + ")" + help[end:]
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

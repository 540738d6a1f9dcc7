package request

import (
	"reflect"
	"time"
)

// Type is what the values of a field are. The Go type of the field decides it, and it is the same
// on the command line, in JSON, in the environment, in schemas and in the reference. These are all
// types that a field can have:
//
//	Go                      in JSON          as a flag        left out
//	string, and types of it "text"           --name TEXT      the default, else ""
//	*string                 "text"           --name TEXT      nil: "" says something
//	bool                    true             --name           the default, else false
//	*bool                   true             --name           nil: a habit, of which false says something
//	int, int64              10               --name 10        the default, which has to be there
//	*int64                  10               --name 10        nil: a habit, and any number will do
//	time.Duration           "24h"            --name 24h       the default, else 0
//	*time.Duration          "24h"            --name 24h       nil
//	settings.Size           65536, "64KiB"   --name 64KiB     the default, which has to be there
//	[]string                ["a", "b"], "a"  --name a         empty
//	[]int64                 [5, 10]          --name 5,10      nil
//	[]struct                [{...}], {...}   --name [{...}]   empty; its fields are fields like these
//
// A path is a string called path, from or to: it has a raw bytes field in base64 (Field.IsPath).
// Numbers are greater than 0 if no tag says otherwise, and so are durations that are given. The
// schema says their units, with an example. A type with UnmarshalText takes what that takes.
// TestTypes asks every reader of fields for every type, TestFieldsHaveTypes every field for its
// type: a new type is a line here, and one in EveryKind and in Kinds of commands/samples/kinds.go.
type Type struct {
	Name string // in the reference
	JSON string // in JSON Schema
	Want string // in messages: what a value is to be
	form string // in hints: an example, as JSON
}

var DurationType = reflect.TypeFor[time.Duration]()

// DurationUnits are the units of durations that callers are told. Go knows us and ns, too.
const DurationUnits = "h, m, s or ms"

// TypeOf is the type of fields that have a Go type. It is the zero Type for a Go type that no field
// can have.
func TypeOf(t reflect.Type) Type {
	own := KindOf(t.Kind())
	switch {
	case t == DurationType:
		return Type{Name: "duration", JSON: "string", Want: "a duration in " + DurationUnits + `, such as "1h30m"`}
	case t.Kind() == reflect.Pointer:
		return TypeOf(t.Elem())
	case t.Kind() == reflect.Slice:
		of := TypeOf(t.Elem())
		if t.Elem().Kind() == reflect.Struct {
			of = Type{Name: "object", form: KindOf(reflect.Struct).form}
		}
		if of.Name == "" || t.Elem().Kind() == reflect.Slice {
			return Type{}
		}
		if own.Name = "list of " + of.Name + "s"; of.Name != "string" {
			own.form = "[" + of.form + ", " + of.form + "]"
		}
		return own
	case t.Kind() == reflect.String, t.Kind() == reflect.Bool, IsInteger(t.Kind()):
		return own
	}
	return Type{}
}

// KindOf says what JSON calls the values of a Go kind, those of answers as well.
func KindOf(kind reflect.Kind) Type {
	switch kind {
	case reflect.Bool:
		return Type{"boolean", "boolean", "true or false", "true"}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return Type{"integer", "integer", "an integer", "10"}
	case reflect.Float64:
		return Type{"number", "number", "a number", "1.5"}
	case reflect.Slice, reflect.Array:
		return Type{"array", "array", "a list", `["a", "b"]`}
	case reflect.Struct:
		return Type{"object", "object", "an object", "{...}"}
	}
	return Type{"string", "string", "a string", `"text"`}
}

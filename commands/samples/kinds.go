package samples

import (
	"context"
	"reflect"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/settings"
)

// EveryKind is a request with a field of each type that request.Type lists.
type EveryKind struct {
	Text    string         `json:"text" name:"text-field" help:"A text."`
	Content *string        `json:"content" help:"A text."`
	Switch  bool           `json:"switch" help:"A switch."`
	Habit   *bool          `json:"habit" habit:"!switch" hidden:"" help:"Its opposite."`
	Count   int            `json:"count" default:"7" help:"A number."`
	Long    int64          `json:"long" default:"7" help:"A number."`
	Maybe   *int64         `json:"maybe" help:"A number."`
	Within  time.Duration  `json:"within" default:"10s" help:"A time."`
	Newer   time.Duration  `json:"newer" help:"A time."`
	Older   *time.Duration `json:"older" help:"A time."`
	Size    settings.Size  `json:"size" default:"1KiB" help:"A size."`
	Globs   []string       `json:"globs" sep:"none" help:"Texts."`
	Range   []int64        `json:"range" type:"items" help:"Numbers."`
	Items   []struct {
		Name string `json:"name" need:"" help:"A text."`
	} `json:"items" type:"items" help:"Objects."`
	Path     string `json:"path" help:"A path."`
	Language string `json:"language" default:"en" oneof:"en,de,english=en" help:"A word."`
}

func (*EveryKind) Run(context.Context, *command.Env) (answer.Result, error) { return nil, nil }

// KindsCommand is a command whose request is an EveryKind.
func KindsCommand() command.Command {
	return command.Command{Name: "sample", Help: "Do it.", New: func() command.Request { return new(EveryKind) }}
}

// Kind says what each reader of fields makes of a field of EveryKind.
type Kind struct {
	Field     string
	JSON      string   // a value that it takes, as JSON
	Flag      string   // a flag with the same value
	Value     string   // the Go value of both, as fmt prints it
	Refused   []string // JSON values that it doesn't take
	Schema    string   // its type in JSON Schema
	Reference string   // its type in the reference
	Absent    string   // the Go value where it isn't given
}

// Kinds has a line for each field of EveryKind.
func Kinds() []Kind {
	return []Kind{
		{"text", `"a b"`, "--text-field=a b", "a b", []string{"[]", "1"}, "string", "string", ""},
		{"content", `"a"`, "--content=a", "a", []string{"[]", "1"}, "string", "string", "<nil>"},
		{"content", `""`, "--content=", "", []string{"{}"}, "string", "string", "<nil>"},
		{"switch", "true", "--switch", "true", []string{`"perhaps"`, "2"}, "boolean", "boolean", "false"},
		{"habit", "false", "--habit=false", "false", []string{"7"}, "boolean", "boolean", "<nil>"},
		{"count", "12", "--count=12", "12", []string{"0", "-1", `"x"`, "1.5", "true"}, "integer", "integer", "7"},
		{"long", `"12"`, "--long=12", "12", []string{"0", "-1", "{}"}, "integer", "integer", "7"},
		{"maybe", "12", "--maybe=12", "12", []string{"true", `"x"`}, "integer", "integer", "<nil>"},
		{"within", `"24h"`, "--within=24h", "24h0m0s", []string{`"0s"`, `"-1h"`, `"24"`, "24", `"1 day"`, `"7d"`, "[]"},
			"string", "duration", "10s"},
		{"newer", `"90m"`, "--newer=90m", "1h30m0s", []string{`"0s"`, `"0"`, `"-1h"`, `"24"`, "24", `"7d"`}, "string", "duration", "0s"},
		{"older", `"500ms"`, "--older=500ms", "500ms", []string{`"0s"`, `"-1h"`, `"24"`, "24", "true", `"7d"`}, "string", "duration", "<nil>"},
		{"size", `"64KiB"`, "--size=64KiB", "65536", []string{"0", "-1", `"0KiB"`, `"64 elephants"`, "true"}, "integer", "integer", "1024"},
		{"globs", `["*.go"]`, "--globs=*.go", "[*.go]", []string{"7", "[7]", "{}"}, "array", "list of strings", "[]"},
		{"range", "[5,10]", "--range=5,10", "[5 10]", []string{"7", `["x"]`}, "array", "list of integers", "[]"},
		{"items", `[{"name":"a"}]`, `--items=[{"name":"a"}]`, "[{a}]", []string{"7", "[7]", "[{}]", `[{"other":1}]`},
			"array", "list of objects", "[]"},
		{"path", `"a"`, "--path=a", "a", []string{"7", `["a"]`}, "string", "string", ""},
		{"language", `"english"`, "--language=english", "en", []string{`"fr"`}, "string", "string", "en"},
	}
}

// KindName is how the table of request.Type writes a Go type.
func KindName(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		return "[]struct"
	case t.Kind() == reflect.Slice:
		return "[]" + KindName(t.Elem())
	case t.Kind() == reflect.String:
		return "string"
	}
	return t.String()
}

package request_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"fsbox/commands"
	"fsbox/commands/answer"
	"fsbox/commands/cmdline"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/schema"
	"fsbox/commands/settings"
)

// every has a field of each type that there is.
type every struct {
	Text     string         `json:"text" name:"text-field" help:"A text."`
	Switch   bool           `json:"switch" help:"A switch."`
	Habit    *bool          `json:"habit" habit:"!switch" hidden:"" help:"Its opposite."`
	Count    int            `json:"count" default:"7" help:"A number."`
	Long     int64          `json:"long" default:"7" help:"A number."`
	Maybe    *int64         `json:"maybe" help:"A number."`
	Within   time.Duration  `json:"within" default:"10s" help:"A time."`
	Newer    time.Duration  `json:"newer" help:"A time."`
	Older    *time.Duration `json:"older" help:"A time."`
	Size     settings.Size  `json:"size" default:"1KiB" help:"A size."`
	Globs    []string       `json:"globs" sep:"none" help:"Texts."`
	Range    []int64        `json:"range" type:"items" help:"Numbers."`
	Items    []item         `json:"items" type:"items" help:"Objects."`
	Path     string         `json:"path" help:"A path, with its twin."`
	Language string         `json:"language" default:"en" oneof:"en,de,english=en" help:"A word."`
}

type item struct {
	Name string `json:"name" need:"" help:"A text."`
}

func (*every) Run(context.Context, *command.Env) (answer.Result, error) { return nil, nil }

// types says of the fields of every what each reader of fields makes of them: a value as JSON and
// as a flag, its Go value, values that are refused, the type in the schema and in the reference.
var types = []struct {
	field, json, flag, value string
	refused                  []string
	schema, reference        string
	absent                   string // "" for the zero value
}{
	{"text", `"a b"`, "--text-field=a b", "a b", []string{"[]", "1"}, "string", "string", ""},
	{"switch", "true", "--switch", "true", []string{`"perhaps"`, "2"}, "boolean", "boolean", "false"},
	{"habit", "false", "--habit=false", "false", []string{"7"}, "boolean", "boolean", "<nil>"},
	{"count", "12", "--count=12", "12", []string{"0", "-1", `"x"`, "1.5", "true"}, "integer", "integer", "7"},
	{"long", `"12"`, "--long=12", "12", []string{"0", "{}"}, "integer", "integer", "7"},
	{"maybe", "12", "--maybe=12", "12", []string{"true", `"x"`}, "integer", "integer", "<nil>"},
	{"within", `"24h"`, "--within=24h", "24h0m0s", []string{`"0s"`, `"-1h"`, `"24"`, "24", `"1 day"`, "[]"}, "string", "duration", "10s"},
	{"newer", `"90m"`, "--newer=90m", "1h30m0s", []string{`"-1h"`, `"24"`, "24"}, "string", "duration", "0s"},
	{"older", `"500ms"`, "--older=500ms", "500ms", []string{`"0s"`, `"-1h"`, `"24"`, "24", "true"}, "string", "duration", "<nil>"},
	{"size", `"64KiB"`, "--size=64KiB", "65536", []string{`"64 elephants"`, "true"}, "integer", "integer", "1024"},
	{"globs", `["*.go","*.md"]`, "--globs=*.go", "[*.go *.md]", []string{"7", "[7]", "{}"}, "array", "list of strings", "[]"},
	{"range", "[5,10]", "--range=5,10", "[5 10]", []string{"7", `["x"]`}, "array", "list of integers", "[]"},
	{"items", `[{"name":"a"}]`, `--items=[{"name":"a"}]`, "[{a}]", []string{"7", "[7]", "[{}]", `[{"other":1}]`}, "array", "list of objects", "[]"},
	{"path", `"a"`, "--path=a", "a", []string{"7", `["a"]`}, "string", "string", ""},
	{"language", `"english"`, "--language=english", "en", []string{`"fr"`}, "string", "string", "en"},
}

// TestTypes asks each reader of fields for each type: JSON, flags, the check of absence, schemas
// and the reference. What fails is named by both.
func TestTypes(t *testing.T) {
	sample := command.Command{Name: "sample", Help: "Do it.", New: func() command.Request { return new(every) }}
	var defined struct {
		Properties map[string]struct {
			Type, Description string
			Items             json.RawMessage
		}
	}
	if err := json.Unmarshal(schema.RequestSchema{All: true, Limits: new(request.Limits)}.Of(sample), &defined); err != nil {
		t.Fatal(err)
	}
	byJSON := func(object string) (*command.Call, *answer.Failure) {
		c := command.NewCall(sample)
		o, fail := request.ParseObject([]byte(object))
		if fail == nil {
			fail = c.Decode(o)
		}
		if fail == nil {
			fail = c.Check(new(request.Limits))
		}
		return c, fail
	}
	shows := func(c *command.Call, name string) string {
		f, _, _ := request.FindField(c.Fields, name)
		v := c.Value.Field(f.Index)
		if v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		return fmt.Sprint(v.Interface())
	}
	asked := map[string]bool{}
	for _, tt := range types {
		asked[tt.field] = true
		fails := func(reader, format string, args ...any) {
			t.Helper()
			t.Errorf("%s: %s: %s", tt.field, reader, fmt.Sprintf(format, args...))
		}
		if c, fail := byJSON(fmt.Sprintf(`{%q:%s}`, tt.field, tt.json)); fail != nil || shows(c, tt.field) != tt.value {
			fails("JSON", "%s gives %s, %v", tt.json, shows(c, tt.field), fail)
		}
		for _, wrong := range tt.refused {
			_, fail := byJSON(fmt.Sprintf(`{%q:%s}`, tt.field, wrong))
			if fail == nil || fail.Code != answer.CodeInvalidInput || !strings.Contains(fail.Message, fmt.Sprintf("%q", tt.field)) &&
				!strings.Contains(fail.Message, fmt.Sprintf(`"%s[0]"`, tt.field)) {
				fails("JSON", "%s gives %+v", wrong, fail)
			}
		}
		for _, absent := range []string{"{}", fmt.Sprintf(`{%q:null}`, tt.field)} {
			if c, fail := byJSON(absent); fail != nil || shows(c, tt.field) != tt.absent || c.Given[tt.field] {
				fails("absence", "%s gives %s, %v", absent, shows(c, tt.field), fail)
			}
		}
		flags := []string{"sample", tt.flag}
		if tt.field == "globs" {
			flags = append(flags, "--globs=*.md")
		}
		if inv, fail := cmdline.Parse(flags, []command.Command{sample}, io.Discard); fail != nil {
			fails("flag", "%s: %+v", tt.flag, fail)
		} else if fail := inv.Call.Check(new(request.Limits)); fail != nil || shows(inv.Call, tt.field) != tt.value && tt.field != "habit" {
			fails("flag", "%s gives %s, %v", tt.flag, shows(inv.Call, tt.field), fail)
		}
		if name, _, valued := strings.Cut(tt.flag, "="); valued && tt.schema != "string" && tt.field != "globs" || tt.reference == "duration" {
			if _, fail := cmdline.Parse([]string{"sample", name + "=?"}, []command.Command{sample}, io.Discard); fail == nil {
				fails("flag", "takes ?")
			}
		}
		if f, _, _ := request.FindField(command.NewCall(sample).Fields, tt.field); request.TypeOf(f.Type).Name != tt.reference {
			fails("reference", "%q", request.TypeOf(f.Type).Name)
		}
		p, defined := defined.Properties[tt.field]
		if tt.field == "habit" {
			p.Type, defined = tt.schema, true // no schema has habits
		}
		if !defined || p.Type != tt.schema || (p.Items != nil) != (tt.schema == "array") {
			fails("schema", "%+v", p)
		}
		if tt.reference == "duration" && !strings.Contains(p.Description, "such as 24h") {
			fails("schema", "how it is written isn't said: %s", p.Description)
		}
	}
	for _, f := range request.Fields(reflect.TypeFor[every]()) {
		if !asked[f.Name] {
			t.Errorf("types has no line for %s", f.Name)
		}
	}
}

// The base64 raw bytes field of a path is a field of its own in JSON.
func TestTwinOfPath(t *testing.T) {
	f, base64, ok := request.FindField(request.Fields(reflect.TypeFor[every]()), "path_base64")
	if !ok || !base64 || f.Name != "path" {
		t.Errorf("path_base64 is %+v, %v, %v", f, base64, ok)
	}
	if _, _, ok := request.FindField(request.Fields(reflect.TypeFor[every]()), "text_base64"); ok {
		t.Error("a text that is no path has a twin")
	}
}

// TestFieldsHaveTypes refuses a field of a Go type that isn't in the list of Type: some reader of
// fields wouldn't know what to make of it.
func TestFieldsHaveTypes(t *testing.T) {
	type named struct {
		name string
		of   reflect.Type
	}
	structs := []named{{"settings", reflect.TypeFor[settings.Settings]()}, {"batch", reflect.TypeFor[cmdline.Batch]()},
		{"mcp", reflect.TypeFor[cmdline.MCP]()}}
	for _, tool := range commands.All() {
		structs = append(structs, named{tool.Name, reflect.TypeOf(tool.New()).Elem()})
	}
	for i := 0; i < len(structs); i++ {
		for _, f := range request.Fields(structs[i].of) {
			if request.TypeOf(f.Type).Name == "" {
				t.Errorf("%s: %s is a %v, and no field can be one: see request.Type", structs[i].name, f.Name, f.Type)
			}
			if f.Kind == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct {
				structs = append(structs, named{structs[i].name + "." + f.Name, f.Type.Elem()})
			}
		}
	}
	for _, not := range []reflect.Type{reflect.TypeFor[float64](), reflect.TypeFor[map[string]string](), reflect.TypeFor[time.Time](),
		reflect.TypeFor[[][]string](), reflect.TypeFor[uint](), reflect.TypeFor[[]float64]()} {
		if request.TypeOf(not).Name != "" {
			t.Errorf("%v is %+v", not, request.TypeOf(not))
		}
	}
}

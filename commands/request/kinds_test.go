package request_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"fsbox/commands"
	"fsbox/commands/answer"
	"fsbox/commands/cmdline"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/samples"
	"fsbox/commands/schema"
	"fsbox/commands/settings"
)

// byJSON is the call that a request of samples.EveryKind makes.
func byJSON(object string) (*command.Call, *answer.Failure) {
	c := command.NewCall(samples.KindsCommand())
	o, fail := request.ParseObject([]byte(object))
	if fail == nil {
		fail = c.Decode(o)
	}
	if fail == nil {
		fail = c.Check(new(request.Limits))
	}
	return c, fail
}

// byFlags is the call that flags of samples.EveryKind make.
func byFlags(flags ...string) (*command.Call, *answer.Failure) {
	cmd := samples.KindsCommand()
	line, fail := cmdline.Parse(append([]string{cmd.Name}, flags...), []command.Command{cmd}, io.Discard)
	if fail != nil {
		return nil, fail
	}
	return line.Call, line.Call.Check(new(request.Limits))
}

// shown is the Go value of a field, as fmt prints it.
func shown(c *command.Call, name string) string {
	f, _, _ := request.FindField(c.Fields, name)
	v := c.Value.Field(f.Index)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	return fmt.Sprint(v.Interface())
}

// TestTypes asks each reader of fields for each type: JSON, flags, the check of absence, schemas
// and the reference; TestPlainTakesEveryKind in cmdline asks its fast path. What fails is named by
// both.
func TestTypes(t *testing.T) {
	cmd := samples.KindsCommand()
	var defined struct {
		Properties map[string]struct {
			Type, Description string
			Items             json.RawMessage
		}
	}
	if err := json.Unmarshal(schema.RequestSchema{All: true, Limits: new(request.Limits)}.Of(cmd), &defined); err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, tt := range samples.Kinds() {
		asked[tt.Field] = true
		fails := func(reader, format string, args ...any) {
			t.Helper()
			t.Errorf("%s: %s: %s", tt.Field, reader, fmt.Sprintf(format, args...))
		}
		f, _, _ := request.FindField(command.NewCall(cmd).Fields, tt.Field)
		if c, fail := byJSON(fmt.Sprintf(`{%q:%s}`, tt.Field, tt.JSON)); fail != nil || shown(c, tt.Field) != tt.Value {
			fails("JSON", "%s gives %s, %v", tt.JSON, shown(c, tt.Field), fail)
		}
		for _, wrong := range tt.Refused {
			_, fail := byJSON(fmt.Sprintf(`{%q:%s}`, tt.Field, wrong))
			if fail == nil || fail.Code != answer.CodeInvalidInput || !strings.Contains(fail.Message, fmt.Sprintf("%q", tt.Field)) &&
				!strings.Contains(fail.Message, fmt.Sprintf(`"%s[0]"`, tt.Field)) {
				fails("JSON", "%s gives %+v", wrong, fail)
			}
		}
		for _, absent := range []string{"{}", fmt.Sprintf(`{%q:null}`, tt.Field)} {
			if c, fail := byJSON(absent); fail != nil || shown(c, tt.Field) != tt.Absent || c.Given[tt.Field] {
				fails("absence", "%s gives %s, %v", absent, shown(c, tt.Field), fail)
			}
		}
		if c, fail := byFlags(tt.Flag); fail != nil || shown(c, tt.Field) != tt.Value && !f.Habit {
			fails("flag", "%s: %+v", tt.Flag, fail)
		}
		if f.Kind == reflect.Bool || request.IsInteger(f.Kind) { // what is no text is refused as a flag, too
			for _, wrong := range append(tt.Refused, "?") {
				if _, fail := byFlags("--" + f.Flag + "=" + strings.Trim(wrong, `"`)); fail == nil {
					fails("flag", "takes %s", wrong)
				}
			}
		}
		if request.TypeOf(f.Type).Name != tt.Reference {
			fails("reference", "%q", request.TypeOf(f.Type).Name)
		}
		p, defined := defined.Properties[tt.Field]
		if f.Habit {
			p.Type, defined = tt.Schema, true // no schema has habits
		}
		if !defined || p.Type != tt.Schema || (p.Items != nil) != (tt.Schema == "array") {
			fails("schema", "%+v", p)
		}
		if tt.Reference == "duration" && !strings.Contains(p.Description, "such as 24h") {
			fails("schema", "how it is written isn't said: %s", p.Description)
		}
	}
	for _, f := range request.Fields(reflect.TypeFor[samples.EveryKind]()) {
		if !asked[f.Name] {
			t.Errorf("samples.Kinds has no line for %s", f.Name)
		}
	}
}

// TestZeroIsGiven: a number or duration of 0, or less, is refused in each form, also where the
// field can be left out. As a pointer to an integer it is the command that decides.
func TestZeroIsGiven(t *testing.T) {
	asked := 0
	of := reflect.TypeFor[samples.EveryKind]()
	for _, f := range request.Fields(of) {
		if !request.IsInteger(f.Kind) || samples.KindName(of.Field(f.Index).Type) == "*int64" {
			continue
		}
		asked++
		for _, value := range []string{"0", "-1"} {
			inJSON := value
			if f.Type == request.DurationType {
				value += "s"
				inJSON = strconv.Quote(value)
			}
			if _, fail := byJSON(fmt.Sprintf(`{%q:%s}`, f.Name, inJSON)); fail == nil || !strings.Contains(fail.Message, f.Name) {
				t.Errorf("%s as JSON: %s gives %+v", f.Name, inJSON, fail)
			}
			if _, fail := byFlags("--" + f.Flag + "=" + value); fail == nil || !strings.Contains(fail.Message, f.Name) {
				t.Errorf("--%s=%s gives %+v", f.Flag, value, fail)
			}
		}
	}
	if asked < 5 {
		t.Errorf("only %d fields were asked", asked)
	}
}

// TestTableOfKinds: samples.EveryKind has a field of each Go type in the table of request.Type, and
// of no other.
func TestTableOfKinds(t *testing.T) {
	source, err := os.ReadFile("kinds.go")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(source), "//\tGo ")
	table, _, _ = strings.Cut(table, "\n//\n")
	listed, has := map[string]bool{}, map[string]bool{}
	for row := range strings.Lines(table) {
		types, isRow := strings.CutPrefix(strings.ReplaceAll(row, ", and types of it", " "), "//\t")
		types, _, _ = strings.Cut(types, "  ")
		for name := range strings.SplitSeq(types, ", ") {
			listed[name] = listed[name] || isRow
		}
	}
	if len(listed) < 10 {
		t.Fatalf("the table isn't found: %v", listed)
	}
	for field := range reflect.TypeFor[samples.EveryKind]().Fields() {
		name := samples.KindName(field.Type)
		if has[name] = true; !listed[name] {
			t.Errorf("the table of request.Type has no %s", name)
		}
	}
	for name, isType := range listed {
		if isType && !has[name] {
			t.Errorf("samples.EveryKind has no field of type %s, which is in the table of request.Type", name)
		}
	}
}

// The base64 raw bytes field of a path is a field of its own in JSON.
func TestTwinOfPath(t *testing.T) {
	f, base64, ok := request.FindField(request.Fields(reflect.TypeFor[samples.EveryKind]()), "path_base64")
	if !ok || !base64 || f.Name != "path" {
		t.Errorf("path_base64 is %+v, %v, %v", f, base64, ok)
	}
	if _, _, ok := request.FindField(request.Fields(reflect.TypeFor[samples.EveryKind]()), "text_base64"); ok {
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
	sampled := map[string]bool{}
	for field := range reflect.TypeFor[samples.EveryKind]().Fields() {
		sampled[samples.KindName(field.Type)] = true
	}
	for i := 0; i < len(structs); i++ {
		for _, f := range request.Fields(structs[i].of) {
			if name := samples.KindName(structs[i].of.Field(f.Index).Type); !sampled[name] {
				t.Errorf("%s: %s is a %s, which samples.EveryKind has no field of", structs[i].name, f.Name, name)
			}
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

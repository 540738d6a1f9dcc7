package commands

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/samples"
	"fsbox/commands/schema"

	"github.com/google/jsonschema-go/jsonschema"
)

// sampleValues are JSON values of every type, inside and outside of all ranges.
func sampleValues(limits *request.Limits) []string {
	numbers := []int64{-1 << 40, -101, -1, 0, 1, 2, 499, 500, 501,
		limits.MaxResults, limits.MaxResults + 1, limits.MaxOutputBytes, limits.MaxOutputBytes + 1, 1 << 40}
	all := []string{`true`, `false`, `1.5`, `-0.5`, `2.0`, `{}`, `{"path":"x"}`, `[]`, `["a"]`, `["a","b"]`, `[1]`, `[null]`, `[[]]`, `[{}]`,
		`""`, `"a"`, `"exact"`, `"lenient"`, `"EXACT"`, `"path"`, `"size"`, `"modified"`,
		`"any"`, `"file"`, `"directory"`, `"matches"`, `"files"`, `"counts"`, `"content"`,
		`"auto"`, `"lf"`, `"crlf"`, `"replace"`, `"error"`, `"create"`, `"overwrite"`, `"append"`, `"openai"`,
		`[{"expected_text":"a","replacement_text":"b"}]`, `[{"expected_text":"a"}]`, `[{"expected_text":"a","replacement_text":""},{}]`,
		`[{"expected_text":"a","replacement_text":"b","expected_count":-1}]`,
		`[{"expected_text":"a","replacement_text":"b","expected_count":3,"replace_all":true}]`,
		`[{"expected_text":"a","replacement_text":"b","more":1}]`, `[{"expected_text":1,"replacement_text":"b"}]`,
		`[{"expected_text":"a","replacement_text":"b","replace_all":"x"}]`}
	for _, n := range numbers {
		all = append(all, fmt.Sprint(n))
	}
	for _, n := range []int{request.MaxItems, request.MaxItems + 1} {
		all = append(all, "["+strings.TrimSuffix(strings.Repeat(`"a",`, n), ",")+"]")
	}
	return all
}

// accepts reports whether a request has the types, names and ranges that the tool takes.
func accepts(t *testing.T, tool command.Command, text string, limits *request.Limits) bool {
	t.Helper()
	o, fail := request.ParseObject([]byte(text))
	if fail != nil {
		t.Fatalf("%s: %s", text, fail.Message)
	}
	c := command.NewCall(tool)
	fail = c.Decode(o)
	if fail == nil {
		c.ForgetDefaults()
		fail = request.CheckFields(c.Value, c.Fields, c.Given, limits)
	}
	return fail == nil
}

// tolerated reports whether fsbox takes a value although it has another type, since its meaning is
// plain.
// Schemas don't offer these to a model, and aliases of words neither.
func tolerated(f request.Field, value string) bool {
	text := strings.HasPrefix(value, `"`)
	switch f.Kind {
	case reflect.Slice:
		return text || strings.HasPrefix(value, "{") // one item, without brackets
	case reflect.Int, reflect.Int64, reflect.Bool:
		return text
	}
	return slices.ContainsFunc(f.OneOf, func(word string) bool { return strings.HasPrefix(word, strings.Trim(value, `"`)+"=") })
}

// checkedByItself are words that are refused by the command itself, not by the checks of fields.
func checkedByItself(f request.Field, t reflect.Type) bool {
	return t.Field(f.Index).Tag.Get("words") != ""
}

// A schema accepts a value of a field exactly if fsbox does, whatever the operator's limits are,
// except for numbers out of range and lists that are too long: some APIs refuse such keywords. With
// -short it is one set of limits.
func TestSchemaAcceptsWhatFsboxAccepts(t *testing.T) {
	t.Parallel()
	checked := 0
	all := []*request.Limits{testLimits(), {MaxReadBytes: 100, MaxOutputBytes: 1000, MaxWriteBytes: 10, MaxResults: 40}}
	if testing.Short() {
		all = all[1:]
	}
	for _, limits := range all {
		for _, tool := range command.ForModels(sampled()) {
			schema := resolve(t, schema.RequestSchema{Limits: limits, All: true}.Of(tool))
			for _, f := range command.NewCall(tool).Fields {
				if f.Habit {
					continue
				}
				for _, value := range sampleValues(limits) {
					object := withMember(t, sampleRequest(t, tool.Name), f.Name, value)
					want := accepts(t, tool, object, limits)
					if tolerated(f, value) || strings.Contains(value, `"more"`) || checkedByItself(f, reflect.TypeOf(tool.New()).Elem()) && strings.HasPrefix(value, `"`) {
						continue
					}
					checked++
					ranged := request.IsInteger(f.Kind) || f.Kind == reflect.Slice && (len(value) > request.MaxItems || strings.Contains(value, "-1"))
					if err := schema.Validate(parsed(t, object)); (err == nil) != want && !(err == nil && ranged) {
						t.Errorf("%s: fsbox accepts: %v, the schema says %v:\n%s", tool.Name, want, err, shortText(object))
					}
				}
			}
		}
	}
	if checked < 2500*len(all) {
		t.Errorf("only %d requests were checked", checked)
	}
}

func shortText(s string) string { return s[:min(len(s), 300)] }

// withMember sets a member of an object.
func withMember(t *testing.T, object, name, value string) string {
	t.Helper()
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(object), &members); err != nil {
		t.Fatal(err)
	}
	members[name] = json.RawMessage(value)
	return mustJSON(t, members)
}

func parsed(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// What a command checks by itself: the words of write's mode, and content that must be given.
func TestSchemaOfWhatCommandsCheck(t *testing.T) {
	for _, tt := range []struct{ tool, request string }{
		{"write", `{"path":"new","content":"","mode":"create"}`}, {"write", `{"path":"file","content":"x","mode":"overwrite"}`},
		{"write", `{"path":"file","content":"x","mode":"append"}`}, {"write", `{"path":"file","content":"x","mode":"replace"}`},
		{"write", `{"path":"new"}`}, {"append", `{"path":"file"}`}, {"append", `{"path":"file","content":""}`}, {"patch", `{}`},
		{"patch", samples.Requests["patch"]}, {"read", `{}`}, {"check", `{}`},
	} {
		tool, _ := command.Find(All(), tt.tool)
		env, _ := filledEnv(t)
		a := Program{Commands: All()}.answerJSON(t.Context(), env, tool, []byte(tt.request))
		err := resolve(t, schema.RequestSchema{Limits: &env.Limits, All: true}.Of(tool)).Validate(parsed(t, tt.request))
		if (err == nil) != a.Success {
			t.Errorf("%s %s: %s %s, the schema says %v", tt.tool, tt.request, a.Error, a.Message, err)
		}
	}
}

// A request for the plain schema, with null for every field that it lacks, is one for the strict
// schema, and means the same.
func TestStrictSchemaTakesNulls(t *testing.T) {
	for _, tool := range command.ForModels(sampled()) {
		plain := resolve(t, schema.RequestSchema{Limits: testLimits(), All: true}.Of(tool))
		strict := resolve(t, schema.RequestSchema{Limits: testLimits(), Strict: true, All: true}.Of(tool))
		for _, request := range append(more[tool.Name], sampleRequest(t, tool.Name)) {
			full := withNulls(t, strict.Schema(), parsed(t, request))
			if err := plain.Validate(parsed(t, request)); err != nil {
				t.Errorf("%s %s: %v", tool.Name, request, err)
			}
			if err := strict.Validate(full); err != nil {
				t.Errorf("%s %s: %v", tool.Name, mustJSON(t, full), err)
			}
			if err := strict.Validate(parsed(t, request)); err == nil && len(full.(map[string]any)) > len(parsed(t, request).(map[string]any)) {
				t.Errorf("%s %s: a strict schema that lets fields be absent", tool.Name, request)
			}
			if want, got := answerTo(t, tool, request), answerTo(t, tool, mustJSON(t, full)); got != want {
				t.Errorf("%s %s:\n%swant\n%s", tool.Name, mustJSON(t, full), got, want)
			}
		}
	}
}

// withNulls adds what a request lacks, in the objects of its lists as well.
func withNulls(t *testing.T, s *jsonschema.Schema, v any) any {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		for name, property := range s.Properties {
			v[name] = withNulls(t, property, v[name])
		}
	case []any:
		for i, item := range v {
			v[i] = withNulls(t, s.Items, item)
		}
	}
	return v
}

package commands

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"fsbox/commands/cmdline"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/schema"
	"fsbox/commands/settings"

	"github.com/google/jsonschema-go/jsonschema"
)

var schemaForms = []string{"mcp", "openai", "openai-responses", "anthropic"}

func testLimits() *request.Limits {
	return &request.Limits{MaxReadBytes: 10 << 20, MaxOutputBytes: 256 << 10, MaxWriteBytes: 1 << 20, MaxResults: 10_000}
}

// definitionPages are all forms of all definitions, so that a change to one is seen as a change.
func definitionPages(t *testing.T) (all []page) {
	t.Helper()
	write := func(name string, one func(tool command.Command, text *bytes.Buffer) error) {
		var text bytes.Buffer
		for _, tool := range command.ForModels(All()) {
			if err := one(tool, &text); err != nil {
				t.Fatalf("%s of %s: %v", name, tool.Name, err)
			}
			text.WriteByte('\n')
		}
		all = append(all, page{"commands/testdata/schema/" + name + ".txt", text.String()})
	}
	for _, form := range schemaForms {
		write(form, func(tool command.Command, text *bytes.Buffer) error {
			return json.Indent(text, schema.Definition(tool, form, schema.RequestSchema{Limits: testLimits()}, false), "", "  ")
		})
	}
	write("answers", func(tool command.Command, text *bytes.Buffer) error {
		text.WriteString(tool.Name + " ")
		return json.Indent(text, schema.AnswerSchema(tool), "", "  ")
	})
	return all
}

func firstDifference(a, b []byte) (line int) {
	if bytes.Equal(a, b) {
		return -1
	}
	other := strings.Split(string(b), "\n")
	for i, l := range strings.Split(string(a), "\n") {
		if i >= len(other) || other[i] != l {
			return i + 1
		}
	}
	return len(other)
}

// parts finds the schemas in a definition.
func parts(t *testing.T, form string, definition []byte) (request, answer json.RawMessage) {
	t.Helper()
	var d struct {
		InputSchema  json.RawMessage
		OutputSchema json.RawMessage
		Anthropic    json.RawMessage `json:"input_schema"`
		Parameters   json.RawMessage
		Function     struct{ Parameters json.RawMessage }
	}
	if err := json.Unmarshal(definition, &d); err != nil {
		t.Fatal(err)
	}
	switch form {
	case "openai":
		return d.Function.Parameters, nil
	case "openai-responses":
		return d.Parameters, nil
	case "anthropic":
		return d.Anthropic, nil
	}
	return d.InputSchema, d.OutputSchema
}

// resolve makes a schema ready to check values by. Its structure, and its defaults by the schema
// itself, are checked here.
func resolve(t *testing.T, raw []byte) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	r, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return r
}

// forEachSchema calls check with the schema of a definition and with every one inside it.
func forEachSchema(s *jsonschema.Schema, check func(*jsonschema.Schema)) {
	check(s)
	for _, inner := range s.Properties {
		forEachSchema(inner, check)
	}
	for _, inner := range s.AnyOf {
		forEachSchema(inner, check)
	}
	if s.Items != nil {
		forEachSchema(s.Items, check)
	}
}

// Definitions are valid JSON Schema, described to the last field, and in the form that each API
// asks for. Only strict ones are closed: a host that checks requests would refuse aliases.
func TestSchemasAreValid(t *testing.T) {
	for _, form := range schemaForms {
		for _, tool := range command.ForModels(All()) {
			request, answer := parts(t, form, schema.Definition(tool, form, schema.RequestSchema{Limits: testLimits(), All: true}, true))
			root := resolve(t, request).Schema()
			if root.Type != "object" || root.AnyOf != nil {
				t.Errorf("%s for %s: the root must be an object and nothing else", tool.Name, form)
			}
			forEachSchema(root, func(s *jsonschema.Schema) {
				if fault := faultOf(s, s != root, strings.HasPrefix(form, "openai")); fault != "" {
					t.Errorf("%s for %s: %s: %s", tool.Name, form, fault, mustJSON(t, s))
				}
				if !strings.HasPrefix(form, "openai") && !isPlain(s) {
					t.Errorf("%s: a keyword that docs/connect.md doesn't name for other APIs: %s", tool.Name, mustJSON(t, s))
				}
				if fault := strictFaultOf(s); fault != "" && strings.HasPrefix(form, "openai") {
					t.Errorf("%s for %s: %s: %s", tool.Name, form, fault, mustJSON(t, s))
				}
			})
			if form == "mcp" {
				forEachSchema(resolve(t, answer).Schema(), func(s *jsonschema.Schema) {
					if len(s.Extra) > 0 {
						t.Errorf("answers of %s: unknown keywords %v", tool.Name, s.Extra)
					}
				})
			}
		}
	}
}

// faultOf says what is wrong with a part of a request schema, "" for nothing.
func faultOf(s *jsonschema.Schema, inner, strict bool) string {
	closed := s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil
	switch {
	case len(s.Extra) > 0:
		return "unknown keywords"
	case s.Type == "object" && closed != strict:
		return "a strict object is closed, another is open"
	case s.Minimum != nil || s.Maximum != nil || s.MaxItems != nil || s.AnyOf != nil || s.Ref != "":
		return "some API refuses such a keyword"
	case strings.Contains(s.Description, "${") || strings.Contains(s.Description, "--"):
		return "the description is for the command line"
	}
	for name, p := range s.Properties {
		if len(p.Description) < len("File.") && (strict || !inner) {
			return name + " isn't described"
		}
	}
	return ""
}

// strictFaultOf says what OpenAI's strict mode refuses, or may refuse depending on its version.
func strictFaultOf(s *jsonschema.Schema) string {
	allowed := jsonschema.Schema{Type: s.Type, Types: s.Types, Description: s.Description, Enum: s.Enum, Items: s.Items,
		Properties: s.Properties, PropertyOrder: s.PropertyOrder, Required: s.Required, AdditionalProperties: s.AdditionalProperties}
	switch {
	case !hasOnly(s, allowed):
		return "it has a keyword that strict mode doesn't take"
	case len(s.Properties) != len(s.Required):
		return "a property isn't required"
	case len(s.Enum) > 0 && slices.Contains(s.Types, "null") != slices.Contains(s.Enum, nil):
		return "null is in one of type and enum only"
	}
	return ""
}

// isPlain tells whether a part has one type and only the keywords that docs/connect.md names.
func isPlain(s *jsonschema.Schema) bool {
	return hasOnly(s, jsonschema.Schema{Type: s.Type, Description: s.Description, Enum: s.Enum, Items: s.Items,
		Properties: s.Properties, PropertyOrder: s.PropertyOrder, Required: s.Required})
}

// hasOnly tells whether a part has no other keywords than the copy of it that was made of those
// that are allowed.
func hasOnly(s *jsonschema.Schema, allowed jsonschema.Schema) bool {
	a, errA := json.Marshal(allowed)
	b, errB := json.Marshal(s)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every tool has a title and a description that says when to take it; the hints agree with the
// gates.
func TestToolsAreDescribed(t *testing.T) {
	for _, tool := range command.ForModels(All()) {
		about := cmdline.About(OfLine(), tool.Name)
		title, text := about.Title, about.Text
		if title == tool.Name || len(text) < 40 || !strings.HasSuffix(text, ".") {
			t.Errorf("%s: %q, %q", tool.Name, title, text)
		}
		if (tool.Adds || tool.Repeats) && !tool.Writes || tool.Adds && tool.Deletes {
			t.Errorf("%s: Adds and Repeats are about tools that write", tool.Name)
		}
		if len(about.Results) == 0 {
			t.Errorf("%s has no result types", tool.Name)
		}
	}
}

// A tool that is defined only if it is named isn't listed among those that a permission opens.
func TestSchemaOthers(t *testing.T) {
	env := testEnv(t, settings.Settings{}).Env
	env.Commands = append(slices.Clone(env.Commands), command.Command{Name: "touch", OptIn: true, Writes: true, New: schema.Command.New})
	r, err := new(schema.Request).Run(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	for _, c := range env.Commands {
		if c.OptIn {
			asked = append(asked, c.Name)
		}
	}
	want := "move, delete; " + strings.Join(asked, " or ") + " is defined if --tools names it"
	if says := r.(*schema.Result).NextStep(); len(asked) < 2 || !strings.HasSuffix(says, want) {
		t.Error(says)
	}
}

// mostDefined are the most bytes that the definitions of all tools may take, without permissions
// and with them: a model pays for the whole list in every session.
var mostDefined = [...]struct {
	permissions settings.Settings
	bytes       int
}{{settings.Settings{}, 4500}, {settings.Settings{AllowWrite: true, AllowDelete: true}, 10_000}}

// definedBytes is how many bytes the definitions of all tools take that are open.
func definedBytes(t *testing.T, permissions settings.Settings) (size int) {
	t.Helper()
	env := testEnv(t, permissions).Env
	for _, tool := range command.Defined(env) {
		var d struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			InputSchema json.RawMessage `json:"inputSchema"`
		}
		if err := json.Unmarshal(schema.Definition(tool, "mcp", schema.RequestsOf(env), false), &d); err != nil {
			t.Fatal(err)
		}
		size += len(mustJSON(t, d))
	}
	return size
}

package schema

import (
	"context"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/words"

	"github.com/go-json-experiment/json/jsontext"
)

var Command = command.Command{
	Name: "schema", Help: "Print tool definitions for a model's API.", HostOnly: true, New: func() command.Request { return new(Request) },
	Text: "Print the definitions of the tools, for a program that offers them to a model: names, descriptions, schemas of requests " +
		"and answers.",
	Results:  []answer.Result{(*Result)(nil)},
	Examples: []string{"fsbox schema", "fsbox schema edit --for openai"},
}

// Request gives the definitions of tools: what a program hands to a model's API, so that the model
// can call them.
type Request struct {
	Tool string `arg:"" optional:"" json:"tool" help:"Print only this tool. Default: all tools."`
	For  string `json:"for" default:"mcp" oneof:"mcp,openai,openai-responses,anthropic" placeholder:"API" help:"Format of the definitions: mcp, openai (Chat Completions), openai-responses or anthropic."`
}

// Result has the definitions as the API takes them, in its list of tools.
type Result struct {
	For   string           `json:"for"`
	Tools []jsontext.Value `json:"tools"`

	others string // what would open the tools that aren't defined
}

// Run makes the definitions; it looks at no path. Ranges are those of the operator's limits.
func (s *Request) Run(_ context.Context, env *command.Env) (answer.Result, error) {
	tools, r := command.Defined(env), &Result{For: s.For, others: others(env)}
	if s.Tool != "" {
		one, err := s.only(env)
		if err != nil {
			return nil, err
		}
		tools, r.others = []command.Command{one}, ""
	}
	r.Tools = words.Mapped(tools, func(t command.Command) jsontext.Value { return Definition(t, s.For, RequestsOf(env), true) })
	return r, nil
}

// only finds the one tool that was asked for.
func (s *Request) only(env *command.Env) (command.Command, error) {
	tools := command.ForModels(env.Commands)
	if t, ok := command.FindLoosely(tools, s.Tool); ok {
		return t, answer.AsError(t.Closed(&env.Settings.Settings, t.Deletes))
	}
	if t, ok := command.FindLoosely(env.Commands, s.Tool); ok || slices.Contains([]string{command.BatchName, command.MCPName,
		command.ApproveName}, s.Tool) {
		return t, answer.Failf(answer.CodeUnknownTool, "%q is for programs: there is no definition of it for a model", s.Tool).
			WithHint(hintModelTools)
	}
	return command.Command{}, command.Unknown(s.Tool, tools, env.Commands)
}

const hintModelTools = "fsbox schema without a tool defines all that a model can use"

// others says what would open the tools that aren't defined.
func others(env *command.Env) string {
	var write, remove, asked []string
	only, _ := env.Settings.ToolNames()
	for _, t := range command.ForModels(env.Commands) {
		switch closed := t.Closed(&env.Settings.Settings, t.Deletes) != nil; {
		case t.OptIn && len(only) == 0:
			asked = append(asked, t.Name)
		case closed && t.Deletes:
			remove = append(remove, t.Name)
		case closed:
			write = append(write, t.Name)
		}
	}
	var steps []string
	if len(write) > 0 {
		steps = append(steps, "--allow-write opens "+strings.Join(write, ", "))
	}
	if len(remove) > 0 {
		steps = append(steps, "--allow-write with --allow-delete opens "+strings.Join(remove, ", "))
	}
	if env.Settings.Tools != "" {
		return strings.Join(append(steps, "--tools excludes the others"), "; ")
	}
	return strings.Join(append(steps, strings.Join(asked, " or ")+" is defined if --tools names it"), "; ")
}

// NextStep says what would open the other tools.
func (r *Result) NextStep() string { return r.others }

// Summary says how many there are.
func (r *Result) Summary() string {
	return words.Plural(int64(len(r.Tools)), "definition") + " for " + r.For
}

// Definition describes a tool in one API's form: mcp, openai, openai-responses or anthropic. MCP's
// form has the schema of results only if asked.
func Definition(t command.Command, form string, requests RequestSchema, results bool) jsontext.Value {
	switch form {
	case "openai":
		return object("type", "function", "function", object(function(t, requests)...))
	case "openai-responses":
		return object(append([]any{"type", "function"}, function(t, requests)...)...)
	case "anthropic":
		return object("name", t.Name, "description", t.Text, "input_schema", requests.Of(t))
	}
	var answers []byte
	if results {
		answers = AnswerSchema(t)
	}
	return object("name", t.Name, "title", t.Title, "description", t.Text, "inputSchema", requests.Of(t), "outputSchema", answers,
		"annotations", annotations(t), "_meta", longAnswers(requests.Longest))
}

// longAnswers tells Claude Code to pass on answers that are longer than it does by itself; nil
// where they aren't.
func longAnswers(longest int) []byte {
	const byItself, most = 50_000, 500_000 // characters, of Claude Code 2.1.197
	if longest <= byItself {
		return nil
	}
	return object("anthropic/maxResultSizeChars", min(longest, most))
}

// function is what both of OpenAI's forms have in common. They are strict: what a model writes then
// has the form of the schema.
func function(t command.Command, requests RequestSchema) []any {
	requests.Strict = true
	return []any{"name", t.Name, "description", t.Text, "parameters", requests.Of(t), "strict", true}
}

// annotations are the hints of MCP. All of them are given, because a client assumes the worst of
// those that are absent.
func annotations(t command.Command) []byte {
	return object("readOnlyHint", !t.Writes, "destructiveHint", t.Writes && !t.Adds, "idempotentHint", !t.Writes || t.Repeats,
		"openWorldHint", false)
}

// WriteText writes the definitions as they are: they are for a program.
func (r *Result) WriteText(t *answer.Text, _ answer.Answer) {
	for _, tool := range r.Tools {
		if t.People() {
			_ = tool.Indent() // it is valid
		}
		t.Line(string(tool))
	}
}

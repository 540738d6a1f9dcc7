package commands

import (
	"context"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/hint"
	"fsbox/commands/words"
	"fsbox/textio"
)

// Tool is one command. Its request struct declares flags, JSON fields, defaults, help and checks in
// its tags.
type Tool struct {
	Name    string
	Help    string   // one sentence
	Aliases []string // other names, accepted in batch; see findToolLoosely
	Writes  bool     // needs --allow-write
	Deletes bool     // needs --allow-delete as well
	Adds    bool     // writes, but changes and removes nothing that is there
	Repeats bool     // writes, but the same request once more changes nothing further
	ForHost bool     // is for the program that runs a model: models are not offered it
	New     func() Request
	about
}

// Request is a filled request struct. Run carries it out; it never prints, logs or exits. The error
// is a *Failure or an error of the packages below.
type Request interface {
	Run(ctx context.Context, env *Env) (answer.Result, error)
}

// tools is the table of contents. What a tool is, its own file says.
var tools = [...]Tool{
	infoTool,
	lsTool,
	globTool,
	readTool,
	grepTool,
	writeTool,
	appendTool,
	editTool,
	patchTool,
	mkdirTool,
	copyTool,
	moveTool,
	deleteTool,
	undoTool,
	checkTool,
	schemaTool,
}

// Tools are the commands that a request can name.
func Tools() []Tool { return slices.Clone(tools[:]) }

// Batch reads requests for all tools from stdin, one JSON object a line. It isn't a tool, and
// neither is MCP.
type Batch struct {
	MaxCalls int `json:"max_calls" default:"0" placeholder:"N" help:"Answer at most N requests, then call_limit (0: no limit)."`
}

const batchName, batchHelp = "batch", "Answer a stream of requests, tools mixed."

// findTool looks up a command by its exact name.
func findTool(all []Tool, name string) (Tool, bool) {
	for _, t := range all {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}

// findToolLoosely looks up a tool as batch names it: by its name or an alias, in any case, with or
// without - and _.
func findToolLoosely(all []Tool, name string) (Tool, bool) {
	if t, ok := findTool(all, name); ok {
		return t, true
	}
	name = words.Loose(name)
	for _, t := range all {
		same := func(known string) bool { return words.Loose(known) == name }
		if same(t.Name) || slices.ContainsFunc(t.Aliases, same) {
			return t, true
		}
	}
	return Tool{}, false
}

// unknownTool refuses a tool that isn't among the known ones.
func unknownTool(name string, known []string) *answer.Failure {
	f := answer.Failf(answer.CodeUnknownTool, "there is no tool %q", name)
	ours := func(loose string) (string, bool) {
		t, found := findToolLoosely(Tools(), loose)
		return t.Name, found
	}
	if habit := hint.Tool(name, ours); habit != "" {
		return f.WithHint("%s", habit)
	}
	if nearest := textio.Nearest(name, known); nearest != "" {
		return f.WithHint("did you mean %q?", nearest)
	}
	return f.WithHint("there are %s", strings.Join(known, ", "))
}

func toolNames(all []Tool) []string { return words.Mapped(all, func(t Tool) string { return t.Name }) }

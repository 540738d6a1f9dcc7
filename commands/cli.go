package commands

import (
	"slices"

	"fsbox/commands/approval"
	"fsbox/commands/verb"
	"fsbox/commands/verbs/change"
	"fsbox/commands/verbs/find"
	"fsbox/commands/verbs/look"
	"fsbox/commands/verbs/read"
	"fsbox/commands/verbs/setup"
)

// tools is the table of contents. What a tool is, its own file says.
var tools = [...]verb.Verb{
	look.InfoTool,
	look.LsTool,
	look.GlobTool,
	read.ReadTool,
	find.GrepTool,
	change.WriteTool,
	change.AppendTool,
	change.EditTool,
	change.PatchTool,
	change.MkdirTool,
	change.CopyTool,
	change.MoveTool,
	change.DeleteTool,
	change.UndoTool,
	setup.CheckTool,
	setup.SchemaTool,
}

// Tools are the commands that a request can name.
func Tools() []verb.Verb { return slices.Clone(tools[:]) }

// Batch reads requests for all tools from stdin, one JSON object a line. It isn't a tool, and
// neither is MCP.
type Batch struct {
	MaxCalls int `json:"max_calls" default:"0" placeholder:"N" help:"Answer at most N requests, then call_limit (0: no limit)."`
}

const batchHelp = "Answer a stream of requests, tools mixed."

// aboutOf finds what is said about a command; for an unknown one, nothing.
func aboutOf(command string) *verb.Verb {
	if t, ok := verb.Find(tools[:], command); ok {
		return &t
	}
	for i := range sideCommands {
		if sideCommands[i].Name == command {
			return &sideCommands[i].Verb
		}
	}
	if command == verb.ApproveName {
		return &approval.ApproveVerb
	}
	return &verb.Verb{Title: command}
}

package commands

import (
	"slices"

	"fsbox/commands/approval"
	"fsbox/commands/cmdline"
	"fsbox/commands/verb"
	"fsbox/commands/verbs/change"
	"fsbox/commands/verbs/find"
	"fsbox/commands/verbs/look"
	"fsbox/commands/verbs/read"
	"fsbox/commands/verbs/rewrite"
	"fsbox/commands/verbs/setup"
	"fsbox/commands/verbs/undo"
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
	rewrite.EditTool,
	rewrite.PatchTool,
	change.MkdirTool,
	change.CopyTool,
	change.MoveTool,
	change.DeleteTool,
	undo.UndoTool,
	setup.CheckTool,
	setup.SchemaTool,
}

// Tools are the commands that a request can name.
func Tools() []verb.Verb { return slices.Clone(tools[:]) }

// KnownCode reports whether help says that the command can answer with the code.
func KnownCode(command, code string) bool { return cmdline.KnownCode(allTools(), command, code) }

// allTools are also those that only a command line has.
func allTools() []verb.Verb { return append(Tools(), approval.ApproveVerb) }

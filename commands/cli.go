package commands

import (
	"slices"

	"fsbox/commands/approval"
	"fsbox/commands/change"
	"fsbox/commands/cmdline"
	"fsbox/commands/command"
	"fsbox/commands/grep"
	"fsbox/commands/look"
	"fsbox/commands/read"
	"fsbox/commands/rewrite"
	"fsbox/commands/setup"
	"fsbox/commands/undo"
)

// tools is the table of contents. What a tool is, its own file says.
var tools = [...]command.Command{
	look.InfoTool,
	look.LsTool,
	look.GlobTool,
	read.ReadTool,
	grep.GrepTool,
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
func Tools() []command.Command { return slices.Clone(tools[:]) }

// KnownCode reports whether help says that the command can answer with the code.
func KnownCode(cmd, code string) bool { return cmdline.KnownCode(allTools(), cmd, code) }

// allTools are also those that only a command line has.
func allTools() []command.Command { return append(Tools(), approval.ApproveCommand) }

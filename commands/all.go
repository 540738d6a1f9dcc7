package commands

import (
	"slices"

	"fsbox/commands/append"
	"fsbox/commands/approve"
	"fsbox/commands/check"
	"fsbox/commands/cmdline"
	"fsbox/commands/command"
	"fsbox/commands/copy"
	"fsbox/commands/delete"
	"fsbox/commands/edit"
	"fsbox/commands/glob"
	"fsbox/commands/grep"
	"fsbox/commands/info"
	"fsbox/commands/ls"
	"fsbox/commands/mkdir"
	"fsbox/commands/move"
	"fsbox/commands/patch"
	"fsbox/commands/read"
	"fsbox/commands/schema"
	"fsbox/commands/undo"
	"fsbox/commands/write"
)

// registered has a line for each command, in the order of help. What a command is, its package
// says.
var registered = [...]command.Command{
	info.Command,
	ls.Command,
	glob.Command,
	read.Command,
	grep.Command,
	write.Command,
	append.Command,
	edit.Command,
	patch.Command,
	mkdir.Command,
	copy.Command,
	move.Command,
	delete.Command,
	undo.Command,
	check.Command,
	schema.Command,
}

// All are the commands that a request can name.
func All() []command.Command { return slices.Clone(registered[:]) }

// OfLine are also those that only a command line has.
func OfLine() []command.Command {
	return slices.Concat(registered[:], []command.Command{approve.Command})
}

// KnownCode reports whether help says that the command can answer with the code.
func KnownCode(cmd, code string) bool { return cmdline.KnownCode(OfLine(), cmd, code) }

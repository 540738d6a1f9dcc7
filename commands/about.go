package commands

import (
	"fsbox/commands/answer"
	"strings"
)

// about is what help, schemas and hints say about one command, besides what the tags of its struct
// say.
type about struct {
	title string // for the user of an MCP client; "" if models are not offered the command

	// text is for people, and for a model that chooses among tools it has never seen: one sentence
	// on what the tool does, then when to use it or another tool, and what else matters for the
	// choice.
	text     string
	results  []answer.Result // nil pointers of its result types, from which schemas are made
	examples []string        // command lines; a test parses them
	codes    []answer.Code   // that it can answer with, besides the first three of codeGroups
	extra    string          // hint for an argument too many, "" for none

	// habits are hints about short flags of programs such as ls, grep, sed and cp: letters, a
	// blank, and what to do instead. The flags aren't accepted: some mean another thing there than
	// they would here, and nobody would notice.
	habits []string
}

// aboutOf finds what is said about a command; for an unknown one, nothing.
func aboutOf(command string) *about {
	if t, ok := findTool(tools[:], command); ok {
		return &t.about
	}
	for i := range sideCommands {
		if sideCommands[i].name == command {
			return &sideCommands[i].about
		}
	}
	if command == approveName {
		return &approveTool.about
	}
	return &about{title: command}
}

// habit is the hint about a short flag that other programs have, "" if a.habits has none for it.
func (a *about) habit(flag string) string {
	for _, h := range a.habits {
		letters, hint, _ := strings.Cut(h, " ")
		if len(flag) == 2 && flag[0] == '-' && strings.IndexByte(letters, flag[1]) >= 0 {
			return hint
		}
	}
	return ""
}

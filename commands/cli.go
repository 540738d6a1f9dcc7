package commands

import (
	"context"
	"slices"
	"strings"
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
}

// Request is a filled request struct. Run carries it out; it never prints, logs or exits. The error
// is a *Failure or an error of the packages below.
type Request interface {
	Run(ctx context.Context, env *Env) (Result, error)
}

// tools is the table of contents.
var tools = [...]Tool{
	{Name: "info", Help: "Describe a path.", New: func() Request { return new(Info) },
		Aliases: []string{"get_path_info", "get_file_info"}},
	{Name: "ls", Help: "List a folder.", New: func() Request { return new(Ls) },
		Aliases: []string{"list_dir", "list_directory", "file_list", "list_files"}},
	{Name: "glob", Help: "Find paths by name.", New: func() Request { return new(Glob) },
		Aliases: []string{"find", "find_files"}},
	{Name: "read", Help: "Read lines of a text file.", New: func() Request { return new(Read) },
		Aliases: []string{"read_file", "file_read", "view", "cat"}},
	{Name: "grep", Help: "Search file contents.", New: func() Request { return new(Grep) },
		Aliases: []string{"search_text", "search"}},
	{Name: "write", Help: "Create or replace a file.", Writes: true, New: func() Request { return new(Write) },
		Aliases: []string{"write_file", "file_write"}},
	{Name: "append", Help: "Add to the end of a file.", Writes: true, Adds: true, New: func() Request { return new(Append) },
		Aliases: []string{"append_file"}},
	{Name: "edit", Help: "Replace exact text in a file.", Writes: true, New: func() Request { return new(Edit) },
		Aliases: []string{"edit_file", "apply_text_edit", "multi_edit", "replace", "str_replace"}},
	{Name: "patch", Help: "Apply a diff to one file or many, whole or not at all.", Writes: true, New: func() Request { return new(Patch) },
		Aliases: []string{"apply_patch"}},
	{Name: "mkdir", Help: "Make a folder.", Writes: true, Adds: true, Repeats: true, New: func() Request { return new(Mkdir) },
		Aliases: []string{"create_directory"}},
	{Name: "copy", Help: "Copy a file or a folder.", Writes: true, Repeats: true, New: func() Request { return new(Copy) },
		Aliases: []string{"copy_file"}},
	{Name: "move", Help: "Give a file or a folder another name.", Writes: true, Deletes: true, Repeats: true,
		New:     func() Request { return new(Move) },
		Aliases: []string{"move_file", "rename"}},
	{Name: "delete", Help: "Remove a file or a folder.", Writes: true, Deletes: true, Repeats: true,
		New:     func() Request { return new(Delete) },
		Aliases: []string{"delete_file", "file_delete", "remove"}},
	{Name: "undo", Help: "Take back what an earlier call changed.", Writes: true, New: func() Request { return new(Undo) }},
	{Name: "check", Help: "Show the settings in force.", New: func() Request { return new(Check) }},
	{Name: "schema", Help: "Define the tools for a model's API.", ForHost: true, New: func() Request { return new(Schema) }},
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
	name = looseName(name)
	for _, t := range all {
		same := func(known string) bool { return looseName(known) == name }
		if same(t.Name) || slices.ContainsFunc(t.Aliases, same) {
			return t, true
		}
	}
	return Tool{}, false
}

// looseName is a name without what findToolLoosely ignores: Read_File becomes readfile. Each
// request of a stream that uses an alias calls it for every name of every tool.
func looseName(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(name), "-", ""), "_", "")
}

func toolNames(all []Tool) []string { return mapped(all, func(t Tool) string { return t.Name }) }

package cmdline

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/manual"
	"fsbox/commands/words"

	"github.com/alecthomas/kong"
)

// FlagsPage and errorsPage are what help has besides a page for each command.
const FlagsPage, errorsPage = "flags", "errors"

// Completion prints the completion for a shell. Like Man it is for the person who installs the
// program: it takes no JSON, needs no root and answers with plain text.
type Completion struct {
	Shell string `arg:"" optional:"" json:"shell" oneof:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Man prints the manual page.
type Man struct{}

const CompletionName, ManName = "completion", "man"

// Batch reads requests for all tools from stdin, one JSON object a line. It isn't a tool, and
// neither is MCP.
type Batch struct {
	MaxCalls int `json:"max_calls" default:"0" placeholder:"N" help:"Answer at most N requests; further ones fail with call_limit. 0 means no limit."`
}

// MCP serves the Model Context Protocol on stdin and stdout. The protocol is the work of package
// mcp; here are the tools that it offers.
type MCP struct {
	Structured bool `json:"structured" help:"Also return results as JSON, with output schemas, for hosts that process them."`
	MaxCalls   int  `json:"max_calls" default:"0" placeholder:"N" help:"Answer at most N calls; further ones fail with call_limit. 0 means no limit."`
}

// sideCommand is a command that isn't in Tools.
type sideCommand struct {
	command.Command
	group string
	new   func() any
}

var sideCommands = [...]sideCommand{
	{group: groupServe, new: func() any { return new(Batch) }, Command: command.Command{
		Name: command.BatchName, Help: "Answer a stream of requests, for any of the tools.",
		Text: "Read requests from standard input, one JSON object per line, each with a tool and its input. Print one line per " +
			"answer, in the same order. Each answer has the id of its request.",
		Examples: []string{`echo '{"id":1,"tool":"read","input":{"path":"go.mod"}}' | fsbox batch`,
			"fsbox batch --format text <requests.jsonl"},
		Extra: "requests are read from standard input; the workspace is set with --root",
	}},
	{group: groupServe, new: func() any { return new(MCP) }, Command: command.Command{
		Name: command.MCPName, Help: "Serve the tools over the Model Context Protocol.",
		Text: "Serve the tools on standard input and output to a client of the Model Context Protocol (MCP). The client starts " +
			"this command: add it to the client's list of servers.",
		Examples: []string{"fsbox mcp --root ~/project", "fsbox mcp --root ~/project --allow-write --structured"},
		Extra:    "the workspace is one directory, set with --root: fsbox mcp --root DIR",
	}},
	{group: groupSetUp, new: func() any { return new(Completion) }, Command: command.Command{
		Name: CompletionName, Help: "Print the completion script for a shell.",
		Text:     "Print the script that completes commands, flags and their values. Packages of fsbox include it.",
		Examples: []string{"fsbox completion bash >~/.local/share/bash-completion/completions/fsbox", "fsbox completion fish | source"},
	}},
	{group: groupSetUp, new: func() any { return new(Man) }, Command: command.Command{
		Name: ManName, Help: "Print the manual page.",
		Text:     "Print the manual page in man(7) format. Packages of fsbox include it.",
		Examples: []string{"fsbox man >fsbox.1", "fsbox man | man -l -"},
	}},
}

func findSide(name string) (sideCommand, bool) {
	at := slices.IndexFunc(sideCommands[:], func(c sideCommand) bool { return c.Name == name })
	if at < 0 {
		return sideCommand{}, false
	}
	return sideCommands[at], true
}

// About finds what is said about a command; for an unknown one, nothing.
func About(all []command.Command, cmd string) *command.Command {
	if t, ok := command.Find(all, cmd); ok {
		return &t
	}
	if side, ok := findSide(cmd); ok {
		return &side.Command
	}
	return &command.Command{Name: cmd, Title: cmd}
}

// allCommands registers every command, as the map of commands and the manual show them: kong shows
// the groups in the order in which it meets them, so those of commands come in that of groups,
// wherever a command is among all.
func allCommands(all []command.Command) (options []kong.Option) {
	inGroups := slices.SortedStableFunc(slices.Values(all), func(a, b command.Command) int {
		return cmp.Compare(slices.Index(groups[:], groupOf(a)), slices.Index(groups[:], groupOf(b)))
	})
	for _, t := range inGroups {
		options = append(options, kong.DynamicCommand(t.Name, t.Help, groupOf(t), t.New()))
	}
	for _, c := range sideCommands {
		options = append(options, kong.DynamicCommand(c.Name, c.Help, c.group, c.new()))
	}
	return options
}

// The groups of commands in the map.
const groupRead, groupChange, groupSetUp, groupServe = "Look", "Change", "Set up", "Serve"

// groups has them in the order of help.
var groups = [...]string{groupRead, groupChange, groupSetUp, groupServe}

func groupOf(t command.Command) string {
	switch {
	case t.Writes:
		return groupChange
	case t.HostOnly, t.OptIn:
		return groupSetUp
	}
	return groupRead
}

// showPage prints the version, or a page of help.
func (a *arguments) showPage(out io.Writer) *answer.Failure {
	shown := false
	args, options := []string{a.page}, append(kongOptions(out), kong.Exit(func(int) { shown = true }))
	switch {
	case a.page == versionFlag:
	case a.cmd == errorsPage:
		return PrintErrors(out)
	case a.cmd == FlagsPage:
		options = append(options, kong.PostBuild(settingsPage))
	case !a.named:
		options = append(append(options, allCommands(a.all)...), kong.PostBuild(mapPage))
	case a.target == nil:
		return a.unknown()
	default:
		about := About(a.all, a.cmd)
		options = append(options, kong.DynamicCommand(a.cmd, about.Help, "", a.target),
			kong.PostBuild(func(k *kong.Kong) error { return commandPage(k, about) }))
		args = []string{a.cmd, a.page}
	}
	k, err := kong.New(&grammar{}, options...)
	if err == nil {
		_, err = k.Parse(args)
	}
	if err != nil && !shown { // after a page kong goes on, and misses what is missing
		return answer.Failf(answer.CodeInternal, "%v", err)
	}
	return nil
}

// unknown refuses a command that there is not.
func (a *arguments) unknown() *answer.Failure {
	f := command.Unknown(a.cmd, a.all, a.all, command.BatchName, command.MCPName, CompletionName, ManName, "help")
	f.Message = fmt.Sprintf("unknown command %q", a.cmd)
	return f
}

// mapPage leaves the map of commands with the settings that most people need, and says where the
// others are.
func mapPage(k *kong.Kong) error {
	for _, flag := range k.Model.Flags {
		flag.Group = nil
		if !slices.Contains([]string{"help", "version", "root", "allow-write", "allow-delete", "format"}, flag.Name) {
			flag.Hidden = true
		}
	}
	k.Model.Detail = "To start: fsbox ls. All settings: fsbox help flags. Error codes and exit status: fsbox help errors."
	return nil
}

// settingsPage says how settings are given.
func settingsPage(k *kong.Kong) error {
	k.Model.Detail = "These settings apply to every command, before or after its name. Each can also be set in the environment " +
		"(--max-results as FSBOX_MAX_RESULTS) " +
		"or in the config file (as \"max_results\"). Flags override the environment, which overrides the file; the globs of all " +
		"three are combined."
	return nil
}

// commandPage completes the help of the one command, of which about tells, and leaves the settings
// to their own page.
func commandPage(k *kong.Kong, about *command.Command) error {
	_, isSide := findSide(about.Name)
	takesJSON := !isSide && !about.HostOnly
	for _, flag := range k.Model.Flags {
		flag.Hidden = flag.Hidden || flag.Group != nil || flag.Name == "version" || flag.Name == "json" && !takesJSON
	}
	node := k.Model.Children[0]
	if strings.HasPrefix(about.Text, about.Help) {
		node.Help = "" // Text says it
	}
	parts := []string{about.Text, "Examples:\n\n    " + strings.Join(about.Examples, "\n    ")}
	if len(about.Codes) > 0 {
		parts = append(parts, "Error codes: "+strings.Join(CodeNames(about.Codes), ", ")+". Codes common to all commands: fsbox help errors.")
	}
	node.Detail = strings.Join(append(parts, "Settings, such as --root and --allow-write: fsbox help flags."), "\n\n")
	return nil
}

// PrintErrors writes the page of error codes.
func PrintErrors(out io.Writer) *answer.Failure {
	var page strings.Builder
	page.WriteString("Error codes: the member \"error\" of an answer. Its \"message\" and \"hint\" say what to do.\n")
	for _, g := range codeGroups() {
		page.WriteString("\n" + g.Name + "\n  " + strings.Join(g.Codes, "\n  ") + "\n")
	}
	page.WriteString("\nA command's own codes are listed in its help: fsbox edit --help.\n\n" +
		"Exit status: 0 on success, even if a search finds nothing; 1 on failure;\n" +
		"2 for an invalid request. For a stream, the highest status of its answers.\n")
	if _, err := io.WriteString(out, page.String()); err != nil {
		return command.FailureOf(err)
	}
	return nil
}

// printDocument answers the commands that print text: completion and man.
func printDocument(request any, all []command.Command, out io.Writer) *answer.Failure {
	k, err := kong.New(&grammar{}, append(kongOptions(io.Discard), allCommands(all)...)...)
	if err != nil {
		return answer.Failf(answer.CodeInternal, "%v", err)
	}
	p := manual.Program{Application: k.Model, Tools: command.Names(command.ForModels(all)), Codes: codeGroups(),
		About: func(cmd string) *command.Command { return About(all, cmd) }}
	switch request := request.(type) {
	case *Man:
		err = p.Man(out)
	case *Completion:
		shell := request.Shell
		if !slices.Contains(manual.Shells(), shell) {
			return answer.Failf(answer.CodeInvalidInput, "completion needs the name of a shell, not %q", shell).
				WithHint("one of %s: fsbox completion bash", strings.Join(manual.Shells(), ", "))
		}
		err = p.Complete(out, shell)
	}
	if err != nil {
		return answer.Failf(answer.CodeIOError, "%v", err)
	}
	return nil
}

// codeGroups are the groups of error codes, for the manual page.
func codeGroups() []manual.Group {
	return words.Mapped(answer.CodeGroups(), func(g answer.CodeGroup) manual.Group {
		return manual.Group{Name: g.Name, Codes: CodeNames(g.Codes)}
	})
}

// KnownCode reports whether help says that the command can answer with the code.
func KnownCode(all []command.Command, cmd, code string) bool {
	return slices.Contains(About(all, cmd).Codes, answer.Code(code)) ||
		slices.ContainsFunc(answer.CodeGroups(), func(g answer.CodeGroup) bool {
			return g.OfAll && slices.Contains(g.Codes, answer.Code(code))
		})
}

func CodeNames(codes []answer.Code) []string {
	return words.Mapped(codes, func(c answer.Code) string { return string(c) })
}

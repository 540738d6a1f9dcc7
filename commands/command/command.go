package command

import (
	"context"
	"io/fs"
	"log/slog"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/hint"
	"fsbox/commands/settings"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/stat"
	"fsbox/textio"
)

// Command is one command. Its request struct declares flags, JSON fields, defaults, help and checks
// in its tags.
type Command struct {
	Name     string
	Help     string   // one sentence
	Aliases  []string // other names, accepted in batch and MCP; see FindLoosely
	Writes   bool     // needs --allow-write
	Deletes  bool     // needs --allow-delete as well
	Adds     bool     // writes, but changes and removes nothing that is there
	Repeats  bool     // writes, but the same request once more changes nothing further
	Several  bool     // changes several files at once
	Partial  bool     // answers what it has when its time is up
	HostOnly bool     // is for the program that runs a model: models are not offered it
	OptIn    bool     // models are told of it only if the setting tools names it; it can be called in any case
	New      func() Request

	// What help, schemas and hints say about it, besides what the tags of its struct say.

	Title string // for the user of an MCP client; "" if models are not offered the command

	// Text is for people, and for a model that chooses among tools it has never seen: one sentence
	// on what the tool does, then when to use it or another tool, and what else matters for the
	// choice.
	Text     string
	Results  []answer.Result // nil pointers of its result types, from which schemas are made
	Examples []string        // command lines; a test parses them
	Codes    []answer.Code   // that it can answer with, besides the first three groups of help
	Extra    string          // hint for an argument too many, "" for none

	// Habits are hints about short flags of programs such as ls, grep, sed and cp: letters, a
	// blank, and what to do instead. The flags aren't accepted: some mean another thing there than
	// they would here, and nobody would notice.
	FlagHints []string

	// Idle are fields of other programs' tools that change nothing here. JSON may have them.
	Idle []string

	// Implies are boolean fields that some of Aliases set, since the tools of that name do what the
	// field asks for. A request may give the field, or its opposite, all the same.
	Implies []Implied
	Implied string // the one that the name set by which FindLoosely found the command

	Remedies
}

// Implied is a field that an alias sets.
type Implied struct{ Alias, Field string }

// Remedies say what to do about a path that is something else than it should be, where the tool has
// something better than the common remedy.
type Remedies struct {
	AtFile    string // it is a file, and a folder is needed
	AtFolder  string // it is a folder, and a file is needed
	AtNothing string // nothing is there, and nothing like it anywhere
	ForList   string // it is a list of several
	ForGlob   string // it is a glob: {asked}, which is {glob} below what {path} says to set
}

// Request is a filled request struct. Run carries it out; it never prints, logs or exits. The error
// is an *answer.Failure or an error of the packages below.
type Request interface {
	Run(ctx context.Context, env *Env) (answer.Result, error)
}

// Find looks up a command by its exact name.
func Find(all []Command, name string) (Command, bool) {
	for _, t := range all {
		if t.Name == name {
			return t, true
		}
	}
	return Command{}, false
}

// FindLoosely looks up a tool as batch names it: by its name or an alias, in any case, with or
// without - and _.
func FindLoosely(all []Command, name string) (Command, bool) {
	if t, ok := Find(all, name); ok {
		return t, true
	}
	name = words.Loose(name)
	for _, t := range all {
		same := func(known string) bool { return words.Loose(known) == name }
		if i := slices.IndexFunc(t.Aliases, same); i >= 0 {
			if at := slices.IndexFunc(t.Implies, func(by Implied) bool { return by.Alias == t.Aliases[i] }); at >= 0 {
				t.Implied = t.Implies[at].Field
			}
			return t, true
		}
		if same(t.Name) {
			return t, true
		}
	}
	return Command{}, false
}

// Chosen are the commands that the operator's tools name, in the order of all. Those for the
// program that runs a model are always among them.
func Chosen(all []Command, s *settings.Settings) ([]Command, *answer.Failure) {
	only, without := s.ToolNames()
	named := map[string]bool{}
	for _, name := range slices.Concat(only, without) {
		t, ok := FindLoosely(all, name)
		if !ok || t.HostOnly {
			return nil, answer.Failf(answer.CodeInvalidInput, "%q names %q, which is not a tool for models", "tools", name).
				WithHint("%s", Unknown(name, ForModels(all), all).Hint)
		}
		named[t.Name] = slices.Contains(only, name)
	}
	return slices.DeleteFunc(slices.Clone(all), func(t Command) bool {
		in, found := named[t.Name]
		return !t.HostOnly && !in && (found || len(only) > 0)
	}), nil
}

// ForModels are the commands that a model can use: without those for programs.
func ForModels(all []Command) []Command {
	return slices.DeleteFunc(slices.Clone(all), func(t Command) bool { return t.HostOnly })
}

// Closed refuses a command whose permission the operator has not given; it names every setting that
// would be needed. It is nil for one that is open.
func (t *Command) Closed(s *settings.Settings, deletes bool) *answer.Failure {
	switch {
	case t.Writes && !s.AllowWrite:
		f := answer.Failf(answer.CodeWritesDisabled, "%s changes files, and changes are disabled", t.Name)
		if !s.AllowDelete && deletes {
			return f.WithHint("the operator can allow them with --allow-write, and for this call with --allow-delete as well")
		}
		return f.WithHint("the operator can allow them with --allow-write")
	case t.Deletes && !s.AllowDelete:
		return answer.Failf(answer.CodeDeletesDisabled, "%s removes or renames files, and that is disabled", t.Name).
			WithHint("the operator can allow it with --allow-delete")
	}
	return nil
}

func Names(all []Command) []string {
	return words.Mapped(all, func(t Command) string { return t.Name })
}

// IsNamed reports whether a word of a hint names one of all. One that is OptIn is named in quotes
// only: without them "count the lines" is what its words say.
func IsNamed(all []Command, word string, quoted bool) bool {
	t, found := Find(all, word)
	return found && (quoted || !t.OptIn)
}

// Unknown refuses a tool that is neither offered nor one of the names also given. Its hint names no
// other one of all.
func Unknown(name string, offered, all []Command, also ...string) *answer.Failure {
	f, known := answer.Failf(answer.CodeUnknownTool, "there is no tool %q", name), append(Names(offered), also...)
	ours := func(loose string) (string, bool) {
		t, found := FindLoosely(offered, loose)
		return t.Name, found
	}
	isOther := func(word string, quoted bool) bool {
		return !slices.Contains(known, word) && IsNamed(all, word, quoted)
	}
	if habit := hint.WithoutTools(hint.Tool(name, ours), isOther); habit != "" {
		return f.WithHint("%s", habit)
	}
	if nearest := textio.Nearest(name, known); nearest != "" {
		return f.WithHint("did you mean %q?", nearest)
	}
	return f.WithHint("known tools: %s", strings.Join(known, ", "))
}

// Habit is the hint about a short flag that other programs have, "" if there is none for it.
func (t *Command) Habit(flag string) string {
	for _, h := range t.FlagHints {
		letters, hint, _ := strings.Cut(h, " ")
		if len(flag) == 2 && flag[0] == '-' && strings.IndexByte(letters, flag[1]) >= 0 {
			return hint
		}
	}
	return ""
}

// Names of commands that no request can name, and that aren't for models.
const BatchName, MCPName, ApproveName = "batch", "mcp", "approve"

// TextRequest is one whose argument is a text of many lines, which stdin may bring as it is: git
// diff | fsbox patch, with or without "-".
type TextRequest interface {
	LacksText() bool
	TakeStdin()
}

// NulPrinter is a request of a command line that asks for nothing but paths, each ended by a NUL
// byte. Its result is a PathList.
type NulPrinter interface{ PrintsNul() bool }

// PathList is a result that lists paths.
type PathList interface{ Paths() []string }

// TextLoader is a request whose text may come from a file or from stdin: LoadText takes it from
// there.
type TextLoader interface {
	LoadText(ctx context.Context, env *Env) error
}

// Previewer is a request that has no dry run of its own: Preview tells what it would do.
type Previewer interface {
	Preview(env *Env) (answer.Result, error)
}

// Pinner is a request that may leave open which call it means: Pin names the one that was shown.
type Pinner interface{ Pin(id string) }

// PathNamer is a request that names its paths within a text, for the log.
type PathNamer interface{ NamedPaths() []string }

// MemoryEstimator is a request that reads, and holds more than its answer: MemoryEstimate tells how
// many times the bytes of its files, and how many bytes besides.
type MemoryEstimator interface{ MemoryEstimate() (times, more int) }

// HeldWhole is how many times its bytes a file takes that is held whole: the content, the same in
// another form, what is found in it, and the answer.
const HeldWhole = 4

// LogStats are the figures of an answer that a line of the log has.
type LogStats struct {
	Attrs []slog.Attr
	Paths []string // for a request that names none itself
}

func (m *LogStats) Add(name string, n int64) { m.Attrs = append(m.Attrs, slog.Int64(name, n)) }

// AddList adds how many things of a list an answer has, and whether there are more.
func (m *LogStats) AddList(name string, n int, truncated bool) {
	m.Add(name, int64(n))
	m.Attrs = append(m.Attrs, slog.Bool("truncated", truncated))
}

// StatsLogger is a result that has figures for the log.
type StatsLogger interface{ AddLogStats(m *LogStats) }

// TypeName is how answers name a type.
func TypeName(kind fs.FileMode) string { return stat.Info{Mode: kind}.Type() }

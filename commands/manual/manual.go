// Package manual writes what a package of the program brings besides the binary: completions for
// shells, and the manual page, from the model that kong makes of the structs.
package manual

import (
	"cmp"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/words"

	"github.com/alecthomas/kong"
)

// Program is a command line program as kong reads its structs, with what kong doesn't know of it.
type Program struct {
	*kong.Application
	About func(cmd string) *command.Command
	Tools []string // that a model can use: what an operand "tool" takes
	Codes []Group  // of errors
}

// Value is what a shell can offer for an option or operand. The zero Value is a switch, which takes
// none.
type Value struct {
	Name  string // as help calls it: FILE, N
	Kind  Kind
	Words []string // all values, for Word
}

// Kind is a kind of value.
type Kind int

// The kinds of values.
const (
	Switch Kind = iota // no value
	Text               // anything
	Word               // one of a list
	File
	Folder
)

// Group is a list of error codes with what they have in common.
type Group struct {
	Name  string
	Codes []string
}

// Shells are those that Complete knows.
func Shells() []string { return []string{"bash", "zsh", "fish"} }

// Complete writes the completion for a shell.
func (p *Program) Complete(w io.Writer, shell string) error {
	switch shell {
	case "bash":
		return write(w, p.bash)
	case "zsh":
		return write(w, p.zsh)
	case "fish":
		return write(w, p.fish)
	}
	return fmt.Errorf("no completion for %q", shell)
}

// Man writes the manual page.
func (p *Program) Man(w io.Writer) error { return write(w, p.man) }

// page is a text that is written line by line.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func write(w io.Writer, render func(*page)) error {
	var p page
	render(&p)
	_, err := io.WriteString(w, p.String())
	return err
}

// shown are the flags that aren't hidden.
func shown(flags []*kong.Flag) []*kong.Flag {
	return slices.DeleteFunc(slices.Clone(flags), func(f *kong.Flag) bool { return f.Hidden })
}

// spellings are a flag as it may be on a command line.
func spellings(f *kong.Flag) []string {
	all := []string{"--" + f.Name}
	if f.Tag.Negatable != "" {
		all = []string{"--no-" + f.Name, "--" + f.Name}
	}
	if f.Short != 0 {
		all = append(all, "-"+string(f.Short))
	}
	return all
}

// valueOf says what a shell can offer as the value of a flag or an operand.
func (p *Program) valueOf(of *kong.Value) Value {
	v := Value{Name: cmp.Or(of.Tag.PlaceHolder, strings.ToUpper(of.Name)), Kind: Text,
		Words: request.PlainWords(request.SplitList(of.Tag.Get("oneof") + of.Tag.Get("words")))}
	if of.Name == "tool" && of.Flag == nil {
		v.Words = p.Tools
	}
	switch {
	case of.IsBool():
		return Value{}
	case len(v.Words) > 0:
		v.Kind = Word
	case v.Name == "FILE", strings.HasPrefix(of.Name, "path"), (request.Field{Name: of.Name, Kind: reflect.String}).IsPath():
		v.Kind = File
	case v.Name == "DIR":
		v.Kind = Folder
	}
	return v
}

// WithDefault adds the default to the help of a flag, unless the help names it already.
func WithDefault(value *kong.Value) string {
	switch {
	case !value.HasDefault, value.Default == "", value.Default == "0", kong.HasInterpolatedVar(value.OrigHelp, "default"),
		strings.Contains(value.Help, "(default)"):
		return value.Help
	case value.Default == "." && value.Name == "root":
		return value.Help + " Default: the current directory."
	case value.Default == ".":
		return value.Help + " Default: the root."
	}
	return value.Help + " Default: " + value.Default + "."
}

// brief is the first sentence of a help text: a shell shows one line.
func brief(help string) string {
	if head, _, more := strings.Cut(help, ". "); more {
		return head
	}
	return strings.TrimSuffix(help, ".")
}

func (p *Program) commandNames() []string {
	return append(words.Mapped(p.Children, func(c *kong.Node) string { return c.Name }), "help")
}

// pages are the words after help.
func (p *Program) pages() []string { return append(p.commandNames(), "flags", "errors") }

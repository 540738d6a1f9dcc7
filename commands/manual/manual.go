// Package manual writes what a package of the program brings besides the binary: completions for
// shells, and the manual page. It is given a description of the command line, and knows nothing of
// how that is parsed.
package manual

import (
	"fmt"
	"io"
	"strings"
)

// Program is a command line program with commands.
type Program struct {
	Name, Help string
	Commands   []Command
	Options    []Option // that go with every command
	Codes      []Group  // of errors
}

// Command is one command.
type Command struct {
	Name     string
	Help     string // one sentence
	Text     string // one paragraph
	Usage    string // the command line after the name of the program
	Options  []Option
	Operands []Operand
	Examples []string // command lines
	Codes    []string // errors of its own
}

// Option is a flag.
type Option struct {
	Name    string // without dashes
	Short   string // one letter, or ""
	Help    string
	Section string
	Value   Value
	OnByDef bool // a switch that --no-NAME turns off
}

// Operand is an argument that has no flag.
type Operand struct {
	Name, Help string
	Value      Value
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

// flags are the option's spellings on a command line.
func (o *Option) flags() []string {
	all := []string{"--" + o.Name}
	if o.OnByDef {
		all = []string{"--no-" + o.Name, "--" + o.Name}
	}
	if o.Short != "" {
		all = append(all, "-"+o.Short)
	}
	return all
}

// brief is the first sentence of a help text: a shell shows one line.
func brief(help string) string {
	if head, _, more := strings.Cut(help, ". "); more {
		return head
	}
	return strings.TrimSuffix(help, ".")
}

func (p *Program) commandNames() []string {
	all := make([]string, 0, len(p.Commands)+1)
	for _, c := range p.Commands {
		all = append(all, c.Name)
	}
	return append(all, "help")
}

// pages are the words after help.
func (p *Program) pages() []string { return append(p.commandNames(), "flags", "errors") }

package manual

import (
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/words"

	"github.com/alecthomas/kong"
)

// man writes the page with the macros of man(7), which groff and mandoc both know.
func (p *Program) man(w *page) {
	w.line(`.TH %s 1 "" "%s" "User Commands"`, strings.ToUpper(p.Name), p.Name)
	w.line(".SH NAME\n%s \\- file tools inside one workspace directory", p.Name)
	w.line(".SH SYNOPSIS\n.B %s\n.I command\n.RI [ flags ]", p.Name)
	w.line(".SH DESCRIPTION\n%s", roff(p.Help))
	w.line(".SH COMMANDS")
	for _, c := range p.Children {
		p.manCommand(w, c)
	}
	p.manSettings(w)
	p.manSurroundings(w)
	w.line(".SH EXIT STATUS")
	manTerm(w, "0", "Success; a search without a match is one.")
	manTerm(w, "1", "The operation failed.")
	manTerm(w, "2", "The request could not be understood.")
	w.line("In a stream of requests it is the worst of the answers.")
	w.line(".SH ERRORS\nThe member error of an answer is one of these.")
	for _, g := range p.Codes {
		manTerm(w, g.Name, strings.Join(g.Codes, ", "))
	}
}

func (p *Program) manSettings(w *page) {
	w.line(".SH SETTINGS\nThey go with every command, before or after its name. Each can also come from the environment, as FSBOX_ and " +
		"its name in " +
		"capitals with _ for \\-, or from the config file, with _ for \\- as its key. A flag counts more than the environment, and that " +
		"more than the file.")
	var sections []string
	of := map[string][]*kong.Flag{}
	for _, f := range shown(p.Flags) {
		name := "General"
		if f.Group != nil {
			name = f.Group.Key
		}
		if of[name] == nil {
			sections = append(sections, name)
		}
		of[name] = append(of[name], f)
	}
	for _, name := range sections {
		w.line(".SS %s", roff(name))
		for _, f := range of[name] {
			p.manFlag(w, f)
		}
	}
}

// manSurroundings writes what the program takes from its environment, and where it keeps files.
func (p *Program) manSurroundings(w *page) {
	w.line(".SH ENVIRONMENT")
	for _, v := range [...][2]string{
		{"FSBOX_...", "The settings, as SETTINGS says. An empty variable is as if it weren't set."},
		{"NO_COLOR, TERM", "With NO_COLOR set, or TERM=dumb, nothing is in colour."},
		{"TRACEPARENT", "The trace that the lines of the log belong to, as W3C Trace Context writes it."},
		{"HOME, XDG_CONFIG_HOME, XDG_STATE_HOME", "Where the directories under FILES are. On Windows that is in APPDATA and LOCALAPPDATA, " +
			"on macOS in ~/Library/Application Support."},
	} {
		manTerm(w, v[0], v[1])
	}
	w.line(".SH FILES")
	for _, f := range [...][2]string{
		{"~/.config/fsbox/config.json", "The config file, a JSON object; --config and FSBOX_CONFIG name another one."},
		{"~/.local/state/fsbox", "The state directory: old contents and the journal for undo, a subdirectory for each root; " +
			"--state-dir names another one."},
		{".fsbox-tmp-*, .fsbox-txn-*", "Names beside a file that is being changed. The next change removes what a killed call left."},
	} {
		manTerm(w, f[0], f[1])
	}
}

func (p *Program) manCommand(w *page, c *kong.Node) {
	about := p.About(c.Name)
	w.line(".SS %s", roff(c.Name))
	w.line(".B %s %s\n.PP", p.Name, roff(c.Summary()))
	w.line("%s", roff(about.Text))
	for _, a := range c.Positional {
		manTerm(w, a.Name, WithDefault(a))
	}
	for _, f := range shown(c.Flags) {
		p.manFlag(w, f)
	}
	if len(about.Codes) > 0 {
		codes := words.Mapped(about.Codes, func(c answer.Code) string { return string(c) })
		w.line(".PP\nError codes: %s.", roff(strings.Join(codes, ", ")))
	}
	w.line(".PP\nExamples:\n.PP\n.nf")
	for _, e := range about.Examples {
		w.line("%s", roff("    "+e))
	}
	w.line(".fi")
}

func (p *Program) manFlag(w *page, f *kong.Flag) {
	flags := strings.Join(spellings(f), ", ")
	if v := p.valueOf(f.Value); v.Kind != Switch {
		flags += " " + v.Name
	}
	manTerm(w, flags, WithDefault(f.Value))
}

func manTerm(w *page, term, text string) { w.line(".TP\n.B %s\n%s", roff(term), roff(text)) }

// roff escapes text, so that a dash can be copied as one, and no line is taken for a request of
// roff.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "…", "...", "→", `\(->`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}

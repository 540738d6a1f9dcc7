package manual

import (
	"strings"
)

// man writes the page with the macros of man(7), which groff and mandoc both know.
func (p *Program) man(w *page) {
	w.line(`.TH %s 1 "" "%s" "User Commands"`, strings.ToUpper(p.Name), p.Name)
	w.line(".SH NAME\n%s \\- file tools inside one workspace folder", p.Name)
	w.line(".SH SYNOPSIS\n.B %s\n.I command\n.RI [ flags ]", p.Name)
	w.line(".SH DESCRIPTION\n%s", roff(p.Help))
	w.line(".SH COMMANDS")
	for i := range p.Commands {
		p.Commands[i].man(w, p.Name)
	}
	p.manSettings(w)
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
	section := ""
	for _, o := range p.Options {
		if o.Section != section {
			section = o.Section
			w.line(".SS %s", roff(section))
		}
		o.man(w)
	}
}

func (c *Command) man(w *page, program string) {
	w.line(".SS %s", roff(c.Name))
	w.line(".B %s %s\n.PP", program, roff(c.Usage))
	w.line("%s", roff(c.Text))
	for _, a := range c.Operands {
		manTerm(w, a.Name, a.Help)
	}
	for _, o := range c.Options {
		o.man(w)
	}
	if len(c.Codes) > 0 {
		w.line(".PP\nErrors of its own: %s.", roff(strings.Join(c.Codes, ", ")))
	}
	if len(c.Examples) > 0 {
		w.line(".PP\nExamples:\n.PP\n.nf")
		for _, e := range c.Examples {
			w.line("%s", roff("    "+e))
		}
		w.line(".fi")
	}
}

func (o *Option) man(w *page) {
	flags := strings.Join(o.flags(), ", ")
	if o.Value.Kind != Switch {
		flags += " " + o.Value.Name
	}
	manTerm(w, flags, o.Help)
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

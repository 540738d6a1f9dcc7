package commands

import (
	"io"
	"os"

	"fsbox/sandbox/dir"

	"golang.org/x/term"
)

// style is how the text form looks to a person: in colour, if the terminal takes it, and with a
// table or a card where the plain form has lines for a program. Whatever a terminal would not just
// show is escaped.
type style struct {
	colours term.EscapeCodes // all empty: none
	tables  bool
}

// styleOf is the style for a format, nil for the plain text form. The format text is plain, unless
// it goes to a terminal. The format pretty always has tables.
func styleOf(format string, out io.Writer, variable func(string) (string, bool)) *style {
	terminal := format != formatJSON && isTerminal(out)
	if !terminal && format != formatPretty {
		return nil
	}
	plain := !terminal || wantsNoColour(variable) || !dir.PrepareColours(out.(*os.File))
	s := &style{tables: format == formatPretty || !plain}
	if !plain {
		s.colours = *term.NewTerminal(nil, "").Escape
	}
	return s
}

// wantsNoColour tells what the environment says, by the conventions of no-color.org and terminfo.
func wantsNoColour(variable func(string) (string, bool)) bool {
	set, _ := variable("NO_COLOR")
	kind, _ := variable("TERM")
	return set != "" || kind == "dumb"
}

// isTerminal reports whether a person reads what is written.
func isTerminal(out io.Writer) (is bool) {
	withDescriptor(out, func(fd int) { is = term.IsTerminal(fd) })
	return is
}

// defaultWidth is how many columns a terminal has that doesn't say.
const defaultWidth = 80

// terminalWidth is the number of columns of a terminal.
func terminalWidth(out io.Writer) (columns int) {
	withDescriptor(out, func(fd int) { columns, _, _ = term.GetSize(fd) })
	if columns <= 0 {
		return defaultWidth
	}
	return columns
}

// withDescriptor hands out the descriptor of a file. The method Fd would do so, too, but it changes
// how the file blocks for every process that has it open.
func withDescriptor(out io.Writer, use func(fd int)) {
	file, ok := out.(*os.File)
	if !ok {
		return
	}
	if raw, err := file.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { use(int(fd)) })
	}
}

// hue is what a part of an answer is painted for.
type hue int

const (
	hueNone hue = iota
	hueMatch
	hueFile
	hueNumber
	hueFolder
	hueLink
	hueKey
	hueError
	hueHint
	hueAdded
	hueRemoved
	huePlace
)

func (s *style) code(h hue) []byte {
	c := &s.colours
	return [...][]byte{hueMatch: c.Red, hueError: c.Red, hueRemoved: c.Red, hueNumber: c.Green, hueAdded: c.Green, hueFolder: c.Blue,
		hueFile: c.Magenta, hueHint: c.Yellow, hueLink: c.Cyan, hueKey: c.Cyan, huePlace: c.Cyan}[h]
}

// people reports whether a person reads the text, for whom tables are better than plain lines.
func (t *text) people() bool { return t.style != nil && t.style.tables }

// paint writes a part of a line in a colour, if there are colours.
func (t *text) paint(h hue, parts ...string) {
	var code []byte
	if t.style != nil {
		code = t.style.code(h)
	}
	t.b = append(t.b, code...)
	for _, s := range parts {
		t.add(s)
	}
	if len(code) > 0 {
		t.b = append(t.b, t.style.colours.Reset...)
	}
}

// path writes a line for a path, and what follows it in the text form.
func (t *text) path(shown, suffix string) {
	switch {
	case suffix == "/" || suffix == "/ (blocked)":
		t.paint(hueFolder, shown, "/")
		suffix = suffix[1:]
	case len(suffix) > 4 && suffix[:4] == " -> ":
		t.paint(hueLink, shown)
	default:
		t.add(shown)
	}
	t.line(suffix)
}

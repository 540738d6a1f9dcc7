package answer

import (
	"fmt"
	"io"
	"os"
	"time"

	"fsbox/commands/terminal"

	"golang.org/x/term"
)

// Style is how the text form looks to a person: in colour, if the terminal takes it, and with a
// table where the plain form lists paths. Whatever a terminal would not just show is escaped.
type Style struct {
	Colours term.EscapeCodes // all empty: none
	tables  bool
}

// StyleOf is the style for a format, nil for the plain text form. The format text is plain, unless
// it goes to a terminal. The format pretty always has tables.
func StyleOf(format string, out io.Writer, variable func(string) (string, bool)) *Style {
	isTerminal := format != FormatJSON && IsTerminal(out)
	if !isTerminal && format != formatPretty {
		return nil
	}
	plain := !isTerminal || WantsNoColour(variable) || !terminal.PrepareColours(out.(*os.File))
	s := &Style{tables: format == formatPretty || !plain}
	if !plain {
		s.Colours = *term.NewTerminal(nil, "").Escape
	}
	return s
}

// WantsNoColour tells what the environment says, by the conventions of no-color.org and terminfo.
func WantsNoColour(variable func(string) (string, bool)) bool {
	set, _ := variable("NO_COLOR")
	kind, _ := variable("TERM")
	return set != "" || kind == "dumb"
}

// hue is what a part of an answer is painted for.
type hue int

const (
	hueNone hue = iota
	hueMatch
	HueFile
	HueNumber
	hueFolder
	hueLink
	HueKey
	hueError
	hueHint
	hueAdded
	hueRemoved
	huePlace
)

func (s *Style) code(h hue) []byte {
	c := &s.Colours
	return [...][]byte{hueMatch: c.Red, hueError: c.Red, hueRemoved: c.Red, HueNumber: c.Green, hueAdded: c.Green, hueFolder: c.Blue,
		HueFile: c.Magenta, hueHint: c.Yellow, hueLink: c.Cyan, HueKey: c.Cyan, huePlace: c.Cyan}[h]
}

// People reports whether a person reads the text, for whom tables are better than plain lines.
func (t *Text) People() bool { return t.Style != nil && t.Style.tables }

// Paint writes a part of a line in a colour, if there are colours.
func (t *Text) Paint(h hue, parts ...string) {
	var code []byte
	if t.Style != nil {
		code = t.Style.code(h)
	}
	t.b = append(t.b, code...)
	for _, s := range parts {
		t.Add(s)
	}
	if len(code) > 0 {
		t.b = append(t.b, t.Style.Colours.Reset...)
	}
}

// TableHead writes the heads of the columns that go before each path of a listing. The path is
// last, so that its width doesn't matter.
func (t *Text) TableHead() {
	t.Paint(HueKey, fmt.Sprintf("%10s  %-16s  %s", "size", "modified", "name"))
	t.Line()
}

// LoadZone reads the time zone, which the kernel doesn't let a confined process do.
func LoadZone() { _, _ = time.Now().Zone() }

// Path writes a line for a path, and what follows it in the text form.
func (t *Text) Path(shown, suffix string) {
	switch {
	case suffix != "" && suffix[0] == '/': // alone, or with " (blocked)" or ":" after it
		t.Paint(hueFolder, shown, "/")
		suffix = suffix[1:]
	case len(suffix) > 4 && suffix[:4] == " -> ":
		t.Paint(hueLink, shown)
	default:
		t.Add(shown)
	}
	t.Line(suffix)
}

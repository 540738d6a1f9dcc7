package commands

import (
	"io"
	"reflect"
	"strconv"
	"strings"

	"fsbox/textio"
)

// Values of the setting format.
const (
	formatJSON   = "json"   // one line for each answer
	formatText   = "text"   // what a model or a person reads, see text.go; at a terminal in colour, see style.go
	formatPretty = "pretty" // the same for a person alone, with tables wherever it goes
)

// output writes the answers of one process in the format that its operator chose.
type output struct {
	w       io.Writer
	format  string
	stream  bool // each answer is one line, in the text form too
	style   *style
	encoder encoder
}

func (p Program) output(stream bool) *output {
	o := &output{w: p.Stdout, format: p.format, stream: stream, encoder: encoder{w: p.Stdout}}
	if stream || !o.asText() {
		o.encoder.terminal = isTerminal(p.Stdout)
	} else {
		o.style = styleOf(o.format, p.Stdout, systemEnvironment())
	}
	return o
}

func (o *output) asText() bool { return o.format == formatText || o.format == formatPretty }

func (o *output) answer(a answer) error {
	switch {
	case !o.asText():
		return o.encoder.answer(a)
	case o.stream:
		return o.encoder.textLine(a)
	}
	return a.writeText(o.w, o.style)
}

// textLine writes the text form as a member of a JSON object on one line, so that a reader of a
// stream knows where an answer ends and what it answers.
func (e *encoder) textLine(a answer) error {
	e.b = append(e.b, '{')
	if a.ID != nil {
		e.b = append(append(append(e.b, `"id":`...), a.ID...), ',')
	}
	e.b = append(strconv.AppendBool(append(e.b, `"success":`...), a.Success), `,"text":"`...)
	if err := a.writeText(quoting{e}, nil); err != nil {
		return err
	}
	e.b = append(e.b, '"', '}', '\n')
	e.flush()
	return e.err
}

// quoting writes into a JSON string.
type quoting struct{ e *encoder }

func (q quoting) Write(text []byte) (int, error) { return q.WriteString(string(text)) }

// WriteString writes text that ends at the end of a character.
func (q quoting) WriteString(text string) (int, error) {
	for part := range textio.Parts(text, encodeChunk) {
		if q.e.b = q.e.appendInside(q.e.b, part); len(q.e.b) >= encodeChunk {
			q.e.flush()
		}
	}
	return len(text), q.e.err
}

// earlyFormat is the format for a failure that comes before the settings are complete: as the
// arguments have it, else the environment.
func earlyFormat(args []string, system environment) string {
	if format, ok := lastFlag(args, "--format"); ok {
		return knownFormat(format)
	}
	format, _ := system.variable("format")
	return knownFormat(format)
}

// settledFormat is earlyFormat for a failure that is not about a dead mount, so that the config
// file can be asked as well.
func settledFormat(args []string, system environment) string {
	var s Settings
	v, given := reflect.ValueOf(&s).Elem(), map[string]bool{}
	if setDefaults(v, fieldsOf(v.Type())) != nil {
		return formatJSON
	}
	if format, ok := lastFlag(args, "--format"); ok {
		s.Format, given["format"] = format, true
	}
	s.Config, given["config"] = lastFlag(args, "--config")
	if _, err := s.complete(given, system); err != nil {
		return earlyFormat(args, system)
	}
	return knownFormat(s.Format)
}

func knownFormat(name string) string {
	if name == formatPretty || name == formatText {
		return name
	}
	return formatJSON
}

// lastFlag finds the last value of a flag in arguments that could not be parsed.
func lastFlag(args []string, flag string) (value string, found bool) {
	for i, arg := range args {
		switch name, tied, ok := strings.Cut(arg, "="); {
		case arg == "--":
			return value, found
		case name == flag && ok:
			value, found = tied, true
		case arg == flag && i+1 < len(args):
			value, found = args[i+1], true
		}
	}
	return value, found
}

package commands

import (
	"io"
	"strconv"

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

// newOutput writes answers to w. variable looks up what the environment says about colours.
func newOutput(w io.Writer, format string, stream bool, variable func(string) (string, bool)) *output {
	o := &output{w: w, format: format, stream: stream, encoder: encoder{w: w}}
	if stream || !o.asText() {
		o.encoder.terminal = isTerminal(w)
	} else {
		o.style = styleOf(format, w, variable)
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

func knownFormat(name string) string {
	if name == formatPretty || name == formatText {
		return name
	}
	return formatJSON
}

package answer

import (
	"io"
	"strconv"

	"fsbox/textio"
)

// Values of the setting format.
const (
	FormatJSON   = "json"   // one line for each answer
	FormatText   = "text"   // what a model or a person reads, see text.go; at a terminal in colour, see style.go
	formatPretty = "pretty" // the same for a person alone, with tables wherever it goes
)

// Output writes the answers of one process in the format that its operator chose.
type Output struct {
	w       io.Writer
	format  string
	stream  bool // each answer is one line, in the text form too
	style   *Style
	encoder Encoder
}

// NewOutput writes answers to w. variable looks up what the environment says about colours.
func NewOutput(w io.Writer, format string, stream bool, variable func(string) (string, bool)) *Output {
	o := &Output{w: w, format: format, stream: stream, encoder: Encoder{W: w}}
	if stream || !o.asText() {
		o.encoder.terminal = IsTerminal(w)
	} else {
		o.style = StyleOf(format, w, variable)
	}
	return o
}

func (o *Output) asText() bool { return o.format == FormatText || o.format == formatPretty }

func (o *Output) Answer(a Answer) error {
	switch {
	case !o.asText():
		return o.encoder.answer(a)
	case o.stream:
		return o.encoder.textLine(a)
	}
	return a.WriteText(o.w, o.style)
}

// textLine writes the text form as a member of a JSON object on one line, so that a reader of a
// stream knows where an answer ends and what it answers.
func (e *Encoder) textLine(a Answer) error {
	e.B = append(e.B, '{')
	if a.ID != nil {
		e.B = append(append(append(e.B, `"id":`...), a.ID...), ',')
	}
	e.B = append(strconv.AppendBool(append(e.B, `"success":`...), a.Success), `,"text":"`...)
	if err := a.WriteText(quoting{e}, nil); err != nil {
		return err
	}
	e.B = append(e.B, '"', '}', '\n')
	e.Flush()
	return e.err
}

// quoting writes into a JSON string.
type quoting struct{ e *Encoder }

func (q quoting) Write(text []byte) (int, error) { return q.WriteString(string(text)) }

// WriteString writes text that ends at the end of a character.
func (q quoting) WriteString(text string) (int, error) {
	for part := range textio.Parts(text, EncodeChunk) {
		if q.e.B = q.e.appendInside(q.e.B, part); len(q.e.B) >= EncodeChunk {
			q.e.Flush()
		}
	}
	return len(text), q.e.err
}

func KnownFormat(name string) string {
	if name == formatPretty || name == FormatText {
		return name
	}
	return FormatJSON
}

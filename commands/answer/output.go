package answer

import (
	"bufio"
	"fmt"
	"io"

	"fsbox/commands/words"
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
	w        io.Writer
	buffer   *bufio.Writer // for JSON, to w
	text     bool          // the text form
	pretty   bool          // with diffs
	stream   bool          // each answer is one line, in the text form too
	terminal bool          // JSON goes to a terminal, which must get no control characters
	style    *Style
}

// Chunk is how much is written at a time, in bytes, so that a long answer isn't held in memory a
// second time as text.
const Chunk = 64 << 10

// NewOutput writes answers to w. variable looks up what the environment says about colours.
func NewOutput(w io.Writer, format string, stream bool, variable func(string) (string, bool)) *Output {
	o := &Output{w: w, buffer: bufio.NewWriterSize(w, Chunk), stream: stream, text: format != FormatJSON && format != "",
		pretty: format == formatPretty}
	if stream || !o.text {
		o.terminal = IsTerminal(w)
	} else {
		o.style = StyleOf(format, w, variable)
	}
	return o
}

func (o *Output) Answer(a Answer) error {
	a.ShowDiff = a.ShowDiff || o.pretty
	if o.text && !o.stream {
		return a.WriteText(o.w, o.style)
	}
	encode := a.Encode
	if o.text {
		encode = a.encodeText
	}
	if err := encode(o.buffer, o.terminal); err != nil {
		return err
	}
	_ = o.buffer.WriteByte('\n') // Flush returns the error
	return o.buffer.Flush()
}

// encodeText writes the text form as a member of a JSON object, so that a reader of a stream knows
// where an answer ends and what it answers.
func (a Answer) encodeText(w io.Writer, terminal bool) error {
	if terminal {
		w = words.VisibleJSON{W: w}
	}
	id := ""
	if a.ID != nil {
		id = `"id":` + string(a.ID) + ","
	}
	_, _ = fmt.Fprintf(w, `{%s"success":%t,"text":"`, id, a.Success) // w keeps the first error
	_ = a.WriteText(quoting{w}, nil)
	_, err := io.WriteString(w, `"}`)
	return err
}

// quoting writes text as the inside of a JSON string.
type quoting struct{ w io.Writer }

func (q quoting) Write(text []byte) (int, error) { return q.WriteString(string(text)) }

// WriteString writes text that ends at the end of a character.
func (q quoting) WriteString(text string) (int, error) {
	for part := range textio.Parts(text, Chunk) {
		if _, err := q.w.Write(textio.AppendEscaped(nil, part)); err != nil {
			return 0, err
		}
	}
	return len(text), nil
}

func KnownFormat(name string) string {
	if name == formatPretty || name == FormatText {
		return name
	}
	return FormatJSON
}

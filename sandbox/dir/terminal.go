package dir

import (
	"errors"
	"io"
	"strings"
)

// errNoTerminal says that nobody can be asked: the process has no terminal, or another job of its
// session has it.
var errNoTerminal = errors.New("there is no terminal to ask at")

// maxTypedLine is the longest line that an answer may be, in bytes.
const maxTypedLine = 4096

// cutQuestion cuts off the last line of a text.
func cutQuestion(text string) (shown, question string) {
	at := strings.LastIndexByte(text, '\n') + 1
	return text[:at], text[at:]
}

// endOfLine reports whether what was typed so far is a line, and gives that line.
func endOfLine(typed []byte) (line string, ok bool) {
	for i, c := range typed {
		if c == '\n' || c == '\r' {
			return string(typed[:i]), true
		}
	}
	return string(typed), len(typed) >= maxTypedLine
}

// hungUp turns the end of the terminal's input into an error.
func hungUp(n int, err error) error {
	if err == nil && n == 0 {
		return io.EOF
	}
	return err
}

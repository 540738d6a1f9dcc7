package terminal

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"golang.org/x/term"
)

// errNoTerminal says that nobody can be asked: the process has no terminal, or another job of its
// session has it.
var errNoTerminal = errors.New("there is no terminal to ask at")

// maxTypedLine is the longest line that an answer may be, in bytes.
const maxTypedLine = 4096

// widthOf is the width of the terminal that a descriptor is of.
func widthOf(fd int) int {
	width, _, _ := term.GetSize(fd)
	return max(0, width)
}

// cutQuestion cuts off the last line of a text.
func cutQuestion(text string) (shown, question string) {
	at := strings.LastIndexByte(text, '\n') + 1
	return text[:at], text[at:]
}

// readTyped reads what is typed, up to the end of a line.
func readTyped(read func([]byte) (int, error)) (line string, err error) {
	var typed []byte
	buffer := make([]byte, 256)
	for len(typed) < maxTypedLine {
		n, err := read(buffer)
		if err == nil && n == 0 {
			err = io.EOF // the terminal hung up
		}
		if err != nil {
			return "", err
		}
		typed = append(typed, buffer[:n]...)
		if end := bytes.IndexAny(typed, "\r\n"); end >= 0 {
			return string(typed[:end]), nil
		}
	}
	return string(typed), nil
}

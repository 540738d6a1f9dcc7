package anchor

import (
	"bytes"
	"strconv"
	"strings"

	"fsbox/textio/lines"
)

// Anchor names a line: Line counts from 1.
type Anchor struct {
	Line int64
	ID   ID
}

// Lines are those that a search found, with the lines around them. Of many lines the first ones are
// enough.
type Lines struct{ Found, Before, After []Line }

// Append appends an anchor to a text, as Parse takes it.
func (a Anchor) Append(text []byte) []byte {
	return append(append(strconv.AppendInt(text, a.Line, 10), '#'), a.ID[:]...)
}

func (a Anchor) String() string { return string(a.Append(nil)) }

// Parse reads an anchor, LINE#ID. The line may have been copied along with it, after one of the
// signs that are put between the two.
func Parse(text string) (a Anchor, ok bool) {
	number, rest, _ := strings.Cut(text, "#")
	if strings.Trim(number, "0123456789") != "" || strings.HasPrefix(number, "0") || len(rest) < len(a.ID) || strings.Contains(rest, "\n") {
		return Anchor{}, false
	}
	copy(a.ID[:], rest)
	if strings.Trim(rest[:len(a.ID)], letters) != "" || !isAfter(rest[len(a.ID):]) {
		return Anchor{}, false
	}
	line, err := strconv.ParseInt(number, 10, 64)
	a.Line = line
	return a, err == nil
}

// Foreign gives the first sign of what has the form of an anchor but that no ID has, "" if there is
// none: nobody has copied that anchor from an answer.
func Foreign(text string) string {
	number, rest, _ := strings.Cut(text, "#")
	if size := len(ID{}); number == "" || strings.Trim(number, "0123456789") != "" || len(rest) < size || !isAfter(rest[size:]) {
		return ""
	}
	for _, sign := range rest[:len(ID{})] {
		switch {
		case !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", sign):
			return ""
		case !strings.ContainsRune(letters, sign):
			return string(sign)
		}
	}
	return ""
}

// IsOld reports whether a text is an anchor as versions before 0.2 gave them, whose IDs were two
// letters.
func IsOld(text string) bool {
	number, rest, found := strings.Cut(text, "#")
	const size = 2
	return found && number != "" && strings.Trim(number, "0123456789") == "" && len(rest) >= size &&
		strings.Trim(rest[:size], letters) == "" && isAfter(rest[size:])
}

// isAfter reports whether what comes after an ID is nothing, or a sign that goes before the line.
func isAfter(rest string) bool {
	return rest == "" || rest[0] == ':' || rest[0] == '-' || strings.HasPrefix(rest, "→")
}

// OnEachLine reports whether every line of a text, which has at least one, begins with an anchor.
func OnEachLine(text []byte) bool {
	for line := range bytes.Lines(text) {
		if _, ok := Parse(string(lines.TrimEnd(line))); !ok {
			return false
		}
	}
	return len(text) > 0
}

package diff

import (
	"bytes"
	"strings"

	"fsbox/textio/lines"
)

// Range says that bytes OldStart to OldEnd of an old text became bytes NewStart to NewEnd of a new
// one; ends are exclusive. In a list, ranges ascend without overlap and the bytes between them are
// the same in both texts.
type Range struct {
	OldStart, OldEnd, NewStart, NewEnd int
	same                               int // unchanged lines in the range, if Append joined several changes to it
}

// Printed is a unified diff of one file, in the file's own bytes. Additions and Deletions count the
// lines of the whole diff, also when Text was cut, which Truncated says. Text is empty if the texts
// are equal.
type Printed struct {
	Text                 string
	Additions, Deletions int
	Truncated            bool
}

// CountOnly is the number of lines to ask for if only Additions and Deletions are wanted.
const CountOnly = -1

// Bounds of what Unified compares line by line: the part of the texts that differs, both texts
// together. All of a larger part counts as changed, since to compare it would take longer than the
// change itself.
const (
	maxComparedBytes = 1 << 20
	maxComparedLines = 20_000
)

// FromRanges prints the difference that ranges describe, line by line but without a search for
// equal lines inside a range. Path is relative and separated by "/". Text ends after maxLines
// lines; 0 means no limit, and with CountOnly there is no text.
func FromRanges(path string, old, new []byte, ranges []Range, maxLines int) Printed {
	return printed(nameLines(path, false), old, new, lineChanges(old, new, ranges), maxLines)
}

// Unified compares two texts and prints the difference, as FromRanges does. Created says that there
// was no old file. If the lines between the equal ones at both ends are more than 1 MiB or 20,000
// lines together, all of them count as changed.
func Unified(path string, old, new []byte, created bool, maxLines int) Printed {
	return unified(nameLines(path, created), old, new, maxLines)
}

// Moved is Unified for a file that was renamed. The lines with which git says so come first; if the
// content is the same, there are no others. An empty path means that the file was deleted.
func Moved(from, path string, old, new []byte, maxLines int) Printed {
	if path == "" {
		return unified("--- "+quotedName("a/"+from)+"\n+++ /dev/null\n", old, nil, maxLines)
	}
	name := func(name string) string { return strings.TrimSuffix(quotedName(name), "\t") }
	moved := "diff --git " + name("a/"+from) + " " + name("b/"+path) + "\nrename from " + name(from) + "\nrename to " + name(path) + "\n"
	switch {
	case !bytes.Equal(old, new):
	case maxLines == CountOnly:
		return Printed{}
	default:
		return Printed{Text: moved}
	}
	return unified(moved+"--- "+quotedName("a/"+from)+"\n+++ "+quotedName("b/"+path)+"\n", old, new, maxLines)
}

func unified(header string, old, new []byte, maxLines int) Printed {
	changes := lineChanges(old, new, []Range{{OldEnd: len(old), NewEnd: len(new)}})
	if len(changes) == 1 && isComparable(old, new, changes[0]) {
		changes = matchLines(old, new, changes[0])
	}
	return printed(header, old, new, changes, maxLines)
}

// isComparable reports whether equal lines in a range are worth looking for.
func isComparable(old, new []byte, r Range) bool {
	a, b := old[r.OldStart:r.OldEnd], new[r.NewStart:r.NewEnd]
	return len(a) > 0 && len(b) > 0 && len(a)+len(b) <= maxComparedBytes && bytes.Count(a, lines.LF)+bytes.Count(b,
		lines.LF) <= maxComparedLines
}

// nameLines returns the "---" and "+++" lines, which name the file.
func nameLines(path string, created bool) string {
	old := "/dev/null"
	if !created {
		old = quotedName("a/" + path)
	}
	return "--- " + old + "\n+++ " + quotedName("b/"+path) + "\n"
}

// quotedName quotes a name as git does by default: in C style if it holds quotes, backslashes,
// control characters or bytes beyond ASCII. As in git, a name with spaces has a tab after it, which
// shows the program patch where the name ends.
func quotedName(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) {
		if strings.Contains(name, " ") {
			return name + "\t"
		}
		return name
	}
	quoted := []byte{'"'}
	for i := range len(name) {
		quoted = appendQuoted(quoted, name[i])
	}
	return string(append(quoted, '"'))
}

func appendQuoted(b []byte, c byte) []byte {
	const escaped, letters = "\a\b\t\n\v\f\r\"\\", "abtnvfr\"\\"
	if i := strings.IndexByte(escaped, c); i >= 0 {
		return append(b, '\\', letters[i])
	}
	if c < ' ' || c > '~' {
		return append(b, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
	}
	return append(b, c)
}

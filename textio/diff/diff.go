package diff

import (
	"bytes"
	"strings"
)

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

// Unified compares two texts and prints the difference: the fewest lines, unless the texts are so
// long and so different that looking for them would take longer than the change itself. Path is
// relative and separated by "/". Created says that there was no old file. Text ends after maxLines
// lines or longestText; 0 means no limit of lines, and with CountOnly there is no text.
func Unified(path string, old, new []byte, created bool, maxLines int) Printed {
	return printed(nameLines(path, created), old, new, maxLines)
}

// Moved is Unified for a file that was renamed. The lines with which git says so come first; if the
// content is the same, there are no others. An empty path means that the file was deleted.
func Moved(from, path string, old, new []byte, maxLines int) Printed {
	if path == "" {
		return printed("--- "+quotedName("a/"+from)+"\n+++ /dev/null\n", old, nil, maxLines)
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
	return printed(moved+"--- "+quotedName("a/"+from)+"\n+++ "+quotedName("b/"+path)+"\n", old, new, maxLines)
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

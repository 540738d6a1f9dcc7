package commands

import (
	"fmt"
	"strings"
	"unicode"

	"fsbox/textio"
)

// nameText is a name as the text form shows it: as it is, or as a JSON string if it could be
// mistaken for something else on its line. Bytes that aren't UTF-8 become U+FFFD.
func nameText(name string) string {
	name = shown(name)
	if name != "" && !looksOwn(name) && !strings.ContainsFunc(name, breaksLine) {
		return name
	}
	b := []byte{'"'}
	for _, r := range name {
		if r >= ' ' && breaksLine(r) {
			b = fmt.Appendf(b, `\u%04x`, r)
		} else {
			b = textio.AppendEscaped(b, string(r))
		}
	}
	return string(append(b, '"'))
}

// looksOwn reports whether a name is like a line of the text form, or like a part of one: a quoted
// name, a note in brackets, where a link leads, or the exact form of a name. A name like a line
// that grep found is none: names of files come first, or after an empty line.
func looksOwn(name string) bool {
	return name[0] == '"' || name[0] == '[' && name[len(name)-1] == ']' || strings.Contains(name, " -> ") ||
		strings.Contains(name, " (path_base64 ")
}

// breaksLine reports whether a character may end a line, or change how one is displayed.
func breaksLine(r rune) bool {
	return r < ' ' || r >= 0x7f && (unicode.Is(unicode.Cc, r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control))
}

// exactText is nameText, with what a request has to send instead of a name that isn't UTF-8.
func exactText(name string) string {
	if base64 := base64Name(name); base64 != "" {
		return nameText(name) + " (path_base64 " + base64 + ")"
	}
	return nameText(name)
}

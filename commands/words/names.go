package words

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fsbox/textio"
)

// Base64 is the exact name in base64, "" for a UTF-8 name, which can be shown as it is.
func Base64(path string) string {
	if utf8.ValidString(path) {
		return ""
	}
	return base64.StdEncoding.EncodeToString([]byte(path))
}

// Shown is a name as answers show it: each byte that isn't UTF-8 becomes U+FFFD.
func Shown(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	return string([]rune(name))
}

// PathName is a path in an answer. JSON shows bytes that aren't UTF-8 as U+FFFD.
type PathName struct {
	Path       string `json:"path"`
	PathBase64 string `json:"path_base64,omitzero"` // the exact name, if it isn't UTF-8
}

// PathOf is a path for an answer.
func PathOf(path string) PathName { return PathName{path, Base64(path)} }

// ExactNames are those paths that aren't UTF-8: answers with a list of plain paths have a list of
// these as well.
func ExactNames(paths ...string) (names []PathName) {
	for _, path := range paths {
		if name := PathOf(path); name.PathBase64 != "" {
			names = append(names, name)
		}
	}
	return names
}

// Under joins a folder's path and what lies in it.
func Under(folder, rel string) string {
	if folder == "." {
		return rel
	}
	if rel == "." {
		return folder
	}
	return folder + "/" + rel
}

// Below gives path relative to folder, both relative to the root.
func Below(folder, path string) string {
	switch folder {
	case ".":
		return path
	case path:
		return "."
	}
	return strings.TrimPrefix(strings.TrimPrefix(path, folder), "/")
}

// ComparePaths orders paths component by component, bytewise: a slash comes before every other
// byte.
func ComparePaths(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	switch {
	case i == n:
		return cmp.Compare(len(a), len(b))
	case a[i] == '/':
		return -1
	case b[i] == '/':
		return 1
	}
	return cmp.Compare(a[i], b[i])
}

// Base64Suffix makes the name of the raw bytes field.
const Base64Suffix = "_base64"

// Loose is the name of a tool without what doesn't count in it: Read_File becomes readfile. Each
// request of a stream that uses an alias calls it for every name of every tool.
func Loose(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(name), "-", ""), "_", "")
}

// Name is a name as the text form shows it: as it is, or as a JSON string if it could be
// mistaken for something else. Bytes that aren't UTF-8 become U+FFFD.
func Name(name string) string {
	if isUsual(name) {
		return name
	}
	if name = Shown(name); name == "" || looksOwn(name) || !isPlain(name) {
		return quotedLine(name)
	}
	return name
}

// Value is what follows a key: nothing there can be taken for a line.
func Value(value string) string {
	if value = Shown(value); value[0] == '"' || strings.ContainsFunc(value, breaksLine) {
		return quotedLine(value)
	}
	return value
}

func quotedLine(text string) string { return `"` + inOneLine(text, `"\`) + `"` }

// OneLine is a message in one line, whatever it repeats of a request.
func OneLine(text string) string {
	if !strings.ContainsFunc(text, breaksLine) {
		return text
	}
	return inOneLine(Shown(text), "")
}

// inOneLine escapes some signs, and what would break a line, as JSON does.
func inOneLine(text, signs string) string {
	var b []byte
	for _, r := range text {
		switch {
		case r >= ' ' && breaksLine(r):
			b = fmt.Appendf(b, `\u%04x`, r)
		case breaksLine(r) || strings.ContainsRune(signs, r):
			b = textio.AppendEscaped(b, string(r))
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return string(b)
}

// looksOwn reports whether a name is like a line of the text form: a note in brackets, a hint or a
// warning, the line that goes between others, a line that grep found. It goes by what is seen.
func looksOwn(name string) bool {
	if name = asSeen(name); name == "" {
		return true
	}
	number, _, found := strings.Cut(name, ":")
	number, _, _ = strings.Cut(number, "#") // of an anchor
	return name[0] == '[' || name == "--" || strings.Contains(name, ": ") || strings.TrimSpace(name) != name ||
		found && number != "" && strings.Trim(number, "0123456789") == ""
}

// asSeen is a name without what doesn't show, and with every blank as a space.
func asSeen(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return name // nearly always
	}
	var d hiddenFinder
	var b strings.Builder
	for i, r := range name {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case !d.isHidden(r, name[:i]):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isPlain reports whether a name can't be mistaken for a part of a line: a quoted name, several
// names, or what follows a name.
func isPlain(name string) bool {
	return name[0] != '"' && !strings.ContainsFunc(name, breaksLine) &&
		!slices.ContainsFunc([]string{" -> ", ", ", " (path_base64 ", " (blocked)", " (special file)"},
			func(sign string) bool { return strings.Contains(name, sign) })
}

// breaksLine reports whether a character may end a line, or change how one is displayed.
func breaksLine(r rune) bool {
	return r < ' ' || r >= 0x7f && (unicode.Is(unicode.Cc, r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control))
}

// isUsualByte is true for the bytes of nearly all names: printable ASCII without what means
// something in a line.
func isUsualByte(c byte) bool { return c >= '!' && c <= '~' && c != '"' && c != ':' && c != '[' }

// isUsual reports whether a name has nothing that Exact and Name would have to look at. They are
// called for each name of a list, twice: without this they take an eighth of the processor time of
// a recursive ls (2026-11-28).
func isUsual(name string) bool {
	for i := range len(name) {
		if !isUsualByte(name[i]) {
			return false
		}
	}
	return name != "" && name != "--"
}

// Exact is Name, with what a request has to send instead of a name that isn't UTF-8.
func Exact(name string) string {
	if isUsual(name) {
		return name
	}
	if base64 := Base64(name); base64 != "" {
		return Name(name) + " (path_base64 " + base64 + ")"
	}
	return Name(name)
}

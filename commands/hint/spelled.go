package hint

import (
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"fsbox/commands/words"
)

// respelling undoes one wrong habit of writing paths.
type respelling struct {
	why string // tells the caller what to leave out
	odd string // warns of a new path that is written so, "" where it may well be meant
	fix func(asked string) string
}

func respellings() []respelling {
	return []respelling{
		{"a path has no quotes or brackets around it", "quotes, brackets and blanks around it are a part of it", unwrap},
		{"a path is no URI, and is relative to the root", "a URI is taken as a path", withoutScheme},
		{"~ and variables aren't expanded: paths are relative to the root", "~ and variables aren't expanded", withoutHome},
		{"a path has no @ in front", "", func(p string) string { return strings.TrimPrefix(p, "@") }},
		{"a path has blanks and signs as they are", "", unescape},
		{`folders are separated by "/"`, `folders are separated by "/", and a backslash is a part of the name`, withSlashes},
		{`the line goes into "start_line"`, "", withoutLine},
		{"a path has no punctuation at its end", "", func(p string) string { return strings.TrimRight(p, ",.;:!?)") }},
	}
}

// Odd warns of a path that is about to be made as it is written, although it looks as if something
// else was meant; "" if it doesn't.
func (t Tree) Odd(asked string) string {
	for _, r := range respellings() {
		if r.odd != "" && r.fix(asked) != asked && filepath.Separator == '/' && !t.Exists(asked) {
			return words.Phrase("%q is the name as it was given: %s", asked, r.odd)
		}
	}
	return ""
}

// Respelled finds the path that was meant by one that was written wrongly: as a URI, in quotes,
// with a line number, from another root. It is "" if there is nothing at any path that this could
// mean.
func (t Tree) Respelled(asked string) (meant, why string) {
	fixed := asked
	for _, r := range respellings() {
		if next := r.fix(fixed); next != fixed && next != "" {
			fixed, why = next, r.why
			if p := t.other(fixed, asked); p != "" {
				return p, why
			}
		}
	}
	names := components(fixed)
	for i := range min(len(names), maxComponents) { // the longest end that exists
		if p := t.other(strings.Join(names[i:], "/"), asked); p != "" {
			return p, why
		}
	}
	return "", ""
}

// other cleans a path. It is "" if nothing is there, or if it is the path that was asked for.
func (t Tree) other(p, asked string) string {
	clean, err := t.Clean(p)
	if err != nil || clean == asked || clean == "." || !t.Exists(clean) {
		return ""
	}
	return clean
}

// maxComponents is how many folders may be left out at the front of a path.
const maxComponents = 32

// components are the names in a path; a .. takes the one before it away.
func components(p string) (names []string) {
	for name := range strings.SplitSeq(p, "/") {
		switch {
		case name == "" || name == ".":
		case name == ".." && len(names) > 0:
			names = names[:len(names)-1]
		case name != "..":
			names = append(names, name)
		}
	}
	return names
}

// IsRoot reports whether a path has no name, such as ../.. or /, or one that ends with the root's
// own.
func (t Tree) IsRoot(asked string) bool {
	names := components(asked)
	return len(names) == 0 || names[len(names)-1] == t.name()
}

// name is that of the root.
func (t Tree) name() string { return path.Base(filepath.ToSlash(t.Root())) }

// NewPath is where in the workspace a file was probably meant to be made, if the path leads out of
// it: in the folder that the path names, or else in the root.
func (t Tree) NewPath(asked string) string {
	fixed := asked
	for _, r := range respellings() {
		if r.odd != "" {
			fixed = r.fix(fixed)
		}
	}
	names := components(fixed)
	if len(names) == 0 {
		return ""
	}
	for i := range min(len(names)-1, maxComponents) {
		if names[i] == t.name() || len(names)-i > 2 && t.Exists(names[i+1]) {
			return strings.Join(names[i+1:], "/")
		}
	}
	return names[len(names)-1]
}

// IsList reports whether a path is a list of several that exist.
func (t Tree) IsList(asked string) bool {
	parts := strings.FieldsFunc(asked, func(r rune) bool { return strings.ContainsRune(", ;:\n\t[]\"'", r) })
	for _, p := range parts {
		if !t.Exists(p) {
			return false
		}
	}
	return len(parts) > 1
}

// unwrap takes off blanks, quotes and brackets.
func unwrap(p string) string {
	for {
		next := withoutMarkup(strings.TrimSpace(p))
		for _, pair := range [...]string{`""`, "''", "``", "<>", "“”", "‘’", "[]", "()", "****"} {
			open, end := pair[:len(pair)/2], pair[len(pair)/2:]
			if inner, ok := strings.CutPrefix(next, open); ok && strings.HasSuffix(inner, end) {
				next = strings.TrimSuffix(inner, end)
			}
		}
		if next == p {
			return p
		}
		p = next
	}
}

// withoutMarkup takes a path out of a link of Markdown, or an element of XML.
func withoutMarkup(p string) string {
	if text, address, ok := strings.Cut(p, "]("); ok && strings.HasPrefix(text, "[") && strings.HasSuffix(address, ")") {
		return strings.TrimSuffix(address, ")")
	}
	if tag, rest, ok := strings.Cut(p, ">"); ok && len(tag) > 1 && tag[0] == '<' && strings.HasSuffix(rest, "</"+tag[1:]+">") {
		return strings.TrimSuffix(rest, "</"+tag[1:]+">")
	}
	return p
}

// withoutScheme makes a path of a URI such as file:///a%20b. A path that was cleaned has only one
// slash in a row.
func withoutScheme(p string) string {
	scheme, rest, found := strings.Cut(p, ":/")
	switch strings.ToLower(scheme) {
	case "file", "vscode", "workspace":
		if found {
			return unescape("/" + rest)
		}
	}
	return p
}

// withoutHome takes off what a shell or an editor would replace.
func withoutHome(p string) string {
	for _, front := range [...]string{"~/", "~\\", "$HOME/", "$PWD/", "${PWD}/", "$(pwd)/", "${workspaceFolder}/", "%CD%\\"} {
		if rest, ok := strings.CutPrefix(p, front); ok {
			return rest
		}
	}
	return p
}

// withSlashes makes a path of a Windows path.
func withSlashes(p string) string {
	if len(p) > 2 && p[1:3] == `:\` {
		p = p[2:]
	}
	return strings.ReplaceAll(p, `\`, "/")
}

// withoutLine takes off a line number, as compilers, editors and models add it.
func withoutLine(p string) string {
	for _, sign := range [...]string{"#", ":", " (line ", ", line ", " line "} {
		if before, after, found := strings.Cut(p, sign); found && isPosition(strings.TrimSuffix(after, ")")) {
			return before
		}
	}
	return p
}

func isPosition(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) && !strings.ContainsRune(":-,L", r) })
}

// unescape resolves %20, and a backslash before a blank or a sign, as shells and Markdown write.
func unescape(p string) string {
	if plain, err := url.PathUnescape(p); err == nil {
		p = plain
	}
	var b strings.Builder
	for i := range len(p) {
		if p[i] != '\\' || i+1 == len(p) || !strings.ContainsRune(` []()_*'"&!#$`, rune(p[i+1])) {
			b.WriteByte(p[i])
		}
	}
	return b.String()
}

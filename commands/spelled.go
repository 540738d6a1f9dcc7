package commands

import (
	"fsbox/commands/words"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"unicode"
)

// respelling undoes one wrong habit of writing paths. Why tells the caller what to leave out.
type respelling struct {
	why string
	fix func(asked string) string
}

func respellings() []respelling {
	return []respelling{
		{"a path has no quotes or brackets around it", unwrap},
		{"a path is no URI, and is relative to the root", withoutScheme},
		{"~ and variables aren't expanded: paths are relative to the root", withoutHome},
		{"a path has no @ in front", func(p string) string { return strings.TrimPrefix(p, "@") }},
		{"a path has blanks and signs as they are", unescapePath},
		{`folders are separated by "/"`, withSlashes},
		{`the line goes into "start_line"`, withoutLine},
		{"a path has no punctuation at its end", func(p string) string { return strings.TrimRight(p, ",.;:!?)") }},
	}
}

// oddPaths warns of paths that a change is about to make as they are written, although they look as
// if something else was meant.
func (e *Env) oddPaths(c *call) (warnings []string) {
	if !c.changes() {
		return nil
	}
	for _, p := range c.paths() {
		for _, r := range [...]respelling{
			{"quotes, brackets and blanks around it are a part of it", unwrap},
			{"a URI is taken as a path", withoutScheme},
			{"~ and variables aren't expanded", withoutHome},
			{`folders are separated by "/", and a backslash is a part of the name`, withSlashes},
		} {
			if r.fix(p) != p && filepath.Separator == '/' && !e.Workspace.Exists(p) {
				return append(warnings, words.Phrase("%q is the name as it was given: %s", p, r.why))
			}
		}
	}
	return nil
}

// spelled finds the path that was meant by one that was written wrongly: as a URI, in quotes, with
// a line number, from another root. It is "" if there is nothing at any path that this could mean.
func (e *Env) spelled(asked string) (meant, why string) {
	fixed := asked
	for _, r := range respellings() {
		next := r.fix(fixed)
		if next == fixed || next == "" {
			continue
		}
		fixed, why = next, r.why
		if p := e.other(fixed, asked); p != "" {
			return p, why
		}
	}
	return e.suffix(fixed, asked), why
}

// other cleans a path. It is "" if nothing is there, or if it is the path that was asked for.
func (e *Env) other(p, asked string) string {
	clean, err := e.Workspace.Clean(p)
	if err != nil || clean == asked || clean == "." || !e.Workspace.Exists(clean) {
		return ""
	}
	return clean
}

// suffix is the longest end of a path, after its .. components are applied, that exists.
func (e *Env) suffix(fixed, asked string) string {
	names := components(fixed)
	for i := range min(len(names), maxComponents) {
		if p := e.other(strings.Join(names[i:], "/"), asked); p != "" {
			return p
		}
	}
	return ""
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

// newPath is where in the workspace a file was probably meant to be made, if the path leads out of
// it: in the folder that the path names, or else in the root.
func (e *Env) newPath(asked string) string {
	fixed := asked
	for _, fix := range [...]func(string) string{unwrap, withoutScheme, withoutHome, withSlashes} {
		fixed = fix(fixed)
	}
	names := components(fixed)
	if len(names) == 0 {
		return ""
	}
	root := path.Base(filepath.ToSlash(e.Workspace.Root()))
	for i := range min(len(names)-1, maxComponents) {
		below := strings.Join(names[i+1:], "/")
		if names[i] == root || len(names)-i > 2 && e.Workspace.Exists(names[i+1]) {
			return below
		}
	}
	return names[len(names)-1]
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
	for _, scheme := range [...]string{"file", "vscode", "workspace"} {
		if len(p) > len(scheme) && strings.EqualFold(p[:len(scheme)], scheme) && strings.HasPrefix(p[len(scheme):], ":/") {
			return unescapePath(p[len(scheme)+1:])
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
	if !strings.Contains(p, `\`) {
		return p
	}
	if len(p) > 2 && p[1] == ':' && p[2] == '\\' {
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

// unescapePath resolves %20, and a backslash before a blank or a sign, as shells and Markdown
// write.
func unescapePath(p string) string {
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

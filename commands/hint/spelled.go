package hint

import (
	"cmp"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"fsbox/commands/words"
)

// respelling undoes one wrong habit of writing paths.
type respelling struct {
	why string // tells the caller what to leave out
	odd string // warns of a new path that is written so, "" where it may well be meant
	fix func(asked string) string
}

// respellings are what may be wrong with a path: nothing if it has only letters, digits and signs
// that most paths have.
func respellings(asked string) []respelling {
	isSign := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-", r)
	}
	if strings.ContainsFunc(asked, isSign) || strings.HasSuffix(asked, ".") {
		return allRespellings()
	}
	return nil
}

// allRespellings are in the order in which they are tried. They are made when a path first needs
// them.
var allRespellings = sync.OnceValue(func() []respelling {
	noScheme, noBackslash := replace(`(?i)^(file|vscode|workspace):/+`, "/"), replace(`\\([ \[\]()_*'"&!#$])`, "$1")
	unescape := func(p string) string {
		if plain, err := url.PathUnescape(p); err == nil {
			p = plain
		}
		return noBackslash(p)
	}
	withoutScheme := func(p string) string {
		if next := noScheme(p); next != p {
			return unescape(next)
		}
		return p
	}
	// also an element of XML, and a link of Markdown
	inner := replace(`(?s)^[\s\pZ]*(?:"(.*)"|'(.*)'|`+"`(.*)`"+`|“(.*)”|‘(.*)’|<[^>]+>(.*)</[^>]+>|<(.*)>|\[[^\]]*\]\((.*)\)|`+
		`\[(.*)\]|\((.*)\)|\*\*(.*)\*\*|(.*?))[\s\pZ]*$`, "$1$2$3$4$5$6$7$8$9$10$11$12")
	unwrap := func(p string) string {
		if next := inner(p); next != p {
			return inner(inner(inner(next))) // quotes in quotes
		}
		return p
	}
	return []respelling{
		{"a path has no blank or line end around it", "blanks around it are a part of it", replace(`^[\s\pZ]+|[\s\pZ]+$`, "")},
		{"a path has no quotes or brackets around it", "quotes and brackets around it are a part of it", unwrap},
		{"a path is no URI, and is relative to the root", "a URI is taken as a path", withoutScheme},
		{"~ and variables aren't expanded: paths are relative to the root", "~ and variables aren't expanded",
			replace(`^(~[/\\]|\$(HOME|PWD)/|\$\{(PWD|workspaceFolder)\}/|\$\(pwd\)/|%CD%\\)`, "")},
		{"a path has no @ in front", "", replace("^@", "")},
		{"a path has blanks and signs as they are", "", unescape},
		{`directories are separated by "/"`, `directories are separated by "/", and a backslash is a part of the name`, replace(`(^.:)?\\`, "/")},
		{`a path has no line number in it; the line goes into "start_line"`, "", replace(`(?s)^(.*?)(#|:| \(line |, line | line )[\d:,L-]+\)?$`, "$1")},
		{"a path has no punctuation at its end", "", replace(`[,.;:!?)]+$`, "")},
	}
})

func replace(wrong, right string) func(string) string {
	expr := regexp.MustCompile(wrong)
	return func(p string) string { return expr.ReplaceAllString(p, right) }
}

// Odd warns of a path that is about to be made as it is written, although it looks as if something
// else was meant; "" if it doesn't.
func Odd(asked string, exists func(path string) bool) string {
	for _, r := range respellings(asked) {
		if r.odd != "" && r.fix(asked) != asked && filepath.Separator == '/' && !exists(asked) {
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
	for _, r := range respellings(asked) {
		if next := r.fix(fixed); next != fixed && next != "" {
			fixed, why = next, r.why
			if p := cmp.Or(t.other(fixed, asked), t.other(r.fix(asked), asked)); p != "" { // alone: a\[b] is a/[b], not a[b]
				return p, why
			}
		}
	}
	for end := fromRoot(fixed); end != ""; _, end, _ = strings.Cut(end, "/") { // the longest end that exists
		if p := t.other(end, asked); p != "" {
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

// fromRoot is a path without the .. components that lead out of the root; "" for the root itself.
func fromRoot(p string) string { return path.Clean("/" + p)[1:] }

// IsRoot reports whether a path has no name, such as ../.. or /, or one that ends with the root's
// own.
func (t Tree) IsRoot(asked string) bool {
	p := fromRoot(asked)
	return p == "" || path.Base(p) == t.name()
}

// name is that of the root.
func (t Tree) name() string { return path.Base(filepath.ToSlash(t.Root())) }

// NewPath is where in the workspace a file was probably meant to be made, if the path leads out of
// it: in the folder that the path names, or else in the root.
func (t Tree) NewPath(asked string) string {
	fixed := asked
	for _, r := range respellings(asked) {
		if r.odd != "" {
			fixed = r.fix(fixed)
		}
	}
	above, p := "", fromRoot(fixed)
	for {
		folder, below, more := strings.Cut(p, "/")
		if !more || above == t.name() || t.Exists(folder) {
			return p
		}
		above, p = folder, below
	}
}

// IsList reports whether a path is a list of several that exist.
func (t Tree) IsList(asked string) bool {
	parts := strings.FieldsFunc(asked, func(r rune) bool { return strings.ContainsRune(", ;:\n\t[]\"'", r) })
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return !t.Exists(p) })
}

package wildcard

import "strings"

// Kind is how a Pattern is compared. All kinds except NameWild and PathWild need only a comparison
// of strings, and nearly every pattern that people write is of one of these.
type Kind uint8

const (
	Name     Kind = iota // the name is Text
	Suffix               // the name ends in Text: *.go
	Prefix               // the name begins with Text: test_*
	NameWild             // the name is matched with wildcards
	Path                 // the path is Text
	Under                // the path is Text or lies below it: src/**
	PathWild             // the path begins with Text, and the rest is matched with wildcards
)

// Pattern is one alternative of a glob, or one line of an ignore file, ready to be compared with
// paths. A name is the last component of a path.
type Pattern struct {
	Kind Kind
	Text string // without escapes
	wild interface{ match(text string) bool }
}

// glob is a pattern that doublestar compares.
type glob string

func (g glob) match(text string) bool { return Match(string(g), text) }

// CompileName compiles a pattern that Expand gave, to be compared with names.
func CompileName(pattern string) Pattern {
	if p, ok := simpleName(pattern); ok {
		return p
	}
	if meta(pattern) < 0 {
		return Pattern{Kind: Name, Text: Unescape(pattern)}
	}
	return Pattern{Kind: NameWild, wild: glob(pattern)}
}

// CompilePath compiles a pattern that Expand gave, to be compared with whole paths.
func CompilePath(pattern string) Pattern {
	wild := meta(pattern)
	if wild < 0 {
		return Pattern{Kind: Path, Text: Unescape(pattern)}
	}
	if folder, ok := cutDeep(pattern); ok && folder != "" && meta(folder) < 0 {
		return Pattern{Kind: Under, Text: Unescape(folder)}
	}
	front := strings.LastIndexByte(pattern[:wild], '/') + 1
	return Pattern{Kind: PathWild, Text: Unescape(pattern[:front]), wild: glob(pattern[front:])}
}

// cutDeep removes every "/**" from the end of a pattern.
func cutDeep(pattern string) (folder string, ok bool) {
	for strings.HasSuffix(pattern, "/**") {
		pattern, ok = strings.TrimSuffix(pattern, "/**"), true
	}
	return pattern, ok
}

// simpleName compiles a pattern for names if it needs only a comparison of strings.
func simpleName(pattern string) (p Pattern, ok bool) {
	switch wild := strings.IndexAny(pattern, special); {
	case wild < 0:
		return Pattern{Kind: Name, Text: pattern}, true
	case pattern == "**":
		return Pattern{Kind: Suffix}, true
	case wild == len(pattern)-1 && pattern[wild] == '*' && wild > 0:
		return Pattern{Kind: Prefix, Text: pattern[:wild]}, true
	case pattern[0] == '*' && !strings.ContainsAny(pattern[1:], special):
		return Pattern{Kind: Suffix, Text: pattern[1:]}, true
	}
	return Pattern{}, false
}

// special has the bytes that can have a special meaning in a pattern.
const special = `*?[\`

// Match reports whether the pattern matches a path. name is the last component of the path.
func (p *Pattern) Match(path, name string) bool {
	switch p.Kind {
	case Name:
		return name == p.Text
	case Suffix:
		return strings.HasSuffix(name, p.Text)
	case Prefix:
		return strings.HasPrefix(name, p.Text)
	case NameWild:
		return p.wild.match(name)
	case Path:
		return path == p.Text
	case Under:
		return strings.HasPrefix(path, p.Text) && (len(path) == len(p.Text) || path[len(p.Text)] == '/')
	default:
		return strings.HasPrefix(path, p.Text) && p.wild.match(path[len(p.Text):])
	}
}

// Needs gives a text that the name of every matching path contains, "" if none is known. atStart
// and atEnd say that all these names begin or end with it. With Needs a caller can rule out most
// patterns without comparing them.
func (p *Pattern) Needs() (text string, atStart, atEnd bool) {
	switch p.Kind {
	case Name:
		return p.Text, true, true
	case Suffix:
		return p.Text, false, true
	case Prefix:
		return p.Text, true, false
	case Path:
		return p.Text[strings.LastIndexByte(p.Text, '/')+1:], true, true
	}
	if w, ok := p.wild.(*ignored); ok {
		return w.needs(p.Kind == PathWild)
	}
	return "", false, false
}

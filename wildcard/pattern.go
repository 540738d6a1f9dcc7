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
	wild *wild
}

// CompileName compiles a pattern that Expand gave, to be compared with names.
func CompileName(pattern string) Pattern {
	p, _ := compileName(pattern, globs)
	return p
}

// CompilePath compiles a pattern that Expand gave, to be compared with whole paths. A "/**" at the
// end may match nothing: "a/**" matches "a", and "a*/**" matches "ab".
func CompilePath(pattern string) Pattern {
	if name, ok := inEveryFolder(pattern); ok {
		return CompileName(name)
	}
	folder, deep := cutDeep(pattern)
	front := strings.LastIndexByte(folder[:max(0, strings.IndexAny(folder, special))], '/') + 1
	p, _ := compile(Path, PathWild, folder[:front], folder[front:], globs)
	switch {
	case !deep || folder == "**":
	case p.Kind == Path:
		p.Kind = Under
	default:
		p.wild.ops = append(p.wild.ops, wildOp{kind: wildBelow})
	}
	return p
}

// CompileIgnore compiles a pattern in the language of ignore files, from which the caller has
// removed a "!" in front and a slash at the end. ok is false if the pattern can match nothing: it
// has an unclosed or unknown class, or a backslash at the end.
func CompileIgnore(pattern string) (p Pattern, ok bool) {
	anchored := strings.IndexByte(pattern, '/') >= 0
	pattern = strings.TrimPrefix(pattern, "/")
	if name, ok := inEveryFolder(pattern); ok {
		pattern, anchored = name, false
	}
	if !anchored {
		return compileName(pattern, ignoreLines)
	}
	// git compares the text before the first wildcard as it is and globs only what follows, so in
	// "f**/x" the "**" counts as a whole component
	front := strings.IndexAny(pattern, special)
	if front < 0 {
		front = len(pattern)
	}
	return compile(Path, PathWild, pattern[:front], pattern[front:], ignoreLines)
}

// inEveryFolder returns the name in a pattern "**/name": it matches every path with that name, so
// only names have to be compared.
func inEveryFolder(pattern string) (name string, ok bool) {
	name, ok = strings.CutPrefix(pattern, "**/")
	return name, ok && strings.IndexByte(name, '/') < 0
}

func compileName(pattern string, lang language) (Pattern, bool) {
	if p, ok := simpleName(pattern); ok {
		return p, true
	}
	return compile(Name, NameWild, "", pattern, lang)
}

// compile compiles a pattern that follows the plain text front. The Kind of the result is literal
// if the pattern has no wildcards, only escapes; else it is other.
func compile(literal, other Kind, front, pattern string, lang language) (Pattern, bool) {
	w, ok := parse(pattern, lang)
	if !ok {
		return Pattern{}, false
	}
	if text, only := w.literal(); only {
		return Pattern{Kind: literal, Text: front + text}, true
	}
	return Pattern{Kind: other, Text: front, wild: w}, true
}

// cutDeep removes every "/**" from the end of a pattern.
func cutDeep(pattern string) (folder string, deep bool) {
	for strings.HasSuffix(pattern, "/**") {
		pattern, deep = strings.TrimSuffix(pattern, "/**"), true
	}
	return pattern, deep
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
	if p.wild == nil {
		return "", false, false
	}
	return p.wild.needs(p.Kind == PathWild)
}

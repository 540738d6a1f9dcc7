package textio

import "strings"

// phrase is a note in lower case.
type phrase struct {
	words    []string
	dotted   bool // it is between dots
	heading  bool // it begins with a capital
	sentence bool // it ends as one
}

// maxPhraseWords is how many words a note may have: more tell something else.
const maxPhraseWords = 10

// wordKind is the part that a word plays when text is said to be left out.
type wordKind int

const (
	foreign wordKind = iota // none
	filler
	what   // what is left out: "code"
	which  // that it is known: "existing"
	rest   // "rest of"
	fate   // what becomes of it: "unchanged"
	nearly // fate only together with another word: "same"
)

// kindOfWord knows the words that assistants use, and no others.
func kindOfWord(word string) wordKind {
	switch word {
	case "the", "of", "this", "your", "my", "our", "all", "and", "is", "are", "as", "for", "from", "in", "to", "with", "keep", "here", "goes",
		"there", "other", "above", "below", "before", "left", "exactly", "it", "was", "were", "any", "continues", "continue", "follows":
		return filler
	case "code", "file", "function", "functions", "method", "methods", "class", "classes", "implementation", "content", "contents", "logic",
		"line", "lines", "body", "imports", "tests", "component", "components", "section", "sections", "document", "page", "module", "script",
		"program", "config", "configuration", "fields", "properties", "entries", "items", "cases", "rules", "styles", "html", "css", "markup",
		"data", "handlers", "routes", "types", "definitions", "declarations", "variables", "constants", "statements", "setup", "text":
		return what
	case "existing", "original", "previous", "remaining", "current", "omitted":
		return which
	case "rest", "remainder":
		return rest
	case "unchanged", "unmodified", "brevity", "untouched", "elided", "snipped", "snip", "truncated":
		return fate
	case "same", "remains", "remain", "stays", "stay", "shown", "not", "no", "changes", "change":
		return nearly
	}
	if strings.Trim(word, "0123456789-") == "" {
		return filler // "lines 10-20 omitted"
	}
	return foreign
}

// tally counts the kinds. A name is a foreign word where the thing left out may be named: "rest of
// the parser", "existing LoginForm code".
func (p phrase) tally() (counts [nearly + 1]int, named int) {
	slot := false
	for i, word := range p.words {
		kind := kindOfWord(word)
		if kind == rest && (i+1 == len(p.words) || p.words[i+1] != "of") {
			kind = filler
		}
		if kind == foreign && slot && named < 2 {
			named++
			continue
		}
		counts[kind]++
		slot = kind == rest || kind == which || slot && kind == filler
	}
	return counts, named
}

// omits decides about a note with dots at its start, or at its end only.
func (p phrase) omits(opens bool) bool {
	if len(p.words) > maxPhraseWords {
		return false
	}
	c, named := p.tally()
	switch {
	case c[foreign] > 0 || named > 0 && !opens:
		return false
	case c[fate] > 0 || c[rest] > 0 && (c[what] > 0 || named > 0 || c[nearly] > 0) || c[which] > 0 && c[what] > 0 || p.says("omitted"):
		return true
	case c[nearly] > 1 || c[nearly] > 0 && p.says("as", "before"):
		return true
	}
	return p.dotted && (c[what] > 0 || p.says("rest"))
}

// omitsPlainly decides about a note without dots, which must say in full that text is left out.
func (p phrase) omitsPlainly() bool {
	if len(p.words) > maxPhraseWords {
		return false
	}
	c, named := p.tally()
	if c[foreign] > 0 || named > 0 {
		return false
	}
	same := p.says("the", "same") || p.says("same", "as", "before")
	switch {
	case c[rest] > 0:
		return c[fate] > 0 || same || p.says("here") || p.says("continues") || p.says("follows")
	case p.sentence: // or the end of one that began a line above
		return p.says("for", "brevity") || p.says("remains") && same
	case c[which] > 0 && p.says("code"):
		return c[what]+c[which]+c[filler]+c[fate]+c[nearly] == len(p.words)
	case p.says("omitted") || p.says("brevity"):
		return len(p.words) > 1
	case p.says("unchanged") || p.says("unmodified"):
		sentence := p.says("is") || p.says("are") || p.says("was") || p.says("were") // such as tests have
		return !sentence && c[nearly] == 0 && (c[what] > 0 || p.says("rest") || len(p.words) == 1 && !p.heading)
	}
	return p.says("remains") && same
}

// says reports whether the words follow each other in the note.
func (p phrase) says(words ...string) bool {
	return strings.Contains(" "+strings.Join(p.words, " ")+" ", " "+strings.Join(words, " ")+" ")
}

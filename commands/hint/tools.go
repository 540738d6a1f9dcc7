package hint

import (
	_ "embed"
	"slices"
	"strings"

	"fsbox/commands/words"
)

//go:embed tools.txt
var toolTable string

// Tool gives our tool for a name from other programs that is no alias, as a sentence; "" for any
// other name. ours finds a tool by a name or alias without case and signs.
func Tool(name string, ours func(loose string) (tool string, found bool)) string {
	bare := name[strings.LastIndexAny(name, ".:/")+1:] // functions.read, server:read
	if i := strings.LastIndex(bare, "__"); i >= 0 {    // mcp__server__read
		bare = bare[i+2:]
	}
	loose := words.Loose(bare)
	for _, server := range [...]string{"mcp", "fsbox", "filesystem"} { // fsbox_read
		loose = strings.TrimPrefix(loose, server)
	}
	if tool, found := ours(loose); found {
		return words.Phrase("it is called %q here", tool)
	}
	for _, row := range rows(toolTable) {
		if slices.Contains(strings.Fields(row[0]), loose) {
			return row[1]
		}
	}
	return ""
}

// clauseEnds are what comes between the parts of a hint.
var clauseEnds = [...]string{"; ", ", or ", ", and "}

// WithoutTools takes out of a hint the parts that send the reader to a tool that he doesn't have;
// quoted says whether it is named in quotes. Where glob can do what ls would, it is named instead.
func WithoutTools(text string, leftOut func(name string, quoted bool) bool) string {
	if strings.HasPrefix(text, "list ") && leftOut("ls", false) && !leftOut("glob", false) {
		text = strings.Replace(text, " with ls", " with glob", 1)
	}
	return without(text, func(part string) bool { return len(ToolsIn(part, leftOut)) > 0 })
}

// knownFields is how a hint begins that lists the fields of a tool.
const knownFields = "known fields: "

// WithoutFields takes out of a hint the parts about fields that the caller's definition of a tool
// doesn't have. A name that is a word of its own is one where it is in quotes or comes after "set".
func WithoutFields(text string, undefined func(name string) bool) string {
	if before, list, ok := strings.Cut(text, knownFields); ok {
		names := slices.DeleteFunc(strings.Split(list, ", "), undefined)
		return before + knownFields + strings.Join(names, ", ")
	}
	return without(text, func(part string) bool {
		last := ""
		for word := range strings.FieldsFuncSeq(part, func(r rune) bool { return strings.ContainsRune(" ,:.()?", r) }) {
			name := strings.Trim(word, `"`)
			quoted := len(word) == len(name)+len(`""`)
			isName := quoted || last == "set" || strings.Contains(name, "_") || name == "eol"
			if isName && undefined(name) {
				return true
			}
			last = word
		}
		return false
	})
}

// without leaves out some parts of a hint.
func without(text string, leftOut func(part string) bool) string {
	var kept strings.Builder
	for rest, end := text, ""; rest != ""; {
		part, next, after := cutClause(rest)
		if !leftOut(part) {
			if kept.Len() > 0 {
				kept.WriteString(end)
			}
			kept.WriteString(part)
		}
		rest, end = after, next
	}
	return kept.String()
}

// cutClause cuts a hint at the first end of a part.
func cutClause(text string) (part, end, rest string) {
	at := len(text)
	for _, e := range clauseEnds {
		if i := strings.Index(text, e); i >= 0 && i < at {
			at, end = i, e
		}
	}
	return text[:at], end, text[min(at+len(end), len(text)):]
}

// ToolsIn are the words of a text that name one of some tools, in quotes or without. A word after
// "to", or after an article with at most one word between them, is a common one: "to copy it", "the
// whole patch"; but not after "the tool". A text in quotes is a name if it is a single word.
func ToolsIn(text string, isTool func(word string, quoted bool) bool) (named []string) {
	for i, part := range strings.Split(text, `"`) {
		phrases := strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune(",:;.()", r) })
		if i%2 == 1 && (len(phrases) != 1 || len(strings.Fields(part)) != 1) {
			continue
		}
		for _, phrase := range phrases {
			all := strings.Fields(phrase)
			for n, word := range all {
				if isTool(word, i%2 == 1) && !isCommonWord(all[:n]) {
					named = append(named, word)
				}
			}
		}
	}
	return named
}

// isCommonWord reports whether the word after some others is a common one.
func isCommonWord(before []string) bool {
	n := len(before)
	article := func(at int) bool {
		return at >= 0 && slices.Contains([]string{"the", "a", "an", "one", "no", "this", "each"}, before[at])
	}
	return n > 0 && (before[n-1] == "to" || article(n-1) || before[n-1] != "tool" && article(n-2))
}

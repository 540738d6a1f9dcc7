package hint

import "strings"

// clauseEnds are what comes between the parts of a hint.
var clauseEnds = [...]string{"; ", ", or ", ", and "}

// WithoutTools takes out of a hint the parts that send the reader to a tool that he doesn't have.
func WithoutTools(text string, leftOut func(name string) bool) string {
	var kept strings.Builder
	for rest, end := text, ""; rest != ""; {
		part, next, after := cutClause(rest)
		if !names(part, leftOut) {
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

// names reports whether one of the words of a text is a tool for which leftOut is true. A longer
// text in quotes, such as a path, has no such word.
func names(text string, leftOut func(string) bool) bool {
	for i, quoted := range strings.Split(text, `"`) {
		all := strings.FieldsFunc(quoted, func(r rune) bool { return strings.ContainsRune(" ,:.()", r) })
		if i%2 == 1 && len(all) != 1 {
			continue
		}
		for _, word := range all {
			if leftOut(word) {
				return true
			}
		}
	}
	return false
}

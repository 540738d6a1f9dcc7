package change

import (
	"fmt"
	"strings"

	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/textio/edit"
)

// WarnLongerWords warns of an edit of all places that also changed parts of longer words: parts of
// the places are in such words, and longer says which words and where.
func WarnLongerWords(e *command.Env, parts, places int, which string, longer []string) {
	e.Warn("in %d of %s %s changes a part of a longer word: %s; set whole_word to skip such places", parts,
		words.Plural(int64(places), "place"), which, strings.Join(longer, ", "))
}

// LongerWords names the longer words of one file.
func LongerWords(r *edit.Result) []string {
	named := words.Mapped(r.Longer.Words, func(w edit.LongerWord) string { return fmt.Sprintf("%q (line %d)", w.Word, w.Line) })
	if r.Longer.More {
		named = append(named, "and others")
	}
	return named
}

package regex

import "regexp/syntax"

// The patterns of the programs of one search. Each contains the expression:

// lineFilter finds matching lines: its matches run to the end of the line, so there is one per
// line. For whole words it also finds lines where a letter outside ASCII touches the match, which
// the caller rules out: the full class of letters takes milliseconds to compile, and most searches
// never need it.
func lineFilter(tree *syntax.Regexp, word bool) string { return inLine(tree, word) + "(?-s:.)*" }

// inLine is the pattern that a matching line contains. For whole words it only knows the letters of
// ASCII.
func inLine(tree *syntax.Regexp, word bool) string {
	body := "(?:" + tree.String() + ")"
	if word {
		body = `(?:(?m:^)|[^0-9A-Za-z_\n])` + body + `(?:[^0-9A-Za-z_\n]|(?m:$))`
	}
	return body
}

// wordAtStart finds a whole word, as its first group, in a text that begins where a line does.
func wordAtStart(tree *syntax.Regexp) string {
	return "(?:(?m:^)|" + notWordClass() + ")" + wordTail(tree)
}

// wordAfter finds a whole word, as its first group, in a text whose first character only shows
// what comes before.
func wordAfter(tree *syntax.Regexp) string { return notWordClass() + wordTail(tree) }

func wordTail(tree *syntax.Regexp) string {
	return "(" + tree.String() + ")(?:" + notWordClass() + "|(?m:$))"
}

// notWordClass is the class of characters that are no part of a word, by the rule of
// charset.IsWord.
func notWordClass() string {
	const expr = `[^\pL\pM\p{Nd}_]`
	class, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return expr
	}
	return class.String()
}

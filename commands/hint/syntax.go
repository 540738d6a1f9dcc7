package hint

import "strings"

// wordHint is the hint for a message of a parser that has certain words.
type wordHint struct{ in, hint string }

// hintFor finds the first hint for a message, or else gives another one.
func hintFor(message string, hints []wordHint, otherwise string) string {
	for _, h := range hints {
		if strings.Contains(message, h.in) {
			return h.hint
		}
	}
	return otherwise
}

// JSON says what is probably wrong where text is no JSON, from the parser's message.
func JSON(message string) string {
	return hintFor(message, jsonHints[:], "send one JSON object, all names and texts in double quotes")
}

// jsonHints are for messages of the JSON parser.
var jsonHints = [...]wordHint{
	{`'\'' at start`, "texts and names are in double quotes in JSON"},
	{"in literal", "names and texts are in double quotes in JSON, and true, false and null are written so"},
	{"escape sequence", `a backslash in a text is written twice: "C:\\dir"`},
	{"non-control", `line ends and tabs in a text are written \n and \t`},
	{"',' at start", "there is a comma too many: none comes after the last item"},
	{"']' at start", "there is a comma too many: none comes after the last item"},
	{"'}' at start", "there is a comma too many, or a value is missing"},
	{"'N' at start", "in JSON it is null, in small letters and without quotes"},
	{"'T' at start", "in JSON it is true, in small letters and without quotes"},
	{"'F' at start", "in JSON it is false, in small letters and without quotes"},
	{"after object name", "a name is followed by a colon and its value"},
	{"after object value", "values are separated by commas; a quote in a text is written \\\""},
	{"after array element", "values are separated by commas; a quote in a text is written \\\""},
	{"object member name", "names are in double quotes in JSON"},
	{"UTF-8", "send the text as UTF-8"},
}

// Regex says what is probably wrong with a regular expression that RE2 doesn't take.
func Regex(message string) string {
	return hintFor(message, regexHints[:], "patterns are RE2 syntax; for plain text set use_regex to false")
}

// regexHints are for messages of RE2.
var regexHints = [...]wordHint{
	{"look-around", "RE2 has no lookahead or lookbehind: match what comes before and after as well, or search for plain text " +
		"without use_regex"},
	{`"\\Z"`, "RE2 writes $ for the end of a line, and with multiline \\z for the end of the file"},
	{`"\\h"`, "RE2 has no \\h: write [ \\t] for a blank or tab"},
	{"escape", "RE2 has no backreferences and few escapes: a backslash goes before a sign, and for plain text set use_regex to false"},
	{"missing argument to repetition", "a * or ? repeats what comes before it: for any text write .*, for names of files use glob, for " +
		"plain text set use_regex to false"},
	{"missing closing ]", "write \\[ for the sign itself, or set use_regex to false to search for plain text"},
	{"unexpected )", "write \\) for the sign itself, or set use_regex to false to search for plain text"},
	{"parenthes", "write \\( for the sign itself, or set use_regex to false to search for plain text"},
	{"missing closing", "write \\( for the sign itself, or set use_regex to false to search for plain text"},
}

package hint

import (
	_ "embed"
	"strings"
)

//go:embed messages.txt
var messageTable string

// hintFor finds the first hint for a message of a parser, or else gives another one.
func hintFor(parser, message, otherwise string) string {
	for _, row := range rows(messageTable) {
		if row[0] == parser && strings.Contains(message, row[1]) {
			return row[2]
		}
	}
	return otherwise
}

// JSON says what is probably wrong where text is no JSON, from the parser's message.
func JSON(message string) string {
	return hintFor("json", message, "send one JSON object, all names and texts in double quotes")
}

// Regex says what is probably wrong with a regular expression that RE2 doesn't take.
func Regex(message string) string {
	return hintFor("regex", message, "patterns are RE2 syntax; for plain text set use_regex to false")
}

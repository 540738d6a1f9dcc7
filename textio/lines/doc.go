// Package lines finds where the lines of a UTF-8 text begin and end, and how they are indented. It
// changes nothing in a text except line ends, and compares no texts. Its central type is Text.
//
// Split makes a Text, which then gives any line by its number, and the number of the line at an
// offset (lines.go). Callers that need no numbers use the functions of ends.go on the bytes.
// IndentTally counts by what lines are indented (indent.go).
package lines

// Package lines finds where the lines of a UTF-8 text begin and end, and how they are indented. It
// changes nothing in a text except line ends, and compares no texts. Its central type is Text.
package lines

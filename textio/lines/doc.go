// Package lines is about where the lines of a UTF-8 text begin and end, and what they begin with.
// It changes nothing in a text except line ends, and compares no texts. Its central type is Text.
package lines

// Package lines is about where the lines of a UTF-8 text begin and end, and what
// they begin with. It changes no text but for line ends, and compares none. Its
// central type is Text.
package lines

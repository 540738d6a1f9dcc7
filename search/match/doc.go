// Package match finds the lines of a text that a query matches.
//
// Its central type is Matcher, a compiled Query. A file is read in blocks (blocks.go), a cursor
// steps through the matching lines of a block, and a report makes a LineMatch of each. In a large
// file scouts (ahead.go) look ahead for parts without a match. A multiline search reads the file as
// one text (whole.go). What is searched for is found by two packages of their
// own: literal finds strings, at memory speed, and regex the rest. The package must not know where
// a text comes from: it reads through io.ReaderAt.
package match

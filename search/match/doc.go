// Package match finds the lines of a text that a query matches.
//
// Its central type is Matcher, a compiled Query. A prefilter (literals, kernels) says quickly which
// parts of a text may match, the automaton says which lines do, and the regular expression engine
// finds the matches in them. The package must not know where a text comes from: it reads through
// io.ReaderAt.
package match

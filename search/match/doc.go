// Package match finds the lines of a text that a query matches.
//
// Its central type is Matcher, a compiled Query. A prefilter (literals, kernels) says quickly which
// parts of a text may match, and the regular expression engine says which do. The package must not
// know where a text comes from: it reads through io.ReaderAt.
package match

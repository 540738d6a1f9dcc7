// Package match finds the lines of a text that a query matches.
//
// Its central type is Matcher, a compiled Query. A prefilter (literals, kernels) says quickly which
// parts of a text may match, the automaton says which lines do, and the regular expression engine
// finds the matches in them. The package must not know where a text comes from: it reads through
// io.ReaderAt.
//
// # Assembly
//
// Two loops are in AVX2 assembly, because besides system calls, the work of a search is to look at
// each byte: pair_amd64.s for one literal, in any case too, and teddy_amd64.s for several. They are
// some five times as fast as the same in Go. A kernel only says where something may be, and Go code
// looks whether it is: so it can miss a match, but not invent one. That it misses none is held by
// kernel_test.go and its fuzz targets, which compare each with plain Go code, on texts at the very
// bounds of memory that may be read. A kernel looks at 256 KiB in one call, since the scheduler
// can't interrupt it. Other processors run Go code (pair.nextPlain), and so does one without AVX2:
// there several strings take a pass each. A search for a pair of byte classes in plain Go, for all
// of them in one pass, was removed: on arm64 it took 5.9 instructions a byte for four strings, and
// 3.3 for two, where bytes.Index for one after the other takes 3.1 and 1.4.
//
// Holes of sparse files cost some 60 lines (skipHole). They stay: with them a text with a hole of 1
// GiB after it takes 13 ms, without them 1.8 s, so that 6 GiB would not be searched in time.
package match

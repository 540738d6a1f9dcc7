// Package literal finds strings in a text: one, in any case too, or any of several. It finds lines
// that have a shape, too: certain bytes in a row.
//
// A search goes New or Search → Finder.Find. A Finder looks for the bytes of its string that are
// rarest in source code (byteRank): one byte with bytes.IndexByte, two or three at fixed distances
// with a kernel (pair), or three in a row for each of several strings or shapes (teddy). Where a
// kernel stops, Go code compares the whole string or shape. The package must not know regular
// expressions.
//
// # Assembly
//
// Two loops are in AVX2 assembly, because besides system calls, the work of a search is to look at
// each byte: pair_amd64.s for one literal, in any case too, and teddy_amd64.s for several. They are
// some five times as fast as the same in Go. A kernel only says where something may be, and Go code
// looks whether it is: so it can miss a match, but not invent one. That it misses none is held by
// kernel_test.go and its fuzz targets, which compare each with plain Go code, on texts at the very
// bounds of memory that may be read. A kernel looks at 256 KiB in one call, since the scheduler
// can't interrupt it. Other processors run Go code (bytes.Index, and pair.nextPlain in any case),
// and so does one without AVX2: there several strings take a pass each. A search for a pair of byte
// classes in plain Go, for all of them in one pass, was removed: on arm64 it took 5.9 instructions
// a byte for four strings, and 3.3 for two, where bytes.Index for one after the other takes 3.1 and
// 1.4.
package literal

// Package edit replaces text by what it says, not by where it is, or whole lines by their anchors
// (anchored.go). Text that isn't found exactly can be found leniently, by tiers that forgive
// blanks, indentation and typography (lenient*.go). For text that isn't found at all, it says what
// is closest and how that differs (miss*.go). It knows nothing of files and encodings: a text is
// UTF-8, or any other bytes. Its central type is Edit.
//
// Text is replaced to the byte by exact.go; words.go knows whole words, garble*.go what was garbled
// on its way.
package edit

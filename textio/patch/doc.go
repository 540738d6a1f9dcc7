// Package patch reads patches (unified diffs, git's diffs, and the "*** Begin Patch" form) and
// applies them to texts. It opens no files, and doesn't check whether a path is safe: that is for
// the caller. Its central type is Patch.
//
// # The way of a patch
//
// Parse cuts the text into lines (lines.go) and finds out which form it has. unified.go or begin.go
// reads it: a header for each file (diff_header.go, names.go), then its hunks (hunk.go). hunk.go
// also tells where a hunk ends and something else begins. The result is a list of Files, each with
// an action and hunks. Patch.FilePlans (file_plan.go) puts those about one file together.
//
// File.Apply (apply.go) makes the new text of one file:
//
//  1. index.go marks the lines of the file that hunks have, so that most places are found by
//     comparing one byte for each line.
//  2. place.go goes through the hunks in order and finds a place for each: choose.go picks it
//     from those where the hunk fits, anchor.go finds the lines after "@@", lenient.go for blanks
//     and typography that differ.
//  3. build.go copies what stays and writes what is new.
//
// If any hunk has no place, or several, nothing is built: conflict.go says of each what the file
// has instead. The errors are in errors.go.
package patch

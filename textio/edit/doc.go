// Package edit replaces text by what it says, not by where it is, or whole lines by their anchors.
// For text that isn't found, it says what is closest and how that differs. It knows nothing of
// files and encodings: a text is UTF-8, or any other bytes. Its central type is Edit.
//
// # The way of an edit
//
// Apply (edit.go) makes one edit after the other, each on the text that the one before left.
// run.apply (run.go) looks for the expected text in tiers, from strict to forgiving, and takes the
// first that finds it:
//
//  1. exact.go: equal bytes, then bytes that are equal except for LF and CRLF. words.go leaves out
//     places within words.
//  2. lenient.go, if that is asked for: whole lines (lenient_lines.go) that differ in blanks, in
//     indentation (lenient_indent.go), or in typography (lenient_carry.go).
//
// Then it counts the places, replaces them, and reports their lines. If there are too many or too
// few places, the text stays as it is, and the error (errors.go) says where they are.
//
// If there is none, miss.go says what is closest, by package nearest. Text may also be wrong
// because a model changed it on its way: mangle.go knows the ways and how to undo them,
// mangle_new.go tries that and looks for the same in new text.
//
// ApplyLines (anchored.go) replaces lines that are named by anchors. It finds them by their numbers
// and compares their IDs, so nothing is searched for.
package edit

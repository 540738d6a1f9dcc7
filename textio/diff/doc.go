// Package diff finds what differs between two texts and prints it as a unified diff. It reads no
// diffs, which is for package patch, and changes no text.
//
// # The way of a comparison
//
// Unified and Moved (diff.go) make the lines that name the file, and hand both texts to printed
// (print.go). compare (changes.go) skips what is equal at both ends and then goes through the texts
// in windows of some thousand lines, so that no text takes much memory. match.go finds in each
// window the most lines that both sides share. What lies between those is a change: printed counts
// its lines, and prints it with three unchanged lines around it.
package diff

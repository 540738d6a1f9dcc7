// Package diff finds what differs between two texts and prints it as a unified diff. It reads no
// diffs, which is for package patch, and changes no text. Its central type is Range, a stretch of
// bytes that became another.
package diff

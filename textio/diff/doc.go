// Package diff finds what differs between two texts and prints it as a unified diff. It reads no
// diffs, which is for package patch, and changes no text.
package diff

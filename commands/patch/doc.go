// Package patch has the command patch. input.go takes the text of the patch, file.go makes
// a change of each file of it, kept.go keeps a patch that failed for the next call, hint.go
// and failure.go say what to do then. How a hunk is placed is textio/patch's.
package patch

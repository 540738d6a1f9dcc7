// Package edit has the command edit. What a request means is in edit.go, with anchors.go and
// source.go for lines named by anchor or taken from another place, move.go for what it takes
// from another file, and many.go for an edit of all files of a glob, which finds them with
// package grep. hint.go and failure.go say what to do when the text isn't found. Where the
// places are is found by textio/edit.
package edit

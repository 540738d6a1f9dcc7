// Package undo takes back what calls changed, by the journal of package history. Its own change is
// a transaction with an entry in the journal, so that it can be undone as well.
//
//	undo.go    chooses the call to undo, and the way; since.go all calls after one
//	merge.go   what undoing several calls comes to for each file
//	names.go   the undo of a move
//	append.go  the undo of an append, which changes the file in place
//	report.go  what the caller is told
package undo

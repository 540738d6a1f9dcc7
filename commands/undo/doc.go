// Package undo has the command undo: it undoes one call or several (undo.go), or lists those that
// can be undone (list.go). The inverse of a call is sandbox's.
package undo

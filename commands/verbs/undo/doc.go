// Package undo has the verb undo: it takes back one call or several (undo.go), or lists those that
// can be taken back (list.go). The inverse of a call is sandbox's.
package undo

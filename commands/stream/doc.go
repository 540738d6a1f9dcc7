// Package stream cuts standard input into requests: objects that may span lines, or one line each.
// After a syntax error reading goes on at the next line, and of what is too long nothing is kept.
// It knows nothing of what is in them.
package stream

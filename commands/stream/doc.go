// Package stream cuts an input into requests: Lines one line each (lines.go), Framer objects that
// may span lines (framer.go). After a syntax error reading goes on at the next line, and of what is
// too long nothing but its ends is kept. It knows nothing of what is in them.
package stream

// Package info has the command info: what is at a path, and where the workspace is. It is
// the only listing command that reads content, to tell of a text.
package info

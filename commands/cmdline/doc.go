// Package cmdline makes a Line of the arguments of the program: its settings, and the call that it
// asks for, or where requests come from.
//
// A line is first cut into arguments (arguments.go): each flag, by whichever of its names, gets its
// field, and its value as text. Where all values are plain, they are filled in at once (line.go),
// which is faster: see Parse. Any other line is read by kong (kong.go), which knows lists,
// makes the pages of help from the structs of commands and settings (help.go), and says what is
// wrong with a value or an unknown flag. A mistake becomes an invalid_input that says what to
// write.
//
// The package carries nothing out, and reads no standard input.
package cmdline

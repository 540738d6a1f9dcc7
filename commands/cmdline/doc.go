// Package cmdline makes a Line of the arguments of the program: its settings, and the call that it
// asks for, or where requests come from.
//
// Parse reads a plain line by itself (plain.go), which saves a third of a short call, and any other
// with kong (cmdline.go): kong reads the structs of verbs and settings, and makes the pages of help
// (help.go). What kong does otherwise than requests do is put right before it sees the arguments
// (command.go, names.go, values.go). A mistake becomes an invalid_input that says what to write.
//
// The package carries nothing out, and reads no standard input.
package cmdline

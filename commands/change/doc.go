// Package change has the commands that change whole files and folders: write, append, mkdir, copy,
// move and delete. Each has a file with its Command, its request, its result and its Run; files
// named after it say what to do when it fails. What a change makes of a text is textio's, how it
// gets to the disk is sandbox's: here is what a request means, and what its answer tells.
//
// A result's Change tells what changed, for approvals. The text form of all of them is in
// text.go, warnings that they share with edit and patch in warnings.go.
package change

// Package rewrite has the commands that change parts of a file's text: edit and patch. Each has a
// file with its Command, its request, its result and its Run; files named after it read what it is
// given and say what to do when it fails. Where the places are is found by textio, how the file
// gets to the disk is sandbox's: here is what a request means, and what its answer tells. An edit
// with glob (many*.go) finds its files through the package find.
//
// A result's Change tells what changed, for approvals. The text form of both is in text.go and
// failure_text.go, warnings they share in warnings.go. What they share with the commands that write
// whole files is in the package change.
package rewrite

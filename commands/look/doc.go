// Package look has the commands that show what is there: info, ls and glob. Each has a file with
// its Command, its request, its result, its Run and its text form.
//
// ls and glob fill one page (page.go) from a walk, in path order or by time or size. What they list
// is a found (found.go), which knows how it is written in their answers. glob also takes what its
// pattern names to the letter (glob_named.go), and says why a pattern found nothing
// (glob_nothing.go).
//
// The package reads no content of a file, except what info tells of a text.
package look

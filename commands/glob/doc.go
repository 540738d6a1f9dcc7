// Package glob has the command glob. It walks from the part of the pattern that has no wildcard
// (page.go), takes what the pattern names to the letter (named.go), and says why a pattern
// found nothing (nothing.go).
package glob

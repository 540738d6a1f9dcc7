// Package anchor names lines by number and content: 12#KD is line 12, and KD is its ID, a short
// hash. Whoever has read a line can name it that way, and whether it is still the same line can be
// told later. It knows texts as edits see them, in UTF-8, and no files.
//
// When lines are shown, each goes through a Hash (hash.go), part by part if it is long, and Hash.ID
// gives the two letters. When an anchor comes back, Parse reads it (anchor.go), and Text.ID says
// which ID the line of that number has now (text.go). If it is another one, the anchor is stale.
package anchor

// Package anchor names lines by number and content: 12#KDT is line 12, and KDT is its ID, a short
// hash. Whoever has read a line can name it that way, and whether it is still the same line can be
// told later. It knows texts as edits see them, in UTF-8, and of files only how to read them.
//
// The ID of a line that the text has only once is a hash of the line. That of any other line, such
// as a brace or a member that all objects of a list have, depends on where it is as well (Context,
// context.go). So a text is gone through twice: Count tells which lines are there only once, then
// Find or After give IDs (text.go). When an anchor comes back, Parse reads it (anchor.go). If the
// line of its number has another ID by now, the anchor is stale.
package anchor

// Package anchor names lines by number and content: 12#KD is line 12, and KD is its ID, a short
// hash. Whoever has read a line can name it that way, and whether it is still the same line can be
// told later. It knows texts as edits see them, in UTF-8, and no files.
package anchor

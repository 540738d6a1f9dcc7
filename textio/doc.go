// Package textio works on whole text files: it cuts pages of lines, describes what a file holds,
// brings new text into the form of a file, and finds placeholders for text left out. Bytes go in
// and values come out; it opens no files. Of JSON it knows only strings and where names are. Its
// central type is Form, how bytes hold text.
//
// Its subpackages are, from the lowest up:
//
//	charset  encodings, and what the first bytes of a file say about it
//	lines    line ends, and a text cut at them
//	anchor   lines named by number and content
//	diff     what differs between two texts, and how it is printed
//	edit     replacing text, and why a text isn't found
//	patch    reading patches and applying them
//
// # Files
//
//	form.go        how bytes hold text
//	page*.go       pages of lines
//	describe.go    facts about a text
//	compose.go     the new content of a file that is written; addition.go appends to it, edited.go edits it, patched.go patches it
//	omission.go    placeholders for text left out
//	quote.go       JSON strings
package textio

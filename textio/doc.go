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
// # The way of a file through this package
//
// FormOf finds out how the bytes hold text: encoding and byte order mark (form.go). Then:
//
//   - To show lines, ReadPage reads only the part of the file that it needs, through a window
//     (window.go). page_start.go finds the first line, page_line.go puts one line after the other
//     on the page, and page.go measures lines that are too long, and adds anchors.
//   - To tell facts about the text, Describe goes through it once (describe.go, line_tally.go).
//   - To change it, Compose makes new content for the whole file (compose.go), Add for its end
//     (addition.go), Edit by edits and Patch by a patch (changed.go). Each returns the
//     new bytes, in the form that the file had.
//   - To show a change, Contents makes a diff, and says in words what a diff can't show
//     (contents.go, shown.go).
//
// elision.go finds placeholders for text left out. quote.go is for JSON strings, alike.go and
// brief.go are for names and texts in messages.
package textio

// Package answer is what every call ends with: the envelope, its closed list of codes, and the
// three forms in which it is written.
//
// A command returns a Result or an error. Succeeded and Failed make an Answer of it. An Output
// writes that as JSON (answer.go), as text for a model (text*.go), or with colours and tables for a
// person at a terminal (style*.go); each answer of a stream is one line.
//
// A struct's json tags are its wire format, from which the schemas of answers come too (Members). A
// path is a words.PathName, which has the exact bytes of a name that isn't UTF-8.
//
// A list that may be very long makes its items one by one, as Items (items.go).
//
// A result or its details bring their own text, as TextWriter and WriteDetails. WriteText of a
// result writes to a Text, in this order:
//
//	t.PageOf     the first line, if there is more than a page has
//	t.Line       a line of what was asked for, of several parts; Block several lines; Path a path
//	t.Sentence   the message of the answer, if that is all; Facts all members, "key: value" a line
//	t.LeftOut    on the last line, in brackets: what a walk left out
//	t.NotRead    what could not be read
//	t.Note       anything else, such as the hint of the answer
//
// Numbers and names in it, as in messages, are written by package words: Plural, Exact, Size.
//
// A Budget counts what the items of a list will take before they are added, so that no answer is
// longer than max_output_bytes.
//
// The package knows no command, no setting and no file: it is told what to write, and where.
package answer

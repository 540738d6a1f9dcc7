package textio

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"fsbox/textio/charset"
	"fsbox/textio/diff"
	"fsbox/textio/lines"
)

// Edges is what is known of a file that text is added to: its first and its last bytes. Either may
// be the whole file.
type Edges struct {
	Head, Tail []byte
	Size       int64
}

// Addition is what is added to a file, in the file's form.
type Addition struct {
	Data     []byte // as bytes of the file
	Joined   bool   // the text goes on in the file's last line
	Mixed    bool   // UTF-8 is added to a file in another encoding
	ToCR     bool   // line ends became carriage returns
	Omission Omission

	form       Form
	text       []byte // what is added, in UTF-8
	edges      Edges
	head, tail []byte // the texts of the edges, without byte order mark
	invalid    bool   // the head has bytes that mean nothing in the encoding
	asked      bool   // the encoding is named
	bytes      bool   // what is added is taken as it is
}

// Add brings what is to be added to a file into the file's form, judged by its edges: files of any
// size can be added to. With no encoding named, what isn't text goes in as it is, except into
// UTF-16 and UTF-32. With ownLine, it begins a line.
//
// Errors: *InvalidTextError if the file ends within a character, *charset.UnencodableError.
func Add(content []byte, edges Edges, want Want, ownLine bool) (Addition, error) {
	add := newAddition(edges, want)
	switch {
	case want.Bytes:
		add.text, add.Data = content, content
		return add, nil
	case edges.Size%int64(add.form.Encoding.UnitWidth()) != 0:
		return add, &InvalidTextError{Encoding: add.form.Encoding.Name()}
	}
	eol := want.EOL
	asIs := !isUTF8Text(content) && !add.asked && !add.form.Encoding.IsWide()
	if asIs && eol == autoEOL {
		eol = verbatimEOL
	}
	add.text = withEOL(content, eol, add.head)
	add.ToCR = endsToCR(content, add.text)
	lineEnd := withEOL(lines.LF, want.EOL, add.head)
	unfinished := add.isUnfinished()
	add.Joined = unfinished && !ownLine && !beginsLine(add.text, lineEnd)
	add.Mixed = add.invalid && add.isWhole() && !charset.IsASCII(content) && !add.asked
	add.Omission = add.findOmission(content)
	if !asIs {
		add.text = bytes.TrimPrefix(add.text, []byte(charset.BOM))
	}
	if unfinished && ownLine {
		add.text = slices.Concat(lineEnd, add.text)
	}
	if add.Data = add.text; asIs {
		return add, nil
	}
	err := add.encode(content)
	return add, err
}

// encode makes bytes of the file from the text.
func (add *Addition) encode(content []byte) (err error) {
	form := add.form
	if form.BOM = 0; add.isFresh() { // any other file has a byte order mark, or needs none
		form = add.form.markedAs(content)
	}
	add.Data, err = form.Encode(add.text)
	return err
}

// newAddition looks at the file that is added to.
func newAddition(edges Edges, want Want) Addition {
	add := Addition{edges: edges, asked: want.Encoding != nil, bytes: want.Bytes}
	add.form = FormFor(charset.Sniff(edges.Head), want.Encoding)
	add.head, add.invalid = add.form.Decode(edges.Head)
	if add.tail = add.head; !add.isWhole() {
		add.tail, _ = add.form.Encoding.Decode(edges.Tail)
	}
	return add
}

// isFresh reports whether a file is new or empty: for an addition there is no difference.
func (add *Addition) isFresh() bool { return add.edges.Size == 0 }

// isWhole reports whether the tail is the whole file.
func (add *Addition) isWhole() bool { return int64(len(add.edges.Tail)) == add.edges.Size }

// isUnfinished reports whether the last line lacks its line end.
func (add *Addition) isUnfinished() bool {
	if len(add.tail) == 0 || bytes.HasSuffix(add.tail, lines.LF) {
		return false
	}
	return !bytes.HasSuffix(add.tail, []byte("\r")) || EOL(add.head, nil) != "cr"
}

// beginsLine reports whether a text begins with a line end, the file's or any other.
func beginsLine(text, lineEnd []byte) bool {
	return bytes.HasPrefix(text, lines.LF) || bytes.HasPrefix(text, lines.CRLF) || bytes.HasPrefix(text, lineEnd)
}

// findOmission looks for a placeholder that the ends of the file don't have as well.
func (add *Addition) findOmission(content []byte) Omission {
	omission, _ := FindOmission(nil, content, slices.Concat(add.head, lines.LF, add.tail))
	return omission
}

// Describe names the encoding and the line ends of the file afterwards, in the words of Composed.
// It knows only the edges of the file.
func (add *Addition) Describe() (encoding, eol string) {
	if all := slices.Concat(add.edges.Tail, add.Data); add.bytes && add.isWhole() || add.isFresh() && !add.asked {
		own, name := ownForm(all)
		return name, ownEOL(all, own, name)
	}
	if add.bytes && charset.Sniff(add.edges.Head).Binary {
		return binaryName, ownEOL(nil, Form{}, binaryName)
	}
	encoding = add.form.Encoding.Name()
	if add.form.Encoding.IsUTF8() && !add.asked && (!utf8.Valid(add.Data) || add.invalid && add.isWhole()) {
		encoding = unknown8bit
	}
	after := slices.Concat(add.tail, add.text)
	if !add.isWhole() { // the carriage return before the tail isn't known
		after = slices.Concat(add.head, bytes.TrimPrefix(after, lines.LF))
	}
	return encoding, EOL(after, nil)
}

// isShown reports whether a diff can show an addition as text.
func (add *Addition) isShown() bool {
	if add.bytes && (add.form.Encoding.IsWide() || charset.Sniff(add.edges.Head).Binary) {
		return false
	}
	return add.asked || !charset.Sniff(add.text).Binary
}

// Diff shows what is added. There is none of binary content. Of a file that is not known whole it
// counts the lines that differ, of which only the last can be an old one.
func (add *Addition) Diff(path string, created bool, maxLines int) diff.Printed {
	if !add.isShown() {
		return diff.Printed{Truncated: true}
	}
	old, added := add.tail, add.text
	if add.form.Encoding.IsUTF8() {
		old, added = add.edges.Tail, add.Data
	}
	if !add.isWhole() {
		old = old[bytes.LastIndexByte(old, '\n')+1:]
	}
	d := diff.Unified(path, old, slices.Concat(old, added), created, maxLines)
	if !add.isWhole() { // then it lacks the line numbers
		d.Text, d.Truncated = "", true
	}
	return d
}

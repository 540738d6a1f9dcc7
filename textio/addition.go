package textio

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"fsbox/textio/charset"
	"fsbox/textio/diff"
	"fsbox/textio/lines"
)

// Edges are the first and the last bytes of a file to which text is added. Either may be the whole
// file.
type Edges struct {
	Head, Tail []byte
	Size       int64
}

// OtherEncodingError says that a file is in another encoding than the one that was named for what
// is added to it: the file would be in two.
type OtherEncodingError struct{ Own, Named string }

func (e *OtherEncodingError) Error() string {
	return fmt.Sprintf("its text is %s, and would read differently in %s", e.Own, e.Named)
}

// readAs reports whether the text of a file is the same when it is read in a named encoding. A file
// that is binary, or without a byte order mark not valid UTF-8, may be in any that has one byte for
// an ASCII character; a binary one also in UTF-16 or UTF-32 without a mark.
func (e Edges) readAs(named *charset.Encoding) bool {
	head := charset.Sniff(e.Head)
	switch {
	case e.Size == 0, head.Binary, head.Encoding.Name() == named.Name():
		return true
	case head.BOM > 0, named.IsWide():
		return false
	}
	first, last := e.Head, e.Tail
	if int64(len(last)) < e.Size { // the cuts may be within a character
		first = first[:charset.WholeRunes(first)]
		for len(last) > 0 && !utf8.RuneStart(last[0]) {
			last = last[1:]
		}
	}
	isText := utf8.Valid(first) && utf8.Valid(last)
	return !isText || bytes.Equal(named.ToUTF8(first), first) && bytes.Equal(named.ToUTF8(last), last)
}

// Addition is what is added to a file, in the file's form.
type Addition struct {
	Data     []byte // as bytes of the file
	Joined   bool   // the text continues the file's last line
	Mixed    bool   // UTF-8 is added to a file in another encoding
	ToCR     bool   // line ends of the text became lone carriage returns
	Unmarked bool   // a byte order mark before the content was left out
	Elision  Elision

	form       Form
	text       []byte // what is added, in UTF-8
	edges      Edges
	head, tail []byte // the edges in UTF-8, without byte order mark
	invalid    bool   // the head has bytes that are invalid in the encoding
	asked      bool   // the request names the encoding
	bytes      bool   // what is added goes in unchanged: Want.Bytes
}

// Add brings content, which is to be added at the end of a file, into the file's form. It needs
// only the edges of the file, so that a file of any size can be added to. With no encoding named,
// content that isn't text goes in unchanged, except into UTF-16 and UTF-32. With ownLine, content
// begins on a line of its own.
//
// Errors: *InvalidTextError if the file ends within a unit of UTF-16 or UTF-32,
// *OtherEncodingError, *charset.UnencodableError.
func Add(content []byte, edges Edges, want Want, ownLine bool) (Addition, error) {
	add := newAddition(edges, want)
	switch {
	case want.Bytes:
		add.text, add.Data = content, content
		return add, nil
	case add.asked && !edges.readAs(want.Encoding):
		return add, &OtherEncodingError{Own: charset.Sniff(edges.Head).Encoding.Name(), Named: want.Encoding.Name()}
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
	add.Elision, _ = FindElision(nil, content, slices.Concat(add.head, lines.LF, add.tail)) // one that the edges of the file don't have
	if !asIs {
		add.text = bytes.TrimPrefix(add.text, []byte(charset.BOM))
		add.Unmarked = !add.isFresh() && bytes.HasPrefix(content, []byte(charset.BOM))
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

// encode sets Data to the text in the file's encoding.
func (add *Addition) encode(content []byte) (err error) {
	form := add.form
	if form.BOM = 0; add.isFresh() { // any other file has its byte order mark already, or needs none
		form = add.form.markedAs(content)
	}
	add.Data, err = form.Encode(add.text)
	return err
}

// newAddition finds the form of the file and decodes its edges.
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

// beginsLine reports whether a text begins with a line end: LF, CRLF, or lineEnd, which is the
// file's.
func beginsLine(text, lineEnd []byte) bool {
	return bytes.HasPrefix(text, lines.LF) || bytes.HasPrefix(text, lines.CRLF) || bytes.HasPrefix(text, lineEnd)
}

// Describe names the encoding and the line ends that the file has after the addition, in the words
// of Composed. It goes by the edges of the file.
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
	if !add.isWhole() { // a line feed at the start of the tail may belong to a CRLF
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

// Contents are the file's last line, or the whole file if that is known, before and after the
// addition.
func (add *Addition) Contents(path string, created bool) Contents {
	c := Contents{Path: path, Old: add.edges.Tail, Created: created}
	if !add.isWhole() {
		c.Head = add.edges.Head
		end := FormOf(charset.Sniff(c.Head), nil).Encoding.Unit('\n')
		for at := len(c.Old) - 2*len(end); at >= 0; at -= len(end) {
			if bytes.HasPrefix(c.Old[at:], end) {
				c.Old = c.Old[at+len(end):]
				break
			}
		}
	}
	c.New = slices.Concat(c.Old, add.Data)
	return c
}

// Diff shows what is added. Binary content has no diff. If the edges aren't the whole file, Diff
// only counts the lines that differ; the file's last line can be the only old one among them.
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
	if !add.isWhole() { // the line numbers aren't known
		d.Text, d.Truncated = "", true
	}
	return d
}

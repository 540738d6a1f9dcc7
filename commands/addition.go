package commands

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"fsbox/sandbox/dir"
	"fsbox/textio"
	"fsbox/textio/charset"
	"fsbox/textio/diff"
)

// addition is what is added to a file, in the file's form, and what is known of the file: its beginning and its end.
type addition struct {
	form       format
	text       []byte // what is added, in UTF-8
	data       []byte // the same as bytes of the file
	edges      dir.Edges
	head, tail []byte // the texts of the edges, without byte order mark
	invalid    bool   // the head has bytes that mean nothing in the encoding
	asked      bool   // the request names the encoding
	joined     bool   // the text goes on in the file's last line
	mixed      bool   // UTF-8 is added to something else
	toCR       bool   // line ends became carriage returns
	omission   textio.Omission
}

// compose brings the content into the form of the file, judged by its beginning and its end: files of any size can be
// appended to. With "auto", what isn't text goes in as it is, but into UTF-16 and UTF-32.
func (a *Append) compose(edges dir.Edges) (addition, error) {
	add, err := a.open(edges)
	if err != nil {
		return add, err
	}
	content, eol := []byte(*a.Content), a.EOL
	asIs := !isUTF8Text(content) && !add.asked && !add.form.isWide()
	if asIs && eol == "auto" {
		eol = "verbatim"
	}
	add.text = lineEnds(content, eol, add.head)
	add.toCR = endsToCR(content, add.text)
	lineEnd := lineEnds([]byte("\n"), a.EOL, add.head)
	unfinished := add.isUnfinished()
	add.joined = unfinished && !a.EnsureNewline && !beginsLine(add.text, lineEnd)
	add.mixed = add.invalid && add.isWhole() && !isASCII(*a.Content) && !add.asked
	add.omission = add.findOmission(content)
	if !asIs {
		add.text = bytes.TrimPrefix(add.text, []byte("\ufeff"))
	}
	if unfinished && a.EnsureNewline {
		add.text = slices.Concat(lineEnd, add.text)
	}
	if add.data = add.text; asIs {
		return add, nil
	}
	form := add.form
	if form.bom = 0; add.isFresh() { // else the file has a mark, or needs none
		form = add.form.marked(*a.Content)
	}
	add.data, err = form.encode(add.text)
	return add, err
}

// open looks at the file that is appended to.
func (a *Append) open(edges dir.Edges) (addition, error) {
	add := addition{edges: edges, asked: a.Encoding != "auto"}
	head := charset.Sniff(edges.Head)
	if head.Binary && !add.asked {
		return add, binaryFailure(a.Path, head).hint("only text can be appended to; name its encoding if it is text all the same")
	}
	var err error
	if add.form, err = targetFormat(head, !add.isFresh(), a.Encoding); err != nil {
		return add, err
	}
	if unit := add.form.encoding.UnitWidth(); edges.Size%int64(unit) != 0 {
		return add, failf(CodeInvalidEncoding, "%q is not valid %s: it ends within a character", a.Path, add.form.encoding.Name())
	}
	add.head, add.invalid = add.form.decode(edges.Head)
	if add.tail = add.head; !add.isWhole() {
		add.tail, _ = add.form.encoding.Decode(edges.Tail)
	}
	return add, nil
}

// isFresh reports a file that is new, or empty, which is the same to what is added.
func (add *addition) isFresh() bool { return add.edges.Size == 0 }

// isWhole reports that the tail is the whole file.
func (add *addition) isWhole() bool { return int64(len(add.edges.Tail)) == add.edges.Size }

// isUnfinished reports a last line that lacks its line end.
func (add *addition) isUnfinished() bool {
	if len(add.tail) == 0 || bytes.HasSuffix(add.tail, []byte("\n")) {
		return false
	}
	return !bytes.HasSuffix(add.tail, []byte("\r")) || textio.EOL(add.head, nil) != "cr"
}

// beginsLine reports a text that begins with a line end, the file's or any other.
func beginsLine(text, lineEnd []byte) bool {
	return bytes.HasPrefix(text, []byte("\n")) || bytes.HasPrefix(text, []byte("\r\n")) || bytes.HasPrefix(text, lineEnd)
}

// findOmission looks for a placeholder that the ends of the file don't have as well.
func (add *addition) findOmission(content []byte) textio.Omission {
	omission, _ := textio.FindOmission(nil, content, slices.Concat(add.head, []byte("\n"), add.tail))
	return omission
}

// describe names the encoding and the line ends of the file afterwards, as far as the edges tell.
func (add *addition) describe() (encoding, eol string) {
	if add.isFresh() && !add.asked {
		own, name := ownFormat(add.data)
		return name, nameEOL(add.data, own, name)
	}
	encoding = add.form.encoding.Name()
	if add.form.isUTF8() && !add.asked && (!utf8.Valid(add.data) || add.invalid && add.isWhole()) {
		encoding = unknown8bit
	}
	after := slices.Concat(add.tail, add.text)
	if !add.isWhole() { // the carriage return before the tail isn't known
		after = slices.Concat(add.head, bytes.TrimPrefix(after, []byte("\n")))
	}
	return encoding, textio.EOL(after, nil)
}

// diff shows what is added. There is none of binary content. Of a file that is not known whole it counts the lines that differ,
// of which only the last can be an old one.
func (add *addition) diff(path string, created bool) diff.Printed {
	if charset.Sniff(add.text).Binary && !add.asked {
		return diff.Printed{Truncated: true}
	}
	old, added := add.tail, add.text
	if add.form.isUTF8() {
		old, added = add.edges.Tail, add.data
	}
	if !add.isWhole() {
		old = old[bytes.LastIndexByte(old, '\n')+1:]
	}
	d := diff.Unified(path, old, slices.Concat(old, added), created, maxDiffLines)
	if !add.isWhole() { // then it lacks the line numbers
		d.Text, d.Truncated = "", true
	}
	return d
}

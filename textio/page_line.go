package textio

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"fsbox/textio/anchor"
	"fsbox/textio/charset"
)

// ending is how a line ends.
type ending uint8

const (
	endingNone ending = iota // the file ends
	endingLF
	endingCRLF
)

// rawLine is the next line of the window as it is in the file.
type rawLine struct {
	body   []byte // without the line end; of a long line the first bytes; valid until the next read
	ending ending
	long   bool // body is only a part of the line, and ending is unknown
}

// appendLine puts the next line on the page, or ends the page before it.
func (p *pager) appendLine() error {
	raw, err := p.peekLine()
	if err != nil {
		return err
	}
	text := p.req.Encoding.ToUTF8(raw.body)
	shown, clipped := clipChars(text, p.req.MaxLineChars)
	number, cutBy := p.number(), ""
	left, by := p.room(number, shown, raw, clipped || raw.long)
	if len(number)+len(shown) > left {
		if p.shown > 0 {
			p.truncate(by)
			return nil
		}
		left, cutBy = p.room(number, shown, raw, true)
		shown, clipped = clipBytes(shown, left-len(number)), true
		number = clipBytes(number, left)
	}
	at := len(p.page.Content)
	p.appendShown(number, shown, raw)
	if err = p.endLine(raw, text, clipped || raw.long); err == nil && clipped {
		p.page.Clipped[len(p.page.Clipped)-1].By = cutBy
	}
	p.putID(p.page.Content[at : at+len(number)])
	p.units += p.unitsOf(p.page.Content[at:])
	return err
}

// room is how many bytes of the next line, its number included, fit on the page before its end, and
// the name of the limit. clipped is that of left.
func (p *pager) room(number, shown []byte, raw rawLine, clipped bool) (bytes int, by string) {
	bytes, by = p.left(clipped)
	bytes -= p.endingBytes(raw)
	if p.req.Text.Most == 0 {
		return bytes, by
	}
	unit := p.req.Text.Unit
	units := p.req.Text.Most - p.units - unit.Len(viewed(number)) - len(`\n`)*p.endingBytes(raw)
	if fit := unit.Fit(viewed(shown), units); fit < len(shown) && len(number)+fit < bytes {
		return len(number) + fit, p.req.Text.Name
	}
	return bytes, by
}

// unitsOf is how long a part of the page is for its reader; 0 without a limit.
func (p *pager) unitsOf(part []byte) int {
	if p.req.Text.Most == 0 {
		return 0
	}
	return p.req.Text.Unit.Len(viewed(part))
}

// left is how many bytes of the next line fit on the page, and the name of the limit. clipped says
// that the line is cut, so that it takes ClipSize bytes of the answer as well.
func (p *pager) left(clipped bool) (bytes int, by string) {
	content, clips := len(p.page.Content), len(p.page.Clipped)
	if clipped {
		clips++
	}
	answer := int(p.req.MaxAnswer) - content - clips*p.req.ClipSize
	if bytes = p.req.MaxBytes - content; p.req.MaxAnswer > 0 && answer < bytes {
		return max(answer, 0), "max_output_bytes"
	}
	return bytes, "max_bytes"
}

// appendPlain puts the next plain lines on the page, all at once, as far as they fit, and reports
// whether there were any. A plain line is shown as it is in the file: valid UTF-8, not cut, with LF
// at its end. Most files have only plain lines, and to handle each by itself takes longer than to
// read it.
func (p *pager) appendPlain() bool {
	if !p.req.Encoding.IsUTF8() || p.req.LineNumbers || p.req.Anchors {
		return false
	}
	block := p.data()
	left, _ := p.left(false)
	block = block[:min(len(block), left)]
	size, lines := p.plainLines(block, false)
	if !utf8.Valid(block[:size]) {
		size, lines = p.plainLines(block[:size], true)
	}
	units := p.unitsOf(block[:size])
	if room := p.req.Text; room.Most > 0 && p.units+units > room.Most {
		size, lines = room.Unit.FitLines(block[:size], room.Most-p.units)
		units = p.unitsOf(block[:size])
	}
	if lines == 0 {
		return false
	}
	p.page.Content = append(p.page.Content, block[:size]...)
	p.units += units
	p.ending, p.lf = endingLF, true
	p.shown += lines
	p.line += int64(lines)
	p.advance(size)
	return true
}

// plainLines returns the size in bytes and the number of the plain lines at the start of block.
// Only if check is set are they checked to be valid UTF-8: to check all of them at once, as the
// caller does first, takes less time.
func (p *pager) plainLines(block []byte, check bool) (size, lines int) {
	longest := p.req.MaxLineChars
	if longest <= 0 {
		longest = len(block)
	}
	most := p.req.MaxLines - p.shown
	if p.req.Text.Most > 0 {
		most = min(most, p.req.Text.Lines-p.shown)
	}
	for lines < most {
		n := bytes.IndexByte(block[size:], '\n')
		if n < 0 || n > longest || n > 0 && block[size+n-1] == '\r' || check && !utf8.Valid(block[size:size+n]) {
			break
		}
		size += n + len("\n")
		lines++
	}
	return size, lines
}

// peekLine finds the next line, which has at least one byte. It doesn't read more of a line than
// could be shown.
func (p *pager) peekLine() (rawLine, error) {
	body, found := p.peekBody()
	if !found {
		if err := p.fill(p.visible); err != nil {
			return rawLine{}, err
		}
		body, found = p.peekBody()
	}
	switch {
	case found && p.tally.cr.ends(body):
		return rawLine{body: body[:len(body)-p.tally.cr.width()], ending: endingCRLF}, nil
	case found:
		return rawLine{body: body, ending: endingLF}, nil
	}
	return rawLine{body: body, long: p.offset()+int64(len(body)) < p.size}, nil
}

// peekBody is what the window has of the next line, as far as it could be shown. found says that
// the line's end was found.
func (p *pager) peekBody() (body []byte, found bool) {
	body = p.data()[:min(len(p.data()), p.visible)]
	if i := p.tally.nl.index(body); i >= 0 {
		return body[:i], true
	}
	return body, false
}

// endingBytes is how many bytes the line end takes on the page; of a long line, whose end isn't
// known yet, the most that it can take.
func (p *pager) endingBytes(raw rawLine) int {
	if raw.long && p.req.Raw {
		return len("\r\n")
	}
	if raw.long {
		return len("\n")
	}
	return len(p.endingText(raw.ending))
}

func (p *pager) endingText(e ending) string {
	switch {
	case e == endingNone:
		return ""
	case e == endingCRLF && p.req.Raw:
		return "\r\n"
	}
	return "\n"
}

// number is the prefix of the next line, nil without LineNumbers and Anchors.
func (p *pager) number() []byte {
	digits := strconv.AppendInt(nil, p.line, 10)
	switch {
	case p.req.Anchors:
		return append(append(digits, '#'), idAndArrow...)
	case !p.req.LineNumbers:
		return nil
	}
	prefix := bytes.Repeat([]byte(" "), max(6-len(digits), 0))
	return append(append(prefix, digits...), "→"...)
}

func (p *pager) appendShown(number, shown []byte, raw rawLine) {
	if p.req.Encoding.Lossy(shown, raw.body) && !p.page.EncodingErrors {
		p.page.EncodingErrors, p.page.InvalidLine = true, p.line
	}
	p.cr = p.cr || raw.ending == endingNone && bytes.IndexByte(shown, '\r') >= 0
	p.page.Content = append(append(p.page.Content, number...), shown...)
}

// endLine moves the window past a line and puts the line's end on the page. text is the line in
// UTF-8; of a long line it is only the beginning.
func (p *pager) endLine(raw rawLine, text []byte, clipped bool) error {
	chars := int64(0)
	p.hash = anchor.Hash{}
	if raw.long {
		var err error
		if chars, raw.ending, err = p.measureLong(); err != nil {
			return err
		}
	} else {
		p.addToHash(raw.body)
		p.advance(len(raw.body) + p.fileBytes(raw.ending))
		if clipped {
			chars = int64(utf8.RuneCount(text))
		}
	}
	if clipped {
		p.page.Clipped = append(p.page.Clipped, Clip{Line: p.line, Chars: chars})
	}
	if chars < 0 {
		p.truncate("max_bytes")
		p.page.Next = nil
	}
	p.appendEnding(raw.ending)
	return nil
}

func (p *pager) appendEnding(e ending) {
	// With a limit of a byte or two it may not fit.
	if s := p.endingText(e); len(p.page.Content)+len(s) <= p.req.MaxBytes {
		p.page.Content = append(p.page.Content, s...)
	}
	p.ending, p.lf, p.crlf = e, p.lf || e == endingLF, p.crlf || e == endingCRLF
	p.shown++
	p.line++
}

// fileBytes is how many bytes a line end takes in the file; e is its number of characters.
func (p *pager) fileBytes(e ending) int { return int(e) * p.tally.nl.width() }

// clipChars cuts text to n code points, if n is not 0.
func clipChars(text []byte, n int) (shown []byte, clipped bool) {
	if n <= 0 || len(text) <= n {
		return text, false
	}
	at := 0
	for ; n > 0 && at < len(text); n-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return text[:at], at < len(text)
}

// clipBytes cuts valid UTF-8 to n bytes or a little less, between code points.
func clipBytes(text []byte, n int) []byte {
	if n = max(n, 0); n >= len(text) {
		return text
	}
	return text[:charset.WholeRunes(text[:n])]
}

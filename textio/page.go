package textio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"fsbox/textio/anchor"
	"fsbox/textio/charset"
)

// Position is the start of a line: Offset is the byte offset in the file of the first byte of line
// Line. Lines are 1-based; negative ones count from the end, -1 being the last.
type Position struct{ Offset, Line int64 }

// PageRequest says which lines to read and how to show them. MaxLines and MaxBytes below 1 act as
// 1.
type PageRequest struct {
	StartLine    int64     // 1-based; negative counts from the end; never 0
	From         *Position // start here instead, at Next of an earlier page; no line has to be searched for
	FromSize     int64     // the file's size at that page: if From counts from the end, lines added since renumber it
	MaxLines     int
	MaxBytes     int               // of UTF-8 content, line number prefixes included
	MaxLineChars int               // code points of a line that are shown; 0 never clips
	LineNumbers  bool              // prefix each line with its number, right-aligned to 6 characters, and U+2192
	Anchors      bool              // prefix it with its anchor and U+2192 instead
	Raw          bool              // show CRLF as it is rather than as LF
	Encoding     *charset.Encoding // of the file; nil is UTF-8
	BOM          int               // length of the file's byte order mark, which is not shown
	CountLimit   int64             // files up to this size in bytes are read whole for TotalLines
	MaxAnswer    int64             // bytes of Content plus ClipSize for each item of Clipped; 0 is no limit
	ClipSize     int
	Text         TextRoom
}

// TextRoom is how much of a page a reader takes who counts in another unit than bytes.
type TextRoom struct {
	Most  int // 0 is no limit
	Lines int // with a limit
	Unit  Unit
	Name  string // what TruncatedBy calls it
}

// Page is a run of lines with their line ends: pages joined give the text. Line numbers are
// negative, counted from the end, if the request counts from the end of a file over CountLimit and
// the page doesn't begin at the file's start.
type Page struct {
	Content        []byte // UTF-8
	StartLine      int64
	EndLine        int64     // inclusive; StartLine-1 on a page without lines
	TotalLines     *int64    // nil for a file over CountLimit
	FinalNewline   *bool     // nil if the end of the file wasn't read, or there is no text
	Truncated      bool      // there are more lines
	TruncatedBy    string    // "max_lines", "max_bytes", "max_output_bytes" for MaxAnswer, or the name of a TextRoom
	Next           *Position // the first line not shown; nil unless Truncated, see Clip for the exception
	EncodingErrors bool      // a U+FFFD on the page replaces invalid bytes
	InvalidLine    int64     // the first line with such a U+FFFD
	Clipped        []Clip
	EOL            string // lf, crlf, cr (no LF at all), mixed or none; of the page only if the file is over CountLimit
}

// Clip names a line that is not shown whole. Chars is the length of the whole line without its end,
// in code points. It is -1 for a line whose end isn't within about 1 GiB (farthestEnd): then the
// page is Truncated and has no Next.
type Clip struct {
	Line  int64  `json:"line"`
	Chars int64  `json:"chars"`
	By    string `json:"-"` // max_bytes or max_output_bytes; "" if MaxLineChars cut it
}

// LineRangeError says that a page was to start after the last line. TotalLines is -1 when it was to
// start at a Position counted from the end.
type LineRangeError struct{ StartLine, TotalLines int64 }

func (e *LineRangeError) Error() string {
	if e.TotalLines < 0 {
		return fmt.Sprintf("line %d is past the end", e.StartLine)
	}
	return fmt.Sprintf("line %d is past the end of %d lines", e.StartLine, e.TotalLines)
}

// blockSize is how many bytes one read takes: so many that the cost of system calls is small, so
// few that they stay in a core's cache.
const blockSize = 256 << 10

// ReadPage reads one page of lines of a file of size bytes, in memory bounded by the limits of the
// request. Lines end at LF only, and pages end at line ends, except that a first line over MaxBytes
// is cut. If the file shrinks meanwhile, the page ends where the file does. Errors:
// *LineRangeError, ctx.Err() and those of r.
func ReadPage(ctx context.Context, r io.ReaderAt, size int64, req PageRequest) (*Page, error) {
	if req.StartLine == 0 && req.From == nil {
		return nil, errors.New("lines count from 1, or from -1 at the end")
	}
	p := newPager(ctx, r, size, req)
	if err := p.locate(); err != nil {
		return nil, err
	}
	p.page.StartLine = p.line
	if err := p.findContext(); err != nil {
		return nil, err
	}
	p.page.Content = make([]byte, 0, min(int64(p.req.MaxBytes), max(p.size-p.offset(), 0), blockSize))
	if err := p.readLines(); err != nil {
		return nil, err
	}
	p.finish()
	return &p.page, nil
}

// pager reads one page.
type pager struct {
	window
	req      PageRequest
	bom      int64
	counted  bool        // the file is within CountLimit
	tally    LineTally   // of the whole file, if counted
	line     int64       // number of the line that begins at window.offset
	shown    int         // lines on the page
	units    int         // of Text.Unit on the page, if there is a limit
	visible  int         // how many bytes of a line are looked at: see visibleBytes
	lf, crlf bool        // line ends seen on the page
	cr       bool        // a CR in the file's last line if that has no line end; other lone CRs aren't looked for
	ending   ending      // of the last line read
	hash     anchor.Hash // of the line read last, with Anchors
	lines    *anchor.Context
	page     Page
}

func newPager(ctx context.Context, r io.ReaderAt, size int64, req PageRequest) *pager {
	req.MaxLines, req.MaxBytes = max(req.MaxLines, 1), max(req.MaxBytes, 1)
	bom := int64(max(req.BOM, 0))
	size = max(size, bom)
	p := &pager{req: req, bom: bom, counted: size <= req.CountLimit, tally: NewLineTally(req.Encoding)}
	p.visible = visibleBytes(req, size)
	if content, ok := r.(Whole); ok {
		p.window = window{ctx: ctx, size: int64(len(content)), buf: content, end: len(content)}
		p.seek(bom)
		return p
	}
	buffer := min(max(blockSize, int64(p.visible)), size-bom)
	p.window = window{ctx: ctx, file: r, size: size, base: bom, buf: make([]byte, (buffer+3)&^3)}
	return p
}

// visibleBytes is how many bytes from a line's start are enough for all that a page can show of the
// line: a code point takes 4 at most. It is a multiple of 4, the largest unit width, and hardly
// over 512 MiB.
func visibleBytes(req PageRequest, size int64) int {
	chars := int64(req.MaxBytes)
	if req.MaxLineChars > 0 {
		chars = min(chars, int64(req.MaxLineChars))
	}
	const each, slack, most = 4, 64, 1 << 27
	return int(each*min(chars, size, most) + slack)
}

// readLines fills the page from the located line on.
func (p *pager) readLines() error {
	for {
		if err := p.fill(1); err != nil {
			return err
		}
		switch {
		case len(p.data()) == 0:
			return nil
		case p.shown == p.req.MaxLines:
			p.truncate("max_lines")
		case p.req.Text.Most > 0 && p.shown == p.req.Text.Lines:
			p.truncate(p.req.Text.Name)
		case p.appendPlain():
		default:
			if err := p.appendLine(); err != nil {
				return err
			}
		}
		if p.page.Truncated {
			return nil
		}
	}
}

// truncate ends the page before the next line.
func (p *pager) truncate(by string) {
	p.page.Truncated, p.page.TruncatedBy, p.page.Next = true, by, &Position{p.offset(), p.line}
}

// finish fills in what is known only at the end.
func (p *pager) finish() {
	page := &p.page
	page.EndLine = page.StartLine + int64(p.shown) - 1
	page.EOL = nameEOL(p.lf, p.crlf, p.cr)
	switch {
	case p.counted:
		total := p.tally.Lines()
		page.TotalLines, page.EOL = &total, p.tally.eol()
		if p.tally.text {
			page.FinalNewline = &p.tally.final
		}
	case !page.Truncated && p.shown > 0:
		final := p.ending != endingNone
		page.FinalNewline = &final
	}
}

// idAndArrow ends the prefix of a line with an anchor. The letters of the ID are put in later: it
// is known only once all of the line has been read.
const idAndArrow = "???→"

// findContext finds out what the IDs of the page's lines depend on. Of a file over CountLimit,
// which is too large to be edited, that is each line alone.
func (p *pager) findContext() (err error) {
	if !p.req.Anchors {
		return nil
	}
	if p.lines = new(anchor.Context); !p.counted {
		return nil
	}
	file := anchor.File{Bytes: p.file, From: p.bom, To: p.size, Encoding: p.req.Encoding}
	if p.file == nil {
		file.Bytes = Whole(p.buf)
	}
	before := file
	before.To = p.offset()
	counts := anchor.Count(file.Parts(p.ctx, &err))
	if err == nil {
		p.lines = counts.After(before.Parts(p.ctx, &err))
	}
	return err
}

// hashed is a part of the file as an edit sees it.
func (p *pager) hashed(part []byte) []byte {
	if p.req.Encoding.IsWide() {
		return p.req.Encoding.ToUTF8(part)
	}
	return part
}

// addToHash adds a part of the current line to its hash.
func (p *pager) addToHash(part []byte) {
	if p.req.Anchors {
		p.hash.Add(p.hashed(part))
	}
}

// putID puts the ID of the line that was read into its prefix.
func (p *pager) putID(prefix []byte) {
	if !p.req.Anchors {
		return
	}
	id := p.lines.ID(p.hash)
	if bytes.HasSuffix(prefix, []byte(idAndArrow)) { // else it was cut
		copy(prefix[len(prefix)-len(idAndArrow):], id[:])
	}
}

// farthestEnd is how many bytes of a line are searched for its end.
const farthestEnd = 1<<30 + 64<<10

// measureLong reads the line that begins in the window up to its end, and counts its code points.
// chars is -1 if there was no end within farthestEnd.
func (p *pager) measureLong() (chars int64, end ending, err error) {
	counter, begin, endsWithCR := charset.NewCounter(p.req.Encoding), p.offset(), false
	for {
		if p.offset()-begin > farthestEnd {
			return -1, endingNone, nil
		}
		block := p.data()
		at := p.tally.nl.index(block)
		if at >= 0 {
			block = block[:at]
		}
		if len(block) > 0 {
			endsWithCR = p.tally.cr.ends(block)
		}
		last := at >= 0 || p.offset()+int64(len(block)) >= p.size
		taken := counter.Add(block, last)
		p.addToHash(block[:taken])
		p.advance(taken)
		switch {
		case at >= 0 && endsWithCR:
			p.advance(p.tally.nl.width())
			return counter.Chars - 1, endingCRLF, nil
		case at >= 0:
			p.advance(p.tally.nl.width())
			return counter.Chars, endingLF, nil
		case last:
			return counter.Chars, endingNone, nil
		}
		if err := p.fill(len(p.data()) + 1); err != nil {
			return 0, endingNone, err
		}
	}
}

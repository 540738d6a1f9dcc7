package textio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"fsbox/textio/charset"
)

// Position is the start of a line: Offset is the byte offset in the file of the first byte of line
// Line. Lines are 1-based; negative ones count from the end, -1 being the last.
type Position struct{ Offset, Line int64 }

// PageRequest says which lines to read and how to show them. Limits below 1 act as 1, except
// MaxLineChars.
type PageRequest struct {
	StartLine    int64     // 1-based; negative counts from the end; never 0
	From         *Position // resume here instead (from Page.Next); costs no scan
	FromSize     int64     // the file's size when From was given: if From counts from the end, lines added since are counted
	MaxLines     int
	MaxBytes     int               // of UTF-8 content, line number prefixes included
	MaxLineChars int               // code points of a line that are shown; 0 never clips
	LineNumbers  bool              // prefix each line with its number, right-aligned to 6 places, and U+2192
	Raw          bool              // show CRLF as it is rather than as LF
	Encoding     *charset.Encoding // of the file; nil is UTF-8
	BOM          int               // bytes of a byte order mark, which are not shown
	CountLimit   int64             // files up to this size in bytes are read whole for TotalLines
	MaxAnswer    int64             // of Content and ClipSize for each of Clipped together, in bytes; 0 is no limit
	ClipSize     int
}

// Page is a run of lines with their line ends, so that pages join. Line numbers are negative when
// the page was asked for from the end of a file over CountLimit and doesn't begin at its start.
type Page struct {
	Content        []byte // UTF-8
	StartLine      int64
	EndLine        int64     // inclusive; StartLine-1 on a page without lines
	TotalLines     *int64    // for files within CountLimit
	FinalNewline   *bool     // where the end of the file was seen and there is any text
	Truncated      bool      // there are more lines
	TruncatedBy    string    // "max_lines", "max_bytes", or "max_output_bytes" for MaxAnswer
	Next           *Position // the first line not shown; nil unless Truncated, see Clip for the exception
	EncodingErrors bool      // a U+FFFD on the page replaces invalid bytes
	InvalidLine    int64     // the first line with such
	Clipped        []Clip
	EOL            string // lf, crlf, cr (no LF at all), mixed or none; of the file within CountLimit, else of the page
}

// Clip names a line that is not shown whole. Chars is the length of the whole line without its end,
// in code points. It is -1 for a line so long that its end was not looked for: then the page is
// Truncated and has no Next.
type Clip struct{ Line, Chars int64 }

// LineRangeError says that a page was to start after the last line. TotalLines is -1 when it was to
// start at a Position counted from the end.
type LineRangeError struct{ StartLine, TotalLines int64 }

func (e *LineRangeError) Error() string {
	if e.TotalLines < 0 {
		return fmt.Sprintf("line %d is past the end", e.StartLine)
	}
	return fmt.Sprintf("line %d is past the end of %d lines", e.StartLine, e.TotalLines)
}

// blockSize is what one read takes: long enough that system calls don't count, short enough to stay
// in a core's cache.
const blockSize = 256 << 10

// ReadPage reads one page of lines of a file of size bytes, in memory bounded by the limits of the
// request. Lines end at LF only, and pages end at line ends, except that a first line over MaxBytes
// is cut. A file that shrinks meanwhile ends the page. Errors: *LineRangeError, ctx.Err() and those
// of r.
func ReadPage(ctx context.Context, r io.ReaderAt, size int64, req PageRequest) (*Page, error) {
	if req.StartLine == 0 && req.From == nil {
		return nil, errors.New("lines count from 1, or from -1 at the end")
	}
	page, err := readOnce(ctx, r, size, req)
	if err != nil || req.MaxAnswer == 0 || page.answerSize(req.ClipSize) <= req.MaxAnswer {
		return page, err
	}
	req.MaxLines = page.linesWithin(req)
	if page, err = readOnce(ctx, r, size, req); err == nil && page.Truncated {
		page.TruncatedBy = "max_output_bytes"
	}
	return page, err
}

// answerSize is what a page takes in an answer.
func (p *Page) answerSize(clipSize int) int64 { return int64(len(p.Content) + len(p.Clipped)*clipSize) }

// linesWithin is how many lines of a page take MaxAnswer at most; at least one.
func (p *Page) linesWithin(req PageRequest) int {
	n, clipped, left := 0, p.Clipped, req.MaxAnswer
	for line := range bytes.Lines(p.Content) {
		left -= int64(len(line))
		if len(clipped) > 0 && clipped[0].Line == p.StartLine+int64(n) {
			left, clipped = left-int64(req.ClipSize), clipped[1:]
		}
		if left < 0 {
			break
		}
		n++
	}
	return max(n, 1)
}

// readOnce is ReadPage without MaxAnswer.
func readOnce(ctx context.Context, r io.ReaderAt, size int64, req PageRequest) (*Page, error) {
	p := newPager(ctx, r, size, req)
	if err := p.locate(); err != nil {
		return nil, err
	}
	p.page.StartLine = p.line
	p.page.Content = make([]byte, 0, min(int64(p.req.MaxBytes), max(p.size-p.offset(), 0), blockSize))
	if err := p.readLines(); err != nil {
		return nil, err
	}
	p.finish()
	return &p.page, nil
}

// pager is one call of ReadPage.
type pager struct {
	window
	req      PageRequest
	bom      int64
	counted  bool      // the file is within CountLimit
	tally    lineTally // of the whole file, if counted
	line     int64     // number of the line that begins at window.offset
	shown    int       // lines on the page
	visible  int       // bytes of a line that are enough to show all of it that can be shown
	lf, crlf bool      // line ends seen on the page
	cr       bool      // a lone CR on the page, looked for in the last line of a file
	ending   ending    // of the last line read
	page     Page
}

func newPager(ctx context.Context, r io.ReaderAt, size int64, req PageRequest) *pager {
	req.MaxLines, req.MaxBytes = max(req.MaxLines, 1), max(req.MaxBytes, 1)
	bom := int64(max(req.BOM, 0))
	size = max(size, bom)
	p := &pager{req: req, bom: bom, counted: size <= req.CountLimit, tally: newLineTally(req.Encoding)}
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

// visibleBytes is how many bytes of a line always hold all of it that a page can show: a code point
// takes 4 at most, in ISO-2022-JP 8 with its escapes. It is a multiple of 4, the largest unit, and
// at most 1 GiB.
func visibleBytes(req PageRequest, size int64) int {
	chars := int64(req.MaxBytes)
	if req.MaxLineChars > 0 {
		chars = min(chars, int64(req.MaxLineChars))
	}
	const each, slack, most = 8, 64, 1 << 27
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
		total := p.tally.lines()
		page.TotalLines, page.EOL = &total, p.tally.eol()
		if p.tally.text {
			page.FinalNewline = &p.tally.final
		}
	case !page.Truncated && p.shown > 0:
		final := p.ending != endingNone
		page.FinalNewline = &final
	}
}

package textio

import "math"

// locate moves the window to the first line of the page and sets p.line to its number.
func (p *pager) locate() error {
	if p.counted {
		var err error
		for block := range p.blocks(&err) {
			p.tally.Write(block)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case p.req.From != nil:
		return p.startAt(*p.req.From)
	case p.req.StartLine < 0:
		return p.startBackward(-max(p.req.StartLine, -math.MaxInt64))
	case p.counted && p.req.StartLine > max(p.tally.Lines(), 1):
		return &LineRangeError{p.req.StartLine, p.tally.Lines()}
	}
	return p.startForward(p.req.StartLine)
}

// startAt goes to a position that an earlier page gave. If its line is counted from the end, lines
// that were added to the file since change its number.
func (p *pager) startAt(from Position) error {
	if from.Line < 0 {
		added, err := p.linesAdded(p.req.FromSize)
		if err != nil {
			return err
		}
		from.Line -= added
	}
	p.line = from.Line
	p.seek(max(from.Offset, p.bom))
	if err := p.fill(1); err != nil || len(p.data()) > 0 {
		return err
	}
	total := max(from.Line, 0) - 1
	if p.counted {
		total = p.tally.Lines()
	}
	return &LineRangeError{from.Line, total}
}

// linesAdded is how many lines were added at the end of the file since its size was size.
func (p *pager) linesAdded(size int64) (lines int64, err error) {
	width := int64(p.tally.nl.width())
	at := p.bom + (size-p.bom)/width*width
	if size >= p.size || at-width < p.bom {
		return 0, nil
	}
	p.seek(at - width)
	if err := p.fill(int(width)); err != nil {
		return 0, err
	}
	ended := p.tally.nl.ends(p.data()[:min(len(p.data()), int(width))])
	if !ended { // the last line goes on in what was added
		lines--
	}
	p.seek(at)
	for block := range p.blocks(&err) {
		lines, ended = lines+p.tally.nl.count(block), p.tally.nl.ends(block)
	}
	if !ended {
		lines++
	}
	return lines, err
}

// startForward goes to a line counted from the start, by counting line feeds.
func (p *pager) startForward(line int64) (err error) {
	p.line = line
	p.seek(p.bom)
	left, ended := line-1, true // ended: what was read ends with a line end
	for block := range p.blocks(&err) {
		n := p.tally.nl.count(block)
		if n >= left {
			p.seek(p.offset() - int64(len(block)-p.afterFeed(block, left)))
			left, ended = 0, true
			break
		}
		left, ended = left-n, p.tally.nl.ends(block)
	}
	if err == nil {
		err = p.fill(1)
	}
	if err != nil || len(p.data()) > 0 || line == 1 {
		return err
	}
	total := line - 1 - left
	if !ended {
		total++
	}
	return &LineRangeError{line, total}
}

// afterFeed is the offset in block just after its nth line feed.
func (p *pager) afterFeed(block []byte, n int64) int {
	at := 0
	for ; n > 0; n-- {
		at += p.tally.nl.index(block[at:]) + p.tally.nl.width()
	}
	return at
}

// startBackward goes to the nth line from the end, or to the first line if there are no more than
// n, by searching line feeds in blocks from the end.
func (p *pager) startBackward(n int64) error {
	left := n
	for end := p.size; end > p.bom; {
		start := p.blockBefore(end)
		p.seek(start)
		if err := p.fill(int(end - start)); err != nil {
			return err
		}
		block := p.data()[:min(int64(len(p.data())), end-start)]
		if end == p.size && p.tally.nl.ends(block) { // this line feed ends the last line
			block = block[:len(block)-p.tally.nl.width()]
		}
		if count := p.tally.nl.count(block); count < left {
			left, end = left-count, start
			continue
		}
		p.seek(start + int64(p.afterFeedFromEnd(block, left)))
		p.line = -n
		if p.counted {
			p.line = max(p.tally.Lines()-n+1, 1)
		}
		return nil
	}
	p.seek(p.bom)
	p.line = 1
	return nil
}

// blockBefore is the start of a block that ends at end and fits into the buffer. It is a multiple
// of 4, the largest unit width, from the start of the text.
func (p *pager) blockBefore(end int64) int64 {
	text := end - p.bom - int64(len(p.buf))
	return p.bom + max(text+3, 0)&^3
}

// afterFeedFromEnd is the offset in block just after its nth line feed from the end.
func (p *pager) afterFeedFromEnd(block []byte, n int64) int {
	at := 0
	for ; n > 0; n-- {
		at = p.tally.nl.lastIndex(block)
		block = block[:at]
	}
	return at + p.tally.nl.width()
}

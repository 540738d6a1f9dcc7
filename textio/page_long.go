package textio

import (
	"fsbox/textio/charset"
)

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

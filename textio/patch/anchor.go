package patch

import (
	"bytes"
	"iter"
	"strings"
)

// anchorKey is an anchor, and whether it may match a part of a line.
type anchorKey struct {
	anchor string
	part   bool
}

// anchorLines are the lines of the file that an anchor may mean: those equal to it, else those
// equal except for blanks at both ends. If there are none and a part of a line is enough, they are
// those that contain it.
type anchorLines struct {
	table  *lineTable
	anchor string
	text   []byte // the anchor without blanks at both ends
	least  anchorFit
	first  int // the first of these lines, -1 if there is none
}

type anchorFit int

const (
	anchorWithin anchorFit = iota
	anchorTrimmed
	anchorEqual
)

// anchorChain is what some models write between several anchors in one line.
const anchorChain = " @@ "

// links looks the anchors up in the file. An anchor that isn't in the file as a whole is cut at
// anchorChain into several links. The first link that isn't in the file either is returned as
// missing.
func (t *lineTable) links(anchors []string, part bool) (links []*anchorLines, missing string) {
	for _, anchor := range anchors {
		chain := []string{anchor}
		if strings.Contains(anchor, anchorChain) && t.anchor(anchor, part).first < 0 {
			chain = strings.Split(anchor, anchorChain)
		}
		for _, link := range chain {
			lines := t.anchor(link, part)
			if lines.first < 0 {
				return nil, link
			}
			links = append(links, lines)
		}
	}
	return links, ""
}

func (t *lineTable) anchor(anchor string, part bool) *anchorLines {
	key := anchorKey{anchor, part}
	a := t.anchors[key]
	if a == nil {
		a = &anchorLines{table: t, anchor: anchor, text: []byte(strings.TrimSpace(anchor)), first: -1}
		lowest := anchorTrimmed
		if part {
			lowest = anchorWithin
		}
		for a.least = anchorEqual; a.least >= lowest; a.least-- {
			if a.first = a.next(0); a.first >= 0 {
				break
			}
		}
		t.anchors[key] = a
	}
	return a
}

// fits reports whether line i, which contains the anchor's text, is one of these lines.
func (a *anchorLines) fits(i int) bool {
	line := withoutCR(a.table.raw(i))
	switch a.least {
	case anchorEqual:
		return string(line) == a.anchor
	case anchorTrimmed:
		return bytes.Equal(bytes.TrimSpace(line), a.text)
	}
	return true
}

// searched is how many bytes are searched in about the time of a comparison.
const searched = 32

// next returns the first of these lines from line from on, -1 if there is none.
func (a *anchorLines) next(from int) int {
	t := a.table
	for from < t.lines() && t.effort >= 0 && len(a.text) > 0 {
		at := t.file.Offset(from)
		i := bytes.Index(t.file.Bytes[at:], a.text)
		if i < 0 {
			t.spend((len(t.file.Bytes) - at) / searched)
			return -1
		}
		t.spend(20 + i/searched)
		line := t.file.At(at + i)
		if a.fits(line) {
			return line
		}
		from = line + 1
	}
	return -1
}

// chainEnds returns the lines from line from on where a chain of anchors ends, ascending. In a
// chain each anchor is on the first of its lines that comes after a line of the anchor before.
func chainEnds(links []*anchorLines, from int) iter.Seq[int] {
	return func(yield func(int) bool) {
		first, last := 0, from-1
		if len(links) == 1 {
			first = from
		}
		for line := links[0].next(first); line >= 0; line = links[0].next(line + 1) {
			end := line
			for _, link := range links[1:] {
				if end = link.next(end + 1); end < 0 {
					return
				}
			}
			if end > last && !yield(end) {
				return
			}
			last = max(last, end)
		}
	}
}

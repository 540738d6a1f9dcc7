package patch

import (
	"bytes"
	"slices"
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
type anchorLines []int32

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
func (t *lineTable) links(anchors []string, part bool) (links []anchorLines, missing string) {
	for _, anchor := range anchors {
		chain := []string{anchor}
		if strings.Contains(anchor, anchorChain) && len(t.anchor(anchor, part)) == 0 {
			chain = strings.Split(anchor, anchorChain)
		}
		for _, link := range chain {
			lines := t.anchor(link, part)
			if len(lines) == 0 {
				return nil, link
			}
			links = append(links, lines)
		}
	}
	return links, ""
}

func (t *lineTable) anchor(anchor string, part bool) anchorLines {
	key := anchorKey{anchor, part}
	lines, known := t.anchors[key]
	if !known {
		lines = t.findAnchor(anchor, part)
		t.anchors[key] = lines
	}
	return lines
}

// searched is how many bytes are searched in the time of a comparison.
const searched = 32

// findAnchor goes over the file, unless the lines equal to the anchor are listed.
func (t *lineTable) findAnchor(anchor string, part bool) (lines anchorLines) {
	text, best := []byte(strings.TrimSpace(anchor)), anchorTrimmed
	equal, _ := t.places(t.known[t.hash([]byte(anchor))])
	switch {
	case len(text) == 0:
		return nil
	case len(equal) > 0 && string(withoutCR(t.raw(int(equal[0])))) == anchor:
		return equal
	}
	if part {
		best = anchorWithin
	}
	for line := 0; line < t.lines() && t.effort >= 0; line++ {
		at := t.file.Offset(line)
		i := bytes.Index(t.file.Bytes[at:], text)
		if i < 0 {
			t.spend((len(t.file.Bytes) - at) / searched) // about what a search of that much costs
			break
		}
		t.spend(40 + i/searched) // a line takes memory, too
		line = t.file.At(at + i)
		fit := fitOf(anchor, text, withoutCR(t.raw(line)))
		if fit > best {
			best, lines = fit, lines[:0]
		}
		if fit == best {
			lines = append(lines, int32(line))
		}
	}
	return lines
}

// fitOf compares an anchor with a line that contains its text.
func fitOf(anchor string, text, line []byte) anchorFit {
	switch {
	case string(line) == anchor:
		return anchorEqual
	case bytes.Equal(bytes.TrimSpace(line), text):
		return anchorTrimmed
	}
	return anchorWithin
}

// next returns the first of these lines from line from on, -1 if there is none.
func (a anchorLines) next(from int) int {
	if i, _ := slices.BinarySearch(a, int32(from)); i < len(a) {
		return int(a[i])
	}
	return -1
}

// before returns the last of these lines before line to, -1 if there is none.
func (a anchorLines) before(to int) int {
	if i, _ := slices.BinarySearch(a, int32(to)); i > 0 {
		return int(a[i-1])
	}
	return -1
}

// nextLink returns the first line from line from on where a chain of anchors ends, -1 if there is
// none. In a chain each anchor is on the first of its lines that comes after a line of the anchor
// before.
func nextLink(links []anchorLines, from int) int {
	last := links[len(links)-1]
	if len(links) == 1 {
		return last.next(from)
	}
	after := nextLink(links[:len(links)-1], max(last.before(from), 0))
	if after < 0 {
		return -1
	}
	return last.next(after + 1)
}

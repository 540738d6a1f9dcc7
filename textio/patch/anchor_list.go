package patch

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// anchorLists has the lines of a file that contain the text of an anchor, for many anchors at once.
// To search the whole file for each of a thousand anchors takes seconds; to find all of them in one
// pass takes about as long as ten such searches.
type anchorLists struct {
	table   *lineTable
	windows map[uint32][]anchorWindow
	maybe   [1 << 10]uint64    // a bit is set for the hash of every key of windows
	lines   map[string][]int32 // by text, ascending; of a text that isn't listed there is nothing
	listed  int                // lines in all lists
}

// anchorWindow is a text to be found, and the place in it of the four bytes by which it is looked
// for.
type anchorWindow struct {
	text []byte
	at   int
}

const (
	windowBytes = 4
	fewAnchors  = 16        // to search for each of so few takes less time
	windowsSeen = 64        // of a text
	maxListedIn = 1 << 10   // lines of one text; a text in more lines is common, so that it is never far
	blockBytes  = 256 << 10 // between two looks at the context
)

// listAnchors looks for the anchors of all hunks, if there are many.
func (t *lineTable) listAnchors(hunks []Hunk) {
	l := &anchorLists{table: t, windows: map[uint32][]anchorWindow{}, lines: map[string][]int32{}}
	for i := range hunks {
		for _, anchor := range hunks[i].Anchors {
			l.add(anchor)
			if strings.Contains(anchor, anchorChain) {
				for link := range strings.SplitSeq(anchor, anchorChain) {
					l.add(link)
				}
			}
		}
	}
	if len(l.lines) >= fewAnchors && l.search() {
		t.listed = l.lines
	}
}

// add chooses the bytes by which a text is looked for: those that the fewest others are looked for
// by.
func (l *anchorLists) add(anchor string) {
	text := strings.TrimSpace(anchor)
	if _, known := l.lines[text]; known || len(text) < windowBytes {
		return
	}
	w := anchorWindow{text: []byte(text)}
	for at := range min(len(text)-windowBytes+1, windowsSeen) {
		if len(l.windows[windowAt(w.text, at)]) < len(l.windows[windowAt(w.text, w.at)]) {
			w.at = at
		}
	}
	key := windowAt(w.text, w.at)
	l.windows[key] = append(l.windows[key], w)
	word, bit := place(key)
	l.maybe[word] |= bit
	l.lines[text] = nil
}

func windowAt(text []byte, at int) uint32 { return binary.LittleEndian.Uint32(text[at:]) }

// place is where the bit for a key is in maybe.
func place(key uint32) (word, bit uint64) {
	hash := uint64(key*0x9e3779b1) >> 16 // the golden ratio spreads keys well
	return hash >> 6, 1 << (hash & 63)
}

// search goes over the file; false if the time of the call, or what may be compared, ends before.
func (l *anchorLists) search() bool {
	text := l.table.file.Bytes
	for at := 0; at < len(text); at += blockBytes {
		if l.table.spend(blockBytes / 8); l.table.effort < 0 {
			return false
		}
		for i := at; i < min(at+blockBytes, len(text)-windowBytes+1); i++ {
			key := windowAt(text, i)
			if word, bit := place(key); l.maybe[word]&bit != 0 {
				l.note(i, l.windows[key])
			}
		}
	}
	return true
}

// note adds the lines of the texts that are found by the bytes at offset i.
func (l *anchorLists) note(i int, windows []anchorWindow) {
	t := l.table
	for _, w := range windows {
		t.spend(1)
		start := i - w.at
		if start < 0 || !bytes.HasPrefix(t.file.Bytes[start:], w.text) {
			continue
		}
		lines, listed := l.lines[string(w.text)]
		line := int32(t.file.At(start))
		switch n := len(lines); {
		case !listed, n > 0 && lines[n-1] == line:
		case n == maxListedIn || l.listed == maxListed:
			l.listed -= n
			delete(l.lines, string(w.text))
		default:
			l.lines[string(w.text)] = append(lines, line)
			l.listed++
		}
	}
}

package patch

import (
	"bytes"
	"cmp"
	"context"
	"hash/maphash"
	"slices"

	"fsbox/textio/lines"
)

// lineTable knows where in a file the lines of a patch are. Lines that differ in a carriage return
// at their end count as the same.
type lineTable struct {
	ctx     context.Context
	file    lines.Text
	seed    maphash.Seed
	known   map[uint64]int32 // the number of a line of the patch, from 1, by its hash
	ids     []uint16         // by line of the file: the low bits of its number; 0 for lines that no hunk has
	high    []uint16         // the high bits, if there are any
	count   []int32          // by number: how often the file has the line
	at      [][]int32        // by number: the lines of the file, ascending; of a common one nil
	anchors map[anchorKey]*anchorLines
	listed  map[string][]int32 // by text of an anchor: the lines with it, if anchors were looked for at once
	effort  int                // comparisons that may still be made
}

// maxEffort bounds the comparisons made for one file, so that hunks that almost fit everywhere cost
// about a second at most.
const maxEffort = 100_000_000

// maxListed bounds the places that are kept in lists. A line that would pass it is looked for in
// the file each time: as it is common, it isn't far.
const maxListed = 1 << 20

// newLineTable indexes the lines of text that hunks look for.
func newLineTable(ctx context.Context, text []byte, hunks []Hunk) *lineTable {
	t := &lineTable{
		ctx: ctx, file: lines.Split(text), seed: maphash.MakeSeed(), known: make(map[uint64]int32),
		anchors: make(map[anchorKey]*anchorLines), effort: maxEffort,
	}
	for i := range hunks {
		for _, line := range linesThat(HunkLine.isOld, hunks[i].Lines) {
			if key := t.hash(line.Text); t.known[key] == 0 {
				t.known[key] = int32(len(t.known) + 1)
			}
		}
	}
	t.count = make([]int32, len(t.known)+1)
	t.at = make([][]int32, len(t.known)+1)
	t.number()
	t.list()
	return t
}

func (t *lineTable) hash(line []byte) uint64 { return maphash.Bytes(t.seed, withoutCR(line)) }

// number gives each line of the file the number of the patch's line that it equals.
func (t *lineTable) number() {
	t.ids = make([]uint16, t.lines())
	if len(t.known) >= 1<<16 {
		t.high = make([]uint16, t.lines())
	}
	for i := range t.ids {
		if t.spend(1); t.effort < 0 {
			return
		}
		id := t.known[t.hash(t.raw(i))]
		if t.ids[i] = uint16(id); id>>16 != 0 {
			t.high[i] = uint16(id >> 16)
		}
		t.count[id]++
	}
}

func (t *lineTable) id(i int) int32 {
	id := int32(t.ids[i])
	if t.high != nil {
		id |= int32(t.high[i]) << 16
	}
	return id
}

// list makes the lists in at, for the rarest lines.
func (t *lineTable) list() {
	t.count[0] = 0
	rare := make([]int32, 0, len(t.count))
	for id := range t.count {
		rare = append(rare, int32(id))
	}
	slices.SortFunc(rare, func(a, b int32) int { return cmp.Compare(t.count[a], t.count[b]) })
	for left := int32(maxListed); len(rare) > 0 && t.count[rare[0]] <= left; rare = rare[1:] {
		left -= t.count[rare[0]]
		t.at[rare[0]] = make([]int32, 0, t.count[rare[0]])
	}
	for i := range t.ids {
		if id := t.id(i); id != 0 && t.at[id] != nil {
			t.at[id] = append(t.at[id], int32(i))
		}
	}
}

// spend takes n comparisons off those that may still be made. If the call was cancelled, none are
// left.
func (t *lineTable) spend(n int) {
	const look = 1 << 16 // comparisons between two looks at the context
	before := t.effort
	if t.effort -= n; t.effort/look != before/look && t.ctx.Err() != nil {
		t.effort = -1
	}
}

// raw returns line i of the file without its line feed.
func (t *lineTable) raw(i int) []byte { return bytes.TrimSuffix(t.file.Whole(i), lines.LF) }

func withoutCR(line []byte) []byte { return bytes.TrimSuffix(line, []byte("\r")) }

// lines is the number of lines in the file.
func (t *lineTable) lines() int { return t.file.Count() }

// unterminated reports whether the file has a last line without a line end.
func (t *lineTable) unterminated() bool {
	return t.lines() > 0 && !bytes.HasSuffix(t.file.Bytes, lines.LF)
}

// pattern is the old side of a hunk, ready to be looked for.
type pattern struct {
	lines []HunkLine
	ids   []int32
	form  patchForm
	rare  int // index of the line that the file has least often
}

func (t *lineTable) pattern(lines []HunkLine, form patchForm) *pattern {
	p := &pattern{lines: lines, form: form, ids: make([]int32, len(lines))}
	for i, line := range lines {
		p.ids[i] = t.known[t.hash(line.Text)]
		if t.count[p.ids[i]] < t.count[p.ids[p.rare]] {
			p.rare = i
		}
	}
	return p
}

func hasCR(line []byte) bool { return len(line) > 0 && line[len(line)-1] == '\r' }

// equal reports whether the pattern's lines are at start, by their hashes and line ends aside.
func (t *lineTable) equal(p *pattern, start int) bool {
	i := 0
	for i < len(p.ids) && t.id(start+i) == p.ids[i] {
		i++
	}
	t.spend(i + 1)
	return i == len(p.ids)
}

type fit int

const (
	fitsNot           fit = iota
	fitsExceptNewline     // the file has a newline that the patch says is missing
	fitsLoosely           // with other line ends
	fitsExactly
)

// fit tells how the pattern fits at start.
func (t *lineTable) fit(p *pattern, start int) fit {
	if start < 0 || start+len(p.ids) > t.lines() || !t.equal(p, start) {
		return fitsNot
	}
	last := len(p.lines) - 1
	grade := t.gradeEnd(p.lines[last], p.form, start+last)
	for i, line := range p.lines {
		if i < last && line.NoNewline {
			return fitsNot
		}
		raw := t.raw(start + i)
		if len(line.Text) != len(raw) {
			grade = min(grade, fitsLoosely)
		}
		if !bytes.Equal(withoutCR(line.Text), withoutCR(raw)) {
			return fitsNot // lines with the same hash
		}
	}
	t.spend(len(p.lines))
	return grade
}

// gradeEnd compares the newline of the last line looked for with that of line i. If a patch marks
// any line that lacks its newline, the file may lack none that isn't marked. If it marks none, the
// file may: the Begin Patch form has no such mark.
func (t *lineTable) gradeEnd(line HunkLine, form patchForm, i int) fit {
	lacks := i == t.lines()-1 && t.unterminated()
	switch {
	case lacks == line.NoNewline:
		return fitsExactly
	case line.NoNewline:
		return fitsExceptNewline
	case form.marks:
		return fitsNot
	case form.begin:
		return fitsExactly
	}
	return fitsLoosely
}

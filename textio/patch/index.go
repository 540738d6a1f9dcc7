package patch

import (
	"bytes"
	"context"
	"hash/maphash"
	"math"

	"fsbox/textio/diff"
	"fsbox/textio/lines"
)

// lineTable knows where in a file the lines of a patch are. Lines that differ in a carriage return
// at their end count as the same.
type lineTable struct {
	ctx     context.Context
	file    lines.Text
	seed    maphash.Seed
	known   map[uint64]int32 // the number of a line of the patch, from 1, by its hash
	marks   []uint8          // by line of the file: markOf its number
	count   []int32          // by number: how often the file has the line
	last    []int32          // by number: the last line of the file that is this one
	anchors map[anchorKey]*anchorLines
	effort  int // comparisons that may still be made
}

// maxEffort bounds the comparisons made for one file, so that hunks that almost fit everywhere cost
// about a second at most.
const maxEffort = 100_000_000

// newLineTable indexes the lines of text that hunks look for, with a byte of room for each line.
func newLineTable(ctx context.Context, text []byte, hunks []Hunk, room []byte) *lineTable {
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
	t.count, t.last = make([]int32, len(t.known)+1), make([]int32, len(t.known)+1)
	t.marks = room[:t.lines()]
	t.mark()
	return t
}

// markOf is what is kept for each line of the file of its number, in one byte: a file may have ten
// million lines. It is 0 for lines that no hunk has; other lines may share a mark.
func markOf(number int32) uint8 {
	if number == 0 {
		return 0
	}
	return uint8(number%math.MaxUint8) + 1
}

// forget drops what only the search for places needs.
func (t *lineTable) forget() {
	t.known, t.marks, t.count, t.last = nil, nil, nil, nil
	t.anchors = nil
}

func (t *lineTable) hash(line []byte) uint64 { return maphash.Bytes(t.seed, withoutCR(line)) }

// number is the number of the patch's line that line i of the file equals, by their hashes.
func (t *lineTable) number(i int) int32 { return t.known[t.hash(t.raw(i))] }

// mark marks and counts the lines of the file. A line that no hunk has counts as none.
func (t *lineTable) mark() {
	for i := range t.marks {
		if t.spend(1); t.effort < 0 {
			return
		}
		number := t.number(i)
		t.marks[i] = markOf(number)
		t.count[number]++
		t.last[number] = int32(i)
	}
	t.count[0] = 0
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
	marks []uint8
	form  patchForm
	rare  int   // index of the line that the file has least often
	least int32 // its number; 0 if the file has no such line
}

func (t *lineTable) pattern(lines []HunkLine, form patchForm) *pattern {
	p := &pattern{lines: lines, form: form, marks: make([]uint8, len(lines))}
	for i, line := range lines {
		number := t.known[t.hash(line.Text)]
		p.marks[i] = markOf(number)
		if i == 0 || t.count[number] < t.count[p.least] {
			p.rare, p.least = i, number
		}
	}
	return p
}

func hasCR(line []byte) bool { return len(line) > 0 && line[len(line)-1] == '\r' }

// equal reports whether the pattern's lines are at start, line ends aside.
func (t *lineTable) equal(p *pattern, start int) bool {
	same := diff.Head(t.marks[start:start+len(p.marks)], p.marks)
	if t.spend(same + 1); same < len(p.marks) {
		return false
	}
	for i, line := range p.lines {
		if !bytes.Equal(withoutCR(line.Text), withoutCR(t.raw(start+i))) {
			t.spend(i)
			return false // lines with the same mark
		}
	}
	t.spend(len(p.lines))
	return true
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
	if start < 0 || start+len(p.marks) > t.lines() || !t.equal(p, start) {
		return fitsNot
	}
	last := len(p.lines) - 1
	grade := t.gradeEnd(p.lines[last], p.form, start+last)
	for i, line := range p.lines {
		if i < last && line.NoNewline {
			return fitsNot
		}
		if len(line.Text) != len(t.raw(start+i)) {
			grade = min(grade, fitsLoosely)
		}
	}
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

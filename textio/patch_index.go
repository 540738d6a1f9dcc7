package textio

import (
	"bytes"
	"slices"
	"strings"
)

// lineTable knows where in a file the lines of a patch stand. Lines that differ
// in a carriage return at their end count as the same.
type lineTable struct {
	file    textLines
	ids     []int32          // by line of the file; 0 for those that no hunk has
	at      [][]int32        // by id: the lines of the file, ascending
	known   map[string]int32 // by content
	found   map[string]*linePlaces
	trimmed map[string][]int32    // by anchor without blanks: the lines equal to it but for them
	anchors map[anchorKey][]int32 // what anchorLines has found
	effort  int                   // comparisons that may still be made
}

type anchorKey struct {
	anchor string
	part   bool
}

// maxEffort bounds the comparisons made for one file, so that hunks that almost
// fit everywhere cost about a second at most.
const maxEffort = 100_000_000

// linePlaces are the places where a run of lines stands, ascending: exactly; or
// with other line ends; or where the file has a newline that the patch says is
// missing. Each list has the one before it in it.
type linePlaces struct{ exact, all, marked []int32 }

// newLineTable indexes the lines of text that hunks look for.
func newLineTable(text []byte, hunks []Hunk) *lineTable {
	t := &lineTable{
		file: splitLines(text), known: make(map[string]int32), at: make([][]int32, 1),
		found: make(map[string]*linePlaces), trimmed: make(map[string][]int32),
		anchors: make(map[anchorKey][]int32), effort: maxEffort,
	}
	for i := range hunks {
		t.want(&hunks[i])
	}
	t.ids = make([]int32, t.file.count())
	for i := range t.ids {
		line := withoutCR(t.raw(i))
		if id := t.known[string(line)]; id != 0 {
			t.ids[i] = id
			t.at[id] = append(t.at[id], int32(i))
		}
		if len(t.trimmed) == 0 {
			continue
		}
		if lines, wanted := t.trimmed[string(bytes.TrimSpace(line))]; wanted {
			t.trimmed[string(bytes.TrimSpace(line))] = append(lines, int32(i))
		}
	}
	return t
}

// want notes what a hunk looks for.
func (t *lineTable) want(hunk *Hunk) {
	for _, anchor := range hunk.Anchors {
		t.trimmed[strings.TrimSpace(anchor)] = nil
		for _, part := range strings.Split(anchor, anchorChain) {
			t.trimmed[strings.TrimSpace(part)] = nil
		}
	}
	for _, line := range hunk.Lines {
		if line.Op == '+' {
			continue
		}
		if key := withoutCR(line.Text); t.known[string(key)] == 0 {
			t.known[string(key)] = int32(len(t.at))
			t.at = append(t.at, nil)
		}
	}
}

// raw returns line i of the file without its line feed.
func (t *lineTable) raw(i int) []byte {
	return bytes.TrimSuffix(t.file.text[t.file.starts[i]:t.file.offset(i+1)], lineFeed)
}

func withoutCR(line []byte) []byte { return bytes.TrimSuffix(line, []byte("\r")) }

// lines is the number of lines in the file.
func (t *lineTable) lines() int { return t.file.count() }

// unterminated reports whether the file has a last line without a line end.
func (t *lineTable) unterminated() bool {
	return t.lines() > 0 && !t.file.ended(t.lines()-1)
}

// pattern is the old side of a hunk, ready to be looked for.
type pattern struct {
	lines []HunkLine
	ids   []int32
	form  patchForm
	key   string
}

func (t *lineTable) pattern(lines []HunkLine, form patchForm) pattern {
	p := pattern{lines: lines, form: form}
	var key []byte
	for _, line := range lines {
		id := t.known[string(withoutCR(line.Text))]
		p.ids = append(p.ids, id)
		key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24), lineEndBits(line))
	}
	p.key = string(key)
	return p
}

// lineEndBits tells how the end of a line is written.
func lineEndBits(line HunkLine) (bits byte) {
	if line.NoNewline {
		bits = 2
	}
	if hasCR(line.Text) {
		bits |= 1
	}
	return bits
}

func hasCR(line []byte) bool { return len(line) > 0 && line[len(line)-1] == '\r' }

// places returns where the pattern stands. Found is false if the search was
// given up because its lines are too common.
func (t *lineTable) places(p pattern) (places *linePlaces, found bool) {
	if places := t.found[p.key]; places != nil {
		return places, true
	}
	var exact, loose, butForMark []int32
	rare := t.rarest(p)
	for _, line := range t.at[p.ids[rare]] {
		start := int(line) - rare
		if t.effort < 0 {
			return nil, false
		}
		if start < 0 || start+len(p.ids) > t.lines() || !t.equal(p, start) {
			continue
		}
		switch t.grade(p, start) {
		case fitsExactly:
			exact = append(exact, int32(start))
		case fitsLoosely:
			loose = append(loose, int32(start))
		case fitsButForMark:
			butForMark = append(butForMark, int32(start))
		}
	}
	places = &linePlaces{exact: exact, all: mergePlaces(exact, loose)}
	places.marked = mergePlaces(places.all, butForMark)
	t.found[p.key] = places
	return places, true
}

// mergePlaces returns the places of both lists, ascending; often that is one of
// them, and not copied.
func mergePlaces(a, b []int32) []int32 {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	merged := slices.Concat(a, b)
	slices.Sort(merged)
	return merged
}

// rarest returns the index of the line that the file has least often.
func (t *lineTable) rarest(p pattern) int {
	rare := 0
	for i, id := range p.ids {
		if len(t.at[id]) < len(t.at[p.ids[rare]]) {
			rare = i
		}
	}
	return rare
}

// equal reports whether the pattern's lines stand at start, line ends aside.
func (t *lineTable) equal(p pattern, start int) bool {
	i := 0
	for i < len(p.ids) && t.ids[start+i] == p.ids[i] {
		i++
	}
	t.effort -= i + 1
	return i == len(p.ids)
}

type fit int

const (
	fitsNot fit = iota
	fitsButForMark
	fitsLoosely
	fitsExactly
)

// grade compares the line ends of the pattern with those of the lines at start,
// which are equal otherwise.
func (t *lineTable) grade(p pattern, start int) fit {
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
	t.effort -= len(p.lines)
	return grade
}

// gradeEnd compares the newline of the last line looked for with that of line i.
// Where a patch marks lines that lack theirs, the file must not lack another.
// Where it doesn't, the file may: the Begin Patch form can't say so.
func (t *lineTable) gradeEnd(line HunkLine, form patchForm, i int) fit {
	lacks := i == t.lines()-1 && t.unterminated()
	switch {
	case lacks == line.NoNewline:
		return fitsExactly
	case line.NoNewline:
		return fitsButForMark
	case form.marks:
		return fitsNot
	case form.begin:
		return fitsExactly
	}
	return fitsLoosely
}

// anchorChain is how some write one anchor behind the other.
const anchorChain = " @@ "

// links returns the anchors, with those that stand nowhere as a whole cut into the
// links of a chain.
func (t *lineTable) links(anchors []string, part bool) (links []string) {
	for _, anchor := range anchors {
		if strings.Contains(anchor, anchorChain) && len(t.anchorLines(anchor, part)) == 0 {
			links = append(links, strings.Split(anchor, anchorChain)...)
			continue
		}
		links = append(links, anchor)
	}
	return links
}

// anchorLines returns the lines of the file that an anchor may mean: those equal
// to it, else equal but for blanks at both ends, else, if part will do, those
// that have it in them.
func (t *lineTable) anchorLines(anchor string, part bool) []int32 {
	key := anchorKey{anchor, part}
	lines, known := t.anchors[key]
	if !known {
		lines = t.findAnchor(anchor, part)
		t.anchors[key] = lines
	}
	return lines
}

func (t *lineTable) findAnchor(anchor string, part bool) []int32 {
	trimmed := strings.TrimSpace(anchor)
	lines := t.trimmed[trimmed]
	var exact []int32
	for _, i := range lines {
		if string(withoutCR(t.raw(int(i)))) == anchor {
			exact = append(exact, i)
		}
	}
	switch {
	case len(exact) > 0:
		return exact
	case len(lines) > 0 || !part || trimmed == "":
		return lines
	}
	return t.linesWith([]byte(trimmed))
}

// linesWith returns the lines that contain text.
func (t *lineTable) linesWith(text []byte) []int32 {
	var lines []int32
	for at := 0; t.effort > 0; {
		i := bytes.Index(t.file.text[at:], text)
		t.effort -= 1000
		if i < 0 {
			t.effort -= (len(t.file.text) - at) / 16 // about what a search of that much costs
			break
		}
		t.effort -= i / 16
		n, exact := slices.BinarySearch(t.file.starts, at+i)
		if !exact {
			n--
		}
		lines = append(lines, int32(n))
		at = t.file.offset(n + 1)
	}
	return lines
}

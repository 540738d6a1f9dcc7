package diff

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"fsbox/textio/lines"
)

// contextLines is the number of unchanged lines shown around a change.
const contextLines = 3

// lineChange is a change with its position counted in lines, too: how many lines come before it in
// each text, and how many it has in each.
type lineChange struct {
	change
	oldLine, oldLines, newLine, newLines int
}

// longestText is how long the text of a diff may be, in bytes. Nobody shows more of it, and lines
// may be as long as files.
const longestText = 4 << 20

// usualSize is the memory that a diff of the usual 200 lines takes, in bytes, and shortRoom what
// that of a short file takes besides its lines: of ten thousand files each has one.
const (
	usualSize = 16 << 10
	shortRoom = 512
)

// printed compares two texts, and prints the changes under header. Of those after maxLines lines
// only the numbers are kept.
func printed(header string, old, new []byte, maxLines int) (d Printed) {
	if maxLines == 0 {
		maxLines = math.MaxInt
	}
	var changes []lineChange
	last := lineChange{}
	compare(old, new, func(c change) {
		last = last.next(c, old, new)
		if len(changes) < maxLines {
			changes = append(changes, last)
		}
		d.Additions, d.Deletions = d.Additions+last.newLines, d.Deletions+last.oldLines
	})
	if len(changes) > 0 {
		p := printer{old: old, new: new, left: maxLines}
		d.Text, d.Truncated = p.print(header, changes), p.cut
	}
	return d
}

// next counts the lines of the change after this one.
func (l lineChange) next(c change, old, new []byte) lineChange {
	same := bytes.Count(old[l.OldEnd:c.OldStart], lines.LF)
	return lineChange{change: c,
		oldLine: l.oldLine + l.oldLines + same, oldLines: lines.Count(old[c.OldStart:c.OldEnd]),
		newLine: l.newLine + l.newLines + same, newLines: lines.Count(new[c.NewStart:c.NewEnd])}
}

// hunkLength returns how many of changes are near enough to the first, and to each other, to share
// its hunk.
func hunkLength(changes []lineChange) int {
	n := 1
	for n < len(changes) && changes[n].oldLine-changes[n-1].oldLine-changes[n-1].oldLines <= 2*contextLines {
		n++
	}
	return n
}

// printer writes lines until its limit is reached.
type printer struct {
	old, new []byte
	text     strings.Builder
	left     int // lines that may still be written
	cut      bool
}

// print prints all hunks under header.
func (p *printer) print(header string, changes []lineChange) string {
	p.text.Grow(min(usualSize, shortRoom+len(p.old)+len(p.new)))
	p.write(header)
	for len(changes) > 0 {
		n := hunkLength(changes)
		p.hunk(changes[:n])
		changes = changes[n:]
	}
	return p.text.String()
}

// hunk prints changes and the unchanged lines between and around them.
func (p *printer) hunk(changes []lineChange) {
	if p.cut {
		return
	}
	first, last := changes[0], changes[len(changes)-1]
	start := linesBack(p.old, first.OldStart, contextLines)
	end := linesAhead(p.old, last.OldEnd, contextLines)
	before, after := lines.Count(p.old[start:first.OldStart]), lines.Count(p.old[last.OldEnd:end])
	p.write(fmt.Sprintf("@@ -%s +%s @@\n",
		hunkRange(first.oldLine-before, last.oldLine+last.oldLines+after),
		hunkRange(first.newLine-before, last.newLine+last.newLines+after)))
	at := start
	for _, c := range changes {
		p.lines(' ', p.old[at:c.OldStart])
		p.lines('-', p.old[c.OldStart:c.OldEnd])
		p.lines('+', p.new[c.NewStart:c.NewEnd])
		at = c.OldEnd
	}
	p.lines(' ', p.old[at:end])
}

// hunkRange prints a range of lines as a hunk header has it: the number of its first line, or of
// the line before an empty range, and how many lines it has. start and end count from 0, the number
// from 1.
func hunkRange(start, end int) string {
	if start == end {
		return fmt.Sprintf("%d,0", start)
	}
	return fmt.Sprintf("%d,%d", start+1, end-start)
}

// lines prints each line of text after sign.
func (p *printer) lines(sign byte, text []byte) {
	for line := range bytes.Lines(text) {
		if !p.take(len(line)) {
			return
		}
		p.text.WriteByte(sign)
		p.text.Write(line)
		if line[len(line)-1] == '\n' {
			continue
		}
		p.text.WriteByte('\n')
		p.write("\\ No newline at end of file\n")
	}
}

// write prints text, which consists of whole lines.
func (p *printer) write(text string) {
	for line := range strings.Lines(text) {
		if !p.take(len(line)) {
			return
		}
		p.text.WriteString(line)
	}
}

// take reports whether one more line of so many bytes may be written, and counts it.
func (p *printer) take(size int) bool {
	if p.left == 0 || p.cut || p.text.Len()+size > longestText {
		p.cut = true
		return false
	}
	p.left--
	return true
}

// linesBack returns the offset n lines before the line start at.
func linesBack(text []byte, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		at = bytes.LastIndexByte(text[:at-1], '\n') + 1
	}
	return at
}

// linesAhead returns the offset n lines after the line start at.
func linesAhead(text []byte, at, n int) int {
	for ; n > 0 && at < len(text); n-- {
		at += lines.Length(text[at:])
	}
	return at
}

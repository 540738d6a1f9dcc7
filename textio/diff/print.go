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
	Range
	oldLine, oldLines, newLine, newLines int
}

// printed prints changes of whole lines under header.
func printed(header string, old, new []byte, changes []Range, maxLines int) Printed {
	if len(changes) == 0 {
		return Printed{}
	}
	counted := countLines(old, new, changes)
	var d Printed
	if maxLines != CountOnly {
		p := printer{old: old, new: new, left: maxLines}
		if maxLines == 0 {
			p.left = math.MaxInt
		}
		d = p.print(header, counted)
	}
	for _, c := range counted {
		d.Additions += max(c.newLines-c.same, 0)
		d.Deletions += max(c.oldLines-c.same, 0)
	}
	return d
}

// usualSize is the memory that a diff of the usual 200 lines takes, in bytes.
const usualSize = 16 << 10

func countLines(old, new []byte, changes []Range) []lineChange {
	counted := make([]lineChange, 0, len(changes))
	var c lineChange
	for _, r := range changes {
		same := bytes.Count(old[c.OldEnd:r.OldStart], lines.LF)
		c = lineChange{
			Range:   r,
			oldLine: c.oldLine + c.oldLines + same, oldLines: lines.Count(old[r.OldStart:r.OldEnd]),
			newLine: c.newLine + c.newLines + same, newLines: lines.Count(new[r.NewStart:r.NewEnd]),
		}
		counted = append(counted, c)
	}
	return counted
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
func (p *printer) print(header string, changes []lineChange) Printed {
	p.text.Grow(usualSize)
	p.write(header)
	for len(changes) > 0 {
		n := hunkLength(changes)
		p.hunk(changes[:n])
		changes = changes[n:]
	}
	return Printed{Text: p.text.String(), Truncated: p.cut}
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
		if !p.take() {
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
		if !p.take() {
			return
		}
		p.text.WriteString(line)
	}
}

// take reports whether one more line may be written, and counts it.
func (p *printer) take() bool {
	if p.left == 0 {
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

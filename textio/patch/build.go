package patch

import (
	"fsbox/textio/edit"
	"fsbox/textio/lines"
)

// builder writes the new text, in the order of the hunks' places.
type builder struct {
	table *lineTable
	form  patchForm
	out   []byte
	line  int // of the old text, the next to copy, from 0
}

// lineRun is a stretch of a hunk without context: lines start to end of the old text, end
// exclusive, that become new ones.
type lineRun struct {
	start, end     int
	added          []HunkLine
	verbatim       bool // new lines bring their own line ends
	removesNewline bool // the patch takes the file's last line end away
}

// hunk writes the runs of a hunk.
func (b *builder) hunk(h *placement) {
	run := lineRun{start: h.start, end: h.start, verbatim: b.isVerbatim(h), removesNewline: !h.lacksNewline(HunkLine.isOld)}
	for _, line := range h.Lines[:h.used] {
		switch {
		case line.Op == '-':
			run.end++
		case line.Op == '+':
			run.added = append(run.added, line)
		default:
			run.added = h.adapt(run)
			b.run(run)
			run.start = run.end + 1
			run.end, run.added = run.start, nil
		}
	}
	run.added = h.adapt(run)
	b.run(run)
}

// isVerbatim reports whether the new lines of a hunk keep their line ends as the patch has them: if
// the old lines of the hunk have the same line ends as the file. A hunk without old lines does so
// only if a program wrote it.
func (b *builder) isVerbatim(h *placement) bool {
	if h.tier != edit.LineExact {
		return false
	}
	shown := b.form.git
	for i, line := range linesThat(HunkLine.isOld, h.Lines[:h.used]) {
		if line.NoNewline {
			continue
		}
		if hasCR(line.Text) != hasCR(b.table.raw(h.start+i)) {
			return false
		}
		shown = shown || b.table.file.Ended(h.start+i)
	}
	return shown
}

// run copies the old lines before a run, and writes the run's new lines.
func (b *builder) run(r lineRun) {
	if r.start == r.end && len(r.added) == 0 {
		return
	}
	b.copyTo(r.start)
	atEnd := r.end == b.table.lines()
	if r.start == b.table.lines() && b.table.unterminated() {
		b.out = append(b.out, b.ending(r, 0, lines.LF)...)
	}
	for i, line := range r.added {
		b.added(r, i, line, atEnd && i == len(r.added)-1)
	}
	b.line = r.end
}

// added writes a new line. The last line of the file gets no line end if the patch removes it, or
// if the file has none there and the patch adds none. A line end that the file has gained meanwhile
// stays.
func (b *builder) added(r lineRun, i int, line HunkLine, last bool) {
	text, own := withoutCR(line.Text), lines.LF
	if hasCR(line.Text) {
		own = lines.CRLF
	}
	switch {
	case last && line.NoNewline && (r.removesNewline || b.table.unterminated()):
		b.out = append(b.out, line.Text...)
	case last && !b.form.marks && b.table.unterminated():
		b.out = append(b.out, text...)
	case r.verbatim && !line.NoNewline:
		b.out = append(append(b.out, text...), own...)
	default: // also if the patch marks the line as the file's last, but the file goes on
		b.out = append(append(b.out, text...), b.ending(r, i, own)...)
	}
}

// ending returns the line end for the i-th new line of a run: that of the line it replaces, or of a
// neighbour; own if there is none.
func (b *builder) ending(r lineRun, i int, own []byte) []byte {
	line := r.start + i
	if line >= r.end {
		line = max(r.end-1, 0)
	}
	for ; line >= 0 && line < b.table.lines(); line-- {
		if b.table.file.Ended(line) {
			return lines.EndingAt(b.table.file.Bytes, b.table.file.Offset(line+1)-1)
		}
	}
	return own
}

// copyTo copies the old text up to a line.
func (b *builder) copyTo(line int) {
	b.out = append(b.out, b.table.file.Bytes[b.table.file.Offset(b.line):b.table.file.Offset(line)]...)
	b.line = line
}

func (b *builder) rest() { b.copyTo(b.table.lines()) }

// joinLines returns lines of a hunk as text, at most limit bytes of it.
func joinLines(lines []HunkLine, limit int) []byte {
	var text []byte
	for _, line := range lines {
		if left := limit - len(text); len(line.Text) >= left {
			return append(text, line.Text[:left]...)
		}
		text = append(text, line.Text...)
		if !line.NoNewline {
			text = append(text, '\n')
		}
	}
	return text
}

package patch

import (
	"bytes"
	"slices"
)

// The lines that structure the Begin Patch form. They are compared without the blanks around them.
const (
	beginMarker       = "*** Begin Patch"
	endMarker         = "*** End Patch"
	addMarker         = "*** Add File:"
	deleteMarker      = "*** Delete File:"
	updateMarker      = "*** Update File:"
	moveMarker        = "*** Move to:"
	atEndMarker       = "*** End of File"
	environmentMarker = "*** Environment ID:"
)

// isPatchMarker reports whether line can begin a patch of the Begin Patch form, which some models
// write without its first line.
func isPatchMarker(line []byte) bool {
	line = bytes.TrimSpace(line)
	return hasAnyPrefix(line, addMarker, deleteMarker, updateMarker) || isBeginMarker(line)
}

// isBeginMarker reports whether line is beginMarker, alone or with a command before it, as in
// apply_patch "*** Begin Patch
func isBeginMarker(line []byte) bool {
	line = bytes.TrimSpace(line)
	return string(line) == beginMarker || hasAnyPrefix(line, "apply_patch ", "applypatch ") && bytes.HasSuffix(line, []byte(beginMarker))
}

func isEndMarker(line []byte) bool {
	return string(bytes.TrimRight(bytes.TrimSpace(line), "\"')")) == endMarker
}

// findBeginPatch returns the line where a patch of this form begins, if one does before a header of
// a diff.
func (l patchLines) findBeginPatch() (at int, found bool) {
	for i, line := range l {
		if isPatchMarker(line) {
			next := l.nextText(i + 1)
			if isBeginMarker(line) && l.isEnvelope(next) {
				next = l.nextText(next + 1)
			}
			return i, !l.isDiffHeader(next) // a diff in the wrong envelope is a diff
		}
		if l.isDiffHeader(i) {
			return 0, false
		}
	}
	return 0, false
}

// isIndented reports whether all lines begin with a blank or a tab, not only the first, which is
// a marker.
func (l patchLines) isIndented() bool {
	return !slices.ContainsFunc(l, func(line []byte) bool { return len(bytes.TrimSpace(line)) > 0 && !hasAnyPrefix(line, " ", "\t") })
}

// isEnvelope reports whether line i, a marker of this form, names a file for which a diff follows.
func (l patchLines) isEnvelope(i int) bool {
	return hasAnyPrefix(bytes.TrimSpace(l.at(i)), addMarker, updateMarker) && l.isDiffHeader(l.nextText(i+1))
}

// isDiffHeader reports whether a file's part of a diff begins at line i.
func (l patchLines) isDiffHeader(i int) bool { return l.has(i, "diff --git ") || l.isFileHeader(i) }

// beginParser reads the Begin Patch form, line by line.
type beginParser struct {
	parser
	begun bool
	files []File
}

func parseBeginPatch(lines patchLines, at int) (*Patch, error) {
	p := beginParser{parser: parser{lines: lines, at: at}}
	for _, line := range lines[:at] {
		p.fenced = p.fenced != isFence(line)
	}
	if lines[at:].isIndented() {
		return nil, p.fail(at, "%s", causeIndented)
	}
	for p.at < len(lines) {
		if err := p.step(); err != nil {
			return nil, err
		}
	}
	if p.begun {
		return nil, p.fail(len(lines)-1, "the patch ends without %q", endMarker)
	}
	if len(p.files) == 0 {
		return nil, p.fail(at, "the patch names no file")
	}
	return &Patch{Format: "begin_patch", Files: p.files}, nil
}

// step reads the part of a file, or a line between parts.
func (p *beginParser) step() error {
	line := bytes.TrimSpace(p.lines[p.at])
	switch {
	case len(line) == 0, hasPrefix(line, environmentMarker):
	case isBeginMarker(line):
		p.begun = true
	case isEndMarker(line), !p.begun && p.lines.isWrapping(p.at):
		return p.end()
	case hasPrefix(line, addMarker):
		return p.add(line[len(addMarker):])
	case hasPrefix(line, deleteMarker):
		return p.file(File{Action: Delete}, line[len(deleteMarker):])
	case hasPrefix(line, updateMarker):
		return p.update(line[len(updateMarker):])
	default:
		return p.unknown()
	}
	p.at++
	return nil
}

func (p *beginParser) unknown() error {
	if line := p.lines[p.at]; hasAnyPrefix(bytes.TrimSpace(line), "*** Rename", "*** Move") {
		return p.fail(p.at, "a file moves by a line %q under its %q", moveMarker, updateMarker)
	}
	return p.fail(p.at, "expected %q, %q, %q or %q", addMarker, updateMarker, deleteMarker, endMarker)
}

// end skips what follows the end of a patch, up to another patch. A line there that looks like one
// of a hunk is an error: then a line within the patch was probably taken for its end.
func (p *beginParser) end() error {
	marked := isEndMarker(p.lines[p.at])
	if next, more := p.lines.hunkLineAfter(p.at, marked); more && !(p.fenced && p.lines.closesFence(p.at)) {
		return p.fail(next, "the patch has ended before this line, in line %d", p.at+1)
	}
	p.begun = false
	for p.at++; p.at < len(p.lines); p.at++ {
		if isPatchMarker(p.lines[p.at]) {
			return nil
		}
		if isEndMarker(p.lines[p.at]) && marked {
			return p.fail(p.at, "the patch has ended before this line")
		}
		if p.lines.isDiffHeader(p.at) {
			return p.fail(p.at, "a diff follows a patch in another format: send them separately")
		}
	}
	return nil
}

// file starts the part of a file, of which p.at is the first line.
func (p *beginParser) file(f File, path []byte) error {
	if err := checkFiles(len(p.files), p.at); err != nil {
		return err
	}
	f.Path = string(bytes.TrimSpace(path))
	f.Line = p.at + 1
	f.form = patchForm{begin: true}
	if cause := badName(f.Path); cause != "" {
		return p.fail(p.at, "%s", cause)
	}
	p.files = append(p.files, f)
	p.at++
	return nil
}

// add reads a new file.
func (p *beginParser) add(path []byte) error {
	if err := p.file(File{Action: Add}, path); err != nil {
		return err
	}
	if p.lines.has(p.at, "@@") {
		p.at++
	}
	hunk := Hunk{Line: p.at + 1, Numbered: true}
	hunk.Lines = p.addedLines()
	if string(bytes.TrimSpace(p.lines.at(p.at))) == atEndMarker {
		p.at++
	}
	if len(hunk.Lines) > 0 {
		f := &p.files[len(p.files)-1]
		f.Hunks = []Hunk{hunk}
		f.form.marks = hasMarks(f.Hunks)
	}
	if next := p.lines.nextText(p.at); next < len(p.lines) && p.begun && !hasPrefix(bytes.TrimSpace(p.lines[next]), "*** ") {
		return p.fail(next, "a line of a new file begins with \"+\"")
	}
	return nil
}

// addedLines reads lines that begin with "+". A blank line between them counts as a line of the
// file whose "+" was left out.
func (p *beginParser) addedLines() (lines []HunkLine) {
	for ; p.at < len(p.lines); p.at++ {
		line := p.lines[p.at]
		if next := p.lines.nextText(p.at); next > p.at {
			if !p.lines.has(next, "+") {
				return lines
			}
			for ; p.at < next; p.at++ {
				lines = append(lines, HunkLine{Op: '+', Text: bytes.TrimLeft(p.lines[p.at], " \t")})
			}
			line = p.lines[next]
		}
		if !hasPrefix(line, "+") && !isNoNewlineMark(line) {
			return lines
		}
		lines = appendHunkLine(lines, line)
	}
	return lines
}

// update reads the hunks of a file, and where it moves.
func (p *beginParser) update(path []byte) error {
	if err := p.file(File{Action: Update}, path); err != nil {
		return err
	}
	f := &p.files[len(p.files)-1]
	if next := p.lines.nextText(p.at); p.lines.has(next, moveMarker) {
		f.Action, f.From = Move, f.Path
		f.Path = string(bytes.TrimSpace(p.lines[next][len(moveMarker):]))
		if cause := badName(f.Path); cause != "" {
			return p.fail(next, "%s", cause)
		}
		p.at = next + 1
	}
	var err error
	if f.Hunks, err = p.hunks(); err != nil {
		return err
	}
	if len(f.Hunks) == 0 && f.Action != Move {
		return errNoChange.inLine(f.Line - 1)
	}
	if f.Path == f.From {
		f.Action, f.From = Update, ""
	}
	f.form.marks = hasMarks(f.Hunks)
	return f.checkPlaced()
}

// hunks reads hunks up to the next part. The first may lack its "@@".
func (p *beginParser) hunks() ([]Hunk, error) {
	var hunks []Hunk
	for {
		p.at = p.lines.nextText(p.at)
		if p.at >= len(p.lines) || p.atMarker() {
			if line := bytes.TrimSpace(p.lines.at(p.at)); hasPrefix(line, "*** ") && !isPatchMarker(line) && !isEndMarker(line) {
				return nil, p.unknown()
			}
			return hunks, nil
		}
		if len(hunks) > 0 && !p.lines.has(p.at, "@@") {
			return nil, errNoHeader.inLine(p.at)
		}
		hunk, err := p.hunk()
		if err != nil {
			return nil, err
		}
		hunks = append(hunks, hunk)
	}
}

// atMarker reports whether a line begins here that ends the part of a file.
func (p *beginParser) atMarker() bool {
	line := p.lines[p.at]
	switch {
	case hasPrefix(line, "*** "):
		return string(bytes.TrimSpace(line)) != atEndMarker
	case isEndMarker(line) && (hasPrefix(line, " ") || hasPrefix(line, "\t")):
		next := p.lines.nextText(p.at + 1) // with more of the patch after it, or its end, the line is context
		return next >= len(p.lines) || p.lines.isWrapping(next) && !isEndMarker(p.lines[next])
	}
	return !p.begun && p.lines.isWrapping(p.at)
}

// hunk reads lines that begin with "@@", then the lines of the hunk.
func (p *beginParser) hunk() (Hunk, error) {
	start := p.at
	hunk := Hunk{Line: start + 1}
	for ; p.lines.has(p.at, "@@"); p.at++ {
		hunk.head(parseHunkHeader(p.lines[p.at]))
	}
	if err := p.body(&hunk); err != nil {
		return hunk, err
	}
	if hunk.AtEnd && len(hunk.Lines) == 0 {
		return hunk, p.fail(p.at-1, "%q comes after the lines of its hunk", atEndMarker)
	}
	return hunk, p.check(&hunk, start)
}

// head adds to the hunk what one of its "@@" lines says; there may be several.
func (h *Hunk) head(header hunkHeader) {
	if header.numbered() {
		numbered := header.hunk(h.Line)
		numbered.Anchors = h.Anchors
		*h = numbered
	}
	if header.section != "" {
		h.Anchors = append(h.Anchors, header.section)
	}
}

// body reads the lines of a hunk.
func (p *beginParser) body(hunk *Hunk) error {
	for ; p.at < len(p.lines) && !p.atMarker() && !p.lines.has(p.at, "@@"); p.at++ {
		line := p.lines[p.at]
		if string(bytes.TrimSpace(line)) == atEndMarker && line[0] == '*' {
			hunk.AtEnd = true
			p.at++
			break
		}
		if len(bytes.TrimRight(line, "\r")) > 0 && !hasAnyPrefix(line, " ", "+", "-", `\ `) {
			return p.fail(p.at, "%s", p.lines.unmarked(p.at))
		}
		hunk.Lines = appendHunkLine(hunk.Lines, line)
	}
	if !hunk.AtEnd {
		hunk.bareTail = p.lines.bareTail(p.at, len(hunk.Lines))
	}
	return nil
}

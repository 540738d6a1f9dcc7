package patch

import (
	"bytes"
	"fmt"
)

// unifiedParser reads unified and git diffs, line by line.
type unifiedParser struct {
	parser
	files     []unifiedFile
	afterHunk bool // what is read comes after a hunk
	warnings  []string
}

// unifiedFile is one file's part: its header as written, and what was made of it.
type unifiedFile struct {
	header diffFileHeader
	patch  File
}

func parseUnified(lines patchLines) (*Patch, error) {
	p := unifiedParser{parser: parser{lines: lines}}
	for p.at < len(lines) {
		if err := p.step(); err != nil {
			return nil, err
		}
	}
	if len(p.files) == 0 {
		return nil, p.lines.noPatch()
	}
	return p.finish()
}

// step reads the part of a file, or passes over a line that belongs to none.
func (p *unifiedParser) step() error {
	if p.skipWords() {
		return nil
	}
	line := p.lines[p.at]
	switch {
	case hasPrefix(line, "diff --git "):
		return p.file(true)
	case p.lines.isFileHeader(p.at):
		return p.file(false)
	case hasAnyPrefix(line, "diff --cc ", "diff --combined "):
		return errMergeDiff.inLine(p.at)
	case isBinaryNotice(line):
		return errBinaryPatch.inLine(p.at)
	case hasPrefix(line, "***************"):
		return errContextDiff.inLine(p.at)
	case p.lines.has(p.at, "--- ") && p.lines.has(p.at+1, "+++ "):
		return errNoHeader.inLine(p.at + 2)
	case hasPrefix(line, "@@") && (parseHunkHeader(line).numbered() || len(bytes.Trim(line, "@ .\r")) == 0):
		return p.fail(p.at, "no file is named before this hunk, by a \"--- \" and a \"+++ \" line")
	case isPatchMarker(line) && !isBeginMarker(line) && !p.lines.isEnvelope(p.at):
		return p.fail(p.at, "a patch in another format follows a diff: send them separately")
	}
	p.pass()
	return nil
}

// pass skips a line that belongs to no file. After a hunk, a line that looks like a change gives a
// warning.
func (p *unifiedParser) pass() {
	line := p.lines[p.at]
	switch {
	case isFence(line):
		p.fenced = !p.fenced
		p.afterHunk = p.afterHunk && p.fenced
	case p.lines.isStart(p.at), p.lines.isSign(p.at), p.lines.isBoundary(p.at):
		p.afterHunk = false
	case p.afterHunk && hasAnyPrefix(line, "+", "-"):
		p.warn("line %d looks like a change, but belongs to no hunk: it was ignored", p.at+1)
		p.afterHunk = false
	}
	p.at++
}

func (p *unifiedParser) warn(format string, args ...any) {
	p.warnings = append(p.warnings, "of the patch, "+fmt.Sprintf(format, args...))
}

func isBinaryNotice(line []byte) bool {
	line = bytes.TrimRight(line, " \r")
	return string(line) == "GIT binary patch" ||
		hasPrefix(line, "Binary files ") && bytes.Contains(line, []byte(" and ")) && bytes.HasSuffix(line, []byte(" differ"))
}

// file reads the header and the hunks of one file.
func (p *unifiedParser) file(git bool) error {
	if err := checkFiles(len(p.files), p.at); err != nil {
		return err
	}
	f := unifiedFile{header: diffFileHeader{line: p.at, git: git}}
	if git {
		if err := p.gitHeader(&f.header); err != nil {
			return err
		}
	}
	if err := p.sideNames(&f.header); err != nil {
		return err
	}
	for p.lines.has(p.lines.nextText(p.at), "@@") {
		p.at = p.lines.nextText(p.at)
		hunk, err := p.hunk(len(f.patch.Hunks) == 0)
		if err != nil {
			return err
		}
		f.patch.Hunks = append(f.patch.Hunks, hunk)
	}
	if next := p.lines.nextText(p.at); next < len(p.lines) && isBinaryNotice(p.lines[next]) {
		return errBinaryPatch.inLine(next)
	}
	if len(f.patch.Hunks) == 0 && p.lines.isHeadless(p.at) {
		return errNoHeader.inLine(p.at)
	}
	p.files = append(p.files, f)
	p.afterHunk = true
	return nil
}

// sideNames reads the "---" and "+++" lines, if there are any.
func (p *unifiedParser) sideNames(h *diffFileHeader) error {
	if !p.lines.has(p.at, "--- ") || !p.lines.has(p.at+1, "+++ ") {
		return nil
	}
	h.old, h.new = h.sideName(p.lines[p.at][4:]), h.sideName(p.lines[p.at+1][4:])
	for i, side := range [2]sideName{h.old, h.new} {
		switch {
		case !side.ok():
			return p.fail(p.at+i, "a file name is missing or badly quoted")
		case side.isFile():
			h.nameLine = p.at + i
		}
		if side.words {
			p.warn("the name in line %d ends at the tab: a name with a tab has to be in quotes, the tab as \\t", p.at+i+1)
		}
	}
	p.at += 2
	return nil
}

// hunk reads a hunk, the first of its file or another one, and makes sure that it ends where
// something else begins. In the first one the numbers may contradict each other: lines that come
// after old line 1 can't be new line 1. Then the new number counts, as it does for git.
func (p *unifiedParser) hunk(first bool) (Hunk, error) {
	start := p.at
	if p.lines.has(p.at, "@@@") {
		return Hunk{}, errMergeDiff.inLine(p.at)
	}
	header := parseHunkHeader(p.lines[p.at])
	hunk := header.hunk(start + 1)
	body := p.lines.unifiedBody(start+1, header)
	hunk.Lines, p.at = body.lines, body.next
	hunk.bareTail = p.lines.bareTail(p.at, len(hunk.Lines))
	if err := p.checkEnd(body); err != nil {
		return Hunk{}, err
	}
	if next := p.lines.nextText(p.at); body.missing && (next >= len(p.lines) || !p.lines.isStart(next)) {
		p.warn("the hunk in line %d has fewer lines than its header says: if the patch was cut off, the rest is missing", start+1)
	}
	if err := p.check(&hunk, start); err != nil {
		return Hunk{}, err
	}
	if body.missing && p.at == len(p.lines) && hunk.endsInChange() && (hunk.hasOld() || header.oldCount == 0) {
		return Hunk{}, errCutPatch.inLine(start)
	}
	if first && header.oldCount == 0 && header.newStart == header.oldStart && hunk.place > 0 && !hunk.hasOld() {
		hunk.place--
	}
	if !hunk.Numbered && header.section != "" {
		hunk.Anchors, hunk.looseAnchors = []string{header.section}, true
	}
	return hunk, nil
}

// gitHeader reads the lines from "diff --git" up to "---", a hunk, or the next file.
func (p *unifiedParser) gitHeader(h *diffFileHeader) error {
	h.names = bytes.TrimRight(p.lines[p.at][len("diff --git "):], "\r")
	for p.at++; p.at < len(p.lines); p.at++ {
		line := bytes.TrimRight(p.lines[p.at], "\r")
		if isBinaryNotice(line) {
			return errBinaryPatch.inLine(p.at)
		}
		known, err := h.extended(line)
		if err != nil {
			return err.inLine(p.at)
		}
		if !known {
			break
		}
		switch {
		case hasPrefix(line, "rename from "):
			h.fromLine = p.at
		case hasPrefix(line, "rename to "):
			h.nameLine = p.at
		}
	}
	if p.lines.has(p.at, "--- ") && !p.lines.has(p.at+1, "+++ ") {
		return p.fail(p.at+1, "a \"+++ \" line is missing")
	}
	return nil
}

// finish turns headers into names and actions.
func (p *unifiedParser) finish() (*Patch, error) {
	patch := &Patch{Format: "unified", Warnings: p.warnings, Files: make([]File, 0, len(p.files))}
	prefixes := findPrefixes(p.files)
	for _, f := range p.files {
		if f.header.git {
			patch.Format = "git"
		}
		f.header.prefixes = prefixes
		file := f.patch
		file.Line = f.header.line + 1
		file.form = patchForm{git: f.header.git, marks: hasMarks(file.Hunks)} // and fill says whether it existed
		if err := f.header.fill(&file); err != nil {
			return nil, err
		}
		patch.Files = append(patch.Files, file)
	}
	return patch, nil
}

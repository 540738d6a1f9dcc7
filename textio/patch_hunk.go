package textio

import "bytes"

// unifiedBody reads the lines of a hunk from line i on, and returns where the
// next thing begins. The counts in the header decide where it ends if the lines
// agree with them, else its looks do.
func (l patchLines) unifiedBody(i int, header hunkHeader) (lines []HunkLine, next int, counted bool) {
	if header.numbered() {
		if lines, next, ok := l.countedBody(i, header.oldCount, header.newCount); ok {
			return lines, next, true
		}
	}
	for next = i; next < len(l) && l.isBodyLine(next); next++ {
		lines = appendHunkLine(lines, l[next])
	}
	return lines, next, false
}

// countedBody reads old and new lines as counted, if that many are there and
// what follows doesn't look like one more.
func (l patchLines) countedBody(i, old, new int) (lines []HunkLine, next int, ok bool) {
	for next = i; next < len(l) && (old > 0 || new > 0); next++ {
		line := l[next]
		switch {
		case len(line) == 0 || line[0] == ' ' || len(line) == 1 && line[0] == '\r':
			old--
			new--
		case line[0] == '-':
			old--
		case line[0] == '+':
			new--
		case !isNoNewlineMark(line):
			return nil, i, false
		}
		lines = appendHunkLine(lines, line)
	}
	if old != 0 || new != 0 {
		return nil, i, false
	}
	if next < len(l) && isNoNewlineMark(l[next]) {
		lines = appendHunkLine(lines, l[next])
		next++
	}
	after := l.nextText(next)
	return lines, next, after >= len(l) || l.isFileHeader(after) || !l.isBodyLine(after)
}

// isBodyLine reports whether line i looks like a line of a hunk.
func (l patchLines) isBodyLine(i int) bool {
	line := l[i]
	if len(line) == 0 {
		return true
	}
	switch line[0] {
	case ' ', '+', '\r':
		return true
	case '-':
		return !(l.isFileHeader(i) && l.has(i+2, "@@")) && !l.isSignature(i)
	}
	return isNoNewlineMark(line)
}

// isFileHeader reports whether "---" and "+++" lines begin at i.
func (l patchLines) isFileHeader(i int) bool {
	return l.has(i, "--- ") && l.has(i+1, "+++ ") && (i+2 >= len(l) || l.isBlank(i+2) || l.has(i+2, "@@"))
}

// isSignature reports whether line i begins what git format-patch puts last: a
// line of "-- " and one with its version.
func (l patchLines) isSignature(i int) bool {
	line := l.at(i)
	if !hasPrefix(line, "--") || len(bytes.TrimSpace(line)) != 2 {
		return false
	}
	version := l.at(i + 1)
	if len(version) == 0 || version[0] < '0' || version[0] > '9' || !bytes.ContainsRune(version, '.') {
		return false
	}
	after := l.nextText(i + 2)
	return after >= len(l) || l.has(after, "From ") || l.isWrapping(after)
}

// appendHunkLine appends a line, or notes on the last what a mark says of it.
func appendHunkLine(lines []HunkLine, line []byte) []HunkLine {
	switch {
	case len(line) == 0 || line[0] == '\r':
		return append(lines, HunkLine{Op: ' ', Text: line})
	case line[0] != '\\':
		return append(lines, HunkLine{Op: line[0], Text: line[1:]})
	}
	if len(lines) > 0 {
		lines[len(lines)-1].NoNewline = true
	}
	return lines
}

// bareTail counts the blank lines without a mark before line next, of the last n.
func (l patchLines) bareTail(next, n int) int {
	bare := 0
	for bare < n && len(bytes.TrimRight(l[next-1-bare], "\r")) == 0 {
		bare++
	}
	return bare
}

func hasMarks(hunks []Hunk) bool {
	for _, hunk := range hunks {
		for _, line := range hunk.Lines {
			if line.NoNewline {
				return true
			}
		}
	}
	return false
}

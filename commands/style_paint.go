package commands

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// spans are parts of a line, in order: where each starts and ends, in code points.
type spans [][2]int

// shifted counts from another code point.
func (s spans) shifted(start int) spans {
	if start == 0 {
		return s
	}
	moved := make(spans, len(s))
	for i, part := range s {
		moved[i] = [2]int{part[0] - start, part[1] - start}
	}
	return moved
}

// after are the spans in what comes after a line.
func (s spans) after(line string) spans { return s.shifted(utf8.RuneCountInString(line) + len("\n")) }

// paintFound writes a line, or a part of one, and paints what was found in it.
func (t *text) paintFound(line string, found spans) {
	if t.style == nil {
		t.add(line)
		return
	}
	at := 0 // code points written so far
	take := func(upTo int) (part string) {
		n := 0
		for ; at < upTo && n < len(line); at++ {
			_, size := utf8.DecodeRuneInString(line[n:])
			n += size
		}
		part, line = line[:n], line[n:]
		return part
	}
	for _, span := range found {
		t.add(take(span[0]))
		if part := take(span[1]); part != "" {
			t.paint(hueMatch, part)
		}
	}
	t.add(line)
}

// paintedDiff writes a unified diff.
func (t *text) paintedDiff(diff string) {
	if t.style == nil {
		t.block(diff)
		return
	}
	var p diffPainter
	for line := range strings.Lines(diff) {
		rest, ended := strings.CutSuffix(line, "\n")
		t.paint(p.hue(rest), rest)
		if ended {
			t.line()
		}
	}
	t.fresh()
}

// diffPainter knows how many lines the current hunk still has: a removed line may begin as the head
// of a file does.
type diffPainter struct{ removed, added int }

func (p *diffPainter) hue(line string) hue {
	switch {
	case strings.HasPrefix(line, "@@"):
		p.removed, p.added = hunkSizes(line)
		return huePlace
	case p.removed+p.added == 0:
		return hueNone
	case strings.HasPrefix(line, "-"):
		p.removed--
		return hueRemoved
	case strings.HasPrefix(line, "+"):
		p.added--
		return hueAdded
	case strings.HasPrefix(line, " "), line == "":
		p.removed--
		p.added--
	}
	return hueNone
}

// hunkSizes reads the numbers of lines in "@@ -3,5 +3,6 @@".
func hunkSizes(head string) (removed, added int) {
	sizes := [2]int{}
	for i, part := range strings.Fields(head)[1:] {
		if i == len(sizes) {
			break
		}
		_, count, several := strings.Cut(part, ",")
		if sizes[i] = 1; several {
			sizes[i], _ = strconv.Atoi(count) // a diff of ours has a number there
		}
	}
	return sizes[0], sizes[1]
}

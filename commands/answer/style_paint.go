package answer

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Spans are parts of a line, in order: where each starts and ends, in code points.
type Spans [][2]int

// Shifted counts from another code point.
func (s Spans) Shifted(start int) Spans {
	if start == 0 {
		return s
	}
	moved := make(Spans, len(s))
	for i, part := range s {
		moved[i] = [2]int{part[0] - start, part[1] - start}
	}
	return moved
}

// After are the spans in what comes after a line.
func (s Spans) After(line string) Spans { return s.Shifted(utf8.RuneCountInString(line) + len("\n")) }

// PaintFound writes a line, or a part of one, and paints what was found in it.
func (t *Text) PaintFound(line string, found Spans) {
	if t.Style == nil {
		t.Add(line)
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
		t.Add(take(span[0]))
		if part := take(span[1]); part != "" {
			t.Paint(hueMatch, part)
		}
	}
	t.Add(line)
}

// paintedDiff writes a unified diff.
func paintedDiff(t *Text, diff string) {
	if t.Style == nil {
		t.Block(diff)
		return
	}
	var p diffPainter
	for line := range strings.Lines(diff) {
		rest, ended := strings.CutSuffix(line, "\n")
		t.Paint(p.hue(rest), rest)
		if ended {
			t.Line()
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

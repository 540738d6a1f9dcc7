package answer

import (
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
	lines := strings.SplitAfter(diff, "\n")
	head := 0 // lines that are left of the head of a file
	for i, line := range lines {
		if startsFile(lines[i:]) {
			head = len("-+")
		}
		h := hueNone
		if head--; head < 0 {
			h = diffHue(line)
		}
		text, ended := strings.CutSuffix(line, "\n")
		if t.Paint(h, text); ended {
			t.Line()
		}
	}
	t.fresh()
}

// startsFile reports whether a file's head comes next: a removed line may begin as it does.
func startsFile(lines []string) bool {
	return len(lines) > 2 && strings.HasPrefix(lines[0], "--- ") && strings.HasPrefix(lines[1], "+++ ") && strings.HasPrefix(lines[2], "@@")
}

func diffHue(line string) hue {
	switch {
	case strings.HasPrefix(line, "@@"):
		return huePlace
	case strings.HasPrefix(line, "-"):
		return hueRemoved
	case strings.HasPrefix(line, "+"):
		return hueAdded
	}
	return hueNone
}

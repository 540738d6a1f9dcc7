package answer

import (
	"bytes"
	"math"
	"strings"

	"fsbox/commands/words"
	"fsbox/textio"
)

// Bound is how much one answer may have in the text form, with all that is noted, as its reader
// counts it. Programs that pass an answer on to a model cut a longer one, most of them without a
// word about how to continue.
type Bound struct {
	Most int64 // 0: no bound
	Unit textio.Unit
	Name string // the setting that it comes from, as truncated_by has it
	Both bool   // the reader counts the structured form with it
	Long bool   // lines aren't counted
}

// LeastBound is the least that an operator may set, in units: a line of a usual length, and what
// has to be said with it.
const LeastBound = 2000

// MostLines is how many lines an answer with a bound may have: some hosts cut at 2,000.
const MostLines = 1990

// lines is how many lines the bound allows.
func (b Bound) lines() int64 {
	if b.Long {
		return math.MaxInt32
	}
	return MostLines
}

// tailRoom is what a page leaves free for its first line, without the cursor, and for what is noted
// after it, in units; tailLines are the lines. What is noted and takes more is shortened.
const (
	tailRoom  = 320
	tailLines = 10
)

// Room is what is left of a bound for the lists and contents of an answer. warnings are those that
// there are already.
func (b Bound) Room(warnings []string) Room {
	r := Room{Bound: b, Left: b.Most - tailRoom, Lines: b.lines() - tailLines - int64(len(warnings))}
	for _, w := range warnings {
		r.Left -= min(int64(b.Unit.Len(w)+len("warning: ")), b.Most/4)
	}
	r.Left = max(r.Left, b.Most/4)
	return r
}

// Room is a part of a bound.
type Room struct {
	Bound
	Left  int64 // units
	Lines int64
}

// Meter measures the text form of a page while the page is collected, with the functions that write
// it later.
type Meter struct {
	Text
	room Room
}

// NewMeter is nil without a bound.
func NewMeter(room Room) *Meter {
	if room.Most == 0 {
		return nil
	}
	return &Meter{Text: Text{counts: true, unit: room.Unit, last: '\n'}, room: room}
}

// Fits reports whether what was measured so far leaves so much free.
func (m *Meter) Fits(free int64) bool {
	return m.size+free <= m.room.Left && m.lines <= m.room.Lines
}

// Name is the setting that the bound comes from.
func (m *Meter) Name() string { return m.room.Name }

// Both reports whether the reader counts the structured form as well.
func (m *Meter) Both() bool { return m.room.Both }

// Left is how much is left, in units.
func (m *Meter) Left() int64 { return m.room.Left - m.size }

// fittingTail is what comes after the body of an answer. Where it doesn't fit, all of its parts are
// shortened alike.
func (t *Text) fittingTail(warnings []string) []string {
	tail := t.tail(warnings, math.MaxInt)
	if len(tail) == 0 || t.bound.Most == 0 {
		return tail
	}
	room := t.bound.Most - t.units(string(t.b), t.firstLine()) - 1
	for longest := words.LongestName; longest >= shortestNote && t.units(tail...) > max(room, t.bound.Most/4); longest /= 2 {
		tail = t.tail(warnings, longest)
	}
	return tail
}

// shortestNote is how short a note gets, in characters.
const shortestNote = 40

// tail is a line for each warning, and one in brackets for all notes, each of at most so many
// characters.
func (t *Text) tail(warnings []string, longest int) (lines []string) {
	lines = words.Mapped(warnings, func(w string) string { return "warning: " + words.FirstChars(words.OneLine(w), longest) })
	if len(t.notes) > 0 {
		notes := words.Mapped(t.notes, func(n string) string { return words.FirstChars(n, longest) })
		lines = append(lines, "["+strings.Join(notes, "; ")+"]")
	}
	return lines
}

// firstLine is the first line without its end, "" if there is none.
func (t *Text) firstLine() string {
	if t.first == "" {
		return ""
	}
	return "[" + t.first + "]"
}

// units is how long lines are for the reader, each with a line end.
func (t *Text) units(lines ...string) (n int64) {
	for _, line := range lines {
		if line != "" {
			n += int64(t.bound.Unit.Len(line) + t.bound.Unit.Len("\n"))
		}
	}
	return n
}

// cut shortens the body of an answer that has no pages, so that it fits with its first line and its
// tail: after the last part that fits if there are parts, else after a line.
func (t *Text) cut(tail []string) {
	most := int(t.bound.lines())
	if lines := bytes.Count(t.b, []byte("\n")); lines+1+len(tail) <= most &&
		t.units(string(t.b), t.firstLine())+t.units(tail...) <= t.bound.Most+1 {
		return
	}
	if t.first == "" {
		t.first = cutNote
	}
	body := string(t.b)
	room, lines := t.bound.Most-t.units(t.firstLine())-t.units(tail...), most-1-len(tail)
	end := 0
	for line := range strings.Lines(body) {
		if room -= int64(t.bound.Unit.Len(line)); room < 0 || lines == 0 {
			break
		}
		end, lines = end+len(line), lines-1
	}
	for i := len(t.parts) - 1; i >= 0; i-- {
		if at := t.parts[i]; at <= end && at >= end/2 {
			end = at
			break
		}
	}
	if t.b = t.b[:end:end]; end == 0 { // one line is too long
		line, _, _ := strings.Cut(body, "\n")
		t.Add(line[:t.bound.Unit.Fit(line, int(t.bound.Most-t.units(t.firstLine())-t.units(tail...))-len("…\n")*2)] + "…\n")
	}
}

// cutNote is the first line of an answer that is too long and has no pages.
const cutNote = "the rest of this answer is omitted: it is too long for one answer"

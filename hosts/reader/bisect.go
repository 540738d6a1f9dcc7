package reader

import "strings"

// Probe is an answer of so many characters that a probe asks for. Each line has a number of them.
type Probe struct {
	Char string // of which lines are made
	Line int    // its length in characters, with its end
}

// Text is the answer of n characters.
func (p Probe) Text(n int) string {
	line := strings.Repeat(p.Char, p.Line-1) + "\n"
	return strings.Repeat(line, n/p.Line) + strings.Repeat(p.Char, n%p.Line)
}

const (
	longest = 1 << 17 // what is more than this is no bound that an answer meets
	nearest = 64      // how near the bound is found
)

// Bisect is a reader that looks for the longest answer that is passed on whole.
type Bisect struct {
	Probe
	Whole, Cut int // known so far: this many characters are whole, that many are not
	asked      int
}

// NewBisect begins.
func NewBisect(p Probe) *Bisect { return &Bisect{Probe: p, Cut: longest + nearest} }

// First asks for more than most hosts pass on.
func (b *Bisect) First() Call { return b.ask(longest) }

func (b *Bisect) ask(n int) Call {
	b.asked = n
	return Call{Tool: "read", Arguments: map[string]any{"path": "probe", "start_line": n}}
}

// Next halves what is unknown.
func (b *Bisect) Next(text string) (Call, bool) {
	if strings.Contains(Plain(text), strings.TrimSuffix(b.Text(b.asked), "\n")) {
		b.Whole = b.asked
	} else {
		b.Cut = b.asked
	}
	if b.Cut-b.Whole <= nearest {
		return Call{}, false
	}
	return b.ask((b.Whole + b.Cut) / 2), true
}

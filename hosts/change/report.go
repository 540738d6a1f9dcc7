package change

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"

	"fsbox/hosts/reader"
)

// Report is what a change has shown.
type Report struct {
	Calls   int
	Pages   int // of these, calls for a further page
	Refused int
	Chars   int      // of all answers as the model got them, in UTF-16 code units
	Longest int      // answer, likewise
	Faults  []string `json:"-"`
}

// Report compares what the model was shown with what was sent: the texts of all answers in order.
func (s *Script) Report(sent []string) Report {
	finished := s.finished
	s.stop()
	r := Report{Calls: len(s.calls), Faults: s.faults}
	fault := func(n int, format string, parts ...any) {
		r.Faults = append(r.Faults, fmt.Sprintf("call %d, %s: ", n+1, s.calls[n].Tool)+fmt.Sprintf(format, parts...))
	}
	if !finished {
		r.Faults = append(r.Faults, "the host ended before the work did")
	}
	if len(sent) != len(s.calls) {
		r.Faults = append(r.Faults, fmt.Sprintf("%d answers were sent, and %d shown", len(sent), len(s.calls)))
	}
	for n, c := range s.calls[:min(len(sent), len(s.calls))] {
		size := len(utf16.Encode([]rune(c.shown)))
		r.Chars, r.Longest = r.Chars+size, max(r.Longest, size)
		if _, given := c.Arguments["cursor"]; given || c.Arguments["start_line"] != nil {
			r.Pages++
		}
		if strings.Contains(firstLine(sent[n]), ": ") && isCode(firstLine(sent[n])) {
			r.Refused++
		}
		around, whole := around(c.shown, sent[n])
		if !whole {
			fault(n, "not all that was sent is shown: %d characters of %d", size, len(utf16.Encode([]rune(sent[n]))))
		}
		for _, mark := range reader.Marks(around) {
			fault(n, "a mark of a cut: %.150q", mark)
		}
		for _, wrong := range c.check(sent[n]) {
			fault(n, "%s", wrong)
		}
	}
	return r
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// isCode reports whether a line begins with the code of a failure.
func isCode(line string) bool {
	code, _, _ := strings.Cut(line, ": ")
	return strings.Contains(code, "_") && strings.Trim(code, "abcdefghijklmnopqrstuvwxyz_") == "" || code == "stale"
}

// around is what a host has put around the text that was sent, and whether that is all there.
func around(shown, sent string) (rest string, whole bool) {
	text := strings.TrimRight(sent, "\n")
	for _, view := range reader.Views(shown) {
		if before, after, found := strings.Cut(view, text); found {
			return before + after, true
		}
	}
	return "", false
}

// Transcript is all that was called and shown, for a person.
func (s *Script) Transcript() string {
	var b strings.Builder
	for n, c := range s.calls {
		a, err := json.Marshal(c.Arguments)
		if err != nil {
			a = []byte(err.Error()) // never: they are strings and numbers
		}
		fmt.Fprintf(&b, "=== %d %s %s\n%s\n", n+1, c.Tool, a, c.shown)
	}
	return b.String()
}

package reader

import (
	"fmt"
	"slices"
	"strings"
)

// Seen sums up one task.
type Seen struct {
	Tool    string
	Calls   int
	Items   int      // seen, each once
	Total   int      // that there are
	Faults  []string `json:"-"` // what was missing, twice, out of order, changed, or marked as cut
	Answers []Answer `json:"-"`
}

// Report sums up the tasks, whether they were reached or not.
func (r *Reader) Report() []Seen {
	var all []Seen
	for _, t := range r.tasks {
		s := Seen{Tool: t.call.Tool, Calls: len(t.answers), Total: t.total, Answers: t.answers}
		s.count(t)
		all = append(all, s)
	}
	return all
}

// count compares what was seen with what there is.
func (s *Seen) count(t *task) {
	numbers, wanted := map[string]int{}, make([]bool, t.total+1)
	for n := 1; n <= t.total; n++ {
		numbers[t.want(n)] = n
	}
	last, again, changed, back := 0, 0, 0, 0
	for i, a := range t.answers {
		for _, mark := range a.Marks {
			s.Faults = append(s.Faults, fmt.Sprintf("answer %d has a mark of a cut: %.150q", i+1, mark))
		}
		if a.Note != "" && !a.First {
			s.Faults = append(s.Faults, fmt.Sprintf("answer %d says only at its end how to continue", i+1))
		}
		for _, item := range a.Items {
			n := numbers[item]
			switch {
			case n == 0:
				changed++
			case wanted[n]:
				again++
			case n < last:
				back++
			}
			wanted[n], last = n > 0, max(last, n)
		}
	}
	s.Items = len(slices.DeleteFunc(wanted, func(seen bool) bool { return !seen }))
	for what, n := range map[string]int{"never seen": t.total - s.Items, "seen again": again, "changed on the way": changed,
		"out of order": back} {
		if n > 0 {
			s.Faults = append(s.Faults, fmt.Sprintf("%d of %d %s", n, t.total, what))
		}
	}
	slices.Sort(s.Faults)
}

// Repair says why the edit wasn't refused and repaired, or nothing.
func (r *Reader) Repair() []string {
	var faults []string
	if r.stopped != "" {
		faults = append(faults, r.stopped)
	}
	if len(r.Edits) < 2 {
		return append(faults, fmt.Sprintf("%d of 2 edits were answered", len(r.Edits)))
	}
	if !strings.Contains(r.Edits[0].Text, "match_not_found") {
		faults = append(faults, fmt.Sprintf("the refusal doesn't say match_not_found: %.200q", r.Edits[0].Text))
	}
	for _, e := range r.Edits {
		for _, mark := range e.Marks {
			faults = append(faults, fmt.Sprintf("an edit's answer has a mark of a cut: %.150q", mark))
		}
	}
	return faults
}

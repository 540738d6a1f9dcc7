//go:build linux && amd64

package faults

import (
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"
)

// findings are complaints, each once, with all the places it was made at.
type findings struct {
	order  []string
	places map[string][]string
	sample map[string]string
}

// add notes complaints about a run. sample is what it answered.
func (f *findings) add(place, sample string, complaints []string) {
	if f.places == nil {
		f.places, f.sample = map[string][]string{}, map[string]string{}
	}
	for _, c := range complaints {
		if f.places[c] == nil {
			f.order = append(f.order, c)
			f.sample[c] = strings.TrimSpace(sample)
		}
		f.places[c] = append(f.places[c], place)
	}
}

// shown is how many places of one complaint are told.
const shown = 10

// report fails the test for each complaint.
func (f *findings) report(t *testing.T) {
	t.Helper()
	for _, c := range f.order {
		places := f.places[c]
		t.Errorf("%s\n\tin %d runs: %s\n\tthe first of them answered %.600s", c, len(places),
			strings.Join(places[:min(len(places), shown)], "; "), f.sample[c])
	}
}

// tally counts what a sweep did.
type tally struct {
	runs, missed      int // missed plans are those that no run carried out
	old, new, between int
	acknowledged, bad int
	calls             []call // of the last run
	findings
}

func (y *tally) count(at standing) {
	switch {
	case at.old:
		y.old++
	case at.new:
		y.new++
	default:
		y.between++
	}
}

// judged notes the outcome of one run.
func (y *tally) judged(place, sample string, complaints []string) {
	y.runs++
	y.bad += min(1, len(complaints))
	y.add(place, sample, complaints)
}

// tries is how often a run is made that strikes elsewhere than planned. It happens: while a
// neighbour forks, its child holds this run's files open for a moment, and the program then keeps
// old content by copying where it else links.
const tries = 3

// aim makes a run until it strikes where it was planned. Each is judged, wherever it struck.
func (y *tally) aim(strike func() (asPlanned bool)) {
	for range tries {
		if strike() {
			return
		}
	}
	y.missed++
}

func (y *tally) String() string {
	if y.old+y.new+y.between == 0 {
		return fmt.Sprintf("%d runs, %d missed, bad %d", y.runs, y.missed, y.bad)
	}
	return fmt.Sprintf("%d runs, %d missed; left old %d, new %d, between %d; acknowledged %d; bad %d",
		y.runs, y.missed, y.old, y.new, y.between, y.acknowledged, y.bad)
}

// runs is how many points of each scenario are struck at, except in the long run, which takes all.
func runs() int {
	if *sweep {
		return 8
	}
	return 1
}

// sample is all of a list in the long run, else a few, evenly spread. nth shifts them, so that not
// all scenarios have the same.
func sample[T any](all []T, nth int) (few []T) {
	n := runs()
	if *longRun || len(all) <= n {
		return all
	}
	for i := range n {
		few = append(few, all[(i*len(all)/n+nth)%len(all)])
	}
	return few
}

// sweeps is how many tests sweep through the scenarios.
const sweeps = 6

// swept are the scenarios that a sweep goes through, each with its place in the list: all of them
// with -sweep and in the long run, else every 48th. The number of the sweep shifts them, so that the
// six sweeps come to different ones. -others takes seven times as many, evenly between these: with
// both, the sweeps together come to every scenario.
func swept(number int) iter.Seq2[int, scenario] {
	return func(yield func(int, scenario) bool) {
		for nth, s := range scenarios() {
			chosen := nth%(8*sweeps) == number
			if *others {
				chosen = nth%sweeps == number && !chosen
			}
			if (*sweep || *longRun || chosen) && !yield(nth, s) {
				return
			}
		}
	}
}

// overScenarios makes tries at the scenarios of a sweep, side by side, and sums up what they found.
func overScenarios(t *testing.T, number int, try func(t *testing.T, y *tally, s *scenario, nth int)) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	all := newTotal(t)
	for nth, s := range swept(number) {
		t.Run(s.name, func(t *testing.T) {
			s.need(t)
			t.Parallel()
			var y tally
			try(t, &y, &s, nth)
			y.verify(t, all)
		})
	}
}

func (y *tally) verify(t *testing.T, all *total) {
	t.Helper()
	t.Log(y)
	y.report(t)
	if y.runs == 0 {
		t.Error("the sweep doesn't count: it made no run")
	}
	all.add(y)
}

// total sums up what the parts of a test did.
type total struct {
	mu sync.Mutex
	tally
}

// newTotal tells the sum when the test and all its parts are through. For the test to count, one
// plan may be missed, and one more for each hundred runs: on a busy machine a plan can hold a call
// that hardly any other run makes.
func newTotal(t *testing.T) *total {
	all := &total{}
	t.Cleanup(func() {
		if all.runs > 0 {
			t.Logf("in all: %v", &all.tally)
		}
		if all.missed > 1+all.runs/100 {
			t.Errorf("the test doesn't count: %v", &all.tally)
		}
	})
	return all
}

func (a *total) add(y *tally) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.runs += y.runs
	a.missed += y.missed
	a.old += y.old
	a.new += y.new
	a.between += y.between
	a.acknowledged += y.acknowledged
	a.bad += y.bad
}

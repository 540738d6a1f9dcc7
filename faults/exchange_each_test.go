//go:build linux && amd64

package faults

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var exchangeSeeds = flag.Uint64("exchange-seeds", 1, "make each act about so many choices of names, with a sample of points for each")

// exchangePoint is where names are exchanged: before one system call of one request of an act, and
// once more before a later one.
type exchangePoint struct {
	act     int    // number in acts
	seed    uint64 // which names the act is about, and where the link leads
	request int    // number among the requests of the act: the second one is an undo
	at      int    // number of the system call before which they are exchanged
	back    int    // and of that before which they get their names back; none with -1
	pair    [2]string
	noFlags bool // renames have no flags
}

func (p exchangePoint) String() string {
	return fmt.Sprintf("act %d, seed %d, request %d: %v before call %d, back before %d", p.act, p.seed, p.request, p.pair, p.at, p.back)
}

// exchangePairs are all pairs of the names.
func exchangePairs() (all [][2]string) {
	for i, a := range exchangeNames {
		for _, b := range exchangeNames[i+1:] {
			all = append(all, [2]string{a, b})
		}
	}
	return all
}

// tracedCalls runs the program anew for each request, and exchanges names between its system calls.
type tracedCalls struct {
	x        *exchanges
	point    exchangePoint
	requests [][]call // the system calls of each request so far
}

func (c *tracedCalls) call(tool string, input map[string]any) (string, error) {
	text, err := json.Marshal(input)
	if err != nil {
		return "", err
	}
	cmd := exchangeCommand(c.x.base, tool, "--json", string(text))
	nth := len(c.requests)
	swap := func() { c.x.swap(c.point.pair[0], c.point.pair[1]) }
	isOut := false
	o := follow(c.x.t, command{program: program, base: c.x.base, args: cmd.Args[1:], env: cmd.Env}, func(at call) (v verdict) {
		if nth == c.point.request && (!isOut && at.n == c.point.at || isOut && at.n == c.point.back) {
			swap()
			isOut = !isOut
		}
		if c.point.noFlags {
			v = withoutFlags(at)
		}
		return v
	})
	c.requests = append(c.requests, o.calls)
	return o.stdout, nil
}

func (c *tracedCalls) close() error { return nil }

// TestExchangesAtEachCall is TestExchanges with the moment chosen: two names are exchanged before a
// system call of a request, and get back what they had before the next one, or some calls later, or
// not at all. What a random exchange meets once in hours is met here at once. All calls that ask for
// rights are taken, and of the others a sample, except with -long.
func TestExchangesAtEachCall(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	x := newExchanges(t)
	total := 0
	for seed := range *exchangeSeeds {
		for act := range acts {
			first := exchangePoint{act: act, seed: seed, request: -1}
			for _, p := range exchangePoints(first, x.exchangeAt(total, first)) {
				if x.exchangeAt(total, p); t.Failed() {
					t.Fatalf("%v", p)
				}
				total++
			}
		}
	}
	x.tell(total)
}

// TestDeletesWithoutFlags exchanges names between the calls by which a delete takes a file or a link
// away where renames have no flags. What has got the name is put back, and not removed.
func TestDeletesWithoutFlags(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	x := newExchanges(t)
	n := 0
	for seed := range uint64(2) {
		first := exchangePoint{act: len(acts) - 1, seed: seed, request: -1, noFlags: true}
		calls := x.exchangeAt(0, first)[0]
		for i, at := range calls {
			takes := strings.HasPrefix(at.name, "link") || strings.HasPrefix(at.name, "unlink") || strings.HasPrefix(at.name, "rename")
			for _, pair := range exchangePairs() {
				if !takes || !isAbout(at, pair) {
					continue
				}
				p := first
				p.request, p.at, p.back, p.pair = 0, i, -1, pair
				if x.exchangeAt(n, p); t.Failed() {
					t.Fatalf("%v", p)
				}
				n++
			}
		}
	}
	x.tell(n)
}

// exchangePoints are the points of an act whose requests make such system calls: those about the
// names, and the next one after each.
func exchangePoints(p exchangePoint, requests [][]call) (all []exchangePoint) {
	var rights []exchangePoint
	for request, calls := range requests {
		for n, at := range calls {
			for _, pair := range exchangePairs() {
				if !isAbout(at, pair) && (n == 0 || !isAbout(calls[n-1], pair)) {
					continue
				}
				for _, back := range []int{n + 1, n + 2, n + 4, -1} {
					p.request, p.at, p.back, p.pair = request, n, back, pair
					all = append(all, p)
					if strings.HasPrefix(at.name, "faccessat") && back == n+1 {
						rights = append(rights, p)
					}
				}
			}
		}
	}
	if *longRun {
		return all
	}
	random := rand.New(rand.NewPCG(p.seed, uint64(p.act)))
	for range min(runs(), len(all)) {
		rights = append(rights, all[random.IntN(len(all))])
	}
	return rights
}

// isAbout reports whether a call is about one of two names, or something below it.
func isAbout(at call, pair [2]string) bool {
	names := strings.FieldsFunc(at.object, func(r rune) bool { return strings.ContainsRune("/, ", r) }) // of a rename there are two
	return slices.Contains(names, pair[0]) || slices.Contains(names, pair[1])
}

// exchangeAt does one act, with an exchange at a point, and returns the system calls of its
// requests.
func (x *exchanges) exchangeAt(n int, p exchangePoint) [][]call {
	x.rand = rand.New(rand.NewPCG(p.seed, uint64(p.act)))
	c := &tracedCalls{x: x, point: p}
	x.caller = c
	x.begin(n)
	acts[p.act](x)
	x.end("traced calls")
	check(x.t, os.RemoveAll(filepath.Join(x.base, "home")))
	check(x.t, os.Mkdir(filepath.Join(x.base, "home"), 0o755))
	return c.requests
}

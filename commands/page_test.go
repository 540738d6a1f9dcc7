package commands

import (
	"fsbox/commands/answer"
	"fsbox/commands/words"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Paths are in order component by component, whatever bytes their names have.
func TestComparePaths(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	random := func() string {
		names := make([]string, 1+r.IntN(4))
		for i := range names {
			for range 1 + r.IntN(2) {
				names[i] += string([]string{"a", "b", "-", ".", "\x01", "\xff", "é"}[r.IntN(7)])
			}
		}
		return strings.Join(names, "/")
	}
	for range 20_000 {
		a, b := random(), random()
		if got, want := words.ComparePaths(a, b), slices.Compare(strings.Split(a, "/"), strings.Split(b, "/")); got != want {
			t.Fatalf("%q and %q: %d, want %d", a, b, got, want)
		}
	}
}

// A listing by size holds few more items than it may list, and lists the ones that a sort of all of
// them would.
func TestRank(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 11))
	for _, limit := range []int64{1, 2, 7, 100, 5000} {
		p := page[int]{sort: "size", size: func(int) int64 { return 1 },
			pageState: pageState{limit: limit, limitName: "limit", budget: answer.NewBudget(1 << 30)}}
		var all []pageItem[int]
		for i := range 3000 {
			item := pageItem[int]{path: string(rune('a'+r.IntN(26))) + words.Int(int64(i)), by: float64(r.IntN(50)), entry: i}
			all = append(all, item)
			if err := p.take(&item); err != nil {
				t.Fatal(err)
			}
			if int64(len(p.ranked)) > 2*limit+2 {
				t.Fatalf("%d items are held for %d", len(p.ranked), limit)
			}
		}
		p.cut()
		slices.SortFunc(all, compareItems[int])
		for i, entry := range p.items {
			if entry != all[i].entry {
				t.Fatalf("limit %d: item %d is %d, want %d", limit, i, entry, all[i].entry)
			}
		}
		if want := min(limit, 3000); int64(len(p.items)) != want || (p.by != "") != (limit < 3000) {
			t.Errorf("limit %d: %d items, cut by %q", limit, len(p.items), p.by)
		}
	}
}

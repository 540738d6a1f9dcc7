package commands

import (
	"fsbox/commands/answer"
	"fsbox/commands/verb"
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
		p := verb.Page[int]{Sort: "size", Size: func(int) int64 { return 1 },
			PageState: verb.PageState{Limit: limit, LimitName: "limit", Budget: answer.NewBudget(1 << 30)}}
		var all []verb.PageItem[int]
		for i := range 3000 {
			item := verb.PageItem[int]{Path: string(rune('a'+r.IntN(26))) + words.Int(int64(i)), Key: float64(r.IntN(50)), Entry: i}
			all = append(all, item)
			if err := p.Take(&item); err != nil {
				t.Fatal(err)
			}
			if int64(len(p.Ranked)) > 2*limit+2 {
				t.Fatalf("%d items are held for %d", len(p.Ranked), limit)
			}
		}
		p.Cut()
		slices.SortFunc(all, verb.CompareItems[int])
		for i, entry := range p.Items {
			if entry != all[i].Entry {
				t.Fatalf("limit %d: item %d is %d, want %d", limit, i, entry, all[i].Entry)
			}
		}
		if want := min(limit, 3000); int64(len(p.Items)) != want || (p.CutBy != "") != (limit < 3000) {
			t.Errorf("limit %d: %d items, cut by %q", limit, len(p.Items), p.CutBy)
		}
	}
}

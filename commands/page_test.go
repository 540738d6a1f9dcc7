package commands

import (
	"encoding/json"
	"fsbox/commands/answer"
	"fsbox/commands/words"
	"math/rand/v2"
	"slices"
	"strconv"
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

type number int

func (n number) AppendJSON(b []byte) []byte { return strconv.AppendInt(b, int64(n), 10) }

// A listing by size holds few more items than it may list, and lists the ones that a sort of all of
// them would.
func TestRank(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 11))
	for _, limit := range []int64{1, 2, 7, 100, 5000} {
		p := page[number]{sort: "size",
			pageState: pageState{limit: limit, limitName: "limit", budget: answer.NewBudget(1 << 30)}}
		var all []pageItem[number]
		for i := range 3000 {
			item := pageItem[number]{path: string(rune('a'+r.IntN(26))) + words.Int(int64(i)), by: float64(r.IntN(50)), entry: number(i)}
			all = append(all, item)
			if err := p.take(&item); err != nil {
				t.Fatal(err)
			}
			if int64(len(p.ranked)) > 2*limit+2 {
				t.Fatalf("%d items are held for %d", len(p.ranked), limit)
			}
		}
		p.cut()
		slices.SortFunc(all, compareItems[number])
		var got []number
		if text, err := p.items.MarshalJSON(); err != nil || json.Unmarshal(text, &got) != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for i, entry := range got {
			if entry != all[i].entry {
				t.Fatalf("limit %d: item %d is %d, want %d", limit, i, entry, all[i].entry)
			}
		}
		if want := min(limit, 3000); int64(len(got)) != want || (p.by != "") != (limit < 3000) {
			t.Errorf("limit %d: %d items, cut by %q", limit, len(got), p.by)
		}
	}
}

package verb

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/words"
)

// A listing by size holds few more items than it may list, and lists the ones that a sort of all of
// them would.
func TestRank(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 11))
	for _, limit := range []int64{1, 2, 7, 100, 5000} {
		p := Page[int]{Sort: "size", Size: func(int) int64 { return 1 },
			PageState: PageState{Limit: limit, LimitName: "limit", Budget: answer.NewBudget(1 << 30)}}
		var all []PageItem[int]
		for i := range 3000 {
			item := PageItem[int]{Path: string(rune('a'+r.IntN(26))) + words.Int(int64(i)), Key: float64(r.IntN(50)), Entry: i}
			all = append(all, item)
			if err := p.Take(&item); err != nil {
				t.Fatal(err)
			}
			if int64(len(p.ranked)) > 2*limit+2 {
				t.Fatalf("%d items are held for %d", len(p.ranked), limit)
			}
		}
		p.cut()
		slices.SortFunc(all, compareItems[int])
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

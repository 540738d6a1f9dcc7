package listing

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
		p := WalkPage{Sort: "size", SizeOf: func(Found) int64 { return 1 },
			PageState: PageState{Limit: limit, LimitName: "limit", Budget: &answer.Budget{Left: 1 << 30}}}
		var all []Found
		for i := range 3000 {
			f := Found{Path: string(rune('a'+r.IntN(26))) + words.Int(int64(i)), Size: r.Int64N(50)}
			all = append(all, f)
			if err := p.Take(f); err != nil {
				t.Fatal(err)
			}
			if int64(len(p.ranked)) > 2*limit+2 {
				t.Fatalf("%d items are held for %d", len(p.ranked), limit)
			}
		}
		p.cut()
		slices.SortFunc(all, p.compare)
		for i, f := range p.Items {
			if f != all[i] {
				t.Fatalf("limit %d: item %d is %v, want %v", limit, i, f, all[i])
			}
		}
		if want := min(limit, 3000); int64(len(p.Items)) != want || (p.CutBy != "") != (limit < 3000) {
			t.Errorf("limit %d: %d items, cut by %q", limit, len(p.Items), p.CutBy)
		}
	}
}

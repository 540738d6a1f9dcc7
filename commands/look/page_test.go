package look

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/words"
)

// A listing by size holds few more items than it may list, and lists the ones that a sort of all of
// them would.
func TestRank(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 11))
	for _, limit := range []int64{1, 2, 7, 100, 5000} {
		p := page{sort: "size", sizeOf: func(found) int64 { return 1 },
			PageState: command.PageState{Limit: limit, LimitName: "limit", Budget: &answer.Budget{Left: 1 << 30}}}
		var all []found
		for i := range 3000 {
			f := found{path: string(rune('a'+r.IntN(26))) + words.Int(int64(i)), size: r.Int64N(50)}
			all = append(all, f)
			if err := p.take(f); err != nil {
				t.Fatal(err)
			}
			if int64(len(p.ranked)) > 2*limit+2 {
				t.Fatalf("%d items are held for %d", len(p.ranked), limit)
			}
		}
		p.cut()
		slices.SortFunc(all, p.compare)
		for i, f := range p.items {
			if f != all[i] {
				t.Fatalf("limit %d: item %d is %v, want %v", limit, i, f, all[i])
			}
		}
		if want := min(limit, 3000); int64(len(p.items)) != want || (p.CutBy != "") != (limit < 3000) {
			t.Errorf("limit %d: %d items, cut by %q", limit, len(p.items), p.CutBy)
		}
	}
}

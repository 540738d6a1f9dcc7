package walk

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestWalkInParts walks trees whose folders give a few names at a time, as very large ones do: all is as if they gave all at once,
// from the start and from any name, for one goroutine and for several.
func TestWalkInParts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	for round := range 30 {
		tree := newFakeTree(bushyFiles(r))
		o := Options{Path: ".", Recursive: true, IncludeHidden: round%2 == 0, Inform: round%3 == 0}
		want := eagerly(t, tree, o, -1)
		for _, listed := range []int{1, 2, 5} {
			tree.listed, o.Readers = listed, round%4
			if got := eagerly(t, tree, o, -1); !reflect.DeepEqual(got, want) {
				t.Fatalf("%d names at a time, %d readers:\n got %v\nwant %v", listed, o.Readers, got, want)
			}
			from := want.Seen[r.IntN(len(want.Seen))]
			after := o
			after.After, _, _ = strings.Cut(strings.TrimSuffix(from, " "), "false")
			got := eagerly(t, tree, after, -1)
			tree.listed = 0
			if all := eagerly(t, tree, after, -1); !reflect.DeepEqual(got, all) {
				t.Fatalf("%d names at a time after %q:\n got %v\nwant %v", listed, after.After, got, all)
			}
		}
	}
}

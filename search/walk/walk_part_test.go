package walk

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestWalkInParts walks trees whose folders give a few names at a time, as very large ones do: all
// is as if they gave all at once, from the start and from any name, for one goroutine and for
// several.
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

// TestHold: a folder can be held after the walk has left it, and closes when it is released.
func TestHold(t *testing.T) {
	tree := newFakeTree(map[string]string{"a/x": "1", "a/y": "2", "b/c/z": "3", "w": "4"})
	held := map[string]*Held{}
	var last *Held
	_, err := Walk(context.Background(), tree.folder(), Options{Path: ".", Recursive: true}, func(e Entry) error {
		if !e.Type.IsRegular() || e.IsIn(last) {
			return nil
		}
		var err error
		last, err = e.Hold()
		held[e.Path] = last
		return err
	})
	if err != nil || len(held) != 3 || tree.open != 2 {
		t.Errorf("error %v, %d held, %d open", err, len(held), tree.open)
	}
	for path, h := range held {
		f, err := h.File(baseName(path))
		if err != nil || f.Size() != 1 {
			t.Errorf("%s: %v", path, err)
		}
		h.Release()
	}
	if tree.open != 0 {
		t.Errorf("%d open in the end", tree.open)
	}
}

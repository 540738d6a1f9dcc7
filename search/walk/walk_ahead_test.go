package walk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// visits is what a walk gives: the same for any number of readers.
type visits struct {
	Seen  []string
	Tally Tally
	Err   error
}

// eagerly walks with readers that start at once, and asks of every second wanted entry what it is.
func eagerly(t *testing.T, tree *fakeTree, o Options, stopAt int) visits {
	t.Helper()
	var v visits
	o.eager = true
	v.Tally, v.Err = Walk(context.Background(), tree.folder(), o, func(e Entry) error {
		if len(v.Seen) == stopAt {
			return ErrStop
		}
		shown := fmt.Sprint(e.Path, e.Blocked, e.Wanted, e.Depth, *e.Tally)
		if e.Wanted && len(v.Seen)%2 == 0 {
			info, err := e.Info()
			shown += fmt.Sprint(info, err)
		}
		v.Seen = append(v.Seen, shown)
		return nil
	})
	if tree.open != 0 {
		t.Fatalf("%d directories left open by %d readers", tree.open, o.Readers)
	}
	return v
}

// bushyFiles makes a tree with more folders than are read ahead.
func bushyFiles(r *rand.Rand) map[string]string {
	names := []string{"a", "a-", "b", "c.o", "d", ".h", "é"}
	m := map[string]string{}
	for range 150 + r.IntN(150) {
		parts := make([]string, 1+r.IntN(6))
		for i := range parts {
			parts[i] = names[r.IntN(len(names))]
		}
		m[strings.Join(parts, "/")] = ""
	}
	m[".gitignore"], m["a/.gitignore"], m["b/.ignore (fifo)"] = "*.o\n", "!c.o\n/d/\n", ""
	return m
}

// TestWalkReaders: any number of readers, and stops anywhere, make no difference but the time it
// takes.
func TestWalkReaders(t *testing.T) {
	visited := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 5))
		files := bushyFiles(r)
		tree := newFakeTree(files)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			switch r.IntN(12) {
			case 0:
				tree.gone[path.Dir(name)] = true
			case 1:
				tree.unlisted[path.Dir(name)] = true
			}
		}
		delete(tree.unlisted, ".")
		o := Options{Path: ".", Recursive: true, Depth: r.IntN(8), IncludeHidden: r.IntN(2) == 0, NoIgnore: r.IntN(3) == 0,
			Inform: r.IntN(2) == 0, Blocked: func(p string, _ bool) bool { return strings.HasSuffix(p, "a-") }}
		if r.IntN(2) == 0 {
			o.Want = func(path string, kind fs.FileMode) bool { return kind.IsRegular() || len(path)%3 == 0 }
		}
		stopAt := -1
		whole := eagerly(t, tree, o, stopAt)
		if r.IntN(2) == 0 && len(whole.Seen) > 0 {
			stopAt = r.IntN(len(whole.Seen))
			o.After, _, _ = strings.Cut(whole.Seen[r.IntN(len(whole.Seen))], "false")
			whole = eagerly(t, tree, o, stopAt)
		}
		visited += len(whole.Seen)
		for o.Readers = 1; o.Readers <= 5; o.Readers += 2 {
			if got := eagerly(t, tree, o, stopAt); !reflect.DeepEqual(got, whole) {
				t.Fatalf("seed %d, %d readers:\n%+v\nwithout:\n%+v", seed, o.Readers, got, whole)
			}
		}
	}
	if visited < 3000 {
		t.Errorf("only %d entries visited", visited)
	}
}

// TestWalkAheadDescriptors: however wide and deep, readers keep few folders open.
func TestWalkAheadDescriptors(t *testing.T) {
	tree := deepTree(500, fs.ModeDir)
	for i := range 300 {
		for j := range 5 {
			tree.root.child(fmt.Sprintf("w%03d", i)).child(fmt.Sprintf("v%d", j)).child("u").child("f")
		}
	}
	const readers = 4
	v := eagerly(t, tree, Options{Path: ".", Recursive: true, Readers: readers, Inform: true}, -1)
	if want := 3*500 + 300*(1+5*3); v.Err != nil || len(v.Seen) != want {
		t.Errorf("%d visits, want %d, error %v", len(v.Seen), want, v.Err)
	}
	if bound := 1 + maxOpen + 1 + maxAheadOpen + 2 + maxLandings; tree.most > bound { // on the way down, two more
		t.Errorf("%d directories open at a time, more than %d", tree.most, bound)
	}
}

// TestWalkReadersPanic: a panic in a reader comes up in Walk, with the stack of where it was.
func TestWalkReadersPanic(t *testing.T) {
	tree := newFakeTree(bushyFiles(rand.New(rand.NewPCG(1, 6))))
	defer func() {
		reason, ok := recover().(*Panic)
		if !ok || reason.Reason != "boom" || !strings.Contains(string(reason.Stack), "TestWalkReadersPanic") {
			t.Errorf("panic %v", reason)
		}
		if tree.open != 0 {
			t.Errorf("%d directories left open", tree.open)
		}
	}()
	var once sync.Once
	reached := make(chan struct{})
	enter := func(path string) bool {
		if strings.Count(path, "/") == 2 {
			once.Do(func() { // a second panic could be the walk's own
				close(reached)
				panic("boom")
			})
		}
		return true
	}
	_, err := Walk(context.Background(), tree.folder(), Options{Path: ".", Recursive: true, Readers: 2, eager: true, Enter: enter},
		func(Entry) error {
			<-reached // by a reader: the walk itself waits here
			return nil
		})
	t.Errorf("no panic, error %v", err)
}

// TestWalkReadersCanceled: a context that ends while folders are read ahead ends the walk with its
// error.
func TestWalkReadersCanceled(t *testing.T) {
	tree := newFakeTree(bushyFiles(rand.New(rand.NewPCG(2, 7))))
	for at := range 100 {
		ctx, cancel := context.WithCancel(context.Background())
		seen := 0
		_, err := Walk(ctx, tree.folder(), Options{Path: ".", Recursive: true, IncludeHidden: true, Readers: 3, eager: true, Inform: true},
			func(Entry) error {
				if seen++; seen == at+1 {
					cancel()
				}
				return nil
			})
		if !errors.Is(err, context.Canceled) || tree.open != 0 {
			t.Errorf("canceled at %d of %d: error %v, %d directories left open", at, seen, err, tree.open)
		}
		cancel()
	}
}

// TestWalkBatches: a folder with more names than are decided about at a time is whole, in order,
// and can be resumed anywhere.
func TestWalkBatches(t *testing.T) {
	tree := newFakeTree(nil)
	var want []string
	for i := range 3*batchNames + 7 {
		name := fmt.Sprintf("n%05d", i)
		tree.root.child("d").child(name).kind = 0
		want = append(want, "d/"+name)
		if i%100 == 0 {
			tree.root.child("d").child(name).child("f")
			want = append(want, "d/"+name+"/f")
		}
	}
	for _, readers := range []int{0, 2} {
		for _, after := range []int{-1, 0, batchNames - 1, batchNames, 2 * batchNames, len(want) - 1} {
			o := Options{Path: ".", Recursive: true, Readers: readers, eager: true, Inform: true}
			rest := append([]string{"d"}, want...)
			if after >= 0 {
				o.After, rest = want[after], want[after+1:]
			}
			if seen, _ := walked(t, tree, o); !slices.Equal(seen, rest) {
				t.Errorf("%d readers, behind %q: %d visits, want %d", readers, o.After, len(seen), len(rest))
			}
		}
	}
}

package search

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"testing"

	"fsbox/search/walk"
)

// branch is a folder of folders of files, n of each, that counts what is open.
type branch struct {
	n          int
	top        bool
	open, most *atomic.Int64
}

func (b branch) List(context.Context, string) (names []walk.Dirent, bound string, err error) {
	kind := fs.FileMode(0)
	if b.top {
		kind = fs.ModeDir
	}
	for i := range b.n {
		names = append(names, walk.Dirent{Name: fmt.Sprintf("%04d", i), Type: kind})
	}
	return names, "", nil
}

func (b branch) Folder(string) (walk.Folder, error) {
	now := b.open.Add(1)
	for {
		most := b.most.Load()
		if now <= most || b.most.CompareAndSwap(most, now) {
			return branch{n: 3, open: b.open, most: b.most}, nil
		}
	}
}

func (branch) File(string) (walk.File, error)  { return aHit(), nil }
func (branch) Lstat(string) (walk.Info, error) { return walk.Info{}, nil }

func (b branch) Close() error {
	b.open.Add(-1)
	return nil
}

// TestFoldersHeld: however many folders there are, few of them are open at a time, and none in the
// end.
func TestFoldersHeld(t *testing.T) {
	for _, tt := range []struct {
		name    string
		workers int
		stop    int // files that are taken before the search ends, 0 for all
		cancel  bool
	}{{"whole", 2, 0, false}, {"one worker", 1, 0, false}, {"enough", 4, 100, false}, {"canceled", 4, 100, true}} {
		var open, most atomic.Int64
		ctx, cancel := context.WithCancel(context.Background())
		taken := 0
		o := GrepOptions{Walk: walk.Options{Path: ".", Recursive: true}, Workers: tt.workers}
		o.Take = func(f GrepFile) bool {
			if f.Err == nil && !f.Partial && f.Result.Count != 1 {
				t.Errorf("%s: %+v", tt.name, f)
			}
			if taken++; taken == tt.stop && tt.cancel {
				cancel()
			}
			return taken != tt.stop || tt.cancel
		}
		_, err := Grep(ctx, branch{n: 500, top: true, open: &open, most: &most}, forHits(t), o)
		if errors.Is(err, context.Canceled) != tt.cancel || err != nil && !tt.cancel || tt.stop == 0 && taken != 1500 {
			t.Errorf("%s: %d files, error %v", tt.name, taken, err)
		}
		if open.Load() != 0 || most.Load() > minFolders+2 {
			t.Errorf("%s: %d directories open in the end, %d at most", tt.name, open.Load(), most.Load())
		}
		cancel()
	}
}

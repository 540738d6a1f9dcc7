package sandbox

import (
	"context"
	"testing"
)

// forbidding is a context that forbids the change of its call when it is asked for the nth time.
type forbidding struct {
	context.Context
	onset *Onset
	left  int
	found Stage // by Forbid
}

func (f *forbidding) Err() error {
	if f.left--; f.left == 0 {
		f.found = f.onset.Forbid()
	}
	return nil
}

// command is a call that changes files.
type command func(ctx context.Context, w *Workspace) error

var commands = map[string]command{
	"write": func(ctx context.Context, w *Workspace) error {
		return second(w.Commit(ctx, []Change{put("f", "new", MustExist)}))
	},
	"create": func(ctx context.Context, w *Workspace) error {
		return second(w.Commit(ctx, []Change{put("n/m/f", "new", MustCreate)}))
	},
	"patch": func(ctx context.Context, w *Workspace) error {
		return second(w.Commit(ctx, []Change{put("f", "new", MustExist), rename("g", "n/g"), gone("d/e/x")}))
	},
	"append": func(ctx context.Context, w *Workspace) error {
		return second(w.Append(ctx, WriteOptions{Path: "f"}, more("x")))
	},
	"mkdir": func(ctx context.Context, w *Workspace) error { return second(w.Mkdir(ctx, "n/m", true)) },
	"copy": func(ctx context.Context, w *Workspace) error {
		return second(w.Copy(ctx, Transfer{From: "f", To: "n"}))
	},
	"copy a tree": func(ctx context.Context, w *Workspace) error {
		return second(w.Copy(ctx, Transfer{From: "d", To: "n"}))
	},
	"move": func(ctx context.Context, w *Workspace) error {
		return second(w.Move(ctx, Transfer{From: "f", To: "n"}))
	},
	"move a tree": func(ctx context.Context, w *Workspace) error {
		return second(w.Move(ctx, Transfer{From: "d", To: "n"}))
	},
	"move over": func(ctx context.Context, w *Workspace) error {
		return second(w.Move(ctx, Transfer{From: "f", To: "g", Overwrite: true}))
	},
	"delete": func(ctx context.Context, w *Workspace) error { return second(w.Delete(ctx, WriteOptions{Path: "f"})) },
	"delete trees": func(ctx context.Context, w *Workspace) error {
		return second(w.Delete(ctx, WriteOptions{Path: "d", Recursive: true}))
	},
}

// TestForbid forbids each kind of change, and its undo, wherever the call looks at its context.
// What Forbid says is true in the end: nothing was changed, and never will be, or the change is
// made.
func TestForbid(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short")
	}
	for name, change := range commands {
		forBoth(t, func(t *testing.T, o Options) {
			if name == "create" { // undoes the folders that it has made, one in another
				lacks(t, "removing or replacing what is open")
			}
			testForbid(t, name, o, func(context.Context, *Workspace) error { return nil }, change)
			testForbid(t, "undo of "+name, o, change, func(ctx context.Context, w *Workspace) error {
				return second(w.Undo(ctx, "", "", false, nil))
			})
		})
	}
}

func testForbid(t *testing.T, name string, o Options, before, change command) {
	for n := 0; ; n += max(every(5), 10/few(10)) {
		root := makefs(t, []string{"f = 1", "g = 2", "d/e/x = 3", "d/y = 4"})
		w := open(t, root, withState(t, o))
		check(t, before(context.Background(), w))
		old, onset := holdings(t, root), new(Onset)
		ctx := &forbidding{WithOnset(context.Background(), onset), onset, n, forbidden}
		if n == 0 {
			ctx.found = onset.Forbid()
		}
		err := change(ctx, w)
		if n > 0 && ctx.left > 0 {
			break // it looks no more often
		}
		isOld := holdings(t, root) == old
		if ctx.found == Unchanged != isOld || (err == nil) == isOld {
			t.Errorf("%s, look %d: stage %d, tree unchanged: %v, error %v", name, n, ctx.found, isOld, err)
		}
	}
}

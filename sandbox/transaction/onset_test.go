package transaction_test

import (
	"context"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/transaction"
	"fsbox/sandbox/undo"
)

// forbidding is a context that forbids the change of its call when it is asked for the nth time.
type forbidding struct {
	context.Context
	onset *plan.Onset
	left  int
	found plan.Stage // by Forbid
}

func (f *forbidding) Err() error {
	if f.left--; f.left == 0 {
		f.found = f.onset.Forbid()
	}
	return nil
}

// command is a call that changes files.
type command func(ctx context.Context, w *sandbox.Workspace) error

var commands = map[string]command{
	"write": func(ctx context.Context, w *sandbox.Workspace) error {
		return second(transaction.Commit(ctx, w, []transaction.Change{fixture.Put("f", "new", transaction.MustExist)}))
	},
	"create": func(ctx context.Context, w *sandbox.Workspace) error {
		return second(transaction.Commit(ctx, w, []transaction.Change{fixture.Put("n/m/f", "new", transaction.MustCreate)}))
	},
	"patch": func(ctx context.Context, w *sandbox.Workspace) error {
		return second(transaction.Commit(ctx, w, []transaction.Change{fixture.Put("f", "new", transaction.MustExist), fixture.Renamed("g", "n/g"), fixture.Gone("d/e/x")}))
	},
	"append": func(ctx context.Context, w *sandbox.Workspace) error {
		return second(transaction.Append(ctx, w, transaction.WriteOptions{Path: "f"}, fixture.More("x")))
	},
	"mkdir": func(ctx context.Context, w *sandbox.Workspace) error {
		return second(transaction.Mkdir(ctx, w, "n/m", true))
	},
	"copy": func(ctx context.Context, w *sandbox.Workspace) error {
		return second(transaction.Copy(ctx, w, transaction.Transfer{From: "f", To: "n"}))
	},
	"copy a tree": func(ctx context.Context, w *sandbox.Workspace) error {
		return second(transaction.Copy(ctx, w, transaction.Transfer{From: "d", To: "n"}))
	},
	"move": func(ctx context.Context, w *sandbox.Workspace) error {
		return second(transaction.Move(ctx, w, transaction.Transfer{From: "f", To: "n"}))
	},
	"move a tree": func(ctx context.Context, w *sandbox.Workspace) error {
		return second(transaction.Move(ctx, w, transaction.Transfer{From: "d", To: "n"}))
	},
	"move over": func(ctx context.Context, w *sandbox.Workspace) error {
		return second(transaction.Move(ctx, w, transaction.Transfer{From: "f", To: "g", Overwrite: true}))
	},
	"delete": func(ctx context.Context, w *sandbox.Workspace) error {
		return second(transaction.Delete(ctx, w, transaction.WriteOptions{Path: "f"}))
	},
	"delete trees": func(ctx context.Context, w *sandbox.Workspace) error {
		return second(transaction.Delete(ctx, w, transaction.WriteOptions{Path: "d", Recursive: true}))
	},
}

// TestForbid forbids each kind of change, and its undo, wherever the call looks at its context.
// What Forbid says is true in the end: nothing was changed, and never will be, or the change is
// made.
func TestForbid(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	for name, change := range commands {
		fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
			if name == "create" { // undoes the folders that it has made, one in another
				fixture.Lacks(t, "removing or replacing what is open")
			}
			testForbid(t, name, o, func(context.Context, *sandbox.Workspace) error { return nil }, change)
			testForbid(t, "undo of "+name, o, change, func(ctx context.Context, w *sandbox.Workspace) error {
				return second(undo.Undo(ctx, w, "", "", false, nil))
			})
		})
	}
}

func testForbid(t *testing.T, name string, o sandbox.Options, before, change command) {
	for n := 0; ; n += max(every(5), 10/fixture.Few(10)) {
		root := fixture.MakeTree(t, []string{"f = 1", "g = 2", "d/e/x = 3", "d/y = 4"})
		w := fixture.OpenWorkspace(t, root, fixture.WithState(t, o))
		disktest.Must(t, before(context.Background(), w))
		old, onset := fixture.Holdings(t, root), new(plan.Onset)
		ctx := &forbidding{plan.WithOnset(context.Background(), onset), onset, n, plan.Forbidden}
		if n == 0 {
			ctx.found = onset.Forbid()
		}
		err := change(ctx, w)
		if n > 0 && ctx.left > 0 {
			break // it looks no more often
		}
		isOld := fixture.Holdings(t, root) == old
		if ctx.found == plan.Unchanged != isOld || (err == nil) == isOld {
			t.Errorf("%s, look %d: stage %d, tree unchanged: %v, error %v", name, n, ctx.found, isOld, err)
		}
	}
}

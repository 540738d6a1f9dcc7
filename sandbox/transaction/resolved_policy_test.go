package transaction_test

import (
	"context"
	"errors"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/transaction"
)

// TestPolicyAsResolved: the policy denies the path as requested and the path that it leads to, for
// every method.
func TestPolicyAsResolved(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{
			"vault/k", "open/f", "l => vault/k", "dir => vault", "tolink => l", "vault/out => ../open/f", "new => vault/new", "hooks/h",
			"h => hooks/h",
		})
		o.Policy = rulesOf(t, []string{"vault"}, []string{"hooks"})
		w := fixture.OpenWorkspace(t, root, o)
		before := fixture.Snapshot(t, root)
		ctx := context.Background()
		for _, path := range []string{"vault", "vault/k", "vault/missing", "./vault//k", "$ROOT/vault/k", "l", "dir/k", "tolink", "vault/out",
			"new"} {
			ask := disktest.Expanded(root, path)
			asked, err := w.Clean(ask)
			disktest.Must(t, err)
			for name, err := range map[string]error{
				"OpenFile":   second(w.OpenFile(ask)),
				"OpenFolder": second(w.OpenFolder(ask)),
				"Stat":       second(w.Stat(ask)),
				"Rewrite":    second(transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: ask, Creation: transaction.MayCreate, Parents: true}, fixture.Content("x"))),
				"Append":     second(transaction.Append(ctx, w, transaction.WriteOptions{Path: ask, Creation: transaction.MayCreate, Parents: true}, fixture.More("x"))),
				"Mkdir":      second(transaction.Mkdir(context.Background(), w, ask, true)),
			} {
				var why *sandbox.BlockedError
				fixture.Fails(t, err, asked, fserr.ErrBlocked)
				if !errors.As(err, &why) || *why != (sandbox.BlockedError{Pattern: "vault"}) {
					t.Errorf("%s %s: %+v", name, path, err)
				}
			}
			if target := w.LinkTarget(ask); target != "" {
				t.Errorf("%s: its target %q is told", path, target)
			}
		}
		for _, path := range []string{"hooks/h", "h"} {
			f, err := w.OpenFile(path)
			disktest.Must(t, err)
			if got := fixture.ReadAll(t, f); got != "hooks/h" {
				t.Errorf("%s holds %q", path, got)
			}
			err = second(transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: path}, fixture.Content("x")))
			fixture.Fails(t, err, path, fserr.ErrBlocked)
			var why *sandbox.BlockedError
			if !errors.As(err, &why) || *why != (sandbox.BlockedError{Pattern: "hooks", Write: true}) {
				t.Errorf("%s: %+v", path, err)
			}
		}
		if fixture.Snapshot(t, root) != before {
			t.Error("the tree changed")
		}
	})
}

func BenchmarkDeniesEntrySpelling(b *testing.B) {
	w := fixture.OpenWorkspace(b, fixture.MakeTree(b, []string{"f"}), sandbox.Options{Policy: rulesOf(b, policy.DefaultDeny(), policy.DefaultDenyWrite())})
	for name, path := range map[string]string{"plain": "src/kernel/main.c", "capitals": "Documentation/README", "letters": "src/größe.c"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				w.DeniesEntry(path, false)
			}
		})
	}
}

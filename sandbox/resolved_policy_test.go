package sandbox

import (
	"context"
	"errors"
	"testing"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// TestPolicyAsResolved: the policy denies the path as requested and the path that it leads to, for
// every method.
func TestPolicyAsResolved(t *testing.T) {
	forBoth(t, func(t *testing.T, o Options) {
		root := makefs(t, []string{
			"vault/k", "open/f", "l => vault/k", "dir => vault", "tolink => l", "vault/out => ../open/f", "new => vault/new", "hooks/h",
			"h => hooks/h",
		})
		o.Policy = rulesOf(t, []string{"vault"}, []string{"hooks"})
		w := open(t, root, o)
		before := snapshot(t, root)
		ctx := context.Background()
		for _, path := range []string{"vault", "vault/k", "vault/missing", "./vault//k", "$ROOT/vault/k", "l", "dir/k", "tolink", "vault/out",
			"new"} {
			ask := expanded(root, path)
			asked, err := w.Clean(ask)
			check(t, err)
			for name, err := range map[string]error{
				"OpenFile":   second(w.OpenFile(ask)),
				"OpenFolder": second(w.OpenFolder(ask)),
				"Stat":       second(w.Stat(ask)),
				"Rewrite":    second(w.Rewrite(ctx, WriteOptions{Path: ask, Creation: MayCreate, Parents: true}, content("x"))),
				"Append":     second(w.Append(ctx, WriteOptions{Path: ask, Creation: MayCreate, Parents: true}, more("x"))),
				"Mkdir":      second(w.Mkdir(context.Background(), ask, true)),
			} {
				var why *BlockedError
				fails(t, err, asked, dir.ErrBlocked)
				if !errors.As(err, &why) || *why != (BlockedError{Pattern: "vault"}) {
					t.Errorf("%s %s: %+v", name, path, err)
				}
			}
			if target := w.LinkTarget(ask); target != "" {
				t.Errorf("%s: its target %q is told", path, target)
			}
		}
		for _, path := range []string{"hooks/h", "h"} {
			f, err := w.OpenFile(path)
			check(t, err)
			if got := readAll(t, f); got != "hooks/h" {
				t.Errorf("%s holds %q", path, got)
			}
			err = second(w.Rewrite(ctx, WriteOptions{Path: path}, content("x")))
			fails(t, err, path, dir.ErrBlocked)
			var why *BlockedError
			if !errors.As(err, &why) || *why != (BlockedError{Pattern: "hooks", Write: true}) {
				t.Errorf("%s: %+v", path, err)
			}
		}
		if snapshot(t, root) != before {
			t.Error("the tree changed")
		}
	})
}

func BenchmarkDeniesEntrySpelling(b *testing.B) {
	w := open(b, makefs(b, []string{"f"}), Options{Policy: rulesOf(b, policy.DefaultDeny(), policy.DefaultDenyWrite())})
	for name, path := range map[string]string{"plain": "src/kernel/main.c", "capitals": "Documentation/README", "letters": "src/größe.c"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				w.DeniesEntry(path, false)
			}
		})
	}
}

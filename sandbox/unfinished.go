package sandbox

import (
	"context"
	"slices"
	"strings"

	"fsbox/sandbox/history"
)

// Unfinished describes calls that were killed part-way, which the next call that writes will take
// back. It includes those that are about one of the paths, or about a path above or below one;
// without paths, all. It changes nothing, and takes one system call if there are none.
func (w *Workspace) Unfinished(ctx context.Context, paths []string) (told []string) {
	all := w.history.Unfinished(ctx)
	if len(all) == 0 {
		return nil
	}
	for i, p := range paths {
		paths[i] = w.resolved(p)
	}
	for _, e := range all {
		if concerns(e, paths) {
			told = append(told, e.String())
		}
	}
	return told
}

// concerns reports a call that changes one of the paths, or a path above or below one.
func concerns(e *history.Entry, paths []string) bool {
	return len(paths) == 0 || slices.ContainsFunc(e.Files, func(f history.Saved) bool {
		return slices.ContainsFunc(paths, func(p string) bool { return overlap(p, f.Path) || overlap(p, f.From) })
	})
}

// overlap reports that two paths are the same, or that one is below the other.
func overlap(a, b string) bool {
	return b != "" && (a == "." || a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/"))
}

package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fsbox/sandbox/dir"
)

// Unfinished describes calls that were killed part-way, which the next call that writes will take
// back. It includes those that are about one of the paths, or about a path above or below one;
// without paths, all. It changes nothing, and takes one system call if there are none. If the
// records can't be read, it says nothing: calls that write report that.
func (w *Workspace) Unfinished(ctx context.Context, paths []string) (told []string) {
	if state := w.state.path(); state == "" || isMarkedEmpty(filepath.Join(state, pendingName)) {
		return nil
	}
	s, err := w.state.get(false)
	if err != nil || s == nil {
		return nil
	}
	entries, err := s.pending.List(ctx)
	if err != nil {
		return nil
	}
	for i, p := range paths {
		paths[i] = w.resolved(p)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name, doneSuffix) {
			continue // the call is committed: only temporary files are left
		}
		if b := s.cutShort(ctx, e.Name); b != nil && b.concerns(paths) {
			told = append(told, b.named())
		}
	}
	return told
}

// isMarkedEmpty reports that the folder of records is missing, or was found empty and not changed
// since.
func isMarkedEmpty(path string) bool {
	info, err := dir.HostLstat(path)
	return err != nil || info.ModTime().Equal(emptyTime)
}

// resolved is the path in the form that records have, as far as it can be resolved.
func (w *Workspace) resolved(path string) string {
	if p, err := w.lookup(path); err == nil {
		return p
	}
	return w.named(path)
}

// cutShort reads the record of a dead process; nil if the process is alive, or if it isn't a
// record. The state folder is locked, so nobody else tries the record's lock meanwhile.
func (s *state) cutShort(ctx context.Context, id string) *Backup {
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil
	}
	defer unlock()
	f, err := s.pending.Open(id, os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer f.Close()
	if f.TryLock() != nil {
		return nil
	}
	b, err := (&pending{file: f}).read(ctx)
	if err != nil {
		return nil
	}
	return b
}

// concerns reports a call that changes one of the paths, or a path above or below one.
func (b *Backup) concerns(paths []string) bool {
	return len(paths) == 0 || slices.ContainsFunc(b.Files, func(f Saved) bool {
		return slices.ContainsFunc(paths, func(p string) bool { return overlap(p, f.Path) || overlap(p, f.From) })
	})
}

// overlap reports that two paths are the same, or that one is below the other.
func overlap(a, b string) bool {
	return b != "" && (a == "." || a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/"))
}

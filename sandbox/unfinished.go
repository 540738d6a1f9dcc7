package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fsbox/sandbox/dir"
)

// Unfinished describes the calls that were killed half way and that the next call that writes takes back: those that are about
// one of the paths, or about anything below or above one; all of them where no paths are given. It changes nothing, and is one
// system call where there is nothing to tell. Where the records can't be read, nothing is told: they are told by calls that write.
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
			continue // only what was on the way is still there
		}
		if b := s.cutShort(ctx, e.Name); b != nil && b.concerns(paths) {
			told = append(told, b.named())
		}
	}
	return told
}

// isMarkedEmpty reports a folder of records that is missing, or that has been found empty and not been changed since.
func isMarkedEmpty(path string) bool {
	info, err := dir.HostLstat(path)
	return err != nil || info.ModTime().Equal(emptyTime)
}

// resolved is the path that a record has of what is asked for, as far as that can be told.
func (w *Workspace) resolved(path string) string {
	if p, err := w.lookup(path); err == nil {
		return p
	}
	return w.named(path)
}

// cutShort reads the record of a dead process; nil for that of a living one, and for what is none. Nobody else tries the lock
// meanwhile.
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

// concerns reports a call that changes what one of the paths leads to, or holds, or lies in.
func (b *Backup) concerns(paths []string) bool {
	return len(paths) == 0 || slices.ContainsFunc(b.Files, func(f Saved) bool {
		return slices.ContainsFunc(paths, func(p string) bool { return overlap(p, f.Path) || overlap(p, f.From) })
	})
}

// overlap reports that one of two paths is the other one, or lies below it.
func overlap(a, b string) bool {
	return b != "" && (a == "." || a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/"))
}

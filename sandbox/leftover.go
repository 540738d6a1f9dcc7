package sandbox

import (
	"context"
	"path"

	"fsbox/sandbox/dir"
)

// clear removes what a killed call left in a folder that is locked now: a new file that never got to its place, or the old one
// that it displaced. A regular file that is neither is what somebody else wrote at the wrong moment: that one gets a name
// that nothing removes.
func (w *Workspace) clear(ctx context.Context, p *place) {
	_ = discardInTime(ctx, p.folder, stagedTemp) // if that fails, the next call tries again
	info, err := p.folder.Lstat(fixedTemp)
	if err != nil {
		return // nothing, nearly always
	}
	name := p.name
	if info.Mode.IsRegular() {
		ours, of := w.isOurs(ctx, p, info)
		if of != "" {
			name = of
		}
		if ctx.Err() != nil {
			return // what could not be read may be ours
		}
		if !ours {
			_, _ = w.dropKept(ctx, info) // what is set aside is kept by that; if this fails, it has two names
			s := step{p: &place{folder: p.folder, name: name}, temp: fixedTemp, info: info}
			_ = s.setAside(dir.ErrBusy) // if that fails, it stays where it is
			return
		}
	}
	_ = discardInTime(ctx, p.folder, fixedTemp) // if that fails, the next call tries again
}

// tidy is clear for a call that fails before it locks anything: the same call once more after a kill, which finds its work done.
func (w *Workspace) tidy(ctx context.Context, p *place) {
	if !dir.Exists(p.folder, fixedTemp) && !dir.Exists(p.folder, stagedTemp) {
		return
	}
	if unlock, err := w.lock(ctx, p); err == nil {
		unlock()
	}
}

// isOurs looks in the journal whether a file under the temporary name is one that a call in this folder made or took away, and
// tells the name of the file that was changed there last. Without a journal nobody can tell.
func (w *Workspace) isOurs(ctx context.Context, p *place, info dir.Info) (ours bool, name string) {
	if !w.backups {
		return true, ""
	}
	s, err := w.state.get(false)
	if err != nil || s == nil {
		return true, ""
	}
	all, err := s.history(ctx)
	if err != nil {
		return false, ""
	}
	dir, hash := path.Dir(p.path), ""
	for i := len(all) - 1; i >= 0; i-- {
		for _, f := range all[i].Files {
			if path.Dir(f.Path) != dir && (f.From == "" || path.Dir(f.From) != dir) {
				continue
			}
			if name == "" {
				name = path.Base(f.Path)
			}
			if hash == "" {
				hash = w.contentAt(ctx, p.folder, fixedTemp)
			}
			if hash == "" { // it can't be read: nothing would fit nothing
				return false, name
			}
			if f.Action == Extended || f.Action == Cut {
				continue // in place, so that nothing of it ever has that name
			}
			if hash == f.New || hash == f.Old || (f.ino == info.ID() && f.Size == info.Size && f.Size > w.whole) {
				return true, name
			}
		}
	}
	return false, name
}

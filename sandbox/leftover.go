package sandbox

import (
	"context"
	"path"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// clear removes what a killed call left in a folder, which the caller has locked: a new file that
// never got its name, or the old file that it displaced. A regular file that is neither was written
// by somebody else at the wrong moment: it gets a name that nothing removes.
func (w *Workspace) clear(ctx context.Context, p *place) {
	_ = discardInTime(ctx, p.folder, stagedTemp) // if that fails, the next call tries again
	info, err := p.folder.Lstat(fixedTemp)
	if err != nil {
		return // nearly always there is none
	}
	name := p.name
	if info.Mode.IsRegular() {
		ours, of := w.isOurs(ctx, p, info)
		if of != "" {
			name = of
		}
		if ctx.Err() != nil {
			return // a file that could not be read may be ours
		}
		if !ours {
			_, _ = w.history.DropName(ctx, info) // the new name keeps the content; if this fails, the file has two names
			s := step{p: &place{folder: p.folder, name: name}, temp: fixedTemp, info: info}
			_ = s.setAside(dir.ErrBusy) // if that fails, it stays where it is
			return
		}
	}
	_ = discardInTime(ctx, p.folder, fixedTemp) // if that fails, the next call tries again
}

// tidy is clear for a call that fails before it locks anything: after a kill, the same call may
// come again and find its work already done.
func (w *Workspace) tidy(ctx context.Context, p *place) {
	if !dir.Exists(p.folder, fixedTemp) && !dir.Exists(p.folder, stagedTemp) {
		return
	}
	if unlock, err := w.lock(ctx, p); err == nil {
		unlock()
	}
}

// isOurs looks in the journal whether a file with the temporary name is one that a call in this
// folder made or displaced. It also returns the name of the file that was changed there last.
// Without a journal nobody can tell, and the file counts as ours.
func (w *Workspace) isOurs(ctx context.Context, p *place, info dir.Info) (ours bool, name string) {
	if w.history.Off {
		return true, ""
	}
	all, none, err := w.history.All(ctx)
	if none {
		return true, ""
	}
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
			if hash == "" { // it can't be read: an empty hash would match an entry without content
				return false, name
			}
			if f.Action == history.Extended || f.Action == history.Cut {
				continue // these change a file in place, which never gets the temporary name
			}
			if hash == f.New || hash == f.Old || (f.FileID == info.ID() && f.Size == info.Size && f.Size > w.whole) {
				return true, name
			}
		}
	}
	return false, name
}

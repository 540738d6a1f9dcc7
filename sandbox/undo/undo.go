package undo

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/pathname"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
)

// Backups lists the calls that can be undone, newest first; with a path, only those that
// changed it, or, if below is set, what lies below it. Errors wrap ErrBackup if there is no state
// folder.
func Backups(ctx context.Context, w *sandbox.Workspace, path string, below bool) ([]*history.Entry, error) {
	all, err := w.History().Entries(ctx)
	if err != nil {
		return nil, err
	}
	slices.Reverse(all)
	if path == "" {
		return all, nil
	}
	about, err := w.Glance(path, sandbox.Purpose{})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(b *history.Entry) bool { return !b.IsAbout(about.Path, below) }), nil
}

// Above is a call that deleted, moved, copied or brought back a folder as a whole, and so perhaps
// what lies below it. Its entry has nothing of that by name.
type Above struct {
	Call   *history.Entry // nil: there is none
	Folder string
}

// ChangedAbove finds the newest call that changed a folder above a path.
func ChangedAbove(ctx context.Context, w *sandbox.Workspace, path string) (Above, error) {
	all, err := w.History().Entries(ctx)
	if err != nil {
		return Above{}, err
	}
	path = w.Resolved(path)
	for _, b := range slices.Backward(all) {
		if folder := b.FolderAbove(path); folder != "" {
			return Above{b, folder}, nil
		}
	}
	return Above{}, nil
}

// Undo undoes what one call changed: all of it or nothing. With an empty id, it takes the
// newest call, or the newest that changed path. ErrStale if one of the files has changed since,
// *NoBackupError if there is no such call, *history.KeptError if the kept content can't be used,
// *history.LostError if the journal lost the entry.
func Undo(ctx context.Context, w *sandbox.Workspace, id, path string, dryRun bool, see Seer) (*Report, error) {
	u := undoing{w: w, ctx: ctx, dry: dryRun, see: see}
	b, err := u.choose(id, path)
	if cut := u.repaired(id, path, b); cut != nil {
		return &Report{Undid: []*history.Entry{cut}, Repaired: true}, nil
	}
	if err != nil {
		return nil, err
	}
	calls := []*history.Entry{b}
	return u.revertAll(calls, calls, b.ID)
}

// repaired is the call that is meant, if it was cut short, and undone before this undo began:
// whoever undoes the newest call, b as far as the journal knows, doesn't mean the one before.
func (u *undoing) repaired(id, path string, b *history.Entry) *history.Entry {
	if path != "" {
		path = u.w.Resolved(path)
	}
	return plan.OnsetOf(u.ctx).NewestRepaired(func(e *history.Entry) bool {
		return (id == "" || e.ID == id) && (path == "" || e.IsAbout(path, false)) && (b == nil || e.ID > b.ID)
	})
}

// choose finds the call to undo: that with an ID, or else the newest that changed something.
// If path is set, the call must be about it.
func (u *undoing) choose(id, path string) (*history.Entry, error) {
	if id == "" && path == "" { // with a path this isn't needed: if a lost call changed that path, older calls are stale
		if lost, err := u.w.History().Lost(u.ctx); err != nil || lost != "" {
			return nil, cmp.Or(err, error(&history.LostError{ID: lost, Newest: true}))
		}
	}
	all, err := Backups(u.ctx, u.w, path, false)
	if err != nil {
		return nil, err
	}
	for _, b := range all {
		if b.ID == id || id == "" && !u.isNoop(b) {
			return b, nil
		}
	}
	switch {
	case id == "" && path == "":
		return nil, &NoBackupError{}
	case id == "":
		above, err := ChangedAbove(u.ctx, u.w, path)
		return nil, cmp.Or(err, error(&NoBackupError{Above: above}))
	case path == "":
		return nil, u.missing(id)
	}
	known, err := u.choose(id, "")
	if err == nil {
		err = &NoBackupError{ID: id, Known: known}
	}
	return nil, err
}

// missing says why there is no entry with an ID.
func (u *undoing) missing(id string) error {
	lost, err := u.w.History().IsLost(u.ctx, id)
	switch {
	case err != nil:
		return err
	case lost:
		return &history.LostError{ID: id}
	}
	return &NoBackupError{ID: id}
}

// isNoop reports whether a call was killed before it changed anything: nobody has
// touched its files since. It isn't enough that their content is the same: somebody may have
// restored it.
func (u *undoing) isNoop(b *history.Entry) bool {
	for _, f := range b.Items {
		if f.Stamp == "" || !u.isUntouched(f) || (f.Kind == history.Rename && !replaces(b, f.Path) && u.w.Exists(pathname.InRoot(f.Path))) {
			return false
		}
	}
	return true
}

// replaces reports whether a call removed a file at path to put another one there.
func replaces(b *history.Entry, path string) bool {
	return slices.ContainsFunc(b.Items, func(f history.Item) bool { return f.Path == path && f.Kind == history.Remove })
}

// isUntouched reports whether the file that a call found at a path is still there, and nobody has
// touched it since.
func (u *undoing) isUntouched(f history.Item) bool {
	path := f.Path
	if f.Kind == history.Rename {
		path = f.From
	}
	p, _ := u.w.Glance(pathname.InRoot(path), sandbox.Purpose{})
	return p.Exists && p.Info.ChangeStamp() == f.Stamp
}

// revertAll undoes calls, newest first; id is that of the oldest. The report names all: these
// calls, and those that cancel each other out.
func (u *undoing) revertAll(calls, all []*history.Entry, id string) (*Report, error) {
	made := plan.LockSet{Workspace: u.w, Ctx: u.ctx}
	defer made.Release()
	var folders []history.Item
	if !u.dry {
		var err error
		if folders, err = u.recordMade(&made, calls); err != nil {
			return nil, err
		}
	}
	report, err := u.revert(calls, id)
	if report == nil {
		return nil, err
	}
	report.Undid = all
	return report, cmp.Or(err, made.RemoveFolders(folders))
}

func (u *undoing) revert(calls []*history.Entry, id string) (*Report, error) {
	if len(calls) != 1 {
		return u.revertTogether(calls, id)
	}
	u.b = calls[0]
	first := u.b.Items[0]
	switch {
	case len(u.b.Items) == 1 && (first.Kind == history.Extend || first.Kind == history.Cut):
		report, err := plan.RetryOnCollision(u.ctx, first.Path, u.revertInPlace)
		return report, staleIfChanged(err)
	case slices.ContainsFunc(u.b.Items, isMove):
		report, err := u.revertMove()
		return report, staleIfChanged(err)
	}
	return u.revertTogether(calls, u.b.ID)
}

// madeBy are the folders that were made for the files of calls, by these or by an undo that brought
// the files back, each before those in it.
func (u *undoing) madeBy(calls []*history.Entry) (folders []history.Item, err error) {
	paths := map[string]bool{}
	for _, b := range calls {
		for _, f := range b.Made {
			paths[f.Path] = true
		}
	}
	if len(paths) == 0 {
		return nil, nil
	}
	all, err := u.w.History().Entries(u.ctx)
	for _, b := range all {
		for _, f := range b.Made {
			if paths[f.Path] {
				folders = append(folders, f)
			}
		}
	}
	slices.SortStableFunc(folders, func(a, b history.Item) int { return cmp.Compare(a.Path, b.Path) })
	return folders, err
}

// recordMade records the folders that had been made for the files of calls, and that go when the
// undo is made, as long as they are empty, and nobody else has made them again: removeFolder
// decides. The files are restored already then. One that may not be changed stays.
func (u *undoing) recordMade(h *plan.LockSet, calls []*history.Entry) (folders []history.Item, err error) {
	made, err := u.madeBy(calls)
	for _, f := range made {
		p, err := u.w.Glance(pathname.InRoot(f.Path), sandbox.Purpose{Write: true, Folder: true})
		switch {
		case err == nil && p.Exists:
			folders = append(folders, f)
		case err != nil && !plan.IsAway(err) && !errors.Is(err, fserr.ErrBlocked):
			return nil, err
		}
	}
	if err != nil || len(folders) == 0 {
		return nil, err
	}
	return folders, h.RecordFolders(folders...)
}

package sandbox

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"syscall"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// deleteFolder removes an empty folder, or with Recursive a whole tree.
func (w *Workspace) deleteFolder(ctx context.Context, r Removal, p *place, done *Deleted) error {
	if err := refuseMount(p); err != nil {
		return err
	}
	names, err := namesIn(ctx, p)
	if err != nil {
		return err
	}
	if len(names) > 0 && !r.Recursive { // before the whole tree is read
		return dir.ErrNotEmpty
	}
	s := surveyor{w: w, tops: []treeTop{{p.asked, p.path, true}}, remove: true, move: true}
	found, err := s.look(ctx, p.folder, p.name)
	if err != nil {
		return err
	}
	if found.entries > 0 && !r.Recursive {
		return dir.ErrNotEmpty
	}
	if done.Entries = found.entries; r.DryRun {
		return nil
	}
	unlock, err := w.lock(ctx, p)
	if err != nil {
		return err
	}
	defer unlock()
	if found.entries == 0 && w.history.Off {
		return w.deleteEmpty(ctx, p)
	}
	return w.deleteTree(ctx, r, p, found, done)
}

// namesIn lists the folder at a place.
func namesIn(ctx context.Context, p *place) ([]dir.Dirent, error) {
	folder, err := p.folder.Sub(p.name)
	if err != nil {
		kind := dir.Classify(notFollowed(err))
		if errors.Is(kind, dir.ErrNotFound) || errors.Is(kind, dir.ErrBusy) || errors.Is(kind, dir.ErrNotFolder) {
			return nil, dir.ErrCollision // it was a folder a moment ago
		}
		return nil, err
	}
	defer folder.Close()
	return folder.List(ctx)
}

// deleteEmpty lets the system refuse a folder that isn't empty any more.
func (w *Workspace) deleteEmpty(ctx context.Context, p *place) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if now, err := p.folder.Lstat(p.name); err != nil || now.ID() != p.info.ID() {
		return dir.ErrCollision
	}
	err := p.folder.RemoveFolder(p.name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(dir.Classify(err), dir.ErrNotEmpty) {
		return dir.ErrCollision
	}
	if err != nil {
		return err
	}
	return w.syncNames(p.folder)
}

// deleteTree removes a folder with everything in it. If the state folder is on the same file
// system, one rename turns the folder into its own backup. Else the folder is copied there, then a
// rename makes it disappear, and the renamed folder is removed.
func (w *Workspace) deleteTree(ctx context.Context, r Removal, p *place, found *survey, done *Deleted) error {
	if w.history.Off {
		return w.takeTreeAway(ctx, p, found)
	}
	saved := p.removed()
	saved.Size, saved.Added, saved.Old = found.bytes, int64(found.entries), dir.StateTag+found.stamp
	b := r.keepingTree(saved)
	err := w.keepByMove(ctx, p, b, found)
	if errors.Is(err, errElsewhere) {
		b = r.keepingTree(saved) // the other entry was removed from the journal
		if err := w.keepByCopy(ctx, p, b, found); err != nil {
			return err
		}
		return w.orDrop(b, true, done, w.takeTreeAway(ctx, p, found))
	}
	if err == nil || errors.Is(err, dir.ErrDurability) {
		done.BackupID = b.ID
	}
	return err
}

// keepingTree is the entry of a call whose only path is kept whole.
func (r Removal) keepingTree(saved history.Saved) *history.Entry {
	b := r.backup(saved)
	b.Files[0].Kept = b.KeptName(0)
	return b
}

// errElsewhere says that a rename can't reach the state folder.
var errElsewhere = errors.New("on another file system")

// keepByMove moves a tree into the state folder. Its entry is written first: content without an
// entry is removed. If somebody wrote into the tree after the survey, that is moved with it, and
// comes back with an undo; but if the folder was empty then, it is moved back.
func (w *Workspace) keepByMove(ctx context.Context, p *place, b *history.Entry, found *survey) error {
	f := b.Files[0]
	return w.history.Journal(ctx, b, func(kept dir.Folder) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := p.folder.Move(p.name, kept, f.Kept, dir.IfFree)
		switch {
		case err == nil:
		case isElsewhere(err):
			return errElsewhere
		case errors.Is(err, fs.ErrNotExist):
			return dir.ErrCollision
		default:
			return err
		}
		now, err := kept.Lstat(f.Kept)
		if err != nil || now.ID() != p.info.ID() || (found.entries == 0 && !found.fits(kept, f.Kept)) {
			if err := kept.Move(f.Kept, p.folder, p.name, dir.IfFree); err != nil {
				return dir.LeftBehind(err)
			}
			return dir.ErrCollision
		}
		err = w.syncNames(kept)
		return cmp.Or(w.syncNames(p.folder), err)
	})
}

// isElsewhere reports errors of a rename after which a copy may still work: another file system, a
// folder that may not be moved to another parent, no space in the state folder.
func isElsewhere(err error) bool {
	if errors.Is(err, syscall.EXDEV) {
		return true
	}
	kind := dir.Classify(err)
	return errors.Is(kind, dir.ErrUnsupported) || errors.Is(kind, dir.ErrPermission) || errors.Is(kind, dir.ErrNoSpace)
}

// keepByCopy puts a copy of a tree into the state folder.
func (w *Workspace) keepByCopy(ctx context.Context, p *place, b *history.Entry, found *survey) error {
	f := &b.Files[0]
	if found.bytes > history.MaxBytes {
		return history.Failed(&TreeSizeError{Bytes: found.bytes, MaxBytes: history.MaxBytes})
	}
	kept, err := w.history.KeptFolder()
	if err != nil {
		return err
	}
	c := treeCopy{from: p.folder, name: p.name, to: kept, newName: f.Kept, faithful: true}
	if err = c.run(ctx); err == nil {
		f.Old, err = fingerprint(ctx, kept, f.Kept)
	}
	if err == nil {
		err = w.history.Journal(ctx, b, func(dir.Folder) error { return nil })
	}
	if err != nil {
		_ = discard(kept, f.Kept)
		return history.Failed(unwrapTree(err))
	}
	return nil
}

// unwrapTree is the cause of an error of a walk.
func unwrapTree(err error) error {
	var at *dir.TreeError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// takeTreeAway makes a folder disappear at once, then removes its content. If somebody changed
// anything in it since the survey, it gets its name back.
func (w *Workspace) takeTreeAway(ctx context.Context, p *place, found *survey) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	hidden, err := putAside(p)
	if errors.Is(err, syscall.EXDEV) {
		return w.removeInPlace(p, found)
	}
	if err != nil {
		return err
	}
	if !found.fits(p.folder, hidden) {
		return putBack(p, hidden)
	}
	failed := w.syncNames(p.folder) // before its content is removed: after a power cut it is there whole, or not at all
	if err := dir.RemoveTree(context.WithoutCancel(ctx), p.folder, hidden); err != nil {
		return dir.LeftBehind(unwrapTree(err))
	}
	return failed
}

// removeInPlace is for overlayfs, which can't rename a folder of a lower layer: it is removed name
// by name.
func (w *Workspace) removeInPlace(p *place, found *survey) error {
	if !found.fits(p.folder, p.name) {
		return dir.ErrCollision
	}
	if err := dir.RemoveTree(context.Background(), p.folder, p.name); err != nil {
		return dir.LeftBehind(unwrapTree(err))
	}
	return w.syncNames(p.folder)
}

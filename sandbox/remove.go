package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// Removal says what Delete removes, and how.
type Removal struct {
	Path      string
	Recursive bool   // remove folders with everything in them, not only empty ones
	IfMatch   string // etag that a file must have; "" for any
	DryRun    bool   // do everything except change the disk
	Tool      string // the command, for the journal
	undoes    string // ID of the backup that this call takes back
}

// Deleted reports what Delete did.
type Deleted struct {
	Path     string      // relative to the root, links not resolved
	Mode     fs.FileMode // type and permission bits of the removed file or folder
	Entries  int         // number of names in a removed folder, its own not counted
	BackupID string      // "" if none is kept
}

// Delete removes a file, a symbolic link itself, or a folder. A folder disappears at once or not at
// all: first every path in it is checked against the policy, nothing may be mounted in it
// (ErrBusy), and without Recursive it must be empty (ErrNotEmpty). FIFOs, sockets and devices are
// removed without being opened; no backup is kept of one that is removed by itself.
func (w *Workspace) Delete(ctx context.Context, r Removal) (*Deleted, error) {
	return retryOnCollision(w.named(r.Path), func() (*Deleted, error) { return w.deleteOnce(ctx, r) })
}

func (w *Workspace) deleteOnce(ctx context.Context, r Removal) (*Deleted, error) {
	p, err := w.locate(r.Path, purpose{write: true})
	if err != nil {
		return nil, err
	}
	defer p.close()
	switch {
	case p.name == ".":
		return nil, p.fail(dir.PathRoot)
	case !p.exists:
		if !r.DryRun {
			w.tidy(ctx, p)
		}
		return nil, p.fail(dir.ErrNotFound)
	case p.info.Mode.IsRegular():
		return w.deleteFile(ctx, r, p)
	case r.IfMatch != "":
		return nil, p.fail(dir.ErrNoETag)
	}
	done := &Deleted{Path: p.asked, Mode: p.info.Mode}
	if p.info.Mode.IsDir() {
		err = w.deleteFolder(ctx, r, p, done)
	} else {
		err = w.deleteName(ctx, r, p, done)
	}
	if err != nil && !errors.Is(err, dir.ErrDurability) {
		return nil, own(p, err)
	}
	return done, own(p, err)
}

// deleteFile removes a regular file: a transaction with one change.
func (w *Workspace) deleteFile(ctx context.Context, r Removal, p *place) (*Deleted, error) {
	all, err := w.transactOne(ctx, Change{Remove: true,
		Target: Target{Path: r.Path, IfMatch: r.IfMatch, Large: true, DryRun: r.DryRun, Tool: r.Tool, Undoes: r.undoes}})
	if errors.Is(err, dir.ErrNotFile) {
		return nil, dir.ErrCollision // it was a regular file a moment ago
	}
	if len(all) == 0 {
		return nil, err
	}
	return &Deleted{Path: p.asked, Mode: p.info.Mode, BackupID: all[0].BackupID}, err
}

// deleteName removes a link or a special file.
func (w *Workspace) deleteName(ctx context.Context, r Removal, p *place, done *Deleted) error {
	if err := refuseMount(p); err != nil || r.DryRun {
		return err
	}
	unlock, err := w.lock(ctx, p)
	if err != nil {
		return err
	}
	defer unlock()
	b := r.backup(p.removed())
	kept := false
	if p.info.IsLink() {
		text, err := p.folder.Readlink(p.name)
		if err != nil {
			return dir.ErrCollision // it was a link a moment ago
		}
		b.Files[0].Old, b.Files[0].Size = dir.ContentETag([]byte(text)), int64(len(text))
		if kept, err = w.history.Keep(ctx, b, []history.Source{{Content: []byte(text)}}, true); err != nil {
			return err
		}
	}
	return w.orDrop(b, kept, done, w.unlink(ctx, p))
}

// removed describes the file at a place for the journal, before it is removed.
func (p *place) removed() history.Saved {
	return history.Saved{Path: p.path, Action: history.Removed, Mode: p.info.Mode, Size: p.info.Size, Restores: history.RestoreAll, Stamp: p.info.ChangeStamp()}
}

func (r Removal) backup(files ...history.Saved) *history.Entry {
	return history.NewEntry(r.Tool, r.undoes, files...)
}

// orDrop reports the backup of a call, or removes its entry if the call failed.
func (w *Workspace) orDrop(b *history.Entry, kept bool, done *Deleted, err error) error {
	switch {
	case !kept:
	case err == nil, errors.Is(err, dir.ErrDurability):
		done.BackupID = b.ID
	default:
		var left *dir.RollbackError
		if !errors.As(err, &left) { // else the entry may be needed to restore something
			w.history.Drop(b)
		}
	}
	return err
}

// refuseMount refuses a name at which something is mounted.
func refuseMount(p *place) error {
	info, mount, err := p.folder.Examine(p.name)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.ID() != p.info.ID():
		return dir.ErrCollision
	case err != nil:
		return err
	case mount:
		return dir.ErrMounted
	}
	return nil
}

// tellMount replaces the system's EBUSY by dir.ErrMounted if a mount is the cause.
func (p *place) tellMount(err error) error {
	if !errors.Is(err, syscall.EBUSY) {
		return err
	}
	if _, mount, failed := p.folder.Examine(p.name); failed == nil && mount {
		return dir.ErrMounted
	}
	return err
}

// unlink removes one name that is not a folder. It first renames the file, and removes it only if
// it is the one that was found there.
func (w *Workspace) unlink(ctx context.Context, p *place) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	hidden, err := putAside(p)
	if err != nil {
		return err
	}
	_ = p.folder.Remove(hidden) // if this fails, the next write does it
	return w.syncNames(p.folder)
}

// putAside gives the file or folder at a place a temporary name, in a folder that the caller has
// locked. If it isn't the one that was found there, it gets its name back.
func putAside(p *place) (hidden string, err error) {
	hidden = clearAside(p.folder)
	if err := unchanged(p, p.info); err != nil {
		return "", err
	}
	if err := dir.MoveFree(p.folder, p.name, hidden); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return "", dir.ErrCollision
		}
		return "", err
	}
	now, err := p.folder.Lstat(hidden)
	if err == nil && sameState(now, p.info) {
		return hidden, nil
	}
	return "", putBack(p, hidden)
}

// putBack gives a file that was put aside its name again. If the name is taken by now, the file
// gets one that nothing removes.
func putBack(p *place, hidden string) error {
	if err := dir.MoveFree(p.folder, hidden, p.name); err != nil {
		s := step{p: p, temp: hidden, info: p.info}
		return dir.LeftBehind(s.setAside(err))
	}
	return dir.ErrCollision
}

// clearAside gives the temporary name for a whole file in a locked folder. What a killed call left
// under that name was removed when the lock was taken: see clear. If a file still has it, that file
// must keep it, and this call uses another name.
func clearAside(folder dir.Folder) string {
	if !foldersLock || dir.Exists(folder, fixedTemp) {
		return randomTemp()
	}
	return fixedTemp
}

// clearStaged gives the temporary name for a file that is still being written, in a locked folder.
func clearStaged(folder dir.Folder) string {
	if !foldersLock || dir.Exists(folder, stagedTemp) {
		return randomTemp()
	}
	return stagedTemp
}

// discard removes a file or folder that is no longer needed. It is no error if there is none.
func discard(dir dir.Folder, name string) error {
	return discardInTime(context.Background(), dir, name)
}

// discardInTime is discard for trees of any size: it takes at most half of the time that a call has
// left.
func discardInTime(ctx context.Context, in dir.Folder, name string) error {
	err := in.Remove(name)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	ctx, cancel := recoveryTime(ctx)
	defer cancel()
	return dir.RemoveTree(ctx, in, name)
}

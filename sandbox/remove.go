package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"fsbox/sandbox/dir"
)

// Removal is what Delete is to do.
type Removal struct {
	Path      string
	Recursive bool   // folders with all that is in them; else only empty ones
	IfMatch   string // etag that a file must have; "" for any
	DryRun    bool   // do everything but change the disk
	Tool      string // the command, for the journal
	undoes    string // the backup it takes back
}

// Deleted reports what Delete did.
type Deleted struct {
	Path     string      // as it was asked, relative to the root
	Mode     fs.FileMode // type and permission bits of what stood there
	Entries  int         // names that went with a folder, its own not counted
	BackupID string      // "" if none is kept
}

// Delete removes a file, a symbolic link itself, or a folder. A folder disappears at once or not at all: every path in it is
// held against the policy first, nothing may be mounted in it (ErrBusy), and with Recursive not set it must be empty
// (ErrNotEmpty). FIFOs, sockets and devices are removed without being opened; no backup is kept of them alone.
func (w *Workspace) Delete(ctx context.Context, r Removal) (*Deleted, error) {
	return settled(w.named(r.Path), func() (*Deleted, error) { return w.deleteOnce(ctx, r) })
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

// deleteFile removes a regular file: a transaction of one.
func (w *Workspace) deleteFile(ctx context.Context, r Removal, p *place) (*Deleted, error) {
	all, err := w.transactOne(ctx, Change{Remove: true,
		Target: Target{Path: r.Path, IfMatch: r.IfMatch, Large: true, DryRun: r.DryRun, Tool: r.Tool, Undoes: r.undoes}})
	if errors.Is(err, dir.ErrNotFile) {
		return nil, dir.ErrCollision // it was one a moment ago
	}
	if len(all) == 0 {
		return nil, err
	}
	return &Deleted{Path: p.asked, Mode: p.info.Mode, BackupID: all[0].BackupID}, err
}

// deleteName removes a link, or a special file.
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
		if kept, err = w.keep(ctx, b, []source{{content: []byte(text)}}, true); err != nil {
			return err
		}
	}
	return w.orDrop(b, kept, done, w.unlink(ctx, p))
}

// removed is what the journal says of what is taken away from a place.
func (p *place) removed() Saved {
	return Saved{Path: p.path, Action: Removed, Mode: p.info.Mode, Size: p.info.Size, like: likeKept, mark: p.info.ChangeStamp()}
}

func (r Removal) backup(files ...Saved) *Backup {
	b := newBackup(r.Tool, files...)
	b.Undoes = r.undoes
	return b
}

func newBackup(tool string, files ...Saved) *Backup {
	now := time.Now()
	return &Backup{ID: newID(now), Time: now, Tool: tool, Files: files}
}

// orDrop reports the backup of a call, or takes it back if the call failed.
func (w *Workspace) orDrop(b *Backup, kept bool, done *Deleted, err error) error {
	switch {
	case !kept:
	case err == nil, errors.Is(err, dir.ErrDurability):
		done.BackupID = b.ID
	default:
		var left *dir.RollbackError
		if !errors.As(err, &left) { // else it may be all that is left of something
			w.drop(b)
		}
	}
	return err
}

// refuseMount refuses a name that something is mounted at.
func refuseMount(p *place) error {
	info, mount, err := p.folder.Examine(p.name)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.ID() != p.info.ID():
		return dir.ErrCollision
	case err != nil:
		return err
	case mount:
		return ErrMounted
	}
	return nil
}

// tellMount names the cause of what the system calls busy, if that is a mount.
func (p *place) tellMount(err error) error {
	if !errors.Is(err, syscall.EBUSY) {
		return err
	}
	if _, mount, failed := p.folder.Examine(p.name); failed == nil && mount {
		return ErrMounted
	}
	return err
}

// ErrMounted refuses to take away or to replace what another file system, or another part of this one, is mounted at. It is an
// ErrBusy for which trying again is of no use.
var ErrMounted = fmt.Errorf("%w: something is mounted there", dir.ErrBusy)

// unlink removes one name that is no folder: away first, and for good only if it is what was found there.
func (w *Workspace) unlink(ctx context.Context, p *place) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	hidden, err := putAside(p)
	if err != nil {
		return err
	}
	_ = p.folder.Remove(hidden) // else the next write does it
	return w.settle(p.folder)
}

// putAside gives what stands at the place a name for the way out, in the folder that the caller has locked. If it isn't what
// was found there, it goes back.
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

// putBack gives what was put aside its name again; if something else has that, it gets one that nothing removes.
func putBack(p *place, hidden string) error {
	if err := dir.MoveFree(p.folder, hidden, p.name); err != nil {
		s := step{p: p, temp: hidden, info: p.info}
		return dir.LeftBehind(s.setAside(err))
	}
	return dir.ErrCollision
}

// clearAside gives the name for what is on its way in a locked folder. What a kill left there is gone since the lock was taken: see
// clear. What still has the name must keep it.
func clearAside(folder dir.Folder) string {
	if !foldersLock || dir.Exists(folder, fixedTemp) {
		return randomTemp()
	}
	return fixedTemp
}

// clearStaged gives the name for what is made under one in a locked folder.
func clearStaged(folder dir.Folder) string {
	if !foldersLock || dir.Exists(folder, stagedTemp) {
		return randomTemp()
	}
	return stagedTemp
}

// discard removes what is no longer of use, file or folder. That nothing has the name is fine.
func discard(dir dir.Folder, name string) error {
	return discardInTime(context.Background(), dir, name)
}

// discardInTime is discard for what may be a tree of any size, which takes no more than half of the time of a call.
func discardInTime(ctx context.Context, dir dir.Folder, name string) error {
	err := dir.Remove(name)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	ctx, cancel := recoveryTime(ctx)
	defer cancel()
	return removeTree(ctx, dir, name)
}

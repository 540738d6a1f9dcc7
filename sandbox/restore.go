package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// restore restores one file of a transaction to its state before, however far the transaction had
// come. A file that somebody else has put there since is not touched.
func (w *Workspace) restore(ctx context.Context, p *place, f history.Saved) error {
	folder := p.folder
	if err := joinOld(folder, f); err != nil {
		return err
	}
	if f.Old == "" {
		made := isMade(p, f) && w.contentAt(ctx, folder, p.name) == f.New
		if err := ctx.Err(); err != nil || !made {
			return err // a file that could not be read has not been changed by somebody else
		}
		return folder.Remove(p.name)
	}
	aside, err := folder.Lstat(f.Temp)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the old file was never renamed
	}
	if err != nil {
		return err
	}
	if isTwice(folder, f.Temp, folder, p.name) {
		return nil // a rename by hard links was cut short: the file, old or new, has both names, so it has its right one
	}
	isOld, now := w.isOld(ctx, folder, f, aside), w.contentAt(ctx, folder, p.name)
	if err := ctx.Err(); err != nil {
		return err
	}
	switch {
	case !isOld && w.isStaged(ctx, p, f):
		return ctx.Err()
	case !dir.Exists(folder, p.name):
		return dir.MoveFree(folder, f.Temp, p.name)
	case isOld && now != "" && now == f.New:
		return w.swapOld(ctx, p, f)
	case isOld && now == dir.ContentETag(nil): // an empty file that reserves the name: see dir.Descriptor.MoveOverClaim
		return folder.Move(f.Temp, folder, p.name, dir.Over)
	}
	s := step{p: p, temp: f.Temp}
	return s.setAside(dir.ErrBusy) // the file with one of the two names is somebody else's: both are kept
}

// joinOld gives an old file with the second temporary name, which replaceInTwo uses, the first one
// again.
func joinOld(folder dir.Folder, f history.Saved) error {
	aside := f.Temp + oldSuffix
	if !dir.Exists(folder, aside) {
		return nil
	}
	_ = folder.Remove(f.Temp)
	return dir.MoveFree(folder, aside, f.Temp)
}

// isTwice reports that both names are of one file. Where the system has no rename that refuses a
// taken name, a move adds the new name first and then removes the old one; it was cut short between
// the two.
func isTwice(dir dir.Folder, name string, in dir.Folder, other string) bool {
	a, errA := dir.Lstat(name)
	b, errB := in.Lstat(other)
	return errA == nil && errB == nil && a.Links > 1 && a.Ino != 0 && a.ID() == b.ID()
}

// isMade reports that the file at a place is the one that a transaction made, as far as the system
// tells.
func isMade(p *place, f history.Saved) bool {
	now, err := p.folder.Lstat(p.name)
	return err == nil && f.FileID != "" && (now.IsSame(f.FileID) || now.Ino == 0)
}

// isOld reports that the file with the temporary name is the old file. If the system has no inode
// numbers, the content decides.
func (w *Workspace) isOld(ctx context.Context, dir dir.Folder, f history.Saved, aside dir.Info) bool {
	return aside.IsSame(f.FileID) || (f.Old != f.New && w.contentAt(ctx, dir, f.Temp) == f.Old)
}

// isStaged reports that the file with the temporary name is the new file, or as much of it as was
// written.
func (w *Workspace) isStaged(ctx context.Context, p *place, f history.Saved) bool {
	if hasID(p, f.FileID) {
		return true // the old file still has its name
	}
	staged := w.contentAt(ctx, p.folder, f.Temp)
	return ctx.Err() != nil || (f.New != "" && staged == f.New)
}

// swapOld exchanges the new file with the old one, and checks that the displaced file is the new
// one.
func (w *Workspace) swapOld(ctx context.Context, p *place, f history.Saved) error {
	folder := p.folder
	err := folder.Move(f.Temp, folder, p.name, dir.Swapping)
	if errors.Is(err, dir.ErrUnsupported) {
		return folder.Move(f.Temp, folder, p.name, dir.Over)
	}
	if err != nil {
		return err
	}
	if w.contentAt(context.WithoutCancel(ctx), folder, f.Temp) != f.New {
		s := step{p: p, temp: f.Temp}
		return s.setAside(dir.ErrBusy)
	}
	return nil
}

// contentAt is the content etag of a regular file, "" if there is none.
func (w *Workspace) contentAt(ctx context.Context, dir dir.Folder, name string) string {
	f, err := dir.Open(name, os.O_RDONLY)
	if err != nil {
		return ""
	}
	defer f.Close()
	hashed, err := f.Hash(ctx)
	if err != nil {
		return ""
	}
	return hashed
}

package plan

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"strings"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/tree"
)

// RestoreStep takes one step back, however far it had come, as its record describes it. It looks at
// the two names of the step before it moves anything: what somebody else has put there since is not
// touched. A rollback and a recovery use it alike.
func RestoreStep(ctx context.Context, p, from *sandbox.Target, f history.Item) error {
	err := restoreStep(ctx, p, from, f)
	if errors.Is(err, fserr.ErrHeld) && p.RenewLease() {
		return restoreStep(ctx, p, from, f)
	}
	return err
}

func restoreStep(ctx context.Context, p, from *sandbox.Target, f history.Item) error {
	switch f.Kind {
	case history.Rename:
		return restoreName(ctx, p, from, f)
	case history.Create:
		return restoreNothing(ctx, p, f)
	case history.Replace, history.Remove:
		return restoreOld(ctx, p, f)
	}
	return errUnknownStep
}

// errUnknownStep says that another version of this program wrote the record.
var errUnknownStep = errors.New("its record has a step that isn't known")

// restoreName takes a rename back, and gives the file that it replaced its name: see moveOver.
func restoreName(ctx context.Context, p, from *sandbox.Target, f history.Item) error {
	if err := renameBack(ctx, p, from, f); err != nil || f.Temp == "" {
		return err
	}
	old := AsideOf(f.Temp)
	if !dir.Exists(p.Folder, old) {
		return nil
	}
	p.Folder.Renew(p.Name)
	return giveBack(p, old)
}

// giveBack gives what has a temporary name that of the target, or if somebody has given another
// file that name, one that nothing removes.
func giveBack(p *sandbox.Target, temp string) error {
	err := dir.MoveFree(p.Folder, temp, p.Name)
	if errors.Is(err, fs.ErrExist) {
		return setAside(p, temp, fserr.ErrBusy)
	}
	return err
}

// renameBack knows what was renamed by its ID. Where other machines may give a file the new name,
// its size and time must be the same as well.
func renameBack(ctx context.Context, p, from *sandbox.Target, f history.Item) error {
	p.Folder.Renew(p.Name)
	isMoved, err := hasID(p, f.FileID)
	if f.New != "" {
		isMoved, err = tree.Fits(ctx, p.Folder, p.Name, f.New)
	}
	if err != nil || !isMoved {
		return err
	}
	isThere, err := hasID(from, f.FileID)
	switch {
	case err != nil:
		return err
	case isThere: // a rename by hard links was cut short
		return p.Folder.Remove(p.Name)
	}
	return p.Folder.Move(p.Name, from.Folder, from.Name, dir.IfFree)
}

// restoreNothing undoes the creation of a name. Of a file, the content must be the new one as well:
// if it can't be read, nobody knows whether it is, and that is the error.
func restoreNothing(ctx context.Context, p *sandbox.Target, f history.Item) error {
	away := AsideOf(f.Temp)
	if strings.HasPrefix(f.Temp, policy.TransPrefix) && dir.Exists(p.Folder, away) { // it was cut short
		return discardMade(ctx, p, away, f)
	}
	p.Folder.Renew(p.Name)
	now, err := p.Folder.Lstat(p.Name)
	if err != nil || f.FileID == "" || (!now.IsSame(f.FileID) && now.Ino != 0) {
		return tree.Unreadable(err)
	}
	if made, err := tree.Fits(ctx, p.Folder, p.Name, f.New); err != nil || !made {
		return err
	}
	switch {
	case !p.Folder.System().Shared:
		return discard(ctx, p.Folder, p.Name)
	case f.New == tree.Identity(now) && now.Mode.IsRegular() && now.Links == 1:
		return nil // it isn't a second name, but a later file with the same inode number
	case !strings.HasPrefix(f.Temp, policy.TransPrefix):
		away = policy.AsideName()
	}
	// Another machine may have the lock by now, and give another file the name after the look.
	if err := dir.MoveFree(p.Folder, p.Name, away); err != nil {
		return fserr.IgnoreMissing(err)
	}
	return discardMade(ctx, p, away, f)
}

// discardMade removes what a step has made and what has another name by now. If it is something
// else, it gets its name back.
func discardMade(ctx context.Context, p *sandbox.Target, away string, f history.Item) error {
	if made, err := tree.Fits(ctx, p.Folder, away, f.New); err != nil || !made {
		return cmp.Or(giveBack(p, away), err)
	}
	return discard(ctx, p.Folder, away)
}

// restoreOld undoes the replacement or the removal of what had a name.
func restoreOld(ctx context.Context, p *sandbox.Target, f history.Item) error {
	folder, second := p.Folder, AsideOf(f.Temp)
	folder.Renew(second)
	folder.Renew(p.Name)
	if !dir.Exists(folder, second) {
		return restoreFrom(ctx, p, f)
	}
	if f.Kind == history.Replace && isFolder(folder, second) { // another machine has undone the call: see bar
		return folder.RemoveFolder(second)
	}
	f.Temp = second // the caller removes what has the first one: by that, others can put the old file back until then
	if err := restoreFrom(ctx, p, f); err != nil {
		return err
	}
	return discard(ctx, folder, second)
}

// restoreFrom is restoreOld for an old file that has the temporary name, if it was renamed.
func restoreFrom(ctx context.Context, p *sandbox.Target, f history.Item) error {
	folder := p.Folder
	aside, err := folder.Lstat(f.Temp)
	if err != nil {
		return fserr.IgnoreMissing(err) // the old file was never renamed
	}
	now, err := folder.Lstat(p.Name)
	if err == nil && aside.Links > 1 && aside.Ino != 0 && aside.ID() == now.ID() {
		return nil // a rename by hard links was cut short: the file, old or new, has both names, so it has its right one
	}
	isOld := aside.IsSame(f.FileID)
	if !isOld && f.Old != f.New && tree.IsContentTag(f.Old) && !now.IsSame(f.FileID) {
		if isOld, err = tree.Fits(ctx, folder, f.Temp, f.Old); err != nil {
			return err
		}
	}
	return moveOldBack(ctx, p, f, isOld)
}

// moveOldBack gives the old file its name again. isOld says that it has the temporary name now.
// What can't be read may be anything: then nothing is moved.
func moveOldBack(ctx context.Context, p *sandbox.Target, f history.Item, isOld bool) error {
	folder := p.Folder
	isNew, err := tree.Fits(ctx, folder, p.Name, f.New)
	if err != nil {
		return err
	}
	if !isOld && !strings.HasSuffix(f.Temp, policy.OldMark) {
		// What arrives may have the temporary name, or a part of it: with the ID, the old file
		// still has its name.
		creates, err := tree.Fits(ctx, folder, f.Temp, f.New)
		if err == nil && !creates {
			creates, err = hasID(p, f.FileID)
		}
		if err != nil || creates {
			return err
		}
	}
	switch {
	case !dir.Exists(folder, p.Name):
		return giveBack(p, f.Temp)
	case isOld && isNew:
		return replaceNew(ctx, p, f)
	case isOld && f.Kind == history.Replace && !folder.System().LosesTarget && dir.IsEmptyFile(folder, p.Name):
		// It reserves the name: see dir.MoveOverClaim.
		return folder.Move(f.Temp, folder, p.Name, dir.Over)
	}
	return setAside(p, f.Temp, fserr.ErrBusy) // the file with one of the two names is somebody else's: both are kept
}

func hasID(p *sandbox.Target, id string) (bool, error) {
	found, err := p.Folder.Lstat(p.Name)
	return err == nil && found.IsSame(id), tree.Unreadable(err)
}

// replaceNew exchanges what arrived with the old file, and checks that it is what is displaced.
func replaceNew(ctx context.Context, p *sandbox.Target, f history.Item) error {
	folder := p.Folder
	err := folder.Move(f.Temp, folder, p.Name, dir.Swapping)
	if errors.Is(err, fserr.ErrUnsupported) {
		return replaceNewInTwo(context.WithoutCancel(ctx), p, f)
	}
	if err != nil {
		return err
	}
	isNew, err := tree.Fits(context.WithoutCancel(ctx), folder, f.Temp, f.New)
	if err == nil && !isNew {
		err = setAside(p, f.Temp, fserr.ErrBusy)
	}
	return err
}

// replaceNewInTwo is for file systems that can't exchange two names. A rename over what arrived may
// be late, over what another machine has put there since.
func replaceNewInTwo(ctx context.Context, p *sandbox.Target, f history.Item) error {
	folder := p.Folder
	staged := withNewMark(strings.TrimSuffix(f.Temp, policy.OldMark), p.Name)
	if err := dir.MoveFree(folder, p.Name, staged); err != nil {
		return err
	}
	isNew, err := tree.Fits(ctx, folder, staged, f.New)
	if err != nil || !isNew {
		if err = cmp.Or(dir.MoveFree(folder, staged, p.Name), err); err == nil {
			err = setAside(p, f.Temp, fserr.ErrBusy)
		}
		return err
	}
	return cmp.Or(giveBack(p, f.Temp), discard(ctx, folder, staged))
}

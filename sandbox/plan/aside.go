package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"time"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/disk/walk"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/tree"
)

// Temporary names in a locked folder: a file with the name FixedTemp is whole, either a new file
// before it gets its name or an old one that was displaced. What has the name StagedTemp is still
// being made.
const (
	FixedTemp  = policy.TempPrefix + "0"
	StagedTemp = policy.StagedTemp
)

// tempName is one of the two names as it is for a new file in a folder.
func tempName(in dir.Folder, name string) string {
	if !in.System().Shared {
		return name
	}
	return policy.AloneName(name)
}

func randomTemp() string { return fmt.Sprintf("%s%016x", policy.TempPrefix, rand.Uint64()) }

// freeTemp gives a free temporary name in a locked folder. As a rule it is name: when the lock was
// taken, clearFolder removed what a killed call had left under it. If a file has the name even so,
// it may be somebody else's. Then it must stay, and this call uses another name.
func freeTemp(folder dir.Folder, name string) string {
	if dir.Exists(folder, name) {
		return randomTemp()
	}
	return name
}

// discard removes a file, or a folder of any size, that is no longer needed. It takes at most half
// of the time that a call has left.
func discard(ctx context.Context, in dir.Folder, name string) error {
	ctx, cancel := HalfTime(ctx)
	defer cancel()
	return walk.Remove(ctx, in, name)
}

// setAside takes what has a temporary name in the folder of a target, and gives it a name that
// nothing removes, or that of the target if that is free after all.
func setAside(p *sandbox.Target, temp string, cause error) error {
	if p.Folder.System().LosesTarget {
		if given, err := giveFree(p, temp); given || err != nil {
			return err
		}
	}
	aside := asideName(p.Name)
	if err := dir.MoveFree(p.Folder, temp, aside); err != nil {
		return errors.Join(cause, err)
	}
	return &asideError{cause: fserr.Classify(cause), path: p.Path, name: aside}
}

// A client of SMB may take a name for a file that has lost it on the server: as long as a program
// has that file open, and for a second after the last one has closed it (closetimeo). So there the
// name is looked for freeTries times, with freePause in between.
const (
	freeTries = 6
	freePause = 500 * time.Millisecond
)

// giveFree gives what has a temporary name that of a target on SMB if nothing is listed under that,
// whatever the system remembers. errHeld says that the system doesn't let it.
func giveFree(p *sandbox.Target, temp string) (given bool, err error) {
	for range freeTries {
		all, err := dir.List(context.Background(), p.Folder)
		if err != nil || isListed(all, p.Name) {
			return false, err
		}
		p.Folder.Renew(p.Name)
		if err = dir.MoveFree(p.Folder, temp, p.Name); !errors.Is(err, fs.ErrExist) {
			return err == nil, err
		}
		time.Sleep(freePause)
	}
	return false, errHeld
}

func isListed(all []dir.Dirent, name string) bool {
	return slices.ContainsFunc(all, func(e dir.Dirent) bool { return e.Name == name })
}

// asideError says that a file could not be put back at its path, and which name it has now.
type asideError struct {
	cause      error
	path, name string
}

func (e *asideError) Error() string {
	return fmt.Sprintf("%v; what could not be put back is in %q", e.cause, e.name)
}

func (e *asideError) Unwrap() error { return e.cause }

// maxName is the longest name that file systems accept, in bytes.
const maxName = 255

// asideName is a new name for a file that had this one. A long name is shortened.
func asideName(name string) string {
	suffix := ".fsbox-conflict-" + history.RandomSuffix()
	if len(name)+len(suffix) > maxName {
		name = strings.ToValidUTF8(name[:maxName-len(suffix)], "")
	}
	return name + suffix
}

// clearFolder removes what a killed call left in a folder, which the caller has locked: a new file
// that never got its name, or the old file that it displaced. A regular file that is neither was
// written by somebody else at the wrong moment: it gets a name that nothing removes. The error says
// that something is left for the next call.
func clearFolder(ctx context.Context, w *sandbox.Workspace, p *sandbox.Target) error {
	left := discard(ctx, p.Folder, StagedTemp)
	whole, err := clearStaged(ctx, p.Folder)
	left = cmp.Or(left, err)
	for _, name := range whole {
		left = cmp.Or(left, clearWhole(ctx, w, p, name))
	}
	return left
}

// clearStaged removes new files that were still being made, where each has a name of its own, and
// returns the names of those that were whole. It lists these after it has removed the others: a
// call that has lost the lock and still runs can't rename one of those to a name that isn't found.
func clearStaged(ctx context.Context, in dir.Folder) (whole []string, left error) {
	whole = []string{FixedTemp}
	if !in.System().Shared {
		return whole, nil
	}
	all, err := dir.List(ctx, in)
	left = putOldBack(ctx, in, all)
	own, _ := in.Lstat(policy.LockName)
	found := false
	for _, e := range all {
		switch {
		case strings.HasPrefix(e.Name, policy.LockName+policy.AloneMark):
			if i, err := in.Lstat(e.Name); err == nil && own.Modified.Sub(i.Modified) > time.Minute {
				left = cmp.Or(left, discard(ctx, in, e.Name)) // who took it from a killed call was killed as well
			}
		case strings.HasPrefix(e.Name, StagedTemp+policy.AloneMark):
			found, left = true, cmp.Or(left, discard(ctx, in, e.Name))
		}
	}
	if found && err == nil {
		all, err = dir.List(ctx, in)
	}
	for _, e := range all {
		if strings.HasPrefix(e.Name, FixedTemp+policy.AloneMark) {
			whole = append(whole, e.Name)
		}
	}
	return whole, cmp.Or(left, err)
}

// clearWhole removes a file that has the temporary name of one that is whole, or gives it another
// if it is somebody else's.
func clearWhole(ctx context.Context, w *sandbox.Workspace, p *sandbox.Target, temp string) error {
	info, err := p.Folder.Lstat(temp)
	if err != nil {
		return tree.Unreadable(err) // nearly always there is none
	}
	if info.Mode.IsRegular() {
		ours, name, err := isOurs(ctx, w, p, temp, info)
		if err != nil {
			return tree.Unreadable(err) // it may be ours, and its second name among the kept contents may be a backup
		}
		if !ours {
			if dir.MoveFree(p.Folder, temp, asideName(cmp.Or(name, p.Name))) == nil {
				_, _ = w.History().DropName(ctx, info) // who changes the file must not change a backup
			}
			return nil
		}
	}
	return discard(ctx, p.Folder, temp)
}

// isOurs looks in the journal whether a file with the temporary name is one that a call in this
// folder made or displaced. It also returns the name of the file that was changed there last.
// Without a journal nobody can tell, and the file counts as ours. The error says that the journal
// or the file can't be read now, as Landlock has it for a folder that is outside for a moment.
func isOurs(ctx context.Context, w *sandbox.Workspace, p *sandbox.Target, temp string, info stat.Info) (ours bool, name string, err error) {
	if w.History().Off {
		return true, "", nil
	}
	all, none, err := w.History().All(ctx)
	if none || err != nil {
		return none, "", err
	}
	dir := path.Dir(p.Path)
	hash, err := tree.Hash(ctx, p.Folder, temp)
	if err != nil {
		return false, "", err
	}
	long := tree.LongTag(info)
	for _, e := range slices.Backward(all) {
		for _, f := range e.Items {
			if path.Dir(f.Path) != dir && (f.From == "" || path.Dir(f.From) != dir) {
				continue
			}
			name = cmp.Or(name, path.Base(f.Path))
			isInPlace := f.Kind == history.Extend || f.Kind == history.Cut // such a file never gets the temporary name
			isLong := f.FileID == info.ID() && f.Size == info.Size && f.Size > w.Held() || f.New == long
			if !isInPlace && (hash == f.New || hash == f.Old || isLong) {
				return true, name, nil
			}
		}
	}
	return false, name, nil
}

// HalfTime allows half of the time that a call has left: for a recovery, so that the rest is for
// the call itself; for a tree that is made, so that the rest is for removing what there is of it.
func HalfTime(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)/2)
}

// clearingMoment is how long a call whose time is up, or that was canceled, may still take to
// remove what it made. It has to answer soon.
const clearingMoment = 150 * time.Millisecond

// ClearingTime is for removing what a call made that fails. What is left of a tree then has a
// temporary name: the next call that writes there removes it.
func ClearingTime(ctx context.Context) (context.Context, context.CancelFunc) {
	end, limited := ctx.Deadline()
	if ctx.Err() != nil {
		end, limited = time.Now().Add(clearingMoment), true
	}
	if ctx = context.WithoutCancel(ctx); limited {
		return context.WithDeadline(ctx, end)
	}
	return context.WithCancel(ctx)
}

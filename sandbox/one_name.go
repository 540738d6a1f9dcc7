package sandbox

import (
	"context"
	"errors"
	"time"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// A write in place changes the file under all of its names, so it is done only to a file with one
// name. A link count of 1 alone doesn't prove that: a process in the workspace can remove a name
// and add it again all the time, and unlink lowers the count a moment before the name is gone.

// errLinked says that a file has other names, or may have: it must be replaced, not written in
// place.
var errLinked = errors.New("the file has other names")

// A file that changes all the time is looked at nameLooks times, with namePause between two looks.
// The clock of a file system ticks every 1 to 10 ms, and a change can be dated only to a tick.
const (
	nameLooks = 12
	namePause = 2 * time.Millisecond
)

// timeGrain is the largest rounding, in nanoseconds, of file times that look exact: NTFS rounds to
// 100.
const timeGrain = 1000

// hasOneName checks that an open file has the place's name and no other; ErrCollision or errLinked
// if not. The folder is locked.
//
// Why this is proof: a call that removes a name locks the name's folder in the kernel. Waiting for
// that lock before and after the look excludes removals that are under way. A removal also sets the
// time of the file's last change, so an older time shows that there was none. If a file is changed
// all the time, every look must give the same answer.
func (p *place) hasOneName(ctx context.Context, f *dir.File) error {
	for range nameLooks {
		before := dir.FileClock() - timeGrain
		p.awaitRemovals()
		if err := p.isOnlyName(f); err != nil {
			return err
		}
		p.awaitRemovals()
		now, err := f.Stat()
		if err != nil {
			return err
		}
		if now.Changed%int64(time.Second) == 0 { // a file system with times in whole seconds, such as ext3
			now.Changed += int64(time.Second)
		}
		if now.Changed < before {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(namePause):
		}
	}
	return nil
}

// isOnlyName takes identity and link count from one look at the name: the count of the open file
// may be that of another moment.
func (p *place) isOnlyName(f *dir.File) error {
	now, err := p.folder.Lstat(p.name)
	switch {
	case err != nil || now.ID() != f.Info.ID():
		return dir.ErrCollision
	case now.Links != 1:
		return errLinked
	}
	return nil
}

// awaitRemovals waits until no other process is removing a name from the folder: each holds the
// folder's lock in the kernel, and so does a removal that finds nothing.
func (p *place) awaitRemovals() { _ = p.folder.Remove(policy.TempPrefix + "none") }

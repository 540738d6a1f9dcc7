package sandbox

import (
	"context"
	"errors"
	"time"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// What is written in place reaches every name that the file has, and so it is done only to a file with one name. A link count
// alone doesn't prove that: a process in the workspace can take off a name and put it back all the time, and unlink counts a
// name as gone a moment before nothing finds it any more.

// errLinked says that a file has other names, or that it can't be told: it is to be replaced, not written in place.
var errLinked = errors.New("the file has other names")

// How often a file that changes all the time is looked at, and how long between two looks: a file system's clock moves on every
// 1 to 10 ms, and only a change before that is told from one after it.
const (
	nameLooks = 12
	namePause = 2 * time.Millisecond
)

// timeGrain is the finest step, in nanoseconds, in which a file system may keep times that look exact: NTFS has 100.
const timeGrain = 1000

// hasOneName checks that the place's name is that of an open file and its only one; errCollision or errLinked if not. The
// folder is locked.
//
// The proof: each call that takes off a name holds its folder in the kernel, so that waiting for the folder before and after the
// look shuts out those that are under way; and it sets the time of the file's last change, so that an older time says that none
// was. Of a file that is changed all the time every look must say the same.
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
		if now.Changed%int64(time.Second) == 0 { // a file system that knows whole seconds only, as ext3 does
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

// isOnlyName tells identity and count from one look at the name: an open file's count may be that of another moment.
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

// awaitRemovals waits until no other process is taking a name off the folder: they all hold it in the kernel, and so does a
// removal that finds nothing.
func (p *place) awaitRemovals() { _ = p.folder.Remove(policy.TempPrefix + "none") }

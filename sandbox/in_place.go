package sandbox

import (
	"context"
	"errors"
	"os"
	"time"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
)

// inPlace is a file that is changed in place: open, with its folder locked.
type inPlace struct {
	lockSet
	p    *Target
	file *dir.File
}

// openInPlace opens the file at a target. A dry run locks nothing, because taking the lock removes
// files of killed calls.
func openInPlace(ctx context.Context, w *Workspace, p *Target, dry bool) (_ *inPlace, err error) {
	i := &inPlace{lockSet: lockSet{w: w, ctx: ctx}, p: p}
	defer func() {
		if err != nil {
			i.release()
		}
	}()
	if !dry {
		if err := i.lock(p); err != nil {
			return nil, err
		}
	}
	if err := p.CheckWritable(p.Info); err != nil {
		return nil, err
	}
	if i.file, err = p.OpenAgain(os.O_RDWR | os.O_APPEND); err != nil {
		return nil, err
	}
	i.files = append(i.files, i.file)
	if dry {
		return i, nil
	}
	return i, unlinkKept(ctx, w, i.file)
}

// change keeps what the journal needs to take the change back, and makes it; errLinked if the file
// has other names.
func (i *inPlace) change(e *history.Entry, from history.Source, do func() error) error {
	from.Present = &i.file.Info
	kept, err := i.w.history.Keep(i.ctx, e, []history.Source{from})
	if err != nil {
		return err
	}
	if err = i.p.hasOneName(i.ctx, i.file); err == nil {
		err = i.check()
	}
	if err == nil {
		err = i.w.changing(i.ctx, do)
		takenBack(i.ctx, err)
	}
	switch {
	case kept && err == nil:
		i.backupID = e.ID
	case kept:
		i.w.history.Drop(e)
	}
	return err
}

// extend adds data at the end. tag describes the content before: see dir.File.Beginning.
func (i *inPlace) extend(data []byte, tag, tool, undoes string) error {
	e := history.NewEntry(tool, undoes, history.Item{Path: i.p.Path, Kind: history.Extend, Mode: i.file.Info.Mode, Size: i.file.Info.Size,
		AppendedBytes: int64(len(data)), Old: tag, New: dir.ContentETag(data)}) // no content is kept, only where the addition begins
	return i.change(e, history.Source{Empty: true}, func() error { return i.add(data) })
}

// add adds data to a file that must have exactly one name, that of the target. It must still have
// it afterwards: if somebody replaced the file meanwhile, the addition may be lost. Nobody can tell
// whether their file was made from the old content or from the new, so the bytes are not added
// again.
func (i *inPlace) add(data []byte) error {
	if err := i.write(data); err != nil {
		return err
	}
	switch err := i.p.isOnlyName(i.file); {
	case errors.Is(err, errLinked) && i.file.TakeOff(len(data)) == nil:
		return err
	case err != nil:
		return &dir.RollbackError{Bytes: len(data), Moved: true, Err: dir.ErrBusy}
	}
	return nil
}

// write writes and syncs data, or leaves the file as it was.
func (i *inPlace) write(data []byte) error {
	if err := i.ctx.Err(); err != nil {
		return err
	}
	n, err := i.file.Write(data)
	if err == nil && !i.w.noSync {
		err = i.file.Sync()
	}
	if err == nil {
		return nil
	}
	if i.file.TakeOff(n) != nil {
		return &dir.RollbackError{Bytes: n, Err: dir.Classify(err)}
	}
	return err
}

// etagAfter is the etag after data was added. sum is the hash of the content before, nil if that
// was too long to be read.
func (i *inPlace) etagAfter(sum *dir.ContentSum, data []byte) string {
	if sum != nil && i.file.Info.Size <= i.w.whole && i.file.Info.Size == sum.Size+int64(len(data)) {
		_, _ = sum.Write(data)
		return sum.Etag()
	}
	etag, err := i.w.ETag(context.WithoutCancel(i.ctx), i.file, nil) // somebody else has added to it as well
	if err != nil {
		return dir.StateETag(i.file.Info)
	}
	return etag
}

// A write in place changes the file under all of its names, so it is done only to a file with one
// name. A link count of 1 alone doesn't prove that: a process in the workspace can remove a name
// and add it again all the time. And unlink lowers the count a moment before the name is gone.

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

// hasOneName checks that an open file has the target's name and no other; ErrCollision or errLinked
// if not. The folder is locked.
//
// Why this is proof: a call that removes a name locks the name's folder in the kernel. Waiting for
// that lock before and after the look excludes removals that are under way. A removal also sets the
// time of the file's last change, so an older time shows that there was none. If a file is changed
// all the time, every look must give the same answer.
func (p *Target) hasOneName(ctx context.Context, f *dir.File) error {
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
func (p *Target) isOnlyName(f *dir.File) error {
	now, err := p.Folder.Lstat(p.Name)
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
func (p *Target) awaitRemovals() { _ = p.Folder.Remove(policy.TempPrefix + "none") }

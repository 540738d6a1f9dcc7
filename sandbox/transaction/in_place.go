package transaction

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/system"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/policy"
)

// InPlace is a file that is changed in place: open, with its folder locked.
type InPlace struct {
	plan.LockSet
	Target *sandbox.Target
	File   *openfile.File
}

// OpenInPlace opens the file at a target; ErrLinked if it must be replaced instead. A dry run locks
// nothing, because taking the lock removes files of killed calls.
func OpenInPlace(ctx context.Context, w *sandbox.Workspace, p *sandbox.Target, dry bool) (_ *InPlace, err error) {
	i := &InPlace{LockSet: plan.LockSet{Workspace: w, Ctx: ctx}, Target: p}
	defer func() {
		if err != nil {
			i.Release()
		}
	}()
	p.Opens, p.Writes = p.Asks(), true
	if !dry {
		if err := i.Lock(p); err != nil {
			return nil, err
		}
	}
	if !p.Opens || !p.Info.IsWritable() {
		if err := p.CheckWritable(p.Info); err != nil {
			return nil, err
		}
	}
	if i.File, err = p.OpenAgain(os.O_RDWR | os.O_APPEND); err != nil {
		if p.Opens && !errors.Is(err, fserr.ErrCollision) { // it wasn't asked before
			err = cmp.Or(p.CheckWritable(p.Info), err)
		}
		return nil, err
	}
	i.Files = append(i.Files, i.File)
	if isLonger, err := i.isLonger(); isLonger || err != nil {
		return nil, cmp.Or(err, ErrLinked)
	}
	if dry {
		return i, nil
	}
	if err := p.CheckName(i.File); err != nil {
		return nil, err
	}
	return i, plan.UnlinkKept(ctx, w, i.File)
}

// isLonger reports whether the file is longer on an NFS server than the system says. While a file
// is delegated to a client of NFS 4, it trusts the size that it has. If the server takes two
// clients for one, nobody tells this one what the other adds, and it would write over that (Linux
// 6.12).
func (i *InPlace) isLonger() (bool, error) {
	if !i.Target.Folder.System().AsksOnOpen || i.Workspace.Mount().Type == "nfs" { // NFS 3 delegates nothing
		return false, nil
	}
	f, err := i.Target.OpenAgain(os.O_RDONLY) // reads past the system's cache, as no file does that is opened to append
	if err != nil {
		return false, err
	}
	defer f.Close()
	n, err := f.ReadSome(make([]byte, 1), i.File.Info.Size)
	return n > 0, fserr.IgnoreEOF(err)
}

// Change keeps what the journal needs to take the change back, and makes it; ErrLinked if the file
// has other names.
func (i *InPlace) Change(e *history.Entry, from history.Source, do func() error) error {
	from.Present = &i.File.Info
	kept, err := i.Workspace.History().Keep(i.Ctx, e, []history.Source{from})
	if err != nil {
		return err
	}
	if err = hasOneName(i.Ctx, i.Target, i.File); err == nil {
		err = i.Check()
	}
	if err == nil {
		err = plan.Make(i.Ctx, i.Workspace, do)
		plan.NoteUndone(i.Ctx, err)
	}
	switch {
	case kept && err == nil:
		i.BackupID = e.ID
	case kept && (e.Items[0].Kind != history.Cut || !errors.As(err, new(*fserr.RollbackError))): // else the entry has what was cut off
		i.Workspace.History().Drop(e)
	}
	return err
}

// extend adds data at the end. tag describes the content before: see openfile.File.Beginning.
func (i *InPlace) extend(data []byte, tag, tool, undoes string) error {
	e := history.NewEntry(tool, undoes, history.Item{Path: i.Target.Path, Kind: history.Extend, Mode: i.File.Info.Mode, Size: i.File.Info.Size,
		AppendedBytes: int64(len(data)), Old: tag, New: openfile.ContentETag(data)}) // no content is kept, only where the addition begins
	return i.Change(e, history.Source{Empty: true}, func() error { return i.Add(data) })
}

// Add adds data to a file that must have exactly one name, that of the target. It must still have
// it afterwards: if somebody replaced the file meanwhile, the addition may be lost. Nobody can tell
// whether their file was made from the old content or from the new, so the bytes are not added
// again.
func (i *InPlace) Add(data []byte) error {
	if err := i.write(data); err != nil {
		return err
	}
	if !i.IsHeld() { // the network was cut: by now the file may be another one, made without the addition
		return &fserr.RollbackError{Bytes: len(data), Err: fserr.ErrBusy}
	}
	switch err := isOnlyName(i.Target, i.File); {
	case errors.Is(err, ErrLinked) && i.File.TakeOff(len(data)) == nil:
		return err
	case err != nil:
		return &fserr.RollbackError{Bytes: len(data), Moved: true, Err: fserr.ErrBusy}
	}
	return nil
}

// Cut makes the file shorter, and looks afterwards whether it is the one that has the name.
func (i *InPlace) Cut(size int64) error {
	if err := i.File.Truncate(size); err != nil {
		return err
	}
	if !i.IsHeld() || errors.Is(isOnlyName(i.Target, i.File), fserr.ErrCollision) {
		return &fserr.RollbackError{Err: fserr.ErrBusy}
	}
	return nil
}

// write writes and syncs data, or leaves the file as it was. If another machine has replaced the
// file, that may be impossible, and data is lost with it, unless what they wrote has it.
func (i *InPlace) write(data []byte) error {
	if err := i.Ctx.Err(); err != nil {
		return err
	}
	n, err := i.File.Write(data)
	if err == nil && !i.Workspace.NoSync() {
		err = i.File.Sync()
	}
	replaced := errors.Is(err, fserr.ErrReplaced)
	switch {
	case err == nil, i.File.TakeOff(n) == nil, replaced && n == 0:
		return err
	case replaced:
		err = fserr.ErrBusy // a collision would be repeated
	}
	return &fserr.RollbackError{Bytes: n, Err: fserr.Classify(err)}
}

// etagAfter is the etag after data was added. sum is the hash of the content before, nil if that
// was too long to be read.
func (i *InPlace) etagAfter(sum *openfile.ContentSum, data []byte) string {
	if sum != nil && i.File.Info.Size <= i.Workspace.Whole() && i.File.Info.Size == sum.Size+int64(len(data)) {
		_, _ = sum.Write(data)
		return sum.Etag()
	}
	etag, err := i.Workspace.ETag(context.WithoutCancel(i.Ctx), i.File, nil) // somebody else has added to it as well
	if err != nil {
		return openfile.StateETag(i.File.Info)
	}
	return etag
}

// A write in place changes the file under all of its names, so it is done only to a file with one
// name. A link count of 1 alone doesn't prove that: a process in the workspace can remove a name
// and add it again all the time. And unlink lowers the count a moment before the name is gone.

// ErrLinked says that a file has other names, or may have, or is longer than the system says: it
// must be replaced, not written in place.
var ErrLinked = errors.New("the file has other names")

// A file that changes all the time is looked at nameLooks times, with namePause between two looks.
// The clock of a file system ticks every 1 to 10 ms, and a change can be dated only to a tick.
const (
	nameLooks = 12
	namePause = 2 * time.Millisecond
)

// timeGrain is the largest rounding, in nanoseconds, of file times that look exact: NTFS rounds to
// 100.
const timeGrain = 1000

// hasOneName checks that an open file has the target's name and no other; ErrCollision or ErrLinked
// if not. The folder is locked.
//
// Why this is proof: a call that removes a name locks the name's folder in the kernel. Waiting for
// that lock before and after the look excludes removals that are under way. A removal also sets the
// time of the file's last change, so an older time shows that there was none. If a file is changed
// all the time, every look must give the same answer.
func hasOneName(ctx context.Context, p *sandbox.Target, f *openfile.File) error {
	for range nameLooks {
		before := system.FileClock() - timeGrain
		awaitRemovals(p)
		if err := isOnlyName(p, f); err != nil {
			return err
		}
		awaitRemovals(p)
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
func isOnlyName(p *sandbox.Target, f *openfile.File) error {
	now, err := p.Folder.LstatNow(p.Name)
	switch {
	case err != nil || now.ID() != f.Info.ID():
		return fserr.ErrCollision
	case now.Links != 1:
		return ErrLinked
	}
	return nil
}

// awaitRemovals waits until no other process is removing a name from the folder: each holds the
// folder's lock in the kernel, and so does a removal that finds nothing. Where a server would be
// asked for the name, one that is too long is refused once the system has that lock.
func awaitRemovals(p *sandbox.Target) {
	none := policy.TempPrefix + "none"
	if p.Folder.System().Remote {
		none = strings.Repeat(none, maxName/len(none)+1)
	}
	_ = p.Folder.Remove(none)
}

// maxName is the longest name that file systems accept, in bytes.
const maxName = 255

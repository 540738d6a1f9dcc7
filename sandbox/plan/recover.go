package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/history"
	"fsbox/sandbox/tree"
)

// Recover undoes the unfinished changes of killed processes in this workspace, and removes
// their temporary files. It is called before every call that writes, and costs next to nothing if
// there is nothing to do. It never prevents such a call: what can't be repaired yet is left for the
// next call, and what can't be repaired at all is set aside. told has a sentence about each for the
// caller. The error is that of a cancelled ctx.
func Recover(ctx context.Context, w *sandbox.Workspace) (told []string, err error) {
	records, err := w.History().Records(ctx)
	switch {
	case sandbox.IsRefused(err):
		return nil, err
	case err != nil:
		return []string{fmt.Sprintf("the records of killed calls can't be read: %v", fserr.Bare(err))}, nil
	case len(records) == 0:
		return nil, nil
	}
	inTime, cancel := HalfTime(ctx)
	defer cancel()
	r := recovery{w: w, ctx: inTime}
	for _, name := range records {
		if r.isPending && history.IsOfFolders(name) {
			r.tried = append(r.tried, name)
			continue // what is still to be undone may be in them
		}
		if history.IsLate(name) {
			continue
		}
		told = append(told, r.recoverRecord(name)...)
		if err := ctx.Err(); err != nil {
			return told, err
		}
	}
	w.NoteTried(r.tried)
	r.removeAgain(w.History().DueLate(records))
	return told, nil
}

// recovery repairs what killed processes left.
type recovery struct {
	w   *sandbox.Workspace
	ctx context.Context

	tried     []string // the records of killed calls: the call that has asked for this goes on, whatever comes of them
	isPending bool     // a record is left for the next call
}

// recoverRecord recovers the call of one record and removes the record. told says what could not be
// done.
func (r *recovery) recoverRecord(name string) (told []string) {
	record, err := r.w.History().Adopt(r.ctx, name)
	if err == nil && record == nil {
		return nil
	}
	defer record.Close()
	r.tried = append(r.tried, name)
	var b *history.Entry
	if err == nil {
		b, err = record.Read(r.ctx)
	}
	if err == nil && b != nil {
		told, err = r.recoverCall(b, record.Done)
	}
	switch {
	case err == nil && b != nil && r.w.RootFolder.System().LosesTarget:
		record.EndLate(!record.Done, true)
		return r.tell(told, b, record)
	case err == nil:
		record.End()
		return r.tell(told, b, record)
	case err == errFolderStays:
		return told
	case sandbox.IsRefused(err), IsForLater(err):
		r.isPending = true
		return append(told, fmt.Sprintf("%s: %s was cut short, and can't be repaired yet: %s", RecoveryPending, b, fserr.Bare(err)))
	}
	told = append(told, fmt.Sprintf("%s was cut short, and can't be repaired: %s", b, fserr.Bare(err)))
	aside, err := r.w.History().SetAside(name)
	if err != nil {
		return append(told, fmt.Sprintf("its record can't be set aside: %v", fserr.Bare(err)))
	}
	return append(told, fmt.Sprintf("its record is set aside as %q in the state directory; its temporary files are not removed", aside))
}

// removeAgain removes what a change on SMB has displaced and removed, and what is there again: a
// rename and a removal right after another client has written the file are sometimes forgotten
// (Linux 6.1 and Samba 4.17), or the server was killed; or the call was killed before it freed its
// lock: see leaveOld. No other file gets the temporary names. If
// the change was undone, a file has such a name only if its rename was made afterwards, and gets
// its name back.
func (r *recovery) removeAgain(records []string) {
	var last *sandbox.Target
	for _, name := range records {
		record, err := r.w.History().AdoptLate(name)
		if err != nil || record == nil {
			continue
		}
		last, err = r.look(record, history.IsUndone(name), last)
		record.EndLook(err != nil)
		if record.Close(); err != nil { // the server is away
			break
		}
	}
	if last != nil {
		last.Close()
	}
}

// look does that for one record. last is in the folder of the file before it, and what it returns
// in that of its last file; both are nil if there was none. The error is one that a later call may
// not meet.
func (r *recovery) look(record *history.Record, undone bool, last *sandbox.Target) (*sandbox.Target, error) {
	e, err := record.Read(r.ctx)
	if fserr.IsCanceled(err) {
		return last, err
	}
	if err != nil || e == nil {
		return last, nil
	}
	for _, f := range e.Items {
		if f.Temp == "" { // a folder that was made
			continue
		}
		if last == nil || undone || path.Dir(last.Path) != path.Dir(f.Path) {
			next, err := r.w.FindFolder(f.Path)
			switch {
			case isForNextLook(err):
				return last, err
			case err != nil:
				continue
			case last != nil:
				last.Close()
			}
			last = next
		}
		if err := r.removeOld(last, f, undone); isForNextLook(err) {
			return last, err
		}
	}
	return last, nil
}

func isForNextLook(err error) bool {
	return fserr.IsCanceled(err) || fserr.IsOfSystem(err) || errors.Is(err, errHeld)
}

func (r *recovery) removeOld(p *sandbox.Target, f history.Item, undone bool) error {
	old := AsideOf(f.Temp)
	if !undone {
		return discard(r.ctx, p.Folder, old)
	}
	if strings.Contains(f.Temp, newMark) {
		if err := fserr.IgnoreMissing(p.Folder.Remove(f.Temp)); err != nil {
			return err
		}
	}
	found, err := p.Folder.Lstat(old)
	switch {
	case err != nil:
		return fserr.IgnoreMissing(err)
	case f.Kind == history.Create: // see restoreNothing
		return discardMade(r.ctx, p, old, f)
	case found.Mode.IsDir(): // see bar
		return p.Folder.RemoveFolder(old)
	}
	p.Folder.Renew(p.Name)
	return giveBack(p, old)
}

// tell adds to told what became of the call of a record. Of one that was only announced there is
// nothing to say.
func (r *recovery) tell(told []string, e *history.Entry, record *history.Record) []string {
	switch {
	case e == nil || record.IsAnnounced():
		return told
	case record.Done:
		return append(told, e.String()+" is made as a whole; its temporary files are removed now")
	}
	OnsetOf(r.ctx).note(e)
	return append(told, e.String()+" was cut short, and is undone now")
}

// errFolderStays says that a folder which is to go could not be removed: the next call tries again,
// and nobody needs to be told.
var errFolderStays error = &fserr.Refusal{Kind: fserr.ErrBusy, Reason: "a directory stays"}

// IsForLater reports errors that a later call may not meet.
func IsForLater(err error) bool {
	return errors.Is(err, fserr.ErrBusy) || errors.As(err, new(*tree.UnreadableError)) || fserr.IsOfSystem(err)
}

// RecoveryPending begins a sentence about a killed call whose record is still there.
const RecoveryPending = "recovery pending"

// recoverCall takes the steps of a plan back, or cleans up after one that was committed. If one
// can't be recovered, it continues with the others. It returns the first error that a later call
// may not meet, or else the first other one.
func (r *recovery) recoverCall(e *history.Entry, done bool) (told []string, err error) {
	var failed, later error
	for i := len(e.Items) - 1; i >= 0; i-- {
		told, err = asTold(told, r.recoverStep(e.Items[i], done))
		switch {
		case sandbox.IsRefused(err):
			return told, err
		case IsForLater(err):
			later = cmp.Or(later, err)
		default:
			failed = cmp.Or(failed, err)
		}
	}
	if err := cmp.Or(later, failed); err != nil {
		return told, err
	}
	if !done {
		r.w.History().Drop(e)
	}
	if err := r.syncFolders(e); err != nil {
		told = append(told, fmt.Sprintf("%s was cut short and is repaired, but a power cut may bring that back: %s", e, fserr.Bare(err)))
	}
	return told, nil
}

// asTold turns an error about a file that was set aside into a sentence: setting it aside has dealt
// with the file.
func asTold(told []string, err error) ([]string, error) {
	aside, ok := errors.AsType[*asideError](err)
	if !ok {
		return told, err
	}
	const text = "a call that was cut short is undone, but somebody has changed %q since; what can't go back there is in %q"
	return append(told, fmt.Sprintf(text, aside.path, path.Join(path.Dir(aside.path), aside.name))), nil
}

// recoverStep takes one step back, unless the plan is done, and removes what has its temporary
// name. If the folder is away, what the plan displaced is away with it, and may come back.
func (r *recovery) recoverStep(f history.Item, done bool) error {
	h := LockSet{Workspace: r.w, Ctx: r.ctx, recovers: true}
	defer h.Release()
	p, err := h.Opened(r.w.FindAgain(f.Path))
	if IsAway(err) && (done || f.Kind == history.Create) {
		return nil
	}
	var from *sandbox.Target
	if err == nil && f.Kind == history.Rename && !done {
		from, err = h.Opened(r.w.FindAgain(f.From))
	}
	if err == nil {
		err = h.lockFolders(h.Targets...)
	}
	if err != nil {
		return err
	}
	if !done {
		err = RestoreStep(r.ctx, p, from, f)
	}
	switch {
	case err == nil && f.Kind == history.Empty && f.FileID != "":
		if f.Stamp != unborn {
			err = h.removeFolder(f)
		}
		if err == nil && h.again {
			return errFolderStays
		}
	case err != nil:
	case f.Temp == "":
		err = h.left
	default:
		err = r.removeTemp(p.Folder, f.Temp, f.Mode.IsDir())
		if err == nil && done && f.Kind != history.Create {
			err = discard(r.ctx, p.Folder, AsideOf(f.Temp)) // a file, or the folder of bar
		}
	}
	return p.Fail(err)
}

// removeTemp removes what has a temporary name. If a file should have it, a folder is somebody
// else's.
func (r *recovery) removeTemp(in dir.Folder, name string, isFolder bool) error {
	if isFolder {
		return discard(r.ctx, in, name)
	}
	return fserr.IgnoreMissing(in.Remove(name))
}

// IsAway reports whether a path of a record no longer exists, or whether somebody has put a link or
// a file on the way to it.
func IsAway(err error) bool {
	return fserr.IsAny(err, fserr.ErrNotFound, fserr.ErrNotFolder, fserr.ErrLinkOutside, fserr.ErrLinkLoop, fserr.ErrInvalidPath)
}

// syncFolders makes the recovered names survive a power cut: each folder once, if it still exists.
func (r *recovery) syncFolders(e *history.Entry) error {
	seen := map[string]bool{}
	for _, f := range e.Items {
		for _, name := range [...]string{f.Path, f.From} {
			if name == "" || seen[path.Dir(name)] {
				continue
			}
			seen[path.Dir(name)] = true
			p, err := r.w.FindFolder(name)
			if err == nil {
				err = p.Fail(SyncNames(r.w, p.Folder))
				p.Close()
			}
			if err != nil && !IsAway(err) {
				return err
			}
		}
	}
	return nil
}

// SyncNames makes the names in a folder survive a power cut.
func SyncNames(w *sandbox.Workspace, folder dir.Folder) error {
	return fserr.Unsynced(syncMade(w, folder))
}

// Unfinished describes calls that were killed part-way, which the next call that writes will take
// back: those that change one of the paths, or a path above or below one; without paths, all. It
// changes nothing.
func Unfinished(ctx context.Context, w *sandbox.Workspace, paths []string) (told []string) {
	all := w.History().Underway(ctx, os.O_RDONLY)
	if len(all) == 0 {
		return nil
	}
	for i, p := range paths {
		paths[i] = w.Resolved(p)
	}
	for _, u := range all {
		switch {
		case !u.IsDead, history.IsOfFolders(u.Record):
		case u.Entry == nil:
			told = append(told, "a call was cut short, and its record can't be read; the next call that changes files sets it aside")
		case concerns(u.Entry, paths):
			told = append(told, u.Entry.String()+" was cut short; the next call that changes files repairs it")
		}
	}
	return told
}

// concerns reports whether a call changes one of the paths, or a path above or below one.
func concerns(e *history.Entry, paths []string) bool {
	return len(paths) == 0 || slices.ContainsFunc(e.Items, func(f history.Item) bool {
		return slices.ContainsFunc(paths, func(p string) bool { return overlap(p, f.Path) || overlap(p, f.From) })
	})
}

// overlap reports whether two paths are the same, or one is below the other. Only a may be ".", the
// root. An empty b, which stands for no path, overlaps nothing.
func overlap(a, b string) bool {
	return b != "" && (a == "." || a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/"))
}

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
	"sync"
	"time"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/dirlock"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/tree"
)

// LockSet is what a change has locked, opened and made so far. Release frees and closes that.
type LockSet struct {
	Workspace *sandbox.Workspace
	Ctx       context.Context
	locked    map[string]*dirlock.Lock // by the ID of the folder
	locks     []*dirlock.Lock
	made      []history.Item    // folders that were made for the change, each before those in it
	Above     Folders           // of an undo: those that it may have to make again; nil for other calls
	Stay      bool              // the folders stay if the change is cut short: see Mkdir
	record    *history.Record   // of the folders that are made, or that go; nil for none
	recovers  bool              // it repairs what killed calls left, so that it removes what has temporary names in any case
	left      error             // what a killed call left in a folder could not be removed: only a recovery minds
	abandoned bool              // a change could neither be made nor undone: who locks the folders next repairs them
	again     bool              // one of them could not be removed: the record stays, so that the next call tries again
	Files     []*openfile.File  // to be closed
	Targets   []*sandbox.Target // to be closed
	Closing   sync.WaitGroup    // files that are being closed

	BackupID string // of the entry in the journal, "" for none
	Lost     rights.Lost
}

// Lock takes the locks of the folders of targets. If a call was killed there meanwhile, it is
// repaired first: see awaitWhole.
func (h *LockSet) Lock(places ...*sandbox.Target) error {
	if err := h.lockFolders(places...); err != nil {
		return err
	}
	return h.awaitWhole(places...)
}

// lockFolders locks each folder once, in the order of their IDs, so that two calls never wait for
// each other. Folders that are missing have no lock.
func (h *LockSet) lockFolders(places ...*sandbox.Target) error {
	var all []*sandbox.Target
	ids := map[*sandbox.Target]string{}
	for _, p := range places {
		if len(p.Missing) > 1 {
			continue
		}
		id, err := p.Folder.Index()
		if err != nil {
			return p.Fail(err)
		}
		all, ids[p] = append(all, p), id
	}
	slices.SortStableFunc(all, func(a, b *sandbox.Target) int { return cmp.Compare(ids[a], ids[b]) })
	for _, p := range all {
		if err := h.lockFolder(p, ids[p]); err != nil {
			return err
		}
		switch {
		case !p.Opens || !p.Lock.HasFile(): // making its file told of the folder, and opening the target's file asks for that
			if err := h.refresh(p); err != nil {
				return p.Fail(err)
			}
		case p.Folder.System().AsksOnOpen: // but which file it is, the system may only remember
			p.Folder.Renew(p.Name)
		}
	}
	return nil
}

// refresh makes the system ask again what has the name of a target, which it may only remember: see
// dirlock.Lock.
func (h *LockSet) refresh(p *sandbox.Target) error {
	if !slices.ContainsFunc(h.locks, (*dirlock.Lock).IsFile) {
		return nil
	}
	var seen *dir.Listing // nil where a folder has no lock of its own: it is listed each time
	if p.Lock != nil {
		seen = &p.Lock.Listed
	}
	return p.Folder.Refresh(p.Name, h.Workspace.Caches(), seen)
}

// Check is the last look at the locks before a change is made.
func (h *LockSet) Check() error {
	for _, l := range h.locks {
		if err := l.Check(h.Ctx); err != nil {
			return err
		}
	}
	return nil
}

// IsHeld reports whether nobody has taken one of the locks away.
func (h *LockSet) IsHeld() bool {
	return !slices.ContainsFunc(h.locks, func(l *dirlock.Lock) bool { return !l.IsHeld() })
}

// checkFor is check before one step of many. It looks at the locks of the folders that the step is
// about, and at those that are files: all of them at each step took most of the time of a patch of
// 10,000 files in 100 folders.
func (h *LockSet) checkFor(s *Step) error {
	from := s.Target.Lock
	if s.From != nil {
		from = s.From.Lock
	}
	for _, l := range h.locks {
		if l != s.Target.Lock && l != from && !l.IsFile() {
			continue
		}
		if err := l.Check(h.Ctx); err != nil {
			return err
		}
	}
	return nil
}

// lockFolder locks the folder of a target, unless it is locked already.
func (h *LockSet) lockFolder(p *sandbox.Target, id string) error {
	if h.locked == nil {
		h.locked = map[string]*dirlock.Lock{}
	}
	lock := h.locked[id]
	if lock == nil {
		var left, err error
		if lock, left, err = LockTarget(h.Ctx, h.Workspace, p, h.recovers); err != nil {
			return p.Fail(err)
		}
		h.left = cmp.Or(h.left, left)
		h.abandoned = h.abandoned || errors.Is(left, errNotBack) // the next call tries again
		h.locks, h.locked[id] = append(h.locks, lock), lock
	}
	p.Lock = lock
	return nil
}

// Opened takes a target that has been found, to close it with the lock set.
func (h *LockSet) Opened(p *sandbox.Target, err error) (*sandbox.Target, error) {
	if err == nil {
		h.Targets = append(h.Targets, p)
	}
	return p, err
}

// unlock frees the locks.
func (h *LockSet) unlock() {
	for _, l := range h.locks {
		if h.abandoned {
			l.Abandon()
		} else {
			l.Release()
		}
	}
	h.locks, h.locked = nil, nil
}

// Release closes everything and frees the locks: first the files, which some network file systems
// write out only then.
func (h *LockSet) Release() {
	if !h.again {
		h.record.End()
	}
	h.record.Close()
	for _, f := range h.Files {
		f.Close()
	}
	h.Closing.Wait()
	h.unlock()
	for _, p := range h.Targets {
		p.Close()
	}
}

// LockTarget takes the lock of a target's folder, and removes what a killed call left there. left
// says that some of that could not be removed. Where the lock is a file that the call before has
// freed, nothing is left, unless a recovery knows better: to look takes calls over the wire.
func LockTarget(ctx context.Context, w *sandbox.Workspace, p *sandbox.Target, recovers bool) (lock *dirlock.Lock, left, err error) {
	into := ""
	if p.Writes {
		into = p.Name
	}
	if lock, err = dirlock.TakeToWrite(ctx, p.Folder, p.HasOpen() && p.Folder != w.RootFolder, into); err != nil {
		return nil, nil, err
	}
	if lock.Alone {
		w.NoteAlone()
	}
	at := p.Path
	for range len(p.Missing) - 1 {
		at = path.Dir(at)
	}
	lock.FreedAs = func() string { return freedAs(w, at) }
	if lock.IsClean() && !recovers {
		return lock, nil, nil
	}
	return lock, cmp.Or(clearFolder(ctx, w, p), replaceLate(ctx, w, p.Folder, lock.Late)), nil
}

// freedAs gives the lock file of the folder of a path on SMB a name for the moment before it is
// removed, by which a later call looks for it, as for the old file of a change: see removeAgain.
func freedAs(w *sandbox.Workspace, at string) string {
	temp := fmt.Sprintf("%s%016x", policy.TransPrefix, rand.Uint64())
	if w.History().NoteLate(history.NewEntry("", "", history.Item{Path: at, Kind: history.Replace, Temp: temp})) != nil {
		return ""
	}
	return AsideOf(temp)
}

// replaceLate puts a copy of a file in its place, "" for none, before this call changes anything: a
// killed call was writing into it. If that machine has only lost its network, the write may arrive
// later, and over what others have written meanwhile. It then arrives at a file that has no name.
// On SMB it would go to what has the file's name by then: see transaction.maxReplayed.
func replaceLate(ctx context.Context, w *sandbox.Workspace, in dir.Folder, name string) error {
	if name == "" || in.System().LosesTarget {
		return nil
	}
	found, err := in.LstatNow(name)
	if err != nil || !found.Mode.IsRegular() || found.Links != 1 || found.Size > maxLate {
		return fserr.IgnoreMissing(err)
	}
	ctx, cancel := HalfTime(ctx)
	defer cancel()
	temp := tempName(in, StagedTemp)
	c := tree.Copier{From: in, Name: name, To: in, NewName: temp, Found: &found, Faithful: true, Sync: !w.NoSync()}
	if err = c.Copy(ctx); err == nil {
		if now, failed := in.LstatNow(name); failed == nil && sandbox.SameState(now, found) {
			err = in.Move(temp, in, name, dir.Over)
		}
	}
	if dir.Exists(in, temp) {
		err = cmp.Or(err, discard(ctx, in, temp))
	}
	return err
}

// maxLate is the longest file that replaceLate copies, in bytes. Over a network that takes some
// seconds, and the caller waits.
const maxLate = 64 << 20

// ConfirmMissing returns err, which is about a target that doesn't exist, or ErrCollision if it is
// there once its folder is locked, so that the call starts again. Where others may use that through
// another mount, one of them may be replacing the file: a client of NFS that has it open takes the
// name away meanwhile, however long its server takes, and a killed call on SMB leaves it so. A dry
// run locks nothing.
func ConfirmMissing(ctx context.Context, w *sandbox.Workspace, p *sandbox.Target, dry bool, err error) error {
	if dry || len(p.Missing) != 1 || !p.Folder.System().Shared {
		return err
	}
	lock, left, failed := LockTarget(ctx, w, p, false)
	switch {
	case errors.Is(left, errNotBack):
		lock.Abandon()
		return p.Fail(errHeld)
	case errors.Is(failed, fserr.ErrBusy):
		return failed // nobody can tell
	case failed != nil:
		return err // it may not be locked
	}
	defer lock.Release()
	for looks := 1; ; looks++ {
		if p.Folder.Renew(p.Name); dir.Exists(p.Folder, p.Name) {
			return fserr.ErrCollision
		}
		if looks == Looks || !p.Folder.System().LosesTarget {
			return err
		}
		time.Sleep(LookPause)
	}
}

// Looks is how often a call looks for a file that isn't found but may be, and LookPause how long it
// waits in between: a rename over a file on SMB is a removal and a rename, with some milliseconds
// from one to the other in which nothing has the name.
const (
	Looks     = 4
	LookPause = 20 * time.Millisecond
)

// MakeParents makes the missing folders above the name of a target, moves the target into the last
// of them, syncs each into the folder above it, and locks the last.
func (h *LockSet) MakeParents(p *sandbox.Target) error {
	if len(p.Missing) <= 1 {
		return nil
	}
	for len(p.Missing) > 1 {
		there, err := h.makeChain(p)
		for ; err == nil && there > 0; there-- {
			err = p.Enter()
		}
		if err != nil {
			return p.Fail(err) // not ErrDurability: the requested change is not made yet
		}
	}
	id, err := p.Folder.Index()
	if err != nil {
		return p.Fail(err)
	}
	if err := h.lockFolder(p, id); err != nil {
		return err
	}
	return h.awaitWhole(p)
}

// makeParent makes the first missing folder of a target, unless somebody has made it by now.
func (h *LockSet) makeParent(p *sandbox.Target) error {
	err := MakeFolder(p.Folder, p.Missing[0], h.Above.modeOf())
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fserr.ErrCollision // the folder above was removed
	case err != nil:
		return err
	}
	if made, err := emptyFolder(p.Folder, p.Missing[0]); err == nil {
		made.Path = p.PathOf(1)
		h.made = append(h.made, made)
	}
	if err := h.restoreMade(p); err != nil {
		return err
	}
	return syncMade(h.Workspace, p.Folder)
}

// syncMade makes the names in a folder survive a power cut, for a change that needs them.
func syncMade(w *sandbox.Workspace, folder dir.Folder) error {
	if w.NoSync() {
		return nil
	}
	return folder.Sync()
}

// RollbackUnlessCommitted removes the new folders after a change that failed, if they are empty,
// and returns the error.
func (h *LockSet) RollbackUnlessCommitted(err error) error {
	if err == nil || errors.Is(err, fserr.ErrDurability) {
		return err
	}
	if len(h.made) > 0 {
		h.unlock() // the lock of a folder may be a file in it
	}
	_ = h.RemoveFolders(h.made) // a folder that a power cut brings back is empty
	h.made = nil
	return err
}

// rolledBack is the error of a failed call: err if all was undone, else one that says so.
func rolledBack(err, left error) error {
	switch {
	case left == nil:
		return err
	case errors.Is(err, fserr.ErrCollision):
		return fserr.LeftBehind(left)
	}
	return errors.Join(err, fserr.LeftBehind(left))
}

// MaxCollisions is how often a write starts again because somebody else created, removed or changed
// the file meanwhile.
const MaxCollisions = 16

var (
	errUnsteady error = &fserr.Refusal{Kind: fserr.ErrBusy, Reason: "somebody else changes it all the time"}
	errHeld     error = &fserr.Refusal{Kind: fserr.ErrBusy, Reason: fserr.HeldReason}
)

// Of the tries after a collision, the first quickTries come at once. Before each of the others is a
// pause, twice as long as the one before, up to longestPause: a client of SMB may take a second
// until it sees that another machine has replaced a file. An ErrHeld may say that this was done
// between two looks, so that the first quickTries come at once as well. After the others is a
// pause: the client keeps the file for a second after the last program has closed it (closetimeo),
// and each try opens it again.
const (
	quickTries   = 4
	firstPause   = time.Millisecond
	longestPause = 250 * time.Millisecond
	heldTries    = quickTries + 2
	heldPause    = 1200 * time.Millisecond
)

// RetryOnCollision runs a write again while it fails with ErrCollision: somebody else changed the
// files it was based on. path is what it is about if the error doesn't say which of them.
func RetryOnCollision[T any](ctx context.Context, path string, try func() (T, error)) (done T, err error) {
	held := 0
	for n := 0; n < MaxCollisions && held < heldTries; n++ {
		pause := time.Duration(0)
		switch {
		case errors.Is(err, fserr.ErrHeld):
			if held++; held >= quickTries {
				pause = heldPause
			}
		case n >= quickTries:
			pause = min(firstPause<<(n-quickTries), longestPause)
		}
		if pause > 0 {
			select {
			case <-time.After(pause):
			case <-ctx.Done(): // try says so
			}
		}
		if done, err = try(); !fserr.IsClean(err, fserr.ErrCollision) {
			return done, err
		}
	}
	if at, ok := errors.AsType[*fserr.PathError](err); ok {
		path = at.Path
	}
	why := errUnsteady
	if errors.Is(err, fserr.ErrHeld) {
		why = errHeld
	}
	return done, &fserr.PathError{Path: path, Err: why}
}

// Package dirlock is the write lock of a folder. It is for every process that uses the folder, also
// on another machine: by the lock of the system where all respect that, and else by a file.
package dirlock

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/policy"
	"io/fs"
	"math/rand/v2"
	"time"
)

// Lock is the write lock of a folder. The system's own lock (flock) keeps out the processes that
// see the folder through the same mount. On network file systems, and those that a program serves,
// others may see it as well, and Windows can't lock a folder at all. There a file in the folder is
// the lock: see lockFile.
//
// Where the system's lock is for everybody, nobody makes that file, but everybody respects it: it
// may belong to a process that has the same folder mounted from another machine, or through FUSE.
type Lock struct {
	// Alone says that others may have the lock as well: they use the folder through another mount,
	// and this process may not make files in it.
	Alone bool
	// Listed is what the folder had in it if it was listed since it was locked: see filesystem.Caches.
	Listed dir.Listing
	// FreedAs gives the name that a lock file has on SMB just before it is removed, so that the caller
	// knows where a kill at that moment leaves it; nil, or one that gives "", for a name that only a
	// later call that takes the lock of a killed one looks for.
	FreedAs func() string
	// Old is a file on SMB that is removed with the lock, "" for none: the lock file is renamed over
	// it, instead of FreedAs. A later call looks for what stays of it.
	Old string
	// Late is the file that the process whose lock was taken away was writing into, "" for none. If
	// that process has only lost its network, its write may arrive later.
	Late string

	in       dir.Folder
	free     func()
	file     *lockFile // nil if the system's lock is for everybody
	took     bool      // the lock file of a process that was killed was taken away for this one
	refusals int       // in a row
	missing  int
}

// Take takes the write lock of a folder, which all processes respect, or fails with ErrBusy when
// the time of ctx is over; without a deadline, after lockWait. isOwn says that nobody else uses
// what was opened, until the lock is freed: then it needn't be opened once more, where that takes a
// call over the wire.
func Take(ctx context.Context, of dir.Folder, isOwn bool) (*Lock, error) {
	return TakeToWrite(ctx, of, isOwn, "")
}

// TakeToWrite is Take for a call that writes into a file of the folder. A lock file has its name,
// for the process that may take the lock away: see Lock.Late.
func TakeToWrite(ctx context.Context, of dir.Folder, isOwn bool, into string) (*Lock, error) {
	if isOwn && of.System().AsksOnOpen {
		return lockOf(ctx, of, false, of.TryLock, of.Unlock, into)
	}
	own, err := of.Reopen()
	if err != nil {
		return nil, err
	}
	return lockOf(ctx, own, own.LocksAll(), own.TryLock, own.Close, into)
}

// lockOf takes a lock of the system by try, which free frees; in is for the lock alone. forAll says
// that everybody respects it.
func lockOf(ctx context.Context, in dir.Folder, forAll bool, try func() error, free func(), into string) (*Lock, error) {
	l := &Lock{in: in, free: free}
	err := UntilFree(ctx, try)
	other := otherHolder{in: in}
	switch {
	case err != nil:
	case !forAll:
		err = untilFree(ctx, lockFilePause, func() error { return l.takeFile(&other, into) })
	case dir.Exists(in, policy.LockName): // what has temporary names in the folder may be its holder's
		err = untilFree(ctx, lockFilePause, other.look)
	}
	l.Late = other.late
	if err != nil {
		free()
		return nil, err
	}
	return l, nil
}

// lockWait is how long somebody without a deadline waits for a lock that another process holds,
// lockPause how long anybody waits between two tries. Where each try asks a server several times,
// that doubles up to lockFilePause: with lockPause alone, each client of NFS that waits sends some
// hundred calls a second.
const (
	lockWait      = 5 * time.Second
	lockPause     = 2 * time.Millisecond
	lockFilePause = 32 * time.Millisecond
)

// UntilFree tries to get a lock again, or something like one, while the error is ErrBusy and the
// call has time: see Take.
func UntilFree(ctx context.Context, try func() error) error { return untilFree(ctx, lockPause, try) }

// untilFree waits for half a pause to one and a half, so that those who wait for the same lock
// don't try at the same moments.
func untilFree(ctx context.Context, longest time.Duration, try func() error) error {
	if _, bounded := ctx.Deadline(); !bounded {
		limited, cancel := context.WithTimeout(ctx, lockWait)
		defer cancel()
		ctx = limited
	}
	err := try()
	for pause := lockPause; errors.Is(err, fserr.ErrBusy) && ctx.Err() == nil; pause = min(2*pause, longest) {
		select {
		case <-time.After(pause/2 + rand.N(pause)):
			err = try()
		case <-ctx.Done():
		}
	}
	if errors.Is(err, fserr.ErrBusy) && errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	if errors.Is(err, fserr.ErrBusy) {
		return errLocked
	}
	return err
}

var errLocked error = &fserr.Refusal{Kind: fserr.ErrBusy, Reason: "another call has the lock of its directory"}

// leastOfDead is for how long a lock file that its holder doesn't write to is watched before it may
// be that of a killed process, which somebody else has taken away.
const leastOfDead = 3 * lockBeat

// maxRefusals is how often in a row a lock file can't be made, and there is none, before the lock
// does without it; and how often something is missing before it is the folder.
const maxRefusals = 8

// takeFile makes the lock file; ErrBusy if there is one already. Only a look tells whether that is
// why it can't be made: sshfs says EPERM then, as the protocol has no error for it.
func (l *Lock) takeFile(other *otherHolder, into string) (err error) {
	l.file, err = makeLockFile(l.in, into)
	var held error
	if err != nil {
		if held = other.look(); held == nil && other.took { // at once: another one that waits would find no trace of the killed process
			l.file, err = makeLockFile(l.in, into)
		}
	}
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist) && l.isGone(): // the change will tell
		l.took = other.took || other.watched > leastOfDead
		return nil
	case held != nil || fserr.IsAny(err, fs.ErrExist, fs.ErrNotExist):
		l.refusals = 0
		if !errors.Is(err, fs.ErrNotExist) {
			l.missing = 0
		}
		return fserr.ErrBusy
	}
	l.refusals++
	if l.Alone = l.refusals == maxRefusals; l.Alone {
		return nil
	}
	return fserr.ErrBusy
}

// isGone reports whether the folder itself is gone, after a lock file couldn't be made because
// something is missing. On SMB it is the lock file: one that was removed keeps its name until all
// who have it open close it. On 9p (Linux 6.1) an open asks for the file in two steps, and fails so
// if its holder removes it in between; that doesn't happen maxRefusals times in a row.
func (l *Lock) isGone() bool {
	if _, err := l.in.LstatNow("."); err != nil {
		return true
	}
	l.missing++
	return l.missing == maxRefusals && !l.in.System().LosesTarget
}

// IsFile reports whether the file system of a lock is one that others may use through another
// mount: there the system may answer from memory what they have changed since. See Folder.Refresh.
func (l *Lock) IsFile() bool { return l.file != nil || l.Alone }

// HasFile reports whether the lock is a file. Making it told the system about the folder: what it
// remembered of the names there, if another machine has changed one since, is forgotten.
func (l *Lock) HasFile() bool { return l.file != nil }

// IsClean reports whether the last one who had the lock has freed it. Else that process was killed,
// and may have left files with temporary names. The system's lock doesn't tell.
func (l *Lock) IsClean() bool { return l.file != nil && !l.took }

// Check is the last look before a change is made: ErrCollision if somebody else has the lock by
// now, or has a lock file. It waits for the end of that, since the change is then tried again.
func (l *Lock) Check(ctx context.Context) error {
	switch {
	case l.file != nil:
		return l.file.check()
	case l.Alone || !dir.Exists(l.in, policy.LockName):
		return nil
	}
	other := otherHolder{in: l.in}
	return cmp.Or(UntilFree(ctx, other.look), fserr.ErrCollision)
}

// IsHeld reports whether nobody has taken the lock away, as far as this process can tell.
func (l *Lock) IsHeld() bool { return l.file == nil || l.file.check() == nil }

// Release frees the lock.
func (l *Lock) Release() {
	if l.file != nil {
		l.file.remove(l.Old, l.FreedAs)
	}
	l.free()
}

// Abandon frees the lock as a killed process does: whoever takes it next looks for what is left.
func (l *Lock) Abandon() {
	if l.file != nil {
		l.file.abandon()
	}
	l.free()
}

// otherHolder is the lock file of another process. look is called again and again until it is gone.
type otherHolder struct {
	in      dir.Folder
	text    string
	seen    time.Time     // when it was last looked at
	watched time.Duration // how long text has been the same, of which a pause between two looks counts at most lockBeat
	took    bool          // the file of a process that was killed was removed
	late    string        // see Lock.Late
}

// look fails with ErrBusy while there is a lock file. If its holder hasn't written to it for
// lockLease, that process was killed, and the file is removed. Where all processes were stopped for
// a while, as in a virtual machine that is paused, the holder has time to write.
func (o *otherHolder) look() error {
	text, err := o.read(policy.LockName)
	before := o.seen
	o.seen = time.Now()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case before.IsZero() || text != o.text:
		o.text, o.watched = text, 0
		return fserr.ErrBusy
	}
	o.watched += min(o.seen.Sub(before), lockBeat)
	if o.watched > lockLease && o.isTrue() {
		return o.remove()
	}
	return fserr.ErrBusy
}

// isTrue asks the file system once more for what is in the file, without what it remembers.
func (o *otherHolder) isTrue() bool {
	if on := o.in.System(); !on.OpenLingers {
		_ = o.in.Refresh(policy.LockName, on.Caches(), nil) // without Removed there is no error
	}
	text, err := o.read(policy.LockName)
	return err == nil && text == o.text
}

// read gives the text of a lock file. On NFS and SMB it describes the file's state, which changes
// when the holder writes. To open it could make the server of NFS delegate it: before the holder
// can remove it, the server takes that back from all who wait for the lock. With three of them that
// took more than lockLease, so that they took the lock away, and what was removed in the end was
// another one. On SMB the name was free a second later, or never while somebody looked again and
// again.
func (o *otherHolder) read(name string) (string, error) {
	if !o.in.System().OpenLingers {
		return readFile(o.in, name)
	}
	info, err := o.in.LstatNow(name)
	if err == nil && info.Links == 0 { // somebody has it open
		err = fs.ErrNotExist
	}
	return fmt.Sprintf("%s %d %d", info.ID(), info.Size, info.Modified.UnixNano()), err
}

// remove takes the file away by another name first. If two do so at once, and a third has made a
// new lock file meanwhile, the slower one has taken that, and puts it back.
func (o *otherHolder) remove() error {
	aside := policy.LockName + "-" + lockID()
	if err := o.in.Move(policy.LockName, o.in, aside, dir.Over); err != nil {
		return fserr.ErrBusy // somebody else was faster, or nothing may be renamed here
	}
	if text, err := o.read(aside); err == nil && text != o.text && dir.MoveFree(o.in, aside, policy.LockName) == nil {
		return fserr.ErrBusy
	}
	if !o.in.System().LosesTarget { // there nothing arrives late: see plan.replaceLate
		if text, err := readFile(o.in, aside); err == nil {
			o.late = writtenInto(text)
		}
	}
	_ = o.in.Remove(aside) // it is in nobody's way
	o.took = true
	return nil
}

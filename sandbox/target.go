package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/dirlock"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/policy"
)

// Target is where a path leads: an open folder, and a name in it. It must be closed.
type Target struct {
	Asked  string     // the requested path, relative to the root, links not resolved
	Path   string     // the same path with all links resolved; "." for the root
	Folder dir.Folder // the folder of name
	Name   string     // "." for the root
	Info   stat.Info  // of the file or folder with that name, if it exists
	Exists bool
	Lock   *dirlock.Lock // of the folder, once it is locked
	Opens  bool          // the call opens the file as soon as the folder is locked: see OpenToChange
	Writes bool          // the call writes into the file: see dirlock.TakeToWrite

	noNumbers bool               // under the lock, on SMB: the numbers of files aren't the server's: see OpenAgain
	shared    bool               // others may use the root through another mount
	mounts    *filesystem.Mounts // of a root on SMB: see isOtherNow
	parents   int                // how many folders were made for it
	Missing   []string           // if it doesn't exist: the names to be made below folder, the last one is name
	ViaLink   bool               // a link was followed
	passed    []string           // IDs of folders on the way, recorded only if there are guards
	opened    []dir.Folder       // to be closed
}

// Close closes the folders that were opened for the target.
func (p *Target) Close() {
	for _, f := range p.opened {
		f.Close()
	}
	p.opened = nil
}

// HasOpen reports whether Close has folders to close: not for a name in the root.
func (p *Target) HasOpen() bool { return len(p.opened) > 0 }

// FolderPath is the path of Folder, all links resolved.
func (p *Target) FolderPath() string { return p.PathOf(min(0, len(p.Missing)-1)) }

// NewParents is how many folders were made for the name, or have to be made.
func (p *Target) NewParents() int { return p.parents + max(0, len(p.Missing)-1) }

// Fail wraps an error about this target, except refusals of the caller's function and cancellation.
func (p *Target) Fail(err error) error {
	if IsRefused(err) {
		return err
	}
	return fserr.Explain(p.Asked, err)
}

// CallerError carries an error of the caller's function through unchanged.
type CallerError struct{ Err error }

func (r *CallerError) Error() string { return r.Err.Error() }
func (r *CallerError) Unwrap() error { return r.Err }

// IsRefused reports errors that don't come from the disk: the caller's function refused, or the
// call was cancelled.
func IsRefused(err error) bool {
	return errors.As(err, new(*CallerError)) || fserr.IsCanceled(err)
}

// Open opens the regular file at the target.
func (p *Target) Open(flag int) (*openfile.File, error) {
	switch {
	case !p.Exists:
		return nil, p.Fail(fserr.ErrNotFound)
	case !p.Info.Mode.IsRegular():
		return nil, &fserr.PathError{Path: p.Asked, Type: stat.TypeName(p.Info.Mode), Err: fserr.ErrNotFile}
	}
	f, err := p.Folder.Open(p.Name, flag)
	if errors.Is(err, fserr.ErrHeld) && p.RenewLease() {
		f, err = p.Folder.Open(p.Name, flag)
	}
	if err != nil {
		return nil, p.Fail(NotFollowed(err))
	}
	f.Path = p.Asked
	if p.shared && flag == os.O_RDONLY && p.Lock == nil && p.Folder.System().LosesTarget { // who has the lock uses CheckName
		h, mounts, dev := f.Handle, p.mounts, f.Info.Dev
		f.Handle = openfile.Confirmed(h, func() bool { return isOtherNow(h, mounts, dev) })
	}
	return f, nil
}

// hasLockFile reports whether the folder is locked by a file, as where other machines may use it.
func (p *Target) hasLockFile() bool { return p.Lock != nil && p.Lock.HasFile() }

// RenewLease is dir.Folder.RenewLease for a target whose folder is locked by a file, and false for
// others. If the call is killed, the next one removes the temporary name: see policy.StagedTemp.
func (p *Target) RenewLease() bool {
	return p.hasLockFile() && p.Folder.RenewLease(p.Name, policy.AloneName(policy.StagedTemp))
}

// ownHandle makes Linux open a file anew on the server of an SMB share. A process that opens a file
// with the same flags as another one on this machine, which has it open or closed it a second ago,
// gets the handle of that one, even if the name is that of another file by now (Linux 6.1). Only
// who has the lock of a folder opens with this flag, and nothing is written through such a handle.
// It takes some three calls more over the wire, so it isn't used where CheckName compares numbers.
const ownHandle = os.O_SYNC

// OpenAgain opens a file that was at the target a moment ago.
func (p *Target) OpenAgain(flag int) (*openfile.File, error) {
	p.noNumbers = p.hasLockFile() && p.Folder.System().LosesTarget && !p.mounts.HasServerNumbers(p.Info.Dev)
	if p.noNumbers && flag == os.O_RDONLY {
		flag |= ownHandle
	}
	f, err := p.Open(flag)
	if err == nil && p.noNumbers {
		f.CloseAtOnce()
	}
	if err != nil && p.shared && p.Folder.System().LosesTarget {
		p.Folder.Renew(p.Name) // for the next try: see finder.look
	}
	if errors.Is(err, fserr.ErrHeld) {
		return nil, err
	}
	if fserr.IsAny(err, fserr.ErrNotFound, fserr.ErrBusy, fserr.ErrNotFile) && !errors.Is(err, fserr.ErrRunning) {
		return nil, fserr.ErrCollision
	}
	return f, err
}

// OpenSame opens the file that was read. ErrCollision says that it is another one by now.
func (p *Target) OpenSame(then stat.Info) (*openfile.File, error) {
	f, err := p.OpenAgain(os.O_RDONLY)
	if err == nil && !SameState(f.Info, then) {
		f.Close()
		return nil, fserr.ErrCollision
	}
	return f, err
}

// NotFollowed replaces the system's error for a name that has become a link since it was looked at.
func NotFollowed(err error) error {
	if kind := fserr.Classify(err); errors.Is(kind, fserr.ErrLinkLoop) {
		return fserr.ErrBusy
	}
	return err
}

// RefuseMount refuses a name at which something is mounted.
func RefuseMount(p *Target) error {
	info, mount, err := p.Folder.Examine(p.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.ID() != p.Info.ID():
		return fserr.ErrCollision
	case err == nil && mount:
		err = fserr.ErrMounted
	}
	return p.Fail(err)
}

// TellMount replaces the system's EBUSY by ErrMounted if a mount is the cause.
func (p *Target) TellMount(err error) error {
	if !errors.Is(err, syscall.EBUSY) {
		return err
	}
	if _, mount, failed := p.Folder.Examine(p.Name); failed == nil && mount {
		return p.Fail(fserr.ErrMounted)
	}
	return err
}

// CheckUnchanged checks once more that the file is the one that was read. While a client of NFS 4
// has a file delegated to it, it asks the server only about that file, not which file has the name.
// If another client with the same identifier replaces the file, nobody tells this one: it then has
// a file without a name, until it lists the folder (Linux 6.12).
func CheckUnchanged(p *Target, then stat.Info) error {
	now, err := p.Folder.LstatNow(p.Name)
	if err == nil && now.Links == 0 && p.Folder.System().AsksOnOpen {
		_ = p.Folder.Refresh(p.Name, filesystem.Caches{Listed: true}, nil)
		return fserr.ErrCollision
	}
	if err != nil || now.Identity != then.Identity || now.Size != then.Size || !now.Modified.Equal(then.Modified) {
		return fserr.ErrCollision
	}
	return nil
}

// SameState compares two descriptions of a file, except for the time that a rename changes.
func SameState(a, b stat.Info) bool {
	return a.Dev == b.Dev && a.Ino == b.Ino && a.UID == b.UID && a.GID == b.GID && a.Mode == b.Mode && a.Size == b.Size &&
		a.Modified.Equal(b.Modified)
}

// Enter moves a target into the first of its missing folders, which is there by now.
func (p *Target) Enter() error {
	sub, err := p.Folder.Sub(p.Missing[0])
	if errors.Is(err, fs.ErrNotExist) {
		return fserr.ErrCollision
	}
	if err != nil {
		return err
	}
	p.opened, p.Folder, p.Missing = append(p.opened, sub), sub, p.Missing[1:]
	p.parents++
	return nil
}

// PathOf is the path of the n-th folder of those that are missing, counted from 1.
func (p *Target) PathOf(n int) string {
	names := strings.Split(p.Path, "/")
	return join(names[:len(names)-len(p.Missing)+n])
}

// OpenToChange opens a file that a change replaces or removes, whose folder is locked. Where
// opening asks the server, it is opened for writing, if it may be: a client of NFS that was told
// that nobody else changes a file believes that until then. writable says that it was. A dry run
// only reads. The caller uses CheckName.
func (p *Target) OpenToChange(dry bool) (f *openfile.File, writable bool, err error) {
	if !dry && p.Exists && p.Folder.System().AsksOnOpen {
		f, err = p.OpenAgain(os.O_RDWR)
		if err == nil || errors.Is(err, fserr.ErrCollision) {
			return f, err == nil, err
		}
	}
	f, err = p.OpenAgain(os.O_RDONLY)
	return f, false, err
}

// CheckName refuses a file that OpenAgain has opened by its name, in a folder that is locked, with
// ErrHeld if the server has another file, or none, under that name.
func (p *Target) CheckName(f *openfile.File) error {
	if p.hasLockFile() && p.Folder.System().LosesTarget && isOther(f.Named(), !p.noNumbers) {
		return p.Fail(fserr.ErrHeld)
	}
	return nil
}

// isOther reports whether something else than an open file has its name on the server of an SMB
// share. Unless the numbers of files are the server's, another number tells nothing.
func isOther(named openfile.Named, hasNumbers bool) bool {
	return named == openfile.NamesNone || named == openfile.NamesOther && hasNumbers
}

// isOtherNow is isOther for a file that is read without a lock, on a device. Without the server's
// numbers the name may be that of another file a second later, so nobody is to get the handle then.
func isOtherNow(h openfile.Handle, mounts *filesystem.Mounts, dev uint64) bool {
	named := h.Named()
	hasNumbers := mounts.HasServerNumbers(dev)
	if !hasNumbers {
		h.CloseAtOnce()
	}
	return isOther(named, hasNumbers)
}

// Asks reports whether opening what has the name asks the server, so that nothing else needs to.
func (p *Target) Asks() bool {
	return p.Exists && p.Info.Mode.IsRegular() && p.Folder.System().AsksForFile
}

// CheckWritable refuses a file that this process, or everyone, may not write to.
func (p *Target) CheckWritable(i stat.Info) error {
	writable := p.Folder.May(p.Name, rights.Writing)
	switch {
	case !writable && CheckUnchanged(p, i) != nil:
		return fserr.ErrCollision // another file has the name by now
	case !i.IsWritable():
		return fserr.ErrPermission
	case writable:
		return nil
	}
	f, err := p.Folder.Open(p.Name, os.O_WRONLY) // the error tells the reason: permission, or a read-only file system
	if err == nil {
		err = f.Close()
	}
	return NotFollowed(err)
}

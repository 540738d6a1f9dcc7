package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
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

// maxLinks is how many symbolic links one path may lead through: MAXSYMLINKS of Linux.
const maxLinks = 40

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

	shared  bool         // others may use the root through another mount
	parents int          // how many folders were made for it
	Missing []string     // if it doesn't exist: the names to be made below folder, the last one is name
	ViaLink bool         // a link was followed
	passed  []string     // IDs of folders on the way, recorded only if there are guards
	opened  []dir.Folder // to be closed
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
		if in, err := p.Folder.Reopen(); err == nil {
			f.Handle = openfile.Confirmed(f.Handle, in)
		}
	}
	return f, nil
}

// RenewLease is dir.Folder.RenewLease for a target whose folder is locked by a file, and false for
// others. If the call is killed, the next one removes the temporary name: see plan.StagedTemp.
func (p *Target) RenewLease() bool {
	return p.Lock != nil && p.Lock.HasFile() && p.Folder.RenewLease(p.Name, fmt.Sprintf("%s1-%016x", policy.TempPrefix, rand.Uint64()))
}

// OpenAgain opens a file that was at the target a moment ago.
func (p *Target) OpenAgain(flag int) (*openfile.File, error) {
	f, err := p.Open(flag)
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

// renew makes the system ask what has a name, where others may use the root through another mount,
// and forget what it remembers of a file that is to be read. A call that changes files does so when
// it has locked their folders. That a file was delegated doesn't matter to one that reads.
func (w *finder) renew(in dir.Folder, name string, reads bool) error {
	if w.caches.Delegated && in != w.RootFolder {
		return nil // on NFS the server was asked for it a moment ago, when it was opened
	}
	drop := w.caches
	drop.Delegated = false
	switch {
	case reads && drop != filesystem.Caches{}:
		return in.Refresh(name, drop, nil)
	case w.shared:
		in.Renew(name)
	}
	return nil
}

// find walks to a path. A link at its end is followed if follow is set. It is no error if the last
// components don't exist: missing then has their names. Refusals are ErrLinkOutside, ErrLinkLoop
// and ErrNotFolder.
func (w *finder) find(r request, follow bool) (*Target, error) {
	for tries := 1; ; tries++ {
		p, err := w.findOnce(r, follow)
		again := errors.Is(err, fserr.ErrBusy) && !errors.Is(err, dir.ErrStillFound) ||
			err == nil && !p.Exists && !dir.IsGone(p.Folder, p.Missing[0])
		if !again || tries == maxMoves {
			return p, fserr.Explain(r.asked, err)
		}
		if p != nil {
			p.Close()
		}
	}
}

func (w *finder) findOnce(r request, follow bool) (*Target, error) {
	if len(w.guards) == 0 { // guards must know every folder on the way
		if p, err := w.findDirect(r, follow); p != nil || errors.Is(err, dir.ErrStillFound) {
			return p, err
		}
	}
	place := Target{Asked: r.asked, shared: w.shared}
	walk := walker{w: w, place: place, follow: follow, reads: r.reads, stack: []level{{folder: w.RootFolder}}}
	if err := walk.to(r.names); err != nil {
		walk.place.Close()
		return nil, err
	}
	return &walk.place, nil
}

// maxMoves is how often a walk starts again because a folder or link on the way was replaced
// between two looks at it.
const maxMoves = 16

// findDirect is a fast path for paths without links: one system call opens the folder, however deep
// it is. If it fails, find walks step by step and finds the cause, except for ErrStillFound.
func (w *finder) findDirect(r request, follow bool) (*Target, error) {
	p := &Target{Asked: r.asked, Path: r.asked, Folder: w.RootFolder, Name: ".", shared: w.shared}
	if n := len(r.names); n > 0 {
		p.Name = r.names[n-1]
		if n > 1 {
			if w.shared {
				if err := w.RootFolder.RenewPath(r.names[:n-1], w.caches); err != nil {
					return nil, err
				}
			}
			folder, err := w.RootFolder.Descend(strings.Join(r.names[:n-1], "/"))
			if err != nil {
				return nil, err
			}
			p.Folder, p.opened = folder, []dir.Folder{folder}
		}
	}
	info, err := stat.Info{}, w.renew(p.Folder, p.Name, r.reads)
	if err == nil {
		info, err = p.Folder.Lstat(p.Name)
	}
	switch {
	case err == nil && !(follow && info.IsLink()):
		p.Info, p.Exists = info, true
		return p, nil
	case errors.Is(err, fs.ErrNotExist):
		p.Missing = []string{p.Name}
		return p, nil
	}
	p.Close()
	return nil, err
}

// walker follows a path one component at a time. Its stack has the folders from the root to the
// current one, so that ".." in a link's target goes back through the same descriptors and can't go
// above the root.
type walker struct {
	w      *finder
	place  Target
	follow bool
	reads  bool // see request
	stack  []level
	links  int
}

type level struct {
	folder dir.Folder
	name   string // its name in the level above
}

func (k *walker) top() dir.Folder { return k.stack[len(k.stack)-1].folder }

// to consumes the components in names. A link's target is put before the remaining ones.
func (k *walker) to(names []string) (err error) {
	for len(names) > 0 && err == nil {
		names, err = k.step(names)
	}
	if k.place.Folder != nil || err != nil {
		return err
	}
	info, err := k.top().Lstat(".")
	if err == nil {
		k.end(".", info)
	}
	return err
}

// step consumes the first name, and gives those that are left: none if the walk has ended, because
// that is the last one, or missing.
func (k *walker) step(names []string) (left []string, err error) {
	name, rest := names[0], names[1:]
	switch {
	case name == "" || name == ".":
		return rest, nil
	case name == ".." && len(k.stack) == 1:
		return nil, fserr.ErrLinkOutside
	case name == "..":
		k.stack = k.stack[:len(k.stack)-1]
		return rest, nil
	}
	switch {
	case len(rest) == 0:
		err = k.w.renew(k.top(), name, k.reads)
	case k.w.shared:
		err = k.top().RenewPath([]string{name}, k.w.caches)
	}
	if err != nil {
		return nil, err
	}
	info, err := k.top().Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, k.endMissing(names)
	case err != nil:
		return nil, err
	case info.IsLink() && (k.follow || len(rest) > 0):
		return k.followLink(name, rest)
	case len(rest) == 0:
		k.end(name, info)
		return nil, nil
	case !info.Mode.IsDir():
		return nil, fserr.ErrNotFolder
	}
	return rest, k.enter(name)
}

// enter opens a child folder and makes it the current one.
func (k *walker) enter(name string) error {
	sub, err := k.top().Sub(name)
	switch {
	case errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.ENOTDIR):
		return fserr.ErrBusy // it was a folder a moment ago: somebody is renaming things
	case err != nil:
		return err
	}
	k.place.opened = append(k.place.opened, sub)
	if len(k.w.guards) > 0 {
		info, err := sub.Lstat(".")
		if err != nil {
			return err
		}
		k.place.passed = append(k.place.passed, info.ID())
	}
	k.stack = append(k.stack, level{folder: sub, name: name})
	return nil
}

// followLink reads the link name and returns the components to walk next.
func (k *walker) followLink(name string, rest []string) ([]string, error) {
	if k.links++; k.links > maxLinks {
		return nil, fserr.ErrLinkLoop
	}
	k.place.ViaLink = true
	target, err := dir.LinkTarget(k.top(), name)
	if err != nil {
		return nil, err
	}
	target = filepath.ToSlash(target)
	if filepath.IsAbs(target) || strings.HasPrefix(target, "/") { // on Windows it begins with a drive or a slash
		inside, ok := k.w.inside(target)
		if !ok {
			return nil, fserr.ErrLinkOutside
		}
		target, k.stack = inside, k.stack[:1]
	}
	return append(strings.Split(target, "/"), rest...), nil
}

// end records the file or folder found as name in the current folder; "." is that folder itself:
// the root, or the folder where a link's target ended.
func (k *walker) end(name string, info stat.Info) {
	k.place.Folder, k.place.Name = k.top(), name
	k.place.Info, k.place.Exists = info, true
	names := k.names()
	if name != "." {
		names = append(names, name)
	}
	k.place.Path = join(names)
}

// endMissing records that names don't exist, seen from the current folder.
func (k *walker) endMissing(names []string) error {
	for _, name := range names {
		if name == ".." {
			return fserr.ErrNotFound // only a link's target has "..", and a missing folder has no parent
		}
		if name != "" && name != "." {
			k.place.Missing = append(k.place.Missing, name)
		}
	}
	last := len(k.place.Missing) - 1
	k.place.Folder, k.place.Name = k.top(), k.place.Missing[last]
	k.place.Path = join(append(k.names(), k.place.Missing...))
	return nil
}

// names are the resolved components from the root to the current folder.
func (k *walker) names() []string {
	names := make([]string, 0, len(k.stack)+1)
	for _, s := range k.stack[1:] {
		names = append(names, s.name)
	}
	return names
}

// CheckUnchanged checks once more that the file is the one that was read.
func CheckUnchanged(p *Target, then stat.Info) error {
	now, err := p.Folder.LstatNow(p.Name)
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
// only reads.
func (p *Target) OpenToChange(dry bool) (f *openfile.File, writable bool, err error) {
	if !dry && p.Exists && p.Folder.System().AsksOnOpen {
		f, err = p.OpenAgain(os.O_RDWR)
		if err == nil || errors.Is(err, fserr.ErrCollision) {
			return f, err == nil, err
		}
	}
	f, err = p.OpenAgain(os.O_RDONLY)
	if err == nil {
		if err = p.CheckName(f); err != nil {
			f.Close()
			f = nil
		}
	}
	return f, false, err
}

// CheckName refuses a file that was opened by its name, in a folder that is locked, with ErrHeld if
// the server has another file under that name. If the same is true of the lock file, the numbers of
// files are not those of the server, and nobody can tell.
func (p *Target) CheckName(f *openfile.File) error {
	if p.Lock == nil || !p.Lock.HasFile() || !p.Folder.System().LosesTarget || !f.NamesOther() {
		return nil
	}
	lock, err := p.Folder.Open(policy.LockName, os.O_RDONLY)
	if err == nil {
		defer lock.Close()
		if lock.NamesOther() {
			return nil
		}
	}
	return p.Fail(fserr.ErrHeld)
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

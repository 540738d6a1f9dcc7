package sandbox

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/stat"
)

// maxLinks is how many symbolic links one path may lead through: MAXSYMLINKS of Linux.
const maxLinks = 40

// look describes what the last name of a path leads to, as the server has it where others may use
// the root through another mount. A regular file of SMB that is opened next is taken as the system
// knows it: the server is asked for it then, and also whether it has the name (see
// openfile.Confirmed), and for a name that the system doesn't know yet it has been asked just now.
func (w *finder) look(in dir.Folder, name string, r request) (stat.Info, error) {
	isPlain := len(w.guards) == 0 && w.only == nil // else what it was found to be matters
	if r.opens && isPlain && w.shared && in.System().LosesTarget {
		if info, err := in.Lstat(name); err == nil && info.Mode.IsRegular() {
			return info, nil
		}
	}
	if err := w.renew(in, name, r.reads); err != nil {
		return stat.Info{}, err
	}
	return in.Lstat(name)
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
	place := Target{Asked: r.asked, shared: w.shared, mounts: w.mounts}
	walk := walker{w: w, place: place, follow: follow, asked: r, stack: []level{{folder: w.RootFolder}}}
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
	p := &Target{Asked: r.asked, Path: r.asked, Folder: w.RootFolder, Name: ".", shared: w.shared, mounts: w.mounts}
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
	info, err := w.look(p.Folder, p.Name, r)
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
	asked  request
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
	info, err := k.look(name, len(rest) == 0)
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

// look describes a name in the current folder.
func (k *walker) look(name string, isLast bool) (stat.Info, error) {
	if isLast {
		return k.w.look(k.top(), name, k.asked)
	}
	if k.w.shared {
		if err := k.top().RenewPath([]string{name}, k.w.caches); err != nil {
			return stat.Info{}, err
		}
	}
	return k.top().Lstat(name)
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

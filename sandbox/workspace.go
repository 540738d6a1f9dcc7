package sandbox

import (
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/host"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
)

// Workspace is one folder, opened once. Methods take paths relative to it, "/" separated, or
// absolute paths below it. Their errors are *fserr.PathError. It is safe for use by several
// goroutines.
type Workspace struct {
	finder
	noSync  bool
	whole   int64
	history *history.Store
	alone   *atomic.Bool              // see LocksAlone
	system  filesystem.System         // of the root, when it was opened
	mount   filesystem.MountFacts     // of the root, if others may use it through another mount
	doubted *atomic.Bool              // Doubts has told
	still   bool                      // see Still
	tried   *atomic.Pointer[[]string] // names of the records that the last recovery of this process has tried to repair
}

// Options for Open. The zero value is a workspace without a policy.
type Options struct {
	Create   bool          // make a missing root, with its parents
	Policy   *policy.Rules // nil allows every path
	NoSync   bool          // skip fsync: for trees that can be made again
	Whole    int64         // up to this size, in bytes, files are read whole, to change them or to hash them for their etag
	State    string        // host path of the folder for backups and unfinished transactions of all workspaces; "" for none
	Backups  bool          // keep old content there; transactions of several files need State even without Backups
	Guards   []Guard       // those that are in the root, or whose way leads through it: see OnTheWay
	Portable bool          // use os.Root even if the system offers something faster; elsewhere it is always used
}

// Open opens the folder root. Its error wraps the reason, such as fs.ErrNotExist, fs.ErrPermission
// or fserr.ErrNotFolder.
func Open(root string, o Options) (*Workspace, error) {
	given, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	if o.Create {
		if err := host.MkdirAll(given, 0o777); err != nil {
			return nil, fmt.Errorf("create root: %w", fserr.Classify(err))
		}
	}
	folder, err := dir.Open(given, o.Portable)
	if err != nil {
		return nil, fserr.Classify(err)
	}
	rules := o.Policy
	if rules == nil {
		rules, _ = policy.New(nil, nil)
	}
	// Most calls never need the resolved path: it takes a system call per component.
	real := sync.OnceValue(func() string { return resolvedPath(given) })
	store := history.New(folder, sync.OnceValue(func() string { return history.Folder(o.State, real()) }))
	store.Off, store.NoSync = !o.Backups, o.NoSync
	tried := new(atomic.Pointer[[]string])
	tried.Store(new([]string))
	w := &Workspace{finder: finder{RootFolder: folder, given: given, real: real, policy: rules, guards: o.Guards},
		noSync: o.NoSync, whole: o.Whole, history: store, alone: new(atomic.Bool), doubted: new(atomic.Bool), tried: tried}
	if w.system = folder.System(); w.system.Shared { // now: a confined process can't read the list of mounts
		w.shared, w.mount, w.caches = true, filesystem.MountOf(folder.Number()), w.system.Caches()
		if w.mount.Type != "" && w.system.FUSE {
			w.caches = w.mount.Caches
		}
		if w.system.LosesTarget {
			w.mounts = filesystem.OpenMounts(filesystem.MountList)
		}
	}
	return w, nil
}

// resolvedPath is a host path with links resolved, as far as that is possible.
func resolvedPath(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	return path
}

// Close ends the workspace. Files opened from it stay open.
func (w *Workspace) Close() {
	w.history.Close()
	w.RootFolder.Close()
	w.mounts.Close()
}

// Root is the absolute host path of the workspace as the operator gave it.
func (w *Workspace) Root() string { return w.given }

// ResolvedRoot is the absolute host path of the workspace with symbolic links resolved.
func (w *Workspace) ResolvedRoot() string { return w.real() }

// StateDir is the host path of the folder with the backups of this workspace; "" for none.
func (w *Workspace) StateDir() string { return w.history.Path() }

// History is where changes of the workspace are recorded.
func (w *Workspace) History() *history.Store { return w.history }

// NoSync reports whether nothing is synced: see Options.
func (w *Workspace) NoSync() bool { return w.noSync }

// Whole is up to which size, in bytes, files are read whole: see Options.
func (w *Workspace) Whole() int64 { return w.whole }

// System describes the file system of the root, as it was when it was opened.
func (w *Workspace) System() filesystem.System { return w.system }

// NoteAlone makes LocksAlone true.
func (w *Workspace) NoteAlone() { w.alone.Store(true) }

// Tried are the names of the records that the last recovery of this process has tried to repair.
func (w *Workspace) Tried() []string { return *w.tried.Load() }

// NoteTried notes them.
func (w *Workspace) NoteTried(records []string) { w.tried.Store(&records) }

// FileSystem tells what kind of file system the root is on, "" if unknown. mayLack says that it may
// not have the calls that a write needs to never overwrite what somebody else writes at the same
// moment.
func (w *Workspace) FileSystem() (kind string, mayLack bool) { return dir.FileSystem(w.RootFolder) }

// IsShared reports whether others may use the root through another mount, or from another machine:
// see dirlock.Lock.
func (w *Workspace) IsShared() bool { return w.shared }

// Mount tells how the root is mounted, as far as that matters to those who use it from several
// machines.
func (w *Workspace) Mount() filesystem.MountFacts {
	m := w.mount
	if m.Between == "" {
		m.Between = filesystem.BetweenUnknown
		if w.system.Alone {
			m.Between = filesystem.BetweenNone
		}
	}
	return m
}

// Caches are what the root's mount may remember of a file that another machine has changed.
func (w *Workspace) Caches() filesystem.Caches { return w.caches }

// Doubts says, the first time that it is asked, why changes may be lost between machines, or may
// not be seen there.
func (w *Workspace) Doubts() []string {
	if len(w.mount.Doubts) == 0 || w.doubted.Swap(true) {
		return nil
	}
	return w.mount.Doubts
}

// Clean checks path only as text and returns it relative to the root: for messages, and for checks
// before any disk access.
func (w *Workspace) Clean(path string) (string, error) {
	r, err := w.parse(path)
	return r.asked, err
}

// LocksAlone reports whether a folder could not be locked against those who use it through another
// mount or on another machine, at some time since the workspace was opened.
func (w *Workspace) LocksAlone() bool { return w.alone.Load() }

package sandbox

import (
	"path/filepath"

	"fsbox/sandbox/confine"
	"fsbox/sandbox/disk/dir"
)

// Confine makes the kernel keep this process inside the root and the state folder, for as long as
// it runs. In both it can make changes only if write is set. If records is set, a missing state
// folder is made first, since it can't be made later. The error wraps confine.ErrUnsupported where
// the system can't do this.
func (w *Workspace) Confine(write, records bool) (confine.Level, error) {
	if confine.ABI() == 0 {
		return confine.Level{}, &confine.Error{Step: "Landlock", Err: confine.ErrUnsupported}
	}
	folders := []dir.Folder{w.RootFolder}
	if base := w.history.Prepare(records); base != "" {
		if state, err := dir.Open(base, false); err == nil { // without it, what needs it says so
			defer state.Close()
			folders = append(folders, state)
		}
	}
	var allowed []confine.Folder
	for _, folder := range folders {
		allowed = append(allowed, confine.Folder{Descriptor: folder.Number(), Write: write})
	}
	return confine.Apply(allowed)
}

// Escapes is the self-test of a confined process: it tries to list the folder that the root is in.
// It reports whether that succeeded. tried is false if there is no such folder, or if it can't be
// listed for another reason.
func (w *Workspace) Escapes() (escapes, tried bool) {
	outside := filepath.Dir(w.real())
	if outside == w.real() {
		return false, false
	}
	refused, err := confine.Refuses(outside)
	return !refused && err == nil, err == nil
}

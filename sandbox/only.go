package sandbox

import (
	"fmt"
	"strings"

	"fsbox/sandbox/dir"
)

// Only is a view of the workspace that changes nothing except at the given paths, which are relative
// to the root and have all their links resolved; what a copy reads must be one of them, too. It is
// for a change that was agreed to: a path is resolved once more when the change is made, and may
// lead elsewhere by then. What is in a folder belongs to the folder: it is not looked at. The view
// must not be closed by itself.
func (w *Workspace) Only(paths []string) *Workspace {
	view := *w
	view.only = make(map[string]bool, len(paths))
	for _, path := range paths {
		view.only[path] = true
	}
	return &view
}

// errLedElsewhere is for a path that Only doesn't name.
var errLedElsewhere = fmt.Errorf("%w: the path leads elsewhere than when the change was agreed to", dir.ErrBusy)

// isAmongOnly reports that Only lets a place be changed. A folder is made, or removed because it was
// made for a file, also above one of the paths.
func (w *finder) isAmongOnly(p *place, why purpose) bool {
	if w.only == nil || w.only[p.path] {
		return true
	}
	for path := range w.only {
		if why.folder && strings.HasPrefix(path, p.path+"/") {
			return true
		}
	}
	return false
}

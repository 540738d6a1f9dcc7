package sandbox

import (
	"path/filepath"
	"slices"
	"strings"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// way is the way to a guarded path, at this moment.
type way struct {
	passed  map[string]string // the IDs of folders and links on it, with their host paths
	end     string            // ID of the file or folder at the path, "" if it doesn't exist
	real    string            // the path with all links resolved, as far as it exists
	base    string            // if the path doesn't exist: ID of the last folder on it that does
	missing []string          // the names after base
}

// wayTo follows a host path link by link. A name that can't be looked at counts as missing:
// requests can't reach it either.
func wayTo(path string) way {
	top := filepath.VolumeName(path) + string(filepath.Separator)
	w := way{passed: map[string]string{}, real: top}
	start, _ := w.pass(top)
	w.end = start
	names := namesOnWay(path[len(filepath.VolumeName(path)):])
	for links := 0; len(names) > 0; {
		at := filepath.Join(w.real, names[0]) // of "..", the folder above: w.real has no links
		id, isLink := w.pass(at)
		switch {
		case id == "":
			w.base, w.end, w.missing = w.end, "", names
			w.real = filepath.Join(append([]string{w.real}, names...)...)
			return w
		case !isLink:
			w.real, w.end, names = at, id, names[1:]
			continue
		}
		target, err := dir.HostReadlink(at)
		if links++; err != nil || links > maxLinks {
			return w
		}
		if filepath.IsAbs(target) {
			w.real, w.end = top, start
		}
		names = append(namesOnWay(target), names[1:]...)
	}
	return w
}

func namesOnWay(path string) []string {
	return slices.DeleteFunc(strings.Split(filepath.ToSlash(path), "/"), func(name string) bool { return name == "" || name == "." })
}

// pass adds what is at a path to the way, if there is something. The ID is "" if not.
func (w *way) pass(path string) (id string, isLink bool) {
	info, err := dir.HostLook(path)
	if err != nil || info.Ino == 0 {
		return "", false
	}
	w.passed[info.ID()] = path
	return info.ID(), info.IsLink()
}

// OnTheWay reports whether the way to a host path leads through the folder root, by any names and
// links. within is where the path ends, relative to root; "" if that is outside of it.
func OnTheWay(root, path string) (within string, on bool) {
	w := wayTo(path)
	top, missing := dir.HostLookThrough(root)
	var real string
	if missing == nil {
		real, on = w.passed[top.ID()]
	} else { // the root doesn't exist yet
		real = wayTo(root).real
	}
	rel, err := filepath.Rel(real, w.real)
	isInside := err == nil && filepath.IsLocal(rel)
	if isInside && (on || missing != nil) {
		return filepath.ToSlash(rel), true
	}
	return "", on
}

// guardedBy refuses a place that a guard protects from this purpose.
func (w *finder) guardedBy(p *place, why purpose) error {
	for _, g := range w.guards {
		if !g.Hidden && !why.write {
			continue
		}
		way := wayTo(g.Path)
		switch {
		case g.Hidden && way.hides(p):
			return &dir.PathError{Path: p.asked, Err: &BlockedError{Guard: g.Name}}
		case why.write && way.crosses(p, why):
			return &dir.PathError{Path: p.asked, Err: &BlockedError{Guard: g.Name, Write: true}}
		}
	}
	return nil
}

// hides reports whether a place is at the end of the way, or below it.
func (w *way) hides(p *place) bool {
	if w.end != "" {
		return p.exists && p.info.ID() == w.end || slices.Contains(p.passed, w.end)
	}
	return len(p.missing) >= len(w.missing) && w.startsLike(p)
}

// crosses reports whether a place is on the way, or at its end. A request for a folder is no danger
// if the folder exists, or if a folder is missing there.
func (w *way) crosses(p *place, why purpose) bool {
	switch {
	case p.name == ".":
		return false // the root has rules of its own
	case p.exists:
		_, passed := w.passed[p.info.ID()]
		return passed && !(why.folder && p.info.Mode.IsDir())
	case why.folder:
		return len(p.missing) == len(w.missing) && w.startsLike(p)
	}
	return len(p.missing) <= len(w.missing) && w.startsLike(p)
}

// startsLike reports whether the missing names of a place and of the way are the same, as far as
// both go.
func (w *way) startsLike(p *place) bool {
	if p.exists || len(w.missing) == 0 {
		return false
	}
	in, err := p.folder.Lstat(".")
	if err != nil || in.Ino != 0 && in.ID() != w.base { // if the system doesn't tell, the names decide
		return false
	}
	for i := range min(len(p.missing), len(w.missing)) {
		if policy.FoldName(p.missing[i]) != policy.FoldName(w.missing[i]) {
			return false
		}
	}
	return true
}

// hidden refuses a file or folder of a walk if a guard hides it.
func (w *finder) hidden(id func() (dir.Info, error)) error {
	for _, g := range w.guards {
		if !g.Hidden {
			continue
		}
		info, err := id()
		if err != nil {
			return err
		}
		if way := wayTo(g.Path); info.Ino != 0 && info.ID() == way.end {
			return &BlockedError{Guard: g.Name}
		}
	}
	return nil
}

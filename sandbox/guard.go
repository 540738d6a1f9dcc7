package sandbox

import (
	"path/filepath"
	"slices"
	"strings"

	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/host"
	"fsbox/sandbox/disk/stat"
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
		target, err := host.Readlink(at)
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
	info, err := stat.Look(path)
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
	top, missing := stat.LookThrough(root)
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

// guardedBy refuses a target that a guard protects from this purpose.
func (w *finder) guardedBy(p *Target, why Purpose) error {
	for _, g := range w.guards {
		if !g.Hidden && !why.Write {
			continue
		}
		way := wayTo(g.Path)
		switch {
		case g.Hidden && way.hides(p):
			return &fserr.PathError{Path: p.Asked, Err: &BlockedError{Guard: g.Name}}
		case why.Write && way.crosses(p, why):
			return &fserr.PathError{Path: p.Asked, Err: &BlockedError{Guard: g.Name, Write: true}}
		}
	}
	return nil
}

// hides reports whether a target is at the end of the way, or below it.
func (w *way) hides(p *Target) bool {
	if w.end != "" {
		return p.Exists && p.Info.ID() == w.end || slices.Contains(p.passed, w.end)
	}
	return len(p.Missing) >= len(w.missing) && w.startsLike(p)
}

// crosses reports whether a target is on the way, or at its end. A request for a folder is no
// danger if the folder exists, or if a folder is missing there.
func (w *way) crosses(p *Target, why Purpose) bool {
	switch {
	case p.Name == ".":
		return false // the root has rules of its own
	case p.Exists:
		_, passed := w.passed[p.Info.ID()]
		return passed && !(why.Folder && p.Info.Mode.IsDir())
	case why.Folder:
		return len(p.Missing) == len(w.missing) && w.startsLike(p)
	}
	return len(p.Missing) <= len(w.missing) && w.startsLike(p)
}

// startsLike reports whether the missing names of a target and of the way are the same, as far as
// both go.
func (w *way) startsLike(p *Target) bool {
	if p.Exists || len(w.missing) == 0 {
		return false
	}
	in, err := p.Folder.Lstat(".")
	if err != nil || in.Ino != 0 && in.ID() != w.base { // if the system doesn't tell, the names decide
		return false
	}
	both := min(len(p.Missing), len(w.missing))
	isSame := func(a, b string) bool { return policy.FoldName(a) == policy.FoldName(b) }
	return slices.EqualFunc(p.Missing[:both], w.missing[:both], isSame)
}

// RefuseHidden refuses a file or folder of a walk if a guard hides it.
func (w *finder) RefuseHidden(id func() (stat.Info, error)) error {
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

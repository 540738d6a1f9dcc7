package walk

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
)

// Descent is a path down from one folder through the folders in it. However deep it goes, only the
// top folder and the lowest few are open. A folder that was closed on the way down is opened again
// when it is needed on the way up, and must then be the same folder. Under Landlock the system
// looks at every folder above one that it opens, so none is opened that nobody needs.
type Descent struct {
	Levels []descended // the top first
}

type descended struct {
	name string // in the level above; "" for the top
	ID   string
	dir  dir.Folder // nil while it is closed
}

// openLevels is how many of the lowest folders stay open.
const openLevels = 16

// Descend begins at an open folder. The caller closes that one.
func Descend(top dir.Folder) *Descent { return &Descent{Levels: []descended{{dir: top}}} }

// Here is the lowest folder.
func (d *Descent) Here() (dir.Folder, error) {
	lowest := &d.Levels[len(d.Levels)-1]
	if lowest.dir == nil {
		if err := d.reopen(); err != nil {
			return nil, err
		}
	}
	return lowest.dir, nil
}

// Down opens a folder in the lowest one and goes there.
func (d *Descent) Down(name string) (dir.Folder, error) {
	here, err := d.Here()
	if err != nil {
		return nil, err
	}
	next, err := openLevel(here, name, "")
	if err != nil {
		return nil, err
	}
	d.Levels = append(d.Levels, next)
	if i := len(d.Levels) - 1 - openLevels; i > 0 && d.Levels[i].dir != nil {
		d.Levels[i].dir.Close()
		d.Levels[i].dir = nil
	}
	return next.dir, nil
}

// openLevel opens one folder. If id is not empty, the folder must have that ID.
func openLevel(in dir.Folder, name, id string) (descended, error) {
	sub, err := in.Sub(name)
	switch {
	case fserr.IsAny(err, syscall.ELOOP, syscall.ENOTDIR, fserr.ErrNotFolder):
		return descended{}, fserr.ErrBusy // it was a folder a moment ago
	case err != nil:
		return descended{}, err
	}
	now, err := dir.FolderID(sub)
	if err == nil && id != "" && now != id {
		err = fserr.ErrBusy
	}
	if err != nil {
		sub.Close()
		return descended{}, err
	}
	return descended{name: name, ID: now, dir: sub}, nil
}

// Up leaves the lowest folder.
func (d *Descent) Up() {
	last := len(d.Levels) - 1
	if open := d.Levels[last].dir; open != nil {
		open.Close()
	}
	d.Levels = d.Levels[:last]
}

// reopen opens the lowest folders again, from the nearest open folder above them.
func (d *Descent) reopen() error {
	last := len(d.Levels) - 1
	above := last
	for d.Levels[above].dir == nil {
		above--
	}
	from, at := d.Levels[above].dir, above
	for at < last {
		next, to, err := d.leap(from, at, max(at+1, last-openLevels))
		if at > above && d.Levels[at].dir == nil {
			from.Close()
		}
		if err != nil {
			return err
		}
		if from, at = next, to; at > last-openLevels {
			d.Levels[at].dir = from
		}
	}
	return nil
}

// maxDescend is the longest path that is opened with one call, in bytes. PATH_MAX of Linux is
// 4,096.
const maxDescend = 4000

// leap opens a folder between the levels at and level, as far down as one path can reach.
func (d *Descent) leap(from dir.Folder, at, level int) (dir.Folder, int, error) {
	names, size := []string(nil), 0
	for _, l := range d.Levels[at+1 : level+1] {
		if size += len(l.name) + 1; size > maxDescend && len(names) > 0 {
			break
		}
		names = append(names, l.name)
	}
	if next, err := from.Descend(strings.Join(names, "/")); err == nil {
		to := at + len(names)
		if id, err := dir.FolderID(next); err == nil && id == d.Levels[to].ID {
			return next, to, nil
		}
		next.Close()
	}
	opened, err := openLevel(from, d.Levels[at+1].name, d.Levels[at+1].ID)
	if errors.Is(err, fs.ErrNotExist) {
		err = fserr.ErrBusy
	}
	return opened.dir, at + 1, err
}

// Close closes all open folders except the top.
func (d *Descent) Close() {
	for _, l := range d.Levels[1:] {
		if l.dir != nil {
			l.dir.Close()
		}
	}
	d.Levels = d.Levels[:1]
}

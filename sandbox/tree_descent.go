package sandbox

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
)

// descent is a way down from one folder through others. However long it is, only its top, the lowest few and some landings are
// open: what was closed on the way down is opened again on the way up, and must be the same folder then.
type descent struct {
	levels []descended // the top first
}

type descended struct {
	name string // in the level before; "" for the top
	id   string
	dir  folder // nil while it is closed
}

// openLevels is how many of the lowest folders are open. Every landing-th stays open, too, so that the way back to one that was
// closed is short; maxLandings bounds them, below that the way is longer.
const (
	openLevels  = 16
	landing     = 128
	maxLandings = 32
)

// isLanding reports a level that stays open.
func isLanding(level int) bool { return level%landing == 0 && level <= landing*maxLandings }

// descend begins at an open folder, which stays the caller's to close.
func descend(top folder) *descent { return &descent{levels: []descended{{dir: top}}} }

func (d *descent) here() folder { return d.levels[len(d.levels)-1].dir }

// down opens a folder in the lowest one and goes there.
func (d *descent) down(name string) error {
	next, err := openLevel(d.here(), name, "")
	if err != nil {
		return err
	}
	d.levels = append(d.levels, next)
	if i := len(d.levels) - 1 - openLevels; i > 0 && d.levels[i].dir != nil && !isLanding(i) {
		d.levels[i].dir.close()
		d.levels[i].dir = nil
	}
	return nil
}

// openLevel opens one folder, which must be the one that id says, if it says any.
func openLevel(in folder, name, id string) (descended, error) {
	sub, err := in.sub(name)
	switch {
	case errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.ENOTDIR), errors.Is(err, ErrNotFolder):
		return descended{}, ErrBusy // it was a folder a moment ago
	case err != nil:
		return descended{}, err
	}
	now, err := folderID(sub)
	if err == nil && id != "" && now != id {
		err = ErrBusy
	}
	if err != nil {
		sub.close()
		return descended{}, err
	}
	return descended{name: name, id: now, dir: sub}, nil
}

// up leaves the lowest folder.
func (d *descent) up() error {
	last := len(d.levels) - 1
	d.levels[last].dir.close()
	d.levels = d.levels[:last]
	if d.here() != nil {
		return nil
	}
	return d.reopen()
}

// reopen opens the lowest folders again.
func (d *descent) reopen() error {
	last := len(d.levels) - 1
	above := last
	for d.levels[above].dir == nil {
		above--
	}
	dir, at := d.levels[above].dir, above
	for at < last {
		next, to, err := d.leap(dir, at, max(at+1, last-openLevels))
		if at > above && d.levels[at].dir == nil {
			dir.close()
		}
		if err != nil {
			return err
		}
		if dir, at = next, to; at > last-openLevels || isLanding(at) {
			d.levels[at].dir = dir
		}
	}
	return nil
}

// maxDescend is how long a path may be that is opened at once, in bytes: below PATH_MAX of Linux.
const maxDescend = 4000

// leap opens a level as far below the one at as a single path reaches.
func (d *descent) leap(dir folder, at, level int) (folder, int, error) {
	names, size := []string(nil), 0
	for _, l := range d.levels[at+1 : level+1] {
		if size += len(l.name) + 1; size > maxDescend && len(names) > 0 {
			break
		}
		names = append(names, l.name)
	}
	if next, err := dir.descend(strings.Join(names, "/")); err == nil {
		to := at + len(names)
		if id, err := folderID(next); err == nil && id == d.levels[to].id {
			return next, to, nil
		}
		next.close()
	}
	opened, err := openLevel(dir, d.levels[at+1].name, d.levels[at+1].id)
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrBusy
	}
	return opened.dir, at + 1, err
}

// close closes what is open but for the top.
func (d *descent) close() {
	for _, l := range d.levels[1:] {
		if l.dir != nil {
			l.dir.close()
		}
	}
	d.levels = d.levels[:1]
}

package dir

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
)

// Descent is a way down from one folder through others. However long it is, only its top, the lowest few and some landings are
// open: what was closed on the way down is opened again on the way up, and must be the same folder then.
type Descent struct {
	Levels []descended // the top first
}

type descended struct {
	name string // in the level before; "" for the top
	ID   string
	dir  Folder // nil while it is closed
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

// Descend begins at an open folder, which stays the caller's to close.
func Descend(top Folder) *Descent { return &Descent{Levels: []descended{{dir: top}}} }

func (d *Descent) Here() Folder { return d.Levels[len(d.Levels)-1].dir }

// Down opens a folder in the lowest one and goes there.
func (d *Descent) Down(name string) error {
	next, err := openLevel(d.Here(), name, "")
	if err != nil {
		return err
	}
	d.Levels = append(d.Levels, next)
	if i := len(d.Levels) - 1 - openLevels; i > 0 && d.Levels[i].dir != nil && !isLanding(i) {
		d.Levels[i].dir.Close()
		d.Levels[i].dir = nil
	}
	return nil
}

// openLevel opens one folder, which must be the one that id says, if it says any.
func openLevel(in Folder, name, id string) (descended, error) {
	sub, err := in.Sub(name)
	switch {
	case errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.ENOTDIR), errors.Is(err, ErrNotFolder):
		return descended{}, ErrBusy // it was a folder a moment ago
	case err != nil:
		return descended{}, err
	}
	now, err := FolderID(sub)
	if err == nil && id != "" && now != id {
		err = ErrBusy
	}
	if err != nil {
		sub.Close()
		return descended{}, err
	}
	return descended{name: name, ID: now, dir: sub}, nil
}

// Up leaves the lowest folder.
func (d *Descent) Up() error {
	last := len(d.Levels) - 1
	d.Levels[last].dir.Close()
	d.Levels = d.Levels[:last]
	if d.Here() != nil {
		return nil
	}
	return d.reopen()
}

// reopen opens the lowest folders again.
func (d *Descent) reopen() error {
	last := len(d.Levels) - 1
	above := last
	for d.Levels[above].dir == nil {
		above--
	}
	dir, at := d.Levels[above].dir, above
	for at < last {
		next, to, err := d.leap(dir, at, max(at+1, last-openLevels))
		if at > above && d.Levels[at].dir == nil {
			dir.Close()
		}
		if err != nil {
			return err
		}
		if dir, at = next, to; at > last-openLevels || isLanding(at) {
			d.Levels[at].dir = dir
		}
	}
	return nil
}

// maxDescend is how long a path may be that is opened at once, in bytes: below PATH_MAX of Linux.
const maxDescend = 4000

// leap opens a level as far below the one at as a single path reaches.
func (d *Descent) leap(dir Folder, at, level int) (Folder, int, error) {
	names, size := []string(nil), 0
	for _, l := range d.Levels[at+1 : level+1] {
		if size += len(l.name) + 1; size > maxDescend && len(names) > 0 {
			break
		}
		names = append(names, l.name)
	}
	if next, err := dir.Descend(strings.Join(names, "/")); err == nil {
		to := at + len(names)
		if id, err := FolderID(next); err == nil && id == d.Levels[to].ID {
			return next, to, nil
		}
		next.Close()
	}
	opened, err := openLevel(dir, d.Levels[at+1].name, d.Levels[at+1].ID)
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrBusy
	}
	return opened.dir, at + 1, err
}

// Close closes what is open but for the top.
func (d *Descent) Close() {
	for _, l := range d.Levels[1:] {
		if l.dir != nil {
			l.dir.Close()
		}
	}
	d.Levels = d.Levels[:1]
}

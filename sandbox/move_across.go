package sandbox

import (
	"errors"
	"io/fs"
	"syscall"

	"fsbox/sandbox/dir"
)

// moveAcross moves to another file system: it makes a copy, syncs it and gives it the new name;
// only then it removes the original. If the original was changed meanwhile, or can't be removed,
// the copy is removed instead.
func (m *transfer) moveAcross(tag string) (backupID string, err error) {
	s := surveyor{w: m.w, move: true, remove: true, whole: true, tops: []treeTop{{m.from.asked, m.from.path, true}}}
	found, err := s.look(m.ctx, m.from.folder, m.from.name)
	if err != nil {
		return "", err
	}
	dir := m.to.folder
	hidden := clearStaged(dir)
	c := treeCopy{from: m.from.folder, name: m.from.name, to: dir, newName: hidden, faithful: true, sync: !m.w.noSync}
	if err := c.run(m.ctx); err != nil {
		return "", m.explainCopy(err)
	}
	m.lost = c.lost
	if m.arrivingID, err = idOf(dir, hidden); err != nil {
		return "", err
	}
	if tag[:1] == identityTag {
		tag = identityTag + m.arrivingID
	}
	b, kept, err := m.announce(tag)
	if err != nil {
		_ = discard(dir, hidden)
		return "", err
	}
	return m.conclude(b, kept, m.exchangePlaces(hidden, found))
}

// exchangePlaces gives the copy its name and removes the original.
func (m *transfer) exchangePlaces(hidden string, found *survey) error {
	if err := m.publish(hidden); err != nil {
		return err
	}
	failed := m.w.syncNames(m.to.folder) // a power cut now leaves both
	if failed == nil {
		failed = m.removeOriginal(found)
	}
	var left *dir.RollbackError
	if errors.As(failed, &left) { // part of the original may be gone: the copy stays
		return failed
	}
	if failed != nil && !errors.Is(failed, dir.ErrDurability) {
		return rolledBack(failed, m.unpublish(hidden))
	}
	_ = discard(m.to.folder, hidden) // if this fails, the next write does it
	return failed
}

// publish gives the hidden copy its name. With Overwrite, the file that had the name gets the
// hidden one.
func (m *transfer) publish(hidden string) error {
	folder := m.to.folder
	err := m.ctx.Err()
	if err == nil && m.replacesFile() {
		err = m.exchange(hidden)
		if !errors.Is(err, dir.ErrUnsupported) {
			return err
		}
		if err = unchanged(m.to, m.to.info); err == nil {
			err = folder.Move(hidden, folder, m.to.name, dir.Over)
		}
	}
	switch {
	case err != nil, m.replacesFile():
	case m.to.exists:
		err = folder.Move(hidden, folder, m.to.name, dir.Over)
	default:
		err = dir.MoveFree(folder, hidden, m.to.name)
	}
	if err == nil {
		return nil
	}
	_ = discard(folder, hidden)
	if errors.Is(err, fs.ErrExist) || errors.Is(dir.Classify(err), dir.ErrNotEmpty) {
		if m.t.Overwrite {
			return dir.ErrCollision
		}
		return m.taken()
	}
	return err
}

// unpublish removes the copy again, and restores what it replaced.
func (m *transfer) unpublish(hidden string) error {
	folder := m.to.folder
	if m.replacesFile() {
		if err := folder.Move(hidden, folder, m.to.name, dir.Swapping); err != nil {
			return err
		}
	} else if err := dir.MoveFree(folder, m.to.name, hidden); err != nil {
		return err
	}
	err := discard(folder, hidden)
	if err == nil && m.to.exists && m.to.info.Mode.IsDir() {
		err = folder.Mkdir(m.to.name, m.to.info.Mode)
	}
	return err
}

// removeOriginal removes the copied original, if it is unchanged.
func (m *transfer) removeOriginal(found *survey) error {
	p := m.from
	hidden, err := putAside(p)
	if errors.Is(err, syscall.EXDEV) {
		return m.w.removeInPlace(p, found)
	}
	if err != nil {
		return err
	}
	if !found.fits(p.folder, hidden) {
		return putBack(p, hidden)
	}
	failed := m.w.syncNames(p.folder)
	_ = discard(p.folder, hidden) // if this fails, the next write does it
	return failed
}

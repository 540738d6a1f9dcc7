package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"syscall"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// replace moves over a file or link. What moves gets a second name beside the new one first, and that changes places with
// what is there: so that at any moment something whole has the new name, and what is displaced can be looked at and put back.
func (m *transfer) replace() error {
	folder := m.to.folder
	if m.comes = m.from.info.ID(); m.comes == m.to.info.ID() && m.from.info.Ino != 0 { // two names of one file
		if err := m.removeFrom(); err != nil {
			return err
		}
		return m.settle()
	}
	hidden := hiddenName()
	under, err := m.announceOver(movesOver, hidden)
	if err != nil {
		return err
	}
	defer under.endIfGone(folder, hidden)
	err = m.from.folder.HardLink(m.from.name, folder, hidden)
	switch {
	case errors.Is(err, dir.ErrUnsupported):
		return m.replaceAtOnce()
	case errors.Is(err, fs.ErrNotExist):
		return dir.ErrCollision
	case err != nil:
		return err
	}
	if id, err := idOf(folder, hidden); err != nil || id != m.comes {
		_ = folder.Remove(hidden)
		if now, gone := idOf(m.from.folder, m.from.name); err == nil && gone == nil && now == m.comes {
			return m.replaceAtOnce() // a second name isn't seen to be of the same file here, as on sshfs
		}
		return dir.ErrCollision
	}
	err = m.exchange(hidden)
	if errors.Is(err, dir.ErrUnsupported) {
		_ = folder.Remove(hidden)
		return m.replaceAtOnce()
	}
	if err != nil {
		return err
	}
	if err := m.removeFrom(); err != nil {
		return rolledBack(err, m.exchangeBack(hidden))
	}
	_ = folder.Remove(hidden) // else the next write does it
	return m.settle()
}

// staysOnDisk reports a move within one file system.
func (m *transfer) staysOnDisk() bool {
	there, err := m.to.folder.Lstat(".")
	return err == nil && there.Dev == m.from.info.Dev
}

// changePlaces moves a file away and brings back what it had replaced: made under a hidden name, that changes places with it,
// so that at any moment something whole has the name.
func (m *transfer) changePlaces() error {
	folder, hidden := m.from.folder, hiddenName()
	under, err := m.announceOver(movesBack, hidden)
	if err != nil {
		return err
	}
	defer under.endIfGone(folder, hidden)
	if err = m.revives.makeAs(hidden); errors.Is(err, syscall.EXDEV) {
		err = dir.ErrInputOutput // only a rename may say that there are two file systems
	}
	if err == nil {
		err = folder.Move(hidden, folder, m.from.name, dir.Swapping)
	}
	if err != nil {
		_ = folder.Remove(hidden)
		if errors.Is(err, dir.ErrUnsupported) {
			return m.rename() // and then: see conclude
		}
		return err
	}
	err = dir.ErrCollision
	if id, idErr := idOf(folder, hidden); idErr == nil && id == m.from.info.ID() {
		err = folder.Move(hidden, m.to.folder, m.to.name, dir.IfFree)
	}
	if err != nil {
		left := folder.Move(hidden, folder, m.from.name, dir.Swapping)
		if left == nil {
			left = folder.Remove(hidden)
		}
		return rolledBack(err, left)
	}
	m.then = nil
	return cmp.Or(m.w.settle(folder), m.settle())
}

// hiddenName is a name that belongs to a record of what is under way.
func hiddenName() string { return fmt.Sprintf("%s%016x-m", policy.TransPrefix, rand.Uint64()) }

// announceOver writes down a move that takes several steps, so that the next call can bring it to its end, or back.
func (m *transfer) announceOver(as Action, hidden string) (*pending, error) {
	b := newBackup(m.t.Tool, Saved{Path: m.to.path, Action: as, From: m.from.path, Old: m.replaced, temp: hidden, ino: m.from.info.ID()})
	if m.announced != nil {
		b.ID = m.announced.ID
	}
	under, err := m.w.announce(b)
	if errors.Is(err, dir.ErrBackup) && !m.w.backups { // a kill may leave both names, then
		return nil, nil
	}
	return under, err
}

// exchange gives the new name to what is hidden beside it. If what it gets in turn isn't what was kept, all goes back.
func (m *transfer) exchange(hidden string) error {
	folder := m.to.folder
	err := unchanged(m.to, m.to.info)
	if err == nil {
		err = folder.Move(hidden, folder, m.to.name, dir.Swapping)
	}
	if err != nil {
		if !errors.Is(err, dir.ErrUnsupported) {
			_ = folder.Remove(hidden)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return dir.ErrCollision
		}
		return m.to.tellMount(err)
	}
	now, err := folder.Lstat(hidden)
	if err == nil && sameState(now, m.to.info) && m.holdsKept(hidden, now) {
		return nil
	}
	if err := m.exchangeBack(hidden); err != nil {
		return dir.LeftBehind(err)
	}
	return dir.ErrCollision
}

// holdsKept compares a small displaced file with what was kept: see compareLimit.
func (m *transfer) holdsKept(hidden string, now dir.Info) bool {
	if !now.Mode.IsRegular() || now.Size > compareLimit {
		return true
	}
	etag := m.w.contentAt(context.WithoutCancel(m.ctx), m.to.folder, hidden)
	return etag == m.replaced
}

// exchangeBack takes an exchange back, and the second name with it.
func (m *transfer) exchangeBack(hidden string) error {
	folder := m.to.folder
	if err := folder.Move(hidden, folder, m.to.name, dir.Swapping); err != nil {
		return err
	}
	if id, err := idOf(folder, hidden); err != nil || id != m.comes {
		return dir.ErrBusy // somebody was faster: what has that name is not ours to remove
	}
	return folder.Remove(hidden)
}

// removeFrom removes the old name of what has a new one.
func (m *transfer) removeFrom() error {
	now, err := m.from.folder.Lstat(m.from.name)
	if err != nil || now.ID() != m.from.info.ID() {
		return dir.ErrCollision
	}
	return m.from.folder.Remove(m.from.name)
}

// replaceAtOnce serves files that can't have two names and file systems that can't exchange two: the last look at what is
// replaced is just before the rename.
func (m *transfer) replaceAtOnce() error {
	if err := unchanged(m.to, m.to.info); err != nil {
		return err
	}
	if err := m.moveName(dir.Over); err != nil {
		return m.to.tellMount(err)
	}
	return m.settle()
}

func idOf(dir dir.Folder, name string) (string, error) {
	info, err := dir.Lstat(name)
	return info.ID(), err
}

// rolledBack is why a call failed, or that it could not be taken back.
func rolledBack(err, left error) error {
	switch {
	case left == nil:
		return err
	case errors.Is(err, dir.ErrCollision):
		return dir.LeftBehind(dir.ErrBusy)
	}
	return dir.LeftBehind(err)
}

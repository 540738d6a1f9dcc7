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
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
)

// replace moves over a file or link. The moved file first gets a second, hidden name beside the new
// one; then the two files there exchange names. So at any moment a whole file has the new name, and
// the displaced file can be checked and put back.
func (m *transfer) replace() error {
	folder := m.to.folder
	if m.arrivingID = m.from.info.ID(); m.arrivingID == m.to.info.ID() && m.from.info.Ino != 0 { // two names of one file
		if err := m.removeFrom(); err != nil {
			return err
		}
		return m.syncBoth()
	}
	hidden := hiddenName()
	under, err := m.announceOver(movesOver, hidden)
	if err != nil {
		return err
	}
	defer endIfGone(under, folder, hidden)
	err = m.from.folder.HardLink(m.from.name, folder, hidden)
	switch {
	case errors.Is(err, dir.ErrUnsupported):
		return m.replaceAtOnce()
	case errors.Is(err, fs.ErrNotExist):
		return dir.ErrCollision
	case err != nil:
		return err
	}
	if id, err := idOf(folder, hidden); err != nil || id != m.arrivingID {
		_ = folder.Remove(hidden)
		if now, gone := idOf(m.from.folder, m.from.name); err == nil && gone == nil && now == m.arrivingID {
			return m.replaceAtOnce() // the file system gives each name another ID, as sshfs does
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
	_ = folder.Remove(hidden) // if this fails, the next write does it
	return m.syncBoth()
}

// staysOnDisk reports a move within one file system.
func (m *transfer) staysOnDisk() bool {
	there, err := m.to.folder.Lstat(".")
	return err == nil && there.Dev == m.from.info.Dev
}

// changePlaces moves a file away and restores the file that it had replaced. That one is made under
// a hidden name and exchanged with the moved file, so that at any moment a whole file has the name.
func (m *transfer) changePlaces() error {
	folder, hidden := m.from.folder, hiddenName()
	under, err := m.announceOver(movesBack, hidden)
	if err != nil {
		return err
	}
	defer endIfGone(under, folder, hidden)
	if err = m.revives.makeAs(hidden); errors.Is(err, syscall.EXDEV) {
		err = dir.ErrInputOutput // only a rename may say that there are two file systems
	}
	if err == nil {
		err = folder.Move(hidden, folder, m.from.name, dir.Swapping)
	}
	if err != nil {
		_ = folder.Remove(hidden)
		if errors.Is(err, dir.ErrUnsupported) {
			return m.rename() // conclude then restores the other file
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
	m.afterMove = nil
	return cmp.Or(m.w.syncNames(folder), m.syncBoth())
}

// hiddenName is a name for a file of a move, which a record of the move mentions.
func hiddenName() string { return fmt.Sprintf("%s%016x-m", policy.TransPrefix, rand.Uint64()) }

// announceOver records a move that takes several steps, so that the next call can finish it or take
// it back after a kill.
func (m *transfer) announceOver(as history.Action, hidden string) (*history.Record, error) {
	b := history.NewEntry(m.t.Tool, "", history.Saved{Path: m.to.path, Action: as, From: m.from.path, Old: m.replaced, Temp: hidden, FileID: m.from.info.ID()})
	if m.announced != nil {
		b.ID = m.announced.ID
	}
	under, err := m.w.history.Begin(b)
	if errors.Is(err, dir.ErrBackup) && m.w.history.Off { // then a kill may leave both names
		return nil, nil
	}
	return under, err
}

// exchange gives the new name to the hidden file beside it. If the displaced file isn't the one
// that was kept, they are exchanged back.
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

// holdsKept compares a displaced file with the kept content, if it is small: see compareLimit.
func (m *transfer) holdsKept(hidden string, now dir.Info) bool {
	if !now.Mode.IsRegular() || now.Size > compareLimit {
		return true
	}
	etag := m.w.contentAt(context.WithoutCancel(m.ctx), m.to.folder, hidden)
	return etag == m.replaced
}

// exchangeBack takes an exchange back, and removes the hidden second name.
func (m *transfer) exchangeBack(hidden string) error {
	folder := m.to.folder
	if err := folder.Move(hidden, folder, m.to.name, dir.Swapping); err != nil {
		return err
	}
	if id, err := idOf(folder, hidden); err != nil || id != m.arrivingID {
		return dir.ErrBusy // somebody was faster: the file with the hidden name is not ours to remove
	}
	return folder.Remove(hidden)
}

// removeFrom removes the old name of a file that has its new one.
func (m *transfer) removeFrom() error {
	now, err := m.from.folder.Lstat(m.from.name)
	if err != nil || now.ID() != m.from.info.ID() {
		return dir.ErrCollision
	}
	return m.from.folder.Remove(m.from.name)
}

// replaceAtOnce is for files that can't have two names, and file systems that can't exchange two:
// the replaced file is checked for the last time just before the rename.
func (m *transfer) replaceAtOnce() error {
	if err := unchanged(m.to, m.to.info); err != nil {
		return err
	}
	if err := m.moveName(dir.Over); err != nil {
		return m.to.tellMount(err)
	}
	return m.syncBoth()
}

func idOf(dir dir.Folder, name string) (string, error) {
	info, err := dir.Lstat(name)
	return info.ID(), err
}

// rolledBack is the error of a failed call: err if all was taken back, else one that says so.
func rolledBack(err, left error) error {
	switch {
	case left == nil:
		return err
	case errors.Is(err, dir.ErrCollision):
		return dir.LeftBehind(dir.ErrBusy)
	}
	return dir.LeftBehind(err)
}

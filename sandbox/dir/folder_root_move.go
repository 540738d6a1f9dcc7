package dir

import (
	"io/fs"
	"os"
	"runtime"
)

func (f rootFolder) Move(name string, to Folder, newName string, how Moving) error {
	dir, ok := to.(rootFolder)
	if !ok || dir.top != f.top {
		return ErrUnsupported
	}
	if how == Swapping {
		return swapNames(f.root, name, dir.root, newName)
	}
	m, err := f.between(name, dir, newName)
	if err != nil {
		return err
	}
	if how == IfFree && m.info.Mode().IsRegular() { // a hard link refuses a taken name, even if it was taken only now
		if err := m.link(); err == nil {
			return m.removeOld()
		} else if !isUnsupported(err) {
			return err
		}
	}
	if how == IfFree && m.isTaken() {
		return fs.ErrExist
	}
	return m.rename(how == IfFree)
}

func (f rootFolder) HardLink(name string, to Folder, newName string) error {
	dir, ok := to.(rootFolder)
	if !ok || dir.top != f.top {
		return ErrUnsupported
	}
	m, err := f.between(name, dir, newName)
	if err == nil {
		err = m.link()
	}
	if err != nil && isUnsupported(err) {
		return ErrUnsupported
	}
	return err
}

// between prepares a move. os.Root can't rename between two open folders, so the move goes by paths
// from the top. They always stay inside the top. They lead to these two folders unless somebody
// renames one of them at that moment; in that case the move is taken back.
func (f rootFolder) between(name string, dir rootFolder, newName string) (rootMove, error) {
	m := rootMove{from: f, name: name, to: dir, newName: newName, base: f.root, old: name, new: newName}
	if !f.isSame(dir) {
		if !f.inPlace() || !dir.inPlace() {
			return m, ErrBusy
		}
		m.base, m.old, m.new = f.top, f.at(name), dir.at(newName)
	}
	var err error
	m.info, err = f.root.Lstat(name)
	return m, err
}

// rootMove is one move, or one second name, by paths below a root that contains both folders.
type rootMove struct {
	from, to      rootFolder
	name, newName string
	base          *os.Root
	old, new      string
	info          fs.FileInfo // of the file or folder that moves
}

func (m rootMove) isTaken() bool {
	_, err := m.to.root.Lstat(m.newName)
	return err == nil
}

func (m *rootMove) link() error {
	if err := m.base.Link(m.old, m.new); err != nil {
		return moved(err)
	}
	if m.hasArrived() {
		return nil
	}
	if now, err := m.from.root.Lstat(m.name); err == nil {
		m.info = now // somebody may have put another file there at the last moment
	}
	if m.hasArrived() {
		return nil
	}
	return m.takeBack(func(dir *os.Root) error { return dir.Remove(m.newName) })
}

// removeOld removes the old name of a file that has the new one as well.
func (m rootMove) removeOld() error {
	err := ErrCollision // somebody has put another file there since
	if m.isAt(m.from.root, m.name) {
		err = m.from.root.Remove(m.name)
	}
	if err != nil {
		_ = m.to.root.Remove(m.newName)
	}
	return err
}

// rename moves to a name that was free a moment ago, or replaces the file that has it.
func (m rootMove) rename(free bool) error {
	if err := whileInUse(m.base, m.new, func() error { return m.base.Rename(m.old, m.new) }); err != nil {
		return moved(err)
	}
	if m.hasArrived() || (free && m.isTaken()) { // somebody put it there at the last moment
		return nil
	}
	return m.takeBack(func(*os.Root) error {
		err := m.base.Rename(m.new, m.old)
		if err == nil && !m.isAt(m.from.root, m.name) { // it went to the wrong folder once more
			_ = m.base.Rename(m.old, m.new)
			err = ErrBusy
		}
		return err
	})
}

// hasArrived reports whether the moved file is in the right folder. Within one folder it always is.
func (m rootMove) hasArrived() bool { return m.base == m.from.root || m.isAt(m.to.root, m.newName) }

func (m rootMove) isAt(dir *os.Root, name string) bool {
	now, err := dir.Lstat(name)
	return err == nil && os.SameFile(now, m.info)
}

// maxStrayTries is how often a file that went to the wrong folder is looked for, while somebody
// renames that folder again and again.
const maxStrayTries = 1000

// takeBack looks for a file that went to another folder, one that had the path of the right folder.
func (m rootMove) takeBack(undo func(dir *os.Root) error) error {
	for range maxStrayTries {
		dir, err := m.to.top.OpenRoot(m.to.path)
		if err != nil {
			continue
		}
		undone := m.isAt(dir, m.newName) && undo(dir) == nil
		dir.Close()
		if undone {
			return ErrBusy
		}
		runtime.Gosched()
	}
	return LeftBehind(ErrBusy)
}

// isSame reports whether both are the same folder.
func (f rootFolder) isSame(g rootFolder) bool {
	other, err := g.root.Stat(".")
	return err == nil && f.isAt(other)
}

// inPlace reports whether the folder's path still leads to it.
func (f rootFolder) inPlace() bool {
	there, err := f.top.Lstat(f.path)
	return err == nil && f.isAt(there)
}

func (f rootFolder) isAt(found fs.FileInfo) bool {
	here, err := f.root.Stat(".")
	return err == nil && os.SameFile(here, found)
}

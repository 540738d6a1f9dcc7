package sandbox

import (
	"path"

	"fsbox/sandbox/history"
)

// removeMade removes the folders that a call had made for its files, as long as they are empty. If
// one can't be removed, that is no error: the files are restored already.
func (u *undoing) removeMade() {
	for _, f := range u.b.Files {
		if f.Action != history.Created && f.Action != history.Moved {
			continue
		}
		dir := path.Dir(f.Path)
		for made := f.Added; made > 0 && dir != "." && u.removeEmpty(dir) == nil; made-- {
			dir = path.Dir(dir)
		}
	}
}

func (u *undoing) removeEmpty(dir string) error {
	p, err := u.w.locate(inRoot(dir), purpose{write: true, folder: true})
	if err != nil {
		return err
	}
	defer p.close()
	if err := p.folder.RemoveFolder(p.name); err != nil {
		return err
	}
	return u.w.syncNames(p.folder)
}

package sandbox

import "path"

// removeMade takes away the folders that a call had made for its files, as far as nothing else is in them. What can't be taken away
// stays: the files are back already.
func (w *Workspace) removeMade(b *Backup) {
	for _, f := range b.Files {
		if f.Action != Created && f.Action != Moved {
			continue
		}
		dir := path.Dir(f.Path)
		for made := f.Added; made > 0 && dir != "." && w.removeEmpty(dir) == nil; made-- {
			dir = path.Dir(dir)
		}
	}
}

func (w *Workspace) removeEmpty(dir string) error {
	p, err := w.locate(inRoot(dir), purpose{write: true, folder: true})
	if err != nil {
		return err
	}
	defer p.close()
	if err := p.folder.RemoveFolder(p.name); err != nil {
		return err
	}
	return w.settle(p.folder)
}

package sandbox

import (
	"context"
	"os"
)

// Where the state folder is on the same file system, an old content isn't copied: its file gets a second name there, and is
// all that is left of it once the new file has its place. That is good only for a file that nobody can change any more.

// link keeps the file of a step that way, unless it has other names or somebody has it open for writing: then it must be copied.
// A file that isn't the one that was read is errCollision.
func (s *state) link(name string, from *step) (linked bool, err error) {
	dir := from.p.folder
	if from.info.Links != 1 || from.info.Size > maxKeptBytes || dir.hardLink(from.p.name, s.kept, name) != nil {
		return false, nil
	}
	f, err := s.kept.open(name, os.O_RDONLY)
	if err == nil {
		defer f.Close()
		if !sameState(f.Info, from.info) {
			err = errCollision
		}
	}
	if err == nil && f.Info.Links == 2 && f.isSettled() {
		from.info.changed = f.Info.changed // a new name is a change, too
		return true, nil
	}
	if removed := s.kept.remove(name); removed != nil {
		return false, removed
	}
	if err != nil {
		return false, err
	}
	now, err := f.stat()
	from.info.changed = now.changed
	return false, err
}

// unlinkKept takes the second name off a file that a call was killed before it displaced: the file is still in use.
func (w *Workspace) unlinkKept(ctx context.Context, f *File) error {
	if !w.backups || f.Info.Links < 2 {
		return nil
	}
	s, err := w.state.get(false)
	if err != nil || s == nil {
		return nil // nothing was kept
	}
	names, err := s.kept.list(ctx)
	if err != nil {
		return backupError(err)
	}
	for _, e := range names {
		if info, err := s.kept.lstat(e.Name); err == nil && info.ID() == f.Info.ID() {
			if err := s.kept.remove(e.Name); err != nil {
				return backupError(err)
			}
			f.Info, err = f.stat()
			return err
		}
	}
	return nil
}

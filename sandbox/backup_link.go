package sandbox

import (
	"context"
	"os"
	"strings"

	"fsbox/sandbox/dir"
)

// If the state folder is on the same file system, old content isn't copied: its file gets a second
// name there, which is its only name after the new file has replaced it. That is safe only for a
// file that nobody can change any more.

// link keeps the file of a step in that way. It does nothing if the file has other names, or if
// somebody has it open for writing: then it must be copied. ErrCollision says that the file is not
// the one that was read.
func (s *state) link(name string, from *step) (linked bool, err error) {
	from.keptAs = ""
	if from.info.Links != 1 || from.info.Size > maxKeptBytes {
		return false, nil
	}
	if err := unchanged(from.p, from.info); err != nil { // the last check before the second name changes the time of the last change
		return false, err
	}
	if from.p.folder.HardLink(from.p.name, s.kept, name) != nil {
		return false, nil
	}
	f, err := s.kept.Open(name, os.O_RDONLY)
	if err == nil {
		defer f.Close()
		if !sameState(f.Info, from.info) {
			err = dir.ErrCollision
		}
	}
	if err == nil && f.Info.Links == 2 && f.IsSettled() {
		from.info.Changed = f.Info.Changed // a new name sets the time of the last change
		from.keptAs = name
		return true, nil
	}
	if removed := s.kept.Remove(name); removed != nil {
		return false, removed
	}
	if err != nil {
		return false, err
	}
	now, err := f.Stat()
	from.info.Changed = now.Changed
	return false, err
}

// openSettled opens a displaced file that is kept itself, not as a copy. It returns nil if the file
// is gone, or if somebody can still change it: who opened it for writing, or gave it another name,
// after it was kept.
func (w *Workspace) openSettled(from *step) *dir.File {
	s, err := w.state.get(false)
	if err != nil || s == nil {
		return nil
	}
	f, err := s.kept.Open(from.keptAs, os.O_RDONLY)
	if err != nil {
		return nil
	}
	if f.IsSettled() {
		now, err := f.Stat() // after it is settled, so that all that was written is included
		if err == nil && now.Links == 2 && sameState(now, from.info) {
			return f
		}
	}
	f.Close()
	return nil
}

// unlinkKept removes the second name of a file if a call was killed after it gave the name and
// before it displaced the file: the file is still in use. The call's entry is removed from the
// journal as well. Once the name is gone, nothing else tells that the call changed nothing:
// removing the name changes the file's change stamp.
func (w *Workspace) unlinkKept(ctx context.Context, f *dir.File) error {
	if !w.backups || f.Info.Links < 2 {
		return nil
	}
	name, err := w.dropKept(ctx, f.Info)
	if err != nil {
		return err
	}
	if id, _, kept := strings.Cut(name, "-"); kept {
		w.dropID(id)
	}
	f.Info, err = f.Stat()
	return err
}

// dropKept removes the name that a file has in the state folder, and returns it; "" if it has none.
func (w *Workspace) dropKept(ctx context.Context, file dir.Info) (name string, err error) {
	s, err := w.state.get(false)
	if err != nil || s == nil {
		return "", nil // nothing was kept
	}
	name, err = s.keptName(ctx, file)
	if err == nil && name != "" {
		err = s.kept.Remove(name)
	}
	if err != nil {
		return "", backupError(err)
	}
	return name, nil
}

// keptName is the name that a file has in the state folder, "" if it has none.
func (s *state) keptName(ctx context.Context, file dir.Info) (string, error) {
	here, err := s.kept.Lstat(".")
	if err != nil || file.Links < 2 || here.Dev != file.Dev {
		return "", err
	}
	names, err := s.kept.List(ctx)
	if err != nil {
		return "", err
	}
	for _, e := range names {
		if info, err := s.kept.Lstat(e.Name); err == nil && info.ID() == file.ID() {
			return e.Name, nil
		}
	}
	return "", nil
}

package sandbox

import (
	"context"
	"os"
	"strings"

	"fsbox/sandbox/dir"
)

// Where the state folder is on the same file system, an old content isn't copied: its file gets a second name there, and is
// all that is left of it once the new file has its place. That is good only for a file that nobody can change any more.

// link keeps the file of a step that way, unless it has other names or somebody has it open for writing: then it must be copied.
// A file that isn't the one that was read is errCollision.
func (s *state) link(name string, from *step) (linked bool, err error) {
	from.keptAs = ""
	if from.info.Links != 1 || from.info.Size > maxKeptBytes {
		return false, nil
	}
	if err := unchanged(from.p, from.info); err != nil { // the last look at the time that the new name changes
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
		from.info.Changed = f.Info.Changed // a new name is a change, too
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

// openSettled opens a displaced file that is kept itself, not as a copy; nil if it isn't there any more, or not out of everybody's
// reach: who opened it for writing, or gave it another name, after it was kept could change it yet.
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
		now, err := f.Stat() // with what was written before it was settled
		if err == nil && now.Links == 2 && sameState(now, from.info) {
			return f
		}
	}
	f.Close()
	return nil
}

// unlinkKept takes the second name off a file that a call was killed before it displaced: the file is still in use. The call
// goes out of the journal with it: without that name, and with the time that its removal sets, nothing tells any more that the call
// came to nothing.
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

// dropKept takes away the name that a file has in the state folder, "" if it has none.
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

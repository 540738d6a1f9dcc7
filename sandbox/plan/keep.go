package plan

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/history"
)

// If the state folder is on the same file system, old content isn't copied: its file gets a second
// name there, which is its only name after the new file has replaced it. That is safe only for a
// file that nobody can change any more.

// Link keeps the file of a step in that way. It does nothing if the file has other names, or if
// somebody may have it open for writing, as on another machine: then it must be copied.
// ErrCollision says that the file is not the one that was read.
func (s *Step) Link(kept dir.Folder, name string) (linked bool, err error) {
	s.linked = false
	if !openfile.TellsWriters || s.Info.Links != 1 || s.Info.Size > history.MaxBytes || s.Target.Folder.System().Remote {
		return false, nil
	}
	if err := sandbox.CheckUnchanged(s.Target, s.Info); err != nil { // before the second name changes the time of the last change
		return false, err
	}
	if s.Target.Folder.HardLink(s.Target.Name, kept, name) != nil {
		return false, nil
	}
	f, err := s.openSecond(kept, name)
	if err != nil {
		return false, cmp.Or(kept.Remove(name), err)
	}
	defer f.Close()
	isSettled, hasWriter := f.IsSettled()
	if hasWriter && s.Target.Folder.System().Alone { // others, like NFS, refuse a lease for other reasons as well
		s.Lost |= rights.LostWriter
	}
	if f.Info.Links == 2 && isSettled {
		s.Info.Changed, s.linked = f.Info.Changed, true // a new name sets the time of the last change
		return true, nil
	}
	if err := kept.Remove(name); err != nil {
		return false, err
	}
	now, err := f.Stat()
	s.Info.Changed = now.Changed
	return false, err
}

// openSecond opens the file of a step by its second name.
func (s *Step) openSecond(kept dir.Folder, name string) (*openfile.File, error) {
	f, err := kept.Open(name, os.O_RDONLY)
	switch {
	case err == nil && !sandbox.SameState(f.Info, s.Info):
		f.Close()
		return nil, fserr.ErrCollision
	case err != nil && (errors.Is(fserr.Classify(err), fserr.ErrLinkLoop) || errors.Is(err, fserr.ErrNotFile)):
		return nil, fserr.ErrCollision // a link has the name by now
	}
	return f, err
}

// openSettled opens a displaced file that is kept itself, not as a copy. It returns nil if the file
// is gone, or if somebody can still change it: who opened it for writing, or gave it another name,
// after it was kept.
func (p *Plan) openSettled(from *Step) *openfile.File {
	f, err := p.Workspace.History().Open(history.Item{Kept: from.Kept})
	if err != nil {
		return nil
	}
	if isSettled, _ := f.IsSettled(); isSettled {
		now, err := f.Stat() // after it is settled, so that all that was written is included
		if err == nil && now.Links == 2 && sandbox.SameState(now, from.Info) {
			return f
		}
	}
	f.Close()
	return nil
}

// UnlinkKept is for a file that is in use and has a second name among the kept contents: a call
// added that name, and was killed before it displaced the file. The name is removed, and the call's
// entry in the journal as well. Removing the name changes the file's change stamp, so later nothing
// would tell that the call changed nothing.
func UnlinkKept(ctx context.Context, w *sandbox.Workspace, f *openfile.File) error {
	if w.History().Off || f.Info.Links < 2 {
		return nil
	}
	name, err := w.History().DropName(ctx, f.Info)
	if err != nil {
		return err
	}
	if id, _, kept := strings.Cut(name, "-"); kept {
		w.History().Drop(&history.Entry{ID: id})
	}
	f.Info, err = f.Stat()
	return err
}

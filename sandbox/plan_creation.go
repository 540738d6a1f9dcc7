package sandbox

import (
	"cmp"
	"context"
	"errors"
	"io/fs"

	"fsbox/sandbox/dir"
)

// newFile is a file with a new content.
type newFile struct {
	content []byte
	later   func() ([]byte, error)        // gets the content instead, when the file is made; nil if content has it
	size    int64                         // bytes that later takes
	copy    *original                     // whose content it gets instead, if that is long
	from    *dir.Rights                   // mode, owner and attributes; nil for the process's defaults
	mode    func(fs.FileMode) fs.FileMode // the mode, given the one so far; nil to keep that
	runs    bool                          // without from and mode: those who may read it may also execute it
}

func (n *newFile) make(ctx context.Context, w *Workspace, s *step) error {
	f, err := s.p.Folder.Create(s.temp, n.perm())
	if errors.Is(err, fs.ErrExist) { // a file that can't be removed has the name
		s.temp = randomTemp()
		f, err = s.p.Folder.Create(s.temp, n.perm())
	}
	if err != nil {
		return err
	}
	defer f.Close()
	s.hasTemp = true
	if err := n.write(ctx, f, s); err != nil {
		return err
	}
	if n.from != nil || n.mode != nil {
		lost, err := n.takeOver(f)
		if s.lost |= lost; err != nil {
			return err
		}
	}
	if s.meanwhile != nil {
		if !w.noSync {
			f.StartSync()
		}
		err = s.meanwhile()
	}
	if err != nil || w.noSync {
		return err
	}
	return f.Sync()
}

func (n *newFile) write(ctx context.Context, f *dir.File, s *step) (err error) {
	if n.copy != nil {
		return n.writeLong(ctx, f, s)
	}
	content := n.content
	if n.later != nil {
		if content, err = n.later(); err != nil {
			return err
		}
	}
	if s.newTag == "" || n.later != nil {
		s.newTag = dir.ContentETag(content)
	}
	_, err = f.Write(content)
	return err
}

// writeLong copies a long file.
func (n *newFile) writeLong(ctx context.Context, f *dir.File, s *step) error {
	s.newTag = cmp.Or(s.newTag, n.copy.tag)
	if err := n.copy.copyTo(ctx, f); err != nil || s.newTag != "" {
		return err
	}
	made, err := f.Stat()
	s.newTag = longTag(made)
	return err
}

// perm is the mode with which the file is created, before the process's umask.
func (n *newFile) perm() fs.FileMode {
	switch {
	case n.from != nil || n.mode != nil:
		return 0o600 // until its final mode is set
	case n.runs:
		return 0o777
	}
	return 0o666
}

// takeOver sets the mode last: an access control list changes it.
func (n *newFile) takeOver(f *dir.File) (lost dir.Lost, err error) {
	var mode fs.FileMode
	if n.from != nil {
		if mode, lost, err = n.from.Give(f, f.Info); err != nil {
			return lost, err
		}
		if mode&dir.SetID != 0 && !n.from.IsCopy {
			lost |= dir.LostSetID
		}
	}
	if n.mode != nil {
		mode = n.mode(mode &^ dir.SetID)
	}
	return lost, f.Chmod(mode &^ dir.SetID)
}

// templateOf gives the rights of a file to another one.
func templateOf(f *dir.File, isCopy bool) (*dir.Rights, error) {
	carried, err := f.Attributes()
	return &dir.Rights{Of: f.Info, Attributes: carried, IsCopy: isCopy}, err
}

// secondName is a second name of a file that a later step takes away from its first one.
type secondName struct{ of *step }

// make says dir.ErrUnsupported if the file can't have two names.
func (n secondName) make(_ context.Context, _ *Workspace, s *step) error {
	from, folder := n.of.p, s.p.Folder
	err := from.Folder.HardLink(from.Name, folder, s.temp)
	if errors.Is(err, fs.ErrNotExist) {
		return from.Fail(dir.ErrCollision)
	}
	if err != nil {
		return err
	}
	now, err := folder.Lstat(s.temp)
	switch {
	case err != nil:
		return err
	case now.ID() == n.of.info.ID():
		return nil
	}
	if again, err := from.Folder.Lstat(from.Name); err == nil && again.ID() == n.of.info.ID() {
		return dir.ErrUnsupported // the file system gives each name another ID, as sshfs does
	}
	return from.Fail(dir.ErrCollision)
}

// newLink is a symbolic link.
type newLink struct{ text string }

func (n newLink) make(_ context.Context, _ *Workspace, s *step) error {
	s.newTag = dir.ContentETag([]byte(n.text))
	return s.p.Folder.Symlink(n.text, s.temp)
}

// newFolder is an empty folder.
type newFolder struct{ mode fs.FileMode }

func (n newFolder) make(ctx context.Context, _ *Workspace, s *step) error {
	if err := s.p.Folder.Mkdir(s.temp, 0o700); err != nil {
		return err
	}
	made, err := s.p.Folder.Sub(s.temp)
	if err != nil {
		return err
	}
	defer made.Close()
	if err := made.Chmod(n.mode &^ fs.ModeType); err != nil {
		return err
	}
	s.newTag, err = fingerprint(ctx, s.p.Folder, s.temp)
	return err
}

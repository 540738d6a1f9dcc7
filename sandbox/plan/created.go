package plan

import (
	"context"
	"errors"
	"io/fs"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/tree"
)

// Created is what gets a name: a new file, a second name of a file, a copy, a link or a folder.
type Created interface {
	// make makes it, and syncs it, under the temporary name of the step. It sets what the step
	// knows about it.
	make(ctx context.Context, w *sandbox.Workspace, s *Step) error
}

// SecondName is a second name of a file that a later step takes away from its first one.
type SecondName struct{ Of *Step }

// make says fserr.ErrUnsupported if the file can't have two names.
func (n SecondName) make(_ context.Context, _ *sandbox.Workspace, s *Step) error {
	from, folder := n.Of.Target, s.Target.Folder
	err := from.Folder.HardLink(from.Name, folder, s.Temp)
	if errors.Is(err, fs.ErrNotExist) {
		return from.Fail(fserr.ErrCollision)
	}
	if err != nil {
		return err
	}
	now, err := folder.Lstat(s.Temp)
	switch {
	case err != nil:
		return err
	case now.ID() == n.Of.Info.ID():
		s.NewTag = tree.Identity(now) // a program may be writing to it
		return nil
	}
	if again, err := from.Folder.Lstat(from.Name); err == nil && again.ID() == n.Of.Info.ID() {
		return fserr.ErrUnsupported // the file system gives each name another ID, as sshfs does
	}
	return from.Fail(fserr.ErrCollision)
}

// NewLink is a symbolic link.
type NewLink struct{ Text string }

func (n NewLink) make(_ context.Context, _ *sandbox.Workspace, s *Step) error {
	s.NewTag = openfile.ContentETag([]byte(n.Text))
	return s.Target.Folder.Symlink(n.Text, s.Temp)
}

// NewFolder is an empty folder.
type NewFolder struct{ Mode fs.FileMode }

func (n NewFolder) make(ctx context.Context, _ *sandbox.Workspace, s *Step) error {
	if err := s.Target.Folder.Mkdir(s.Temp, 0o700); err != nil {
		return err
	}
	made, err := s.Target.Folder.Sub(s.Temp)
	if err != nil {
		return err
	}
	defer made.Close()
	if err := made.Chmod(n.Mode &^ fs.ModeType); err != nil {
		return err
	}
	s.NewTag, err = tree.Fingerprint(ctx, s.Target.Folder, s.Temp)
	return err
}

// CopiedTree is a copy of a file or a tree, as what a step brings.
type CopiedTree struct {
	From     dir.Folder
	Name     string
	Found    *stat.Info        // see Copier, as for largest and faithful
	Largest  int64             //
	Faithful bool              //
	Hashed   bool              // its fingerprint is taken
	Agreed   string            // tag of what is copied, which must not change meanwhile; "" for none
	Explain  func(error) error // names the path that an error is about
}

func (n *CopiedTree) make(ctx context.Context, w *sandbox.Workspace, s *Step) error {
	c := tree.Copier{From: n.From, Name: n.Name, To: s.Target.Folder, NewName: s.Temp, Found: n.Found, Largest: n.Largest,
		Faithful: n.Faithful,
		Sync:     !w.NoSync()}
	ctx, cancel := HalfTime(ctx)
	defer cancel()
	err := c.Copy(ctx)
	if err == nil && n.Agreed != "" && !tree.IsUnchanged(n.From, n.Name, n.Agreed) {
		err = fserr.ErrCollision
	}
	if err == nil && n.Hashed {
		s.NewTag, err = tree.Fingerprint(ctx, s.Target.Folder, s.Temp)
	}
	s.Lost = c.Lost
	return n.Explain(err)
}

package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/disk/walk"
)

// KeptError says that the kept content of a file can't be used. It is a fserr.ErrBackup; nothing
// was changed.
type KeptError struct {
	Path string // relative to the root
	Why  string // "gone", "damaged", or an error of the system
}

func (e *KeptError) Error() string        { return fmt.Sprintf("the backup of %q is %s", e.Path, e.Why) }
func (e *KeptError) Is(target error) bool { return target == fserr.ErrBackup }

// Gone and Damaged are errors about content that can't be restored.
func (f Item) Gone() error    { return &KeptError{f.Path, "gone"} }
func (f Item) Damaged() error { return &KeptError{f.Path, "damaged"} }

// Unreadable is an error about kept content that can't be read.
func (f Item) Unreadable(err error) error {
	if fserr.IsCanceled(err) {
		return err
	}
	return &KeptError{f.Path, "unreadable: " + fserr.Bare(err).Error()}
}

// Open opens the kept content of a file.
func (s *Store) Open(f Item) (*openfile.File, error) {
	kept, err := s.KeptFolder()
	if err != nil {
		return nil, err
	}
	file, err := kept.Open(f.Kept, os.O_RDONLY)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fserr.ErrNotFile):
		return nil, f.Gone()
	case err != nil:
		return nil, f.Unreadable(err)
	}
	return file, nil
}

// OpenWhole opens the kept content of a file, which must have the length that the journal says.
func (s *Store) OpenWhole(f Item) (*openfile.File, error) {
	file, err := s.Open(f)
	if err == nil && f.Kind != Cut && file.Info.Size != f.Size {
		file.Close()
		return nil, f.Damaged()
	}
	return file, err
}

// KeptFolder is the folder for kept contents, which is made if it is missing.
func (s *Store) KeptFolder() (dir.Folder, error) {
	state, err := s.get(true)
	if err != nil {
		return nil, err
	}
	return state.kept, nil
}

// Content reads the kept content of a file and checks it against the journal.
func (s *Store) Content(ctx context.Context, f Item) ([]byte, error) {
	file, err := s.Open(f)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := file.ReadAll(ctx, MaxBytes)
	if err != nil {
		return nil, f.Unreadable(err)
	}
	whole := f.Kind == Cut || int64(len(content)) == f.Size
	if !whole || (strings.HasPrefix(f.Old, openfile.ContentTag) && openfile.ContentETag(content) != f.Old) {
		return nil, f.Damaged()
	}
	return content, nil
}

// DropName removes the name that a file of the workspace has in the folder of kept contents, and
// returns it; "" if it has none.
func (s *Store) DropName(ctx context.Context, file stat.Info) (name string, err error) {
	state, err := s.get(false)
	if err != nil || state == nil || file.Links < 2 {
		return "", nil // nothing was kept
	}
	here, err := state.kept.Lstat(".")
	if err != nil || here.Dev != file.Dev {
		return "", Failed(err)
	}
	names, err := dir.List(ctx, state.kept)
	for _, e := range names {
		if info, err := state.kept.Lstat(e.Name); err == nil && info.ID() == file.ID() {
			return e.Name, Failed(state.kept.Remove(e.Name))
		}
	}
	return "", Failed(err)
}

// removeKept removes one kept content, a file or a tree. A tree gets another name first, so that an
// undo that moves it back at the same moment gets all of it, or nothing.
func (s *state) removeKept(name string) error {
	if fserr.IgnoreMissing(s.kept.Remove(name)) == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), pruneTime)
	defer cancel()
	if gone := "gone-" + name; dir.MoveFree(s.kept, name, gone) == nil {
		name = gone
	}
	return walk.Remove(ctx, s.kept, name)
}

// pruneTime is how long one call may take to remove one tree that is no longer kept: the next
// pruning continues with it.
const pruneTime = time.Second

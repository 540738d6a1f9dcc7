package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// Undone is what Undo did to one path.
type Undone struct {
	Path   string
	Action Action // Replaced, Created, Removed or Moved
	ETag   string // of what is there now, "" for nothing and for folders
}

// UndoReport is what Undo did. BackupID takes it back in turn, "" if no backup is kept.
type UndoReport struct {
	Undid    *Backup
	Restored []Undone
	BackupID string
}

// Backups lists what can be taken back, newest first; with a path, only what changed that one. Errors wrap ErrBackup where
// there is no state folder.
func (w *Workspace) Backups(ctx context.Context, path string) ([]*Backup, error) {
	all, err := w.retained(ctx)
	if err != nil {
		return nil, err
	}
	slices.Reverse(all)
	if path == "" {
		return all, nil
	}
	clean, err := w.lookup(path)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(b *Backup) bool {
		return !slices.ContainsFunc(b.Files, func(f Saved) bool { return f.Path == clean || f.From == clean })
	}), nil
}

// retained reads the journal, oldest first, as far as it is kept.
func (w *Workspace) retained(ctx context.Context) ([]*Backup, error) {
	s, err := w.state.get(false)
	if err != nil || s == nil {
		return nil, err
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, backupError(err)
	}
	defer unlock()
	all, err := s.history(ctx)
	if err != nil {
		return nil, backupError(err)
	}
	return retained(all, time.Now()), nil
}

// lookup is the resolved name of a path that may be gone.
func (w *Workspace) lookup(path string) (string, error) {
	p, err := w.locate(path, purpose{})
	if err != nil {
		return "", err
	}
	defer p.close()
	return p.path, nil
}

// NoBackupError says that there is nothing to take back, or nothing by that ID.
type NoBackupError struct{ ID string }

func (e *NoBackupError) Error() string { return fmt.Sprintf("no backup %q", e.ID) }

// Undo takes back what one call changed: all of it or nothing. With an empty id it is the newest, or the newest that changed
// path. ErrStale if one of its files has changed since, *NoBackupError if there is none.
func (w *Workspace) Undo(ctx context.Context, id, path string, dryRun bool) (*UndoReport, error) {
	if err := w.Recover(ctx); err != nil {
		return nil, err
	}
	all, err := w.Backups(ctx, path)
	if err != nil {
		return nil, err
	}
	for _, b := range all {
		if id != "" && b.ID != id {
			continue
		}
		if id == "" && w.cameToNothing(ctx, b) {
			continue
		}
		report, err := w.takeBack(ctx, b, dryRun)
		if report == nil {
			return nil, err
		}
		report.Undid = b
		if !dryRun {
			w.removeMade(b)
		}
		return report, err
	}
	return nil, &NoBackupError{ID: id}
}

// cameToNothing reports an entry of a call that was killed before it changed anything: its files are as they were.
func (w *Workspace) cameToNothing(ctx context.Context, b *Backup) bool {
	for _, f := range b.Files {
		if isName(f) {
			if !w.isUntouched(ctx, f) {
				return false
			}
			continue
		}
		p, err := w.locate(inRoot(f.Path), purpose{})
		if err != nil {
			return false
		}
		same := w.isAsBefore(ctx, p, f)
		p.close()
		if !same {
			return false
		}
	}
	return true
}

// isAsBefore reports that a file is as it was before a call.
func (w *Workspace) isAsBefore(ctx context.Context, p *place, f Saved) bool {
	switch f.Action {
	case Replaced, Created, Removed:
		now := w.contentAt(ctx, p.folder, p.name)
		return now == f.Old && now != f.New
	case Extended, Cut: // in place, so that the size tells
		return p.exists && p.info.Mode.IsRegular() && p.info.Size == f.Size
	}
	return false
}

// inRoot is how requests name a path of the journal, whatever letters it begins with.
func inRoot(path string) string { return "./" + path }

func (w *Workspace) takeBack(ctx context.Context, b *Backup, dryRun bool) (*UndoReport, error) {
	first := b.Files[0]
	switch {
	case first.Action == Extended && len(b.Files) == 1:
		return settled(first.Path, func() (*UndoReport, error) { return w.cutBack(ctx, b, dryRun) })
	case first.Action == Cut && len(b.Files) == 1:
		return settled(first.Path, func() (*UndoReport, error) { return w.extendAgain(ctx, b, dryRun) })
	case slices.ContainsFunc(b.Files, isName):
		return w.takeBackNames(ctx, b, dryRun)
	}
	changes := make([]Change, len(b.Files))
	for i, f := range b.Files {
		changes[i] = w.reversal(ctx, f)
		changes[i].Tool, changes[i].Undoes, changes[i].DryRun = undoTool, b.ID, dryRun
	}
	done, err := w.Commit(ctx, changes)
	if err != nil && !errors.Is(err, ErrDurability) {
		return nil, staleIfTaken(err)
	}
	report := &UndoReport{}
	for i, r := range done {
		report.Restored = append(report.Restored, Undone{Path: b.Files[i].Path, Action: opposite(b.Files[i].Action), ETag: r.ETag})
		report.BackupID = r.BackupID
	}
	return report, err
}

// undoTool is what the journal calls an undo.
const undoTool = "undo"

func opposite(a Action) Action {
	switch a {
	case Created:
		return Removed
	case Removed:
		return Created
	case Moved:
		return Moved
	}
	return Replaced
}

// staleIfTaken: what is in the way of a file that comes back was put there since.
func staleIfTaken(err error) error {
	var at *PathError
	if errors.As(err, &at) && (errors.Is(err, ErrExists) || errors.Is(err, ErrNotFound) || errors.Is(err, ErrNotFile) || errors.Is(err, ErrNotFolder)) {
		return &PathError{Path: at.Path, Err: &StaleError{}}
	}
	return err
}

// reversal is the change that undoes one.
func (w *Workspace) reversal(ctx context.Context, f Saved) Change {
	mode := f.Mode &^ fs.ModeType
	c := Change{Target: Target{Path: inRoot(f.Path), IfMatch: f.New, Large: true}}
	if mode != 0 {
		c.Mode = &mode
	}
	c.Make = func([]byte, bool) ([]byte, error) { return w.keptContent(ctx, f) }
	switch f.Action {
	case Created:
		c.Mode, c.Make, c.Remove = nil, nil, true
	case Removed:
		c.Creation, c.Parents, c.IfMatch = MustCreate, true, ""
		if err := w.likeKept(&c.Target, f); err != nil {
			c.Make = func([]byte, bool) ([]byte, error) { return nil, err }
		}
	}
	return c
}

// likeKept gives a file that comes back the owner and the attributes that were kept with it.
func (w *Workspace) likeKept(t *Target, f Saved) error {
	file, err := w.openKept(f)
	if err != nil {
		return err
	}
	defer file.Close()
	t.owner = &file.Info
	if t.attributes, err = file.attributes(); err != nil {
		return backupError(err)
	}
	return nil
}

// openKept opens what a backup kept of a file.
func (w *Workspace) openKept(f Saved) (*File, error) {
	s, err := w.state.get(false)
	if err != nil || s == nil {
		return nil, backupError(errors.Join(err, fs.ErrNotExist))
	}
	file, err := s.kept.open(f.Kept, os.O_RDONLY)
	if err != nil {
		return nil, backupError(fmt.Errorf("what was kept of %q is gone", f.Path))
	}
	return file, nil
}

// keptContent reads what a backup kept of a file and holds it against the journal.
func (w *Workspace) keptContent(ctx context.Context, f Saved) ([]byte, error) {
	file, err := w.openKept(f)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := file.ReadAll(ctx, maxKeptBytes)
	if err != nil {
		return nil, backupError(err)
	}
	whole := f.Action == Cut || int64(len(content)) == f.Size
	if !whole || (strings.HasPrefix(f.Old, contentTag) && contentETag(content) != f.Old) {
		return nil, backupError(fmt.Errorf("what was kept of %q is damaged", f.Path))
	}
	return content, nil
}

package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"fsbox/sandbox/dir"
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
	Lost     Lost
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
	return slices.DeleteFunc(all, func(b *Backup) bool { return !b.isAbout(clean) }), nil
}

// isAbout reports a call that changed a path.
func (b *Backup) isAbout(path string) bool {
	return slices.ContainsFunc(b.Files, func(f Saved) bool { return f.Path == path || f.From == path })
}

// retained reads the journal, oldest first, as far as it is kept and about this root.
func (w *Workspace) retained(ctx context.Context) (kept []*Backup, err error) {
	err = w.withHistory(ctx, func(s *state, all []*Backup) error {
		root := s.reading()
		kept = slices.DeleteFunc(retained(all, time.Now()), func(b *Backup) bool { return !root.owns(b) })
		return nil
	})
	return kept, err
}

// withHistory does something with the journal, while nobody else changes what is kept. It does nothing where there is no state folder.
func (w *Workspace) withHistory(ctx context.Context, do func(*state, []*Backup) error) error {
	s, err := w.state.get(false)
	if err != nil || s == nil {
		return err
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return backupError(err)
	}
	defer unlock()
	all, err := s.history(ctx)
	if err == nil {
		err = do(s, all)
	}
	if err != nil {
		return backupError(err)
	}
	return nil
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

// NoBackupError says that there is nothing to take back, or nothing by that ID. Known says that there is such a backup, but that
// it isn't about the path that was asked for.
type NoBackupError struct {
	ID    string
	Known *Backup
}

func (e *NoBackupError) Error() string { return fmt.Sprintf("no backup %q", e.ID) }

// Undo takes back what one call changed: all of it or nothing. With an empty id it is the newest, or the newest that changed
// path. ErrStale if one of its files has changed since, *NoBackupError if there is none, *KeptError if what was kept is of no use,
// *LostError if the journal lost it.
func (w *Workspace) Undo(ctx context.Context, id, path string, dryRun bool) (*UndoReport, error) {
	b, err := w.choose(ctx, id, path)
	if err != nil {
		return nil, err
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

// choose finds the call that is to be taken back.
func (w *Workspace) choose(ctx context.Context, id, path string) (*Backup, error) {
	if id != "" {
		return w.backup(ctx, id, path)
	}
	if path == "" { // else a change of the path tells: it makes older calls stale
		if lost, err := w.LostBackup(ctx); err != nil || lost != "" {
			return nil, cmp.Or(err, error(&LostError{ID: lost, Newest: true}))
		}
	}
	all, err := w.Backups(ctx, path)
	if err != nil {
		return nil, err
	}
	for _, b := range all {
		if !w.cameToNothing(b) {
			return b, nil
		}
	}
	return nil, &NoBackupError{}
}

// backup finds the call with an ID. With a path, it must be about that.
func (w *Workspace) backup(ctx context.Context, id, path string) (*Backup, error) {
	all, err := w.Backups(ctx, "")
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(b *Backup) bool { return b.ID == id })
	switch {
	case i < 0:
		return nil, w.missing(ctx, id)
	case path == "":
		return all[i], nil
	}
	clean, err := w.lookup(path)
	if err == nil && !all[i].isAbout(clean) {
		err = &NoBackupError{ID: id, Known: all[i]}
	}
	return all[i], err
}

// missing says why there is no entry with an ID.
func (w *Workspace) missing(ctx context.Context, id string) error {
	lost, err := w.isLost(ctx, id)
	switch {
	case err != nil:
		return err
	case lost:
		return &LostError{ID: id}
	}
	return &NoBackupError{ID: id}
}

// cameToNothing reports an entry of a call that was killed before it changed anything: nothing has happened to its files since. That
// they are as they were isn't enough, for then somebody else may have put them back.
func (w *Workspace) cameToNothing(b *Backup) bool {
	for _, f := range b.Files {
		if f.mark == "" || !w.isUntouched(f) || (f.Action == Moved && !b.replaces(f.Path) && w.Exists(inRoot(f.Path))) {
			return false
		}
	}
	return true
}

// replaces reports a call that took away what had a path, to put something else there.
func (b *Backup) replaces(path string) bool {
	return slices.ContainsFunc(b.Files, func(f Saved) bool { return f.Path == path && f.Action == Removed })
}

// isUntouched reports that what a call found at a path is there, and that nothing has happened to it since.
func (w *Workspace) isUntouched(f Saved) bool {
	path := f.Path
	if f.Action == Moved {
		path = f.From
	}
	p, err := w.locate(inRoot(path), purpose{})
	if err != nil {
		return false
	}
	defer p.close()
	return p.exists && p.info.ChangeStamp() == f.mark
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
	if err != nil && !errors.Is(err, dir.ErrDurability) {
		return nil, staleIfTaken(err)
	}
	report := &UndoReport{}
	for i, r := range done {
		report.Restored = append(report.Restored, Undone{Path: b.Files[i].Path, Action: opposite(b.Files[i].Action), ETag: r.ETag})
		report.BackupID, report.Lost = r.BackupID, report.Lost.Or(r.Lost)
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
	var at *dir.PathError
	if errors.As(err, &at) && (errors.Is(err, dir.ErrExists) || errors.Is(err, dir.ErrNotFound) || errors.Is(err, dir.ErrNotFile) || errors.Is(err, dir.ErrNotFolder)) {
		return &dir.PathError{Path: at.Path, Err: &dir.StaleError{}}
	}
	return err
}

// reversal is the change that undoes one.
func (w *Workspace) reversal(ctx context.Context, f Saved) Change {
	c := Change{Target: Target{Path: inRoot(f.Path), IfMatch: f.New, Large: true}}
	if f.Action == Created {
		c.Remove = true
		return c
	}
	c.Make = func([]byte, bool) ([]byte, error) { return w.keptContent(ctx, f) }
	if f.Action == Removed {
		c.Creation, c.Parents, c.IfMatch = MustCreate, true, ""
	}
	switch f.like {
	case likeMode:
		mode := f.Mode &^ fs.ModeType
		c.Mode = &mode
	case likeKept:
		var err error
		if c.like, err = w.keptModel(f); err != nil {
			c.Make = func([]byte, bool) ([]byte, error) { return nil, err }
		}
	}
	return c
}

// KeptError says that what was kept of a file is of no use any more. It is an ErrBackup; nothing was changed.
type KeptError struct {
	Path string // relative to the root
	Why  string // "gone", "damaged", or what the system says
}

func (e *KeptError) Error() string        { return fmt.Sprintf("what was kept of %q is %s", e.Path, e.Why) }
func (e *KeptError) Is(target error) bool { return target == dir.ErrBackup }

// gone and damaged are for what can't come back.
func (f Saved) gone() error    { return &KeptError{f.Path, "gone"} }
func (f Saved) damaged() error { return &KeptError{f.Path, "damaged"} }

// unreadable is for what the system doesn't give out.
func (f Saved) unreadable(err error) error {
	if isOwn(err) {
		return err
	}
	return &KeptError{f.Path, "unreadable: " + dir.Bare(err).Error()}
}

// keptModel is what a file that comes back is like: its mode stands in the journal, owner and attributes were kept with it.
func (w *Workspace) keptModel(f Saved) (*model, error) {
	file, err := w.openKept(f)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m := &model{info: file.Info}
	m.info.Mode = f.Mode
	if m.carried, err = file.Attributes(); err != nil {
		return nil, f.unreadable(err)
	}
	return m, nil
}

// openKept opens what a backup kept of a file.
func (w *Workspace) openKept(f Saved) (*dir.File, error) {
	s, err := w.state.get(false)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, f.gone()
	}
	file, err := s.kept.Open(f.Kept, os.O_RDONLY)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, dir.ErrNotFile):
		return nil, f.gone()
	case err != nil:
		return nil, f.unreadable(err)
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
		return nil, f.unreadable(err)
	}
	whole := f.Action == Cut || int64(len(content)) == f.Size
	if !whole || (strings.HasPrefix(f.Old, dir.ContentTag) && dir.ContentETag(content) != f.Old) {
		return nil, f.damaged()
	}
	return content, nil
}

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
	ETag   string // of the file that is there now, "" for none and for folders
}

// UndoReport is what Undo did. BackupID is the backup by which the undo can itself be undone, "" if
// none is kept.
type UndoReport struct {
	Undid    *Backup
	Restored []Undone
	BackupID string
	Lost     Lost
}

// Backups lists the calls that can be taken back, newest first; with a path, only those that
// changed it. Errors wrap ErrBackup if there is no state folder.
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

// retained reads the entries of this root that are still kept, oldest first.
func (w *Workspace) retained(ctx context.Context) (kept []*Backup, err error) {
	err = w.withHistory(ctx, func(s *state, all []*Backup) error {
		root := s.reading()
		kept = slices.DeleteFunc(retained(all, time.Now()), func(b *Backup) bool { return !root.owns(b) })
		return nil
	})
	return kept, err
}

// withHistory calls do with the journal, while nobody else can change it. Without a state folder it
// does nothing.
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

// lookup resolves a path that may not exist.
func (w *Workspace) lookup(path string) (string, error) {
	p, err := w.locate(path, purpose{})
	if err != nil {
		return "", err
	}
	defer p.close()
	return p.path, nil
}

// NoBackupError says that there is nothing to take back, or no backup with that ID. If Known is
// set, that backup exists but is not about the requested path.
type NoBackupError struct {
	ID    string
	Known *Backup
}

func (e *NoBackupError) Error() string { return fmt.Sprintf("no backup %q", e.ID) }

// Undo takes back what one call changed: all of it or nothing. With an empty id, it takes the
// newest call, or the newest that changed path. ErrStale if one of the files has changed since,
// *NoBackupError if there is no such call, *KeptError if the kept content can't be used, *LostError
// if the journal lost the entry.
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

// choose finds the call to take back.
func (w *Workspace) choose(ctx context.Context, id, path string) (*Backup, error) {
	if id != "" {
		return w.backup(ctx, id, path)
	}
	if path == "" { // with a path this isn't needed: if a lost call changed that path, older calls are stale
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

// backup finds the call with an ID. If path is set, the call must be about it.
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

// cameToNothing reports the entry of a call that was killed before it changed anything: nobody has
// touched its files since. It isn't enough that their content is the same: somebody may have
// restored it.
func (w *Workspace) cameToNothing(b *Backup) bool {
	for _, f := range b.Files {
		if f.stamp == "" || !w.isUntouched(f) || (f.Action == Moved && !b.replaces(f.Path) && w.Exists(inRoot(f.Path))) {
			return false
		}
	}
	return true
}

// replaces reports a call that removed a file at path to put another one there.
func (b *Backup) replaces(path string) bool {
	return slices.ContainsFunc(b.Files, func(f Saved) bool { return f.Path == path && f.Action == Removed })
}

// isUntouched reports that the file that a call found at a path is still there, and that nobody has
// touched it since.
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
	return p.exists && p.info.ChangeStamp() == f.stamp
}

// inRoot turns a path of the journal into one for a request, whatever characters it begins with.
func inRoot(path string) string { return "./" + path }

func (w *Workspace) takeBack(ctx context.Context, b *Backup, dryRun bool) (*UndoReport, error) {
	first := b.Files[0]
	switch {
	case first.Action == Extended && len(b.Files) == 1:
		return retryOnCollision(first.Path, func() (*UndoReport, error) { return w.cutBack(ctx, b, dryRun) })
	case first.Action == Cut && len(b.Files) == 1:
		return retryOnCollision(first.Path, func() (*UndoReport, error) { return w.extendAgain(ctx, b, dryRun) })
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

// undoTool is the tool of an undo in the journal.
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

// staleIfTaken turns errors about a name that is taken or gone into ErrStale: that changed since
// the call.
func staleIfTaken(err error) error {
	var at *dir.PathError
	for _, kind := range [...]error{dir.ErrExists, dir.ErrNotFound, dir.ErrNotFile, dir.ErrNotFolder} {
		if errors.As(err, &at) && errors.Is(err, kind) {
			return &dir.PathError{Path: at.Path, Err: &dir.StaleError{}}
		}
	}
	return err
}

// reversal is the change that undoes the change of one path.
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
	switch f.restores {
	case restoreMode:
		mode := f.Mode &^ fs.ModeType
		c.Mode = &mode
	case restoreAll:
		var err error
		if c.template, err = w.keptTemplate(f); err != nil {
			c.Make = func([]byte, bool) ([]byte, error) { return nil, err }
		}
	}
	return c
}

// KeptError says that the kept content of a file can't be used. It is an ErrBackup; nothing was
// changed.
type KeptError struct {
	Path string // relative to the root
	Why  string // "gone", "damaged", or an error of the system
}

func (e *KeptError) Error() string        { return fmt.Sprintf("the backup of %q is %s", e.Path, e.Why) }
func (e *KeptError) Is(target error) bool { return target == dir.ErrBackup }

// gone and damaged are errors about content that can't be restored.
func (f Saved) gone() error    { return &KeptError{f.Path, "gone"} }
func (f Saved) damaged() error { return &KeptError{f.Path, "damaged"} }

// unreadable is an error about kept content that can't be read.
func (f Saved) unreadable(err error) error {
	if isOwn(err) {
		return err
	}
	return &KeptError{f.Path, "unreadable: " + dir.Bare(err).Error()}
}

// keptTemplate is the template for a restored file: the mode is in the journal, owner and
// attributes were kept with the content.
func (w *Workspace) keptTemplate(f Saved) (*template, error) {
	file, err := w.openKept(f)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m := &template{info: file.Info}
	m.info.Mode = f.Mode
	if m.carried, err = file.Attributes(); err != nil {
		return nil, f.unreadable(err)
	}
	return m, nil
}

// openKept opens the kept content of a file.
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

// keptContent reads the kept content of a file and checks it against the journal.
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

package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// takeBackNames takes back a call that deleted, copied or moved more than the content of files: all
// of it or nothing. ErrStale if somebody has changed the result since, or if a name that is needed
// is taken.
func (w *Workspace) takeBackNames(ctx context.Context, b *history.Entry, dryRun bool) (*UndoReport, error) {
	u := nameUndo{w: w, ctx: ctx, b: b, dry: dryRun}
	report, err := retryOnCollision(b.Files[0].Path, u.once)
	if err != nil && !errors.Is(err, dir.ErrDurability) {
		return nil, staleIfChanged(err)
	}
	return report, err
}

// staleIfChanged turns errors about a name that is taken, gone, or no longer empty into ErrStale:
// that changed since the call.
func staleIfChanged(err error) error {
	var at *dir.PathError
	for _, kind := range [...]error{dir.ErrExists, dir.ErrNotFound, dir.ErrNotEmpty, dir.ErrNotFile, dir.ErrNotFolder} {
		if errors.As(err, &at) && errors.Is(err, kind) && !errors.Is(err, dir.ErrBackup) {
			return &dir.PathError{Path: at.Path, Err: &dir.StaleError{}}
		}
	}
	return err
}

// nameUndo is the undo of one call.
type nameUndo struct {
	w   *Workspace
	ctx context.Context
	b   *history.Entry
	dry bool
}

func (u *nameUndo) once() (*UndoReport, error) {
	files := u.b.Files
	first := files[0]
	switch {
	case len(files) == 1 && first.Action == history.Created:
		return u.removeAgain(first)
	case len(files) == 1 && first.Action == history.Removed:
		return u.bringBack(first)
	case first.Action == history.Moved && len(files) == 1:
		return u.moveBack(first, nil, nil)
	case first.Action == history.Moved && len(files) == 2:
		return u.moveBack(first, nil, &files[1])
	case len(files) == 2 && files[1].Action == history.Moved:
		return u.moveBack(files[1], &first, nil)
	}
	return nil, history.Failed(errors.New("the journal's entry can't be read"))
}

// removeAgain removes what a call made, if it is unchanged.
func (u *nameUndo) removeAgain(f history.Saved) (*UndoReport, error) {
	if err := u.expect(f.Path, f.Mode, f.New); err != nil {
		return nil, err
	}
	done, err := u.w.deleteOnce(u.ctx, Removal{Path: f.Path, Recursive: true, DryRun: u.dry, Tool: undoTool, undoes: u.b.ID})
	if done == nil {
		return nil, err
	}
	return &UndoReport{Restored: []Undone{{Path: f.Path, Action: history.Removed}}, BackupID: done.BackupID}, err
}

// expect makes sure that the file or folder at a path has the given type, and fits a tag of the
// journal.
func (u *nameUndo) expect(path string, mode fs.FileMode, tag string) error {
	p, err := u.w.locate(path, purpose{write: true})
	if err != nil {
		return err
	}
	defer p.close()
	switch {
	case !p.exists:
		return p.fail(dir.ErrNotFound)
	case p.info.Mode.Type() != mode.Type():
		return p.fail(&dir.StaleError{})
	}
	now, err := u.w.tagLike(u.ctx, p, tag)
	if err == nil && now != tag {
		err = &dir.StaleError{}
	}
	return own(p, explainTree(p.asked, err))
}

// tagLike describes the file or folder at a place by the same kind of tag as a given one.
func (w *Workspace) tagLike(ctx context.Context, p *place, tag string) (string, error) {
	switch {
	case strings.HasPrefix(tag, identityTag):
		return identityTag + p.info.ID(), nil
	case p.info.IsLink():
		text, err := p.folder.Readlink(p.name)
		return dir.ContentETag([]byte(text)), err
	case p.info.Mode.IsDir():
		return treeTagLike(ctx, p.folder, p.name, tag)
	}
	return w.contentAt(ctx, p.folder, p.name), nil
}

// treeTagLike is the state of a tree or its fingerprint, whichever kind the tag is.
func treeTagLike(ctx context.Context, in dir.Folder, name, tag string) (string, error) {
	if !strings.HasPrefix(tag, dir.StateTag) {
		return fingerprint(ctx, in, name)
	}
	found, err := new(surveyor).look(ctx, in, name)
	if err != nil {
		return "", err
	}
	return dir.StateTag + found.stamp, nil
}

// bringBack makes again what a call removed.
func (u *nameUndo) bringBack(f history.Saved) (*UndoReport, error) {
	p, err := u.w.locate(f.Path, purpose{write: true})
	if err != nil {
		return nil, err
	}
	defer p.close()
	if p.exists {
		return nil, p.fail(dir.ErrExists)
	}
	r := revival{w: u.w, ctx: u.ctx, f: f, p: p}
	if err := r.check(); err != nil {
		return nil, own(p, err)
	}
	report := &UndoReport{Restored: []Undone{r.undone()}}
	if u.dry {
		report.Restored[0].ETag = "" // there is no file yet
		return report, nil
	}
	undoParents, err := u.w.makeParents(p)
	if err == nil {
		err = u.revive(&r, report)
	}
	if err != nil && !errors.Is(err, dir.ErrDurability) {
		undoParents()
		return nil, own(p, err)
	}
	report.Lost = r.lost
	return report, own(p, err)
}

func (u *nameUndo) revive(r *revival, report *UndoReport) error {
	unlock, err := u.w.lock(u.ctx, r.p)
	if err != nil {
		return err
	}
	defer unlock()
	b := history.NewEntry(undoTool, u.b.ID, r.created())
	if r.isTree() {
		noted, err := r.makeTree(b)
		if noted {
			report.BackupID = b.ID
		}
		return err
	}
	failed := r.make()
	if (failed == nil || errors.Is(failed, dir.ErrDurability)) && u.w.history.Note(u.ctx, b) {
		report.BackupID = b.ID
	}
	return failed
}

// moveBack gives a moved file or folder its old name again. over describes what has the old name
// now and must be replaced, gone what the move replaced and must be restored; nil for none.
func (u *nameUndo) moveBack(f history.Saved, over, gone *history.Saved) (*UndoReport, error) {
	if over != nil {
		if err := u.expect(over.Path, over.Mode, over.New); err != nil {
			return nil, err
		}
	}
	if err := u.expect(f.Path, f.Mode, f.New); err != nil {
		return nil, err
	}
	m, err := u.w.begin(u.ctx, Transfer{From: f.Path, To: f.From, Overwrite: over != nil, Parents: true, DryRun: u.dry, Tool: undoTool,
		undoes: u.b.ID}, purpose{write: true}, purpose{write: true})
	if err != nil {
		return nil, err
	}
	defer m.end()
	report := &UndoReport{Restored: []Undone{{Path: f.From, Action: history.Moved}}}
	r := revival{}
	if gone != nil {
		r = revival{w: u.w, ctx: u.ctx, f: *gone, p: m.from}
		if err := r.check(); err != nil {
			return nil, own(m.from, err)
		}
		m.alsoSaved, m.afterMove = []history.Saved{r.created()}, r.make
		if !gone.Mode.IsDir() {
			m.revives = &r
		}
		report.Restored = append(report.Restored, r.undone())
	}
	done, err := m.run()
	if done == nil {
		return nil, err
	}
	report.Restored[0].ETag, report.BackupID, report.Lost = done.ETag, done.BackupID, done.Lost.Or(r.lost)
	if u.dry && gone != nil {
		report.Restored[1].ETag = done.ETag // the file that is now at this path, and will be moved
	}
	return report, err
}

// isName reports an entry that is about a name, not about the content of a file.
func isName(f history.Saved) bool { return f.Action == history.Moved || f.Mode&fs.ModeType != 0 }

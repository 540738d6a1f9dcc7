package sandbox

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// errUnreadable is for an entry that no call of this program makes.
var errUnreadable = errors.New("the journal's entry can't be read")

// takeBackNames takes back a call that deleted, copied or moved more than the content of files: all
// of it or nothing.
func (u *undoing) takeBackNames() (*UndoReport, error) {
	files := u.b.Items
	moved := slices.IndexFunc(files, func(f history.Item) bool { return f.Kind == history.Rename })
	switch {
	case moved >= 0 && len(files) <= 2:
		return u.moveBack(files[moved].Inverse(), files[:moved], files[moved+1:])
	case len(files) == 1 && files[0].Kind == history.Give:
		return u.removeAgain(files[0].Inverse())
	case len(files) == 1 && files[0].Kind == history.Take:
		return u.bringBack(files[0])
	}
	return nil, history.Failed(errUnreadable)
}

// removeAgain removes what a call made, if it is unchanged.
func (u *undoing) removeAgain(f history.Item) (*UndoReport, error) {
	if err := u.expect(f.Path, f.Mode, f.Old); err != nil {
		return nil, err
	}
	done, err := deleteOnce(u.ctx, u.w, Target{Path: dir.InRoot(f.Path), Recursive: true, DryRun: u.dry, Tool: undoTool, Undoes: u.b.ID})
	if done == nil {
		return nil, err
	}
	gone := Undone{Done: Done{Path: f.Path, Partial: f.Mode.IsDir()}, Kind: history.Take, Type: f.Mode.Type()}
	return &UndoReport{Restored: []Undone{gone}, BackupID: done.BackupID}, err
}

// expect makes sure that the file or folder at a path has the given type, and fits a tag of the
// journal.
func (u *undoing) expect(path string, mode fs.FileMode, tag string) error {
	p, err := u.w.locate(dir.InRoot(path), purpose{write: true})
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
	now, err := tagLike(u.ctx, p.folder, p.name, p.info, tag)
	if err == nil && now != tag {
		err = &dir.StaleError{}
	}
	return p.fail(explainTree(p.asked, err))
}

// bringBack makes again what a call removed.
func (u *undoing) bringBack(f history.Item) (*UndoReport, error) {
	p, err := u.w.locate(dir.InRoot(f.Path), purpose{write: true})
	if err != nil {
		return nil, err
	}
	defer p.close()
	if p.exists {
		return nil, p.fail(dir.ErrExists)
	}
	r := remade{w: u.w, ctx: u.ctx, f: f, p: p}
	if err := r.check(); err != nil {
		return nil, p.fail(err)
	}
	report := &UndoReport{Restored: []Undone{r.undone()}}
	if u.dry {
		report.Restored[0].ETag = "" // there is no file yet
		return report, nil
	}
	h := hold{w: u.w, ctx: u.ctx}
	defer h.release()
	err = p.fail(h.unlessDone(u.remake(&h, &r)))
	report.BackupID, report.Lost = h.backupID, h.lost|f.Lost
	return reported(report, err)
}

func (u *undoing) remake(h *hold, r *remade) error {
	if err := h.claim(r.p); err != nil {
		return err
	}
	e := history.NewEntry(undoTool, u.b.ID, r.f.Inverse())
	if r.isTree() { // as a rule it is moved out of the state folder
		s := &step{p: r.p, from: &place{asked: r.p.asked, folder: r.kept, name: r.f.Kept}, info: r.info, newTag: r.f.Old}
		if err := (&plan{hold: h, steps: []*step{s}, entry: e}).run(); !isElsewhere(err) {
			return err
		}
	}
	return (&plan{hold: h, steps: []*step{{p: r.p, arrives: r.arrival()}}, entry: e}).run()
}

// moveBack gives a moved file or folder its old name again. over describes what has the old name
// now and must be replaced, gone what the move replaced and must be restored: one at most.
func (u *undoing) moveBack(f history.Item, over, gone []history.Item) (*UndoReport, error) {
	for _, there := range append(slices.Clip(over), history.Item{Path: f.From, Mode: f.Mode, New: f.New}) {
		if err := u.expect(there.Path, there.Mode, there.New); err != nil {
			return nil, err
		}
	}
	m, err := begin(u.ctx, u.w, Transfer{From: dir.InRoot(f.From), To: dir.InRoot(f.Path), Overwrite: len(over) > 0, Parents: true,
		DryRun: u.dry, Tool: undoTool, undoes: u.b.ID}, purpose{write: true}, purpose{write: true})
	if err != nil {
		return nil, err
	}
	defer m.release()
	moved := Undone{Done: Done{Path: f.Path, From: f.From, Partial: len(over) > 0}, Kind: history.Rename}
	report := &UndoReport{Restored: []Undone{moved}}
	for _, f := range gone {
		undone, err := u.alsoRemake(m, f)
		if err != nil {
			return nil, err
		}
		report.Restored = append(report.Restored, undone)
		report.Lost |= f.Lost
	}
	done, err := m.move()
	if done == nil {
		return nil, err
	}
	report.Restored[0].ETag, report.BackupID = done.ETag, done.BackupID
	report.Lost |= done.Lost
	if u.dry && len(gone) > 0 {
		report.Restored[1].ETag = done.ETag // the file that is now at this path, and will be moved
	}
	return report, err
}

// alsoRemake adds to a move back that what the move had replaced is made again.
func (u *undoing) alsoRemake(m *transfer, f history.Item) (Undone, error) {
	r := remade{w: u.w, ctx: u.ctx, f: f, p: m.from}
	if err := r.check(); err != nil {
		return Undone{}, m.from.fail(err)
	}
	m.alsoSaved, m.successor = []history.Item{r.f.Inverse()}, r.arrival()
	return r.undone(), nil
}

// remade is what a call removed, to be made again.
type remade struct {
	w        *Workspace
	ctx      context.Context
	f        history.Item // the removed file, link or folder
	p        *place
	content  []byte      // content of a file, target of a link
	template *dir.Rights // of a file
	kept     dir.Folder  // where a tree is kept
	info     dir.Info    // of the tree there
}

func (r *remade) isTree() bool { return r.f.Mode.IsDir() && r.f.Kept != "" }

// check makes sure that the kept content is whole, and that the policy allows it at this place.
func (r *remade) check() (err error) {
	switch {
	case r.isTree():
		return r.checkTree()
	case r.f.Mode.IsDir():
		return nil
	}
	if r.content, err = r.w.history.Content(r.ctx, r.f); err == nil && r.f.Mode.IsRegular() {
		r.template, err = keptTemplate(r.w.history, r.f)
	}
	return err
}

func (r *remade) checkTree() error {
	kept, err := r.w.history.Kept(r.f)
	if err != nil {
		return err
	}
	r.kept = kept
	if err := r.findTree(); err != nil {
		return err
	}
	s := surveyor{w: r.w, tops: []treeTop{{r.p.asked, r.p.path, true}}}
	found, err := s.survey(r.ctx, kept, r.f.Kept)
	if err != nil {
		return err
	}
	if strings.HasPrefix(r.f.Old, dir.StateTag) {
		if found.entries < r.f.Entries {
			return r.f.Damaged()
		}
		r.f.Old = found.tag // what somebody wrote into it while it was removed is restored with it
		return nil
	}
	tag, err := fingerprint(r.ctx, kept, r.f.Kept)
	if err == nil && tag != r.f.Old {
		err = r.f.Damaged()
	}
	return err
}

// findTree looks for the tree under the name by which the call kept it, or, if undos have brought
// it back and removed it again since, by which another call did.
func (r *remade) findTree() (err error) {
	if r.info, err = r.kept.Lstat(r.f.Kept); err == nil {
		return nil
	}
	all, err := r.w.history.Entries(r.ctx)
	for _, e := range all {
		f := e.Items[0]
		if f.Kept == "" || f.Path != r.f.Path || f.Old != r.f.Old {
			continue
		}
		if info, err := r.kept.Lstat(f.Kept); err == nil {
			r.f.Kept, r.info = f.Kept, info
			return nil
		}
	}
	return cmp.Or(err, r.f.Gone())
}

// undone describes it for the report of the undo.
func (r *remade) undone() Undone {
	u := Undone{Done: Done{Path: r.f.Path, Partial: r.isTree()}, Kind: history.Give, Type: r.f.Mode.Type()}
	switch {
	case r.f.Mode.IsRegular():
		u.New, u.NewMode = r.content, r.f.Mode&^dir.SetID
		u.ETag = dir.ContentETag(r.content)
	case u.Type == fs.ModeSymlink:
		u.Link = string(r.content)
	case r.isTree():
		u.Entries = r.f.Entries
	}
	return u
}

// arrival returns what a step must put at the name to restore what the call removed: a copy of the
// kept tree, an empty folder, a link or a file.
func (r *remade) arrival() arrival {
	switch {
	case r.isTree():
		return &copied{from: r.kept, name: r.f.Kept, faithful: true, hashed: true, explain: unwrapTree}
	case r.f.Mode.IsDir():
		return newFolder{r.f.Mode}
	case r.f.Mode&fs.ModeSymlink != 0:
		return newLink{string(r.content)}
	}
	return &newFile{content: r.content, from: r.template}
}

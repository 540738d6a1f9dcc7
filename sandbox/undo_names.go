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

// takeBackMove takes back a move.
func (u *undoing) takeBackMove() (*UndoReport, error) {
	all := u.b.Items
	moved := slices.IndexFunc(all, isMove)
	if len(all) > 2 {
		return nil, history.Failed(errUnreadable)
	}
	return u.moveBack(all[moved].Inverse(), all[:moved], all[moved+1:])
}

func isMove(f history.Item) bool { return f.Kind == history.Rename }

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
	r := remade{w: u.w, ctx: u.ctx, f: f}
	if err := r.check(m.from); err != nil {
		return Undone{}, m.from.fail(err)
	}
	m.alsoSaved, m.successor = []history.Item{r.f.Inverse()}, r.arrival()
	undone := Undone{Done: Done{Path: f.Path}, Kind: history.Give}
	r.describe(&undone)
	return undone, nil
}

// remade is what a call removed, to be made again.
type remade struct {
	w        *Workspace
	ctx      context.Context
	f        history.Item // the removed file, link or folder
	content  []byte       // content of a file, target of a link
	template *dir.Rights  // of a file
	kept     dir.Folder   // where a tree is kept
	info     dir.Info     // of the tree there
}

func (r *remade) isTree() bool { return r.f.Mode.IsDir() && r.f.Kept != "" }

// check makes sure that the kept content is whole, and that the policy allows it at this place.
func (r *remade) check(p *place) (err error) {
	switch {
	case r.isTree():
		return r.checkTree(p)
	case r.f.Mode.IsDir():
		return nil
	}
	if r.content, err = r.w.history.Content(r.ctx, r.f); err == nil && r.f.Mode.IsRegular() {
		r.template, err = keptTemplate(r.w.history, r.f)
	}
	return err
}

func (r *remade) checkTree(p *place) error {
	kept, err := r.w.history.Kept(r.f)
	if err != nil {
		return err
	}
	r.kept = kept
	if err := r.findTree(); err != nil {
		return err
	}
	s := surveyor{w: r.w, tops: []treeTop{{p.asked, p.path, true}}}
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

// describe adds it to the report of the undo.
func (r *remade) describe(u *Undone) {
	u.Type, u.Partial = r.f.Mode.Type(), r.isTree()
	switch {
	case r.f.Mode.IsRegular():
		u.New, u.NewMode = r.content, r.f.Mode&^dir.SetID
		u.ETag = dir.ContentETag(r.content)
	case u.Type == fs.ModeSymlink:
		u.Link = string(r.content)
	case r.isTree():
		u.Entries = r.f.Entries
	}
}

// moving is the step that moves a tree out of the state folder.
func (r *remade) moving(p *place) *step {
	return &step{p: p, from: &place{asked: p.asked, folder: r.kept, name: r.f.Kept}, info: r.info, newTag: r.f.Old}
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

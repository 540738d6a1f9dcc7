package transaction

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"syscall"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/tree"
)

// Move gives a file, a link itself, or a folder another name, with one rename, which fails with
// ErrExists if the name is taken at that moment. With Overwrite, the file that has the name is kept
// as a backup and replaced. To another file system it is a copy, synced before the original is
// removed. Every path in a moved folder is checked against the policy, under its old and its new
// name.
func Move(ctx context.Context, w *sandbox.Workspace, t Transfer) (*Done, error) {
	return commitOne(ctx, w, Change{WriteOptions: WriteOptions{Path: t.To, DryRun: t.DryRun, Tool: t.Tool, Undoes: t.Undoes},
		Move: &t, Above: t.Above})
}

// moving is a way to move something.
type moving int

const (
	bySecondName moving = iota
	byRename
	byCopy // to another file system
)

// prepare looks at what is moved and what it replaces.
func (m *transfer) prepare() error {
	err := cmp.Or(expect(m.Ctx, m.from, m.t.Left), expect(m.Ctx, m.to, m.t.Over))
	if err == nil && m.t.Back != nil {
		err = m.t.Back.check(m.from)
	}
	if err == nil {
		err = m.admitMove()
	}
	if err == nil {
		err = m.surveyMove()
	}
	if err == nil {
		m.tag, err = m.tagOf(m.from)
	}
	if err == nil {
		err = m.Workspace.CheckTag(m.from, m.tag)
	}
	isFile := !m.from.Info.Mode.IsDir() && !m.to.Info.Mode.IsDir()
	if !isFile || m.recase || !m.to.Exists && m.t.Back == nil {
		m.way = byRename
	}
	return m.from.Fail(err)
}

// canRetryOtherwise chooses another way where the file system doesn't allow one.
func (m *transfer) canRetryOtherwise(err error) bool {
	switch {
	case m.way == bySecondName && fserr.IsClean(err, fserr.ErrUnsupported):
		m.way = byRename
	case m.way != byCopy && fserr.IsClean(err, syscall.EXDEV):
		m.way = byCopy
	default:
		return false
	}
	return true
}

// admitMove checks the files at both targets.
func (m *transfer) admitMove() error {
	if err := sandbox.RefuseMount(m.from); err != nil || !m.to.Exists {
		return err
	}
	m.recase = path.Dir(m.from.Path) == path.Dir(m.to.Path) && strings.EqualFold(m.from.Name, m.to.Name) &&
		m.from.Info.ID() == m.to.Info.ID() && (m.from.Info.Mode.IsDir() || m.from.Info.Links < 2)
	switch {
	case m.recase && m.to.Folder.System().LosesTarget:
		return errRecase
	case m.recase:
		return nil
	}
	if err := sandbox.RefuseMount(m.to); err != nil {
		return err
	}
	return m.admitReplacing()
}

// errRecase is for a client that takes two names for one file: it answers a rename from one to the
// other as made, and does nothing (Linux 6.1).
var errRecase error = &fserr.Refusal{Kind: fserr.ErrUnsupported,
	Reason: "on SMB, the case of a name can't be changed in one move; move it to another name first"}

// admitReplacing checks what has the new name.
func (m *transfer) admitReplacing() error {
	from, to := m.from.Info.Mode, m.to.Info.Mode
	switch {
	case !m.t.Overwrite:
		return m.taken()
	case from.IsDir() && !to.IsDir():
		return m.to.Fail(fserr.ErrNotFolder)
	case !from.IsDir() && (to.IsDir() || stat.IsSpecial(to)):
		return m.unfit()
	case m.from.Info.IsLink() && leads(m.Workspace, m.t.From, m.to):
		return m.to.Fail(fmt.Errorf("%w: the link leads there, and would lead to itself", fserr.ErrSame))
	case to.IsRegular():
		return m.to.Fail(m.to.CheckWritable(m.to.Info))
	case to.IsDir():
		names, err := namesIn(m.Ctx, m.to)
		if err == nil && len(names) > 0 {
			err = fserr.ErrNotEmpty
		}
		return m.to.Fail(err)
	}
	return nil
}

// leads reports whether a link leads to a target.
func leads(w *sandbox.Workspace, link string, to *sandbox.Target) bool {
	p, _ := w.Glance(link, sandbox.Purpose{Follow: true})
	return p.Exists && p.Path == to.Path
}

// surveyMove checks every path of a folder against the policy, and refuses a folder with a mount in
// it.
func (m *transfer) surveyMove() (err error) {
	if !m.from.Info.Mode.IsDir() {
		return nil
	}
	s := tree.Surveyor{Workspace: m.Workspace, Move: true, Tops: []tree.Top{tree.TopOf(m.from, true), tree.TopOf(m.to, true)}}
	if m.found, err = s.SurveyAt(m.Ctx, m.from); err != nil {
		return err
	}
	return m.Workspace.CheckTag(m.from, m.found.Tag)
}

// steps are those of the way.
func (m *transfer) steps() ([]*plan.Step, error) {
	switch m.way {
	case bySecondName:
		return m.bySecondName(), nil
	case byRename:
		return m.byRename(), nil
	}
	return m.across()
}

// bySecondName are the steps for a file that has both names for a moment. So at any moment a whole
// file has the new name, and what is displaced there can be checked and put back.
func (m *transfer) bySecondName() []*plan.Step {
	leaving := m.leaving()
	if leaving.Moved = !m.Workspace.IsView(); m.isOneFile() {
		return []*plan.Step{leaving}
	}
	return []*plan.Step{m.creating(plan.SecondName{Of: leaving}), leaving}
}

// isOneFile reports whether both targets are names of one file.
func (m *transfer) isOneFile() bool {
	return m.to.Exists && m.from.Info.ID() == m.to.Info.ID() && m.from.Info.Ino != 0
}

// leaving is the step that takes the old name away. In the undo of a move that replaced something,
// it instead gives the old name to what had been replaced.
func (m *transfer) leaving() *plan.Step {
	return &plan.Step{Target: m.from, Info: m.from.Info, Creates: m.successor(), OldTag: tree.Identity(m.from.Info)}
}

// successor is what gets the old name; nil for nothing.
func (m *transfer) successor() plan.Created {
	if m.t.Back == nil {
		return nil
	}
	return m.t.Back.creation()
}

// creating is the step that gives the new name.
func (m *transfer) creating(a plan.Created) *plan.Step {
	return &plan.Step{Target: m.to, Info: m.to.Info, Creates: a, MayExist: m.t.Overwrite}
}

// byRename are the steps for what can't have two names.
func (m *transfer) byRename() []*plan.Step {
	steps := []*plan.Step{{Target: m.to, From: m.from, Info: m.from.Info, Replaces: m.to.Exists, OldTag: tree.Identity(m.from.Info),
		Tree: m.Workspace.TreeAgreed(m.from, m.found.Tag)}}
	if m.t.Back != nil {
		free := &sandbox.Target{Asked: m.from.Asked, Path: m.from.Path, Folder: m.from.Folder, Name: m.from.Name}
		steps = append(steps, &plan.Step{Target: free, Creates: m.successor()})
	}
	return steps
}

// across moves to another file system: the copy is synced before the original is removed. If the
// original was changed meanwhile, the copy is removed instead.
func (m *transfer) across() ([]*plan.Step, error) {
	s := tree.Surveyor{Workspace: m.Workspace, Move: true, Remove: true, Whole: true, Tops: []tree.Top{tree.TopOf(m.from, true)}}
	found, err := s.SurveyAt(m.Ctx, m.from)
	if err != nil {
		return nil, err
	}
	if m.from.Info.Mode.IsDir() {
		if err := m.Workspace.CheckTag(m.from, found.Tag); err != nil {
			return nil, err
		}
	}
	leaving := m.leaving()
	leaving.Tree = found.Tag
	creating := m.creating(&plan.CopiedTree{From: m.from.Folder, Name: m.from.Name, Found: &m.from.Info, Faithful: true,
		Explain: m.explainCopy})
	return []*plan.Step{creating, leaving}, nil
}

// explain says that the new name is taken by now.
func (m *transfer) explain(err error) error {
	switch {
	case err == nil || !plan.IsTaken(err):
		return err
	case m.t.Overwrite:
		return m.to.Fail(fserr.ErrCollision)
	}
	return m.taken()
}

// addTo adds the move to a plan and its entry, with the content of the file that has the new name.
// The tag of the entry tells later whether the moved file is still the same.
func (m *transfer) addTo(p *plan.Plan) (err error) {
	moved := history.Item{Path: m.to.Path, Kind: history.Rename, From: m.from.Path, Mode: m.from.Info.Mode, Size: m.from.Info.Size,
		New: m.tag}
	if m.from.Info.Changed != 0 { // without it, a file that was moved back looks like one that never moved
		moved.Stamp = m.from.Info.ChangeStamp()
	}
	if m.t.Back != nil {
		p.Note(m.t.Back.Item.Inverse(), history.Source{Empty: true})
	}
	at := len(p.Entry.Items)
	p.Note(moved, history.Source{Empty: true})
	if p.Steps, err = m.steps(); err != nil {
		return err
	}
	p.MayLackRecord = true
	first, last := p.Steps[0], p.Steps[len(p.Steps)-1]
	p.Ready = func() {
		if sandbox.IsIdentity(m.tag) && first.Creates != nil { // a copy is another file
			p.Entry.Items[at].New = tree.IdentityOf(first.Target.Folder, first.Temp, first.Made)
		}
		if m.t.Back != nil {
			p.Entry.Items[0].New = last.NewTag
		}
	}
	if m.to.Exists && !m.recase {
		err = m.addReplaced(p)
	}
	return err
}

// addReplaced adds what has the new name to the entry of a plan.
func (m *transfer) addReplaced(p *plan.Plan) error {
	old, from, err := keepable(m.Ctx, m.to)
	if err == nil && !m.to.Info.Mode.IsDir() { // a folder is the one that was agreed to, and only an empty one is replaced
		err = m.Workspace.CheckTag(m.to, old.Old)
	}
	if err != nil {
		return m.to.Fail(err)
	}
	if first := p.Steps[0]; first.Target == m.to && first.Creates != nil {
		first.Info, first.OldTag = m.to.Info, old.Old
		if !from.Empty {
			first.Kept = p.Entry.KeptName(len(p.Entry.Items))
		}
	}
	p.Note(old, from)
	return nil
}

// keepable describes the file at a target for the journal, before it is replaced or removed, and
// where its content is read from.
func keepable(ctx context.Context, p *sandbox.Target) (history.Item, history.Source, error) {
	old := RemovedItem(p)
	switch {
	case p.Info.IsLink():
		text, err := tree.LinkText(p.Folder, p.Name)
		old.Old, old.Size = openfile.ContentETag([]byte(text)), int64(len(text))
		return old, history.Source{Content: []byte(text)}, err
	case !p.Info.Mode.IsRegular():
		old.Size = 0
		return old, history.Source{Empty: true}, withoutAttributes(p, &old)
	}
	return keepableFile(ctx, p, old)
}

// withoutAttributes describes an empty folder of which nothing but the mode is kept: without its
// access control list, that must give nobody more rights.
func withoutAttributes(p *sandbox.Target, old *history.Item) error {
	if !p.Info.Mode.IsDir() {
		return nil
	}
	folder, err := p.Folder.Sub(p.Name)
	if err != nil {
		return err
	}
	defer folder.Close()
	a, err := folder.Attributes()
	if old.Mode = a.WithoutList(old.Mode); len(a) > 0 {
		old.Lost = rights.LostAttributes
	}
	return err
}

// keepableFile is keepable for a regular file.
func keepableFile(ctx context.Context, p *sandbox.Target, old history.Item) (history.Item, history.Source, error) {
	f, err := p.OpenAgain(os.O_RDONLY)
	if err != nil {
		return old, history.Source{}, err
	}
	defer f.Close()
	if sandbox.CheckUnchanged(p, f.Info) != nil || f.Info.Size != p.Info.Size {
		return old, history.Source{}, fserr.ErrCollision
	}
	if err := p.CheckName(f); err != nil {
		return old, history.Source{}, err
	}
	if old.Old, err = f.Hash(ctx); err != nil {
		return old, history.Source{}, err
	}
	carried, err := f.Attributes()
	p.Info = f.Info
	open := func() (*openfile.File, error) { return p.OpenSame(f.Info) }
	return old, history.Source{File: open, Owner: &f.Info, Carried: carried}, err
}

// etag is the etag of a regular file that is moved, at one of its targets; "" for everything else,
// and for a file that can't be read.
func (m *transfer) etag(p *sandbox.Target) string {
	if m.from.Info.Mode.IsRegular() && tree.IsContentTag(m.tag) {
		return m.tag
	}
	now, err := p.Folder.Lstat(p.Name)
	if err != nil || !now.Mode.IsRegular() || now.Size <= m.Workspace.Whole() {
		return ""
	}
	return openfile.StateETag(now)
}

// leadsOutside reports whether a moved link now leads out of the workspace.
func (m *transfer) leadsOutside() bool {
	if !m.from.Info.IsLink() {
		return false
	}
	_, err := m.Workspace.Glance(m.t.To, sandbox.Purpose{Follow: true})
	return errors.Is(err, fserr.ErrLinkOutside)
}

// tagOf describes a file in a way that a rename doesn't change, and, except for a long file or one
// that can't be read, neither does an undo that brings the file back.
func (m *transfer) tagOf(p *sandbox.Target) (string, error) {
	if p.Info.IsLink() || p.Info.Mode.IsRegular() && p.Info.Size <= m.Workspace.Whole() {
		tag, err := tree.TagLike(m.Ctx, p.Folder, p.Name, p.Info, openfile.ContentTag)
		if p.Info.IsLink() || err == nil || fserr.IsCanceled(err) {
			return tag, err
		}
	}
	return tree.IdentityOf(p.Folder, p.Name, p.Info), nil
}

package sandbox

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// errUnreadable is for an entry that no call of this program makes.
var errUnreadable = errors.New("the journal's entry can't be read")

// takeBackMove undoes a move: what the call moved gets its old name again, and what it had
// replaced is made again. If it was itself the undo of a move, what that had made again is
// replaced.
func (u *undoing) takeBackMove() (*UndoReport, error) {
	all := u.b.Items
	at := slices.IndexFunc(all, isMove)
	if len(all) > 2 {
		return nil, history.Failed(errUnreadable)
	}
	f := all[at].Inverse()
	t := Transfer{From: dir.InRoot(f.From), To: dir.InRoot(f.Path), Overwrite: at > 0, Parents: true, DryRun: u.dry, Tool: undoTool,
		undoes: u.b.ID, left: &all[at], above: aboveOf([]*history.Entry{u.b})}
	if at > 0 {
		t.over = &all[0]
	}
	if at+1 < len(all) {
		t.back = &remade{w: u.w, ctx: u.ctx, f: all[at+1]}
	}
	done, err := u.w.Move(u.ctx, t)
	if done == nil {
		return nil, err
	}
	moved := Undone{Done: Done{Path: f.Path, From: f.From, Partial: at > 0, ETag: done.ETag}, Kind: history.Rename}
	report := &UndoReport{Restored: []Undone{moved}, BackupID: done.BackupID, Lost: done.Lost}
	if t.back != nil {
		gone := Undone{Done: Done{Path: f.From}, Kind: history.Give}
		if t.back.describe(&gone); u.dry {
			gone.ETag = done.ETag // of the file that is now at this path, and will be moved
		} else if now, err := u.w.Lstat(gone.Path); err == nil && now.Mode.IsRegular() {
			gone.ETag = cmp.Or(gone.ETag, dir.StateETag(now))
		}
		report.Restored, report.Lost = append(report.Restored, gone), report.Lost|t.back.f.Lost
	}
	u.show(report)
	return report, err
}

func isMove(f history.Item) bool { return f.Kind == history.Rename }

// expect makes sure that a target has the file or folder that a call left there; nil for anything.
func (h *lockSet) expect(p *Target, left *history.Item) error {
	switch {
	case left == nil:
		return nil
	case !p.Exists || p.Info.Mode.Type() != left.Mode.Type():
		return p.Fail(&dir.StaleError{})
	}
	now, err := tagLike(h.ctx, p.Folder, p.Name, p.Info, left.New)
	if err == nil && now != left.New {
		err = &dir.StaleError{}
	}
	return p.Fail(explainTree(p.Asked, err))
}

// remade is what a call removed, to be made again.
type remade struct {
	w        *Workspace
	ctx      context.Context
	f        history.Item // the removed file, link or folder
	content  []byte       // content of a file that isn't long, target of a link
	long     *original    // the content of a long one
	tag      string       // of the content, "" if unknown
	template *dir.Rights  // of a file
	kept     dir.Folder   // where a tree is kept
	info     dir.Info     // of the tree there
	stamp    string       // of all that is in it
	agreed   string       // tag by which it is compared again after it was moved or copied; see TreeAgreed
}

func (r *remade) isTree() bool { return r.f.Mode.IsDir() && r.f.Kept != "" }

// check makes sure that the kept content is whole, and that the policy allows it at this target.
func (r *remade) check(p *Target) (err error) {
	switch {
	case r.isTree():
		return r.checkTree(p)
	case r.f.Mode.IsDir():
		return nil
	}
	kept, isLong := r.w.kept(&r.f), false
	if r.content, r.tag, isLong, err = kept.content(r.ctx); isLong {
		r.long = kept
	}
	if err == nil && r.f.Mode.IsRegular() {
		r.template, err = keptTemplate(r.w.history, r.f)
	}
	return err
}

func (r *remade) checkTree(p *Target) error {
	kept, err := r.w.history.KeptFolder()
	if err != nil {
		return err
	}
	r.kept = kept
	if err := r.findTree(); err != nil {
		return err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %v %d %d\n", r.info.ID(), r.info.Mode, r.info.UID, r.info.GID)
	s := surveyor{w: r.w, tops: []treeTop{{p.Asked, p.Path, true}}, see: func(below string, info dir.Info) {
		fmt.Fprintf(sum, "%q %v %s\n", below, info.Mode, info.ChangeStamp())
	}}
	found, err := s.survey(r.ctx, kept, r.f.Kept)
	if err != nil {
		return err
	}
	r.stamp = hex.EncodeToString(sum.Sum(nil))
	if err := r.w.CheckKept(p, r.stamp); err != nil {
		return err
	}
	if r.w.only != nil {
		r.agreed = found.tag
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
		u.New, u.NewMode, u.Partial = r.content, r.f.Mode&^dir.SetID, r.long != nil
		u.ETag = r.tag
	case u.Type == fs.ModeSymlink:
		u.Link = string(r.content)
	case r.isTree():
		u.Entries, u.Stamp = r.f.Entries, r.stamp
	}
}

// moving is the step that moves a tree out of the state folder.
func (r *remade) moving(p *Target) *step {
	return &step{p: p, from: &Target{Asked: p.Asked, Folder: r.kept, Name: r.f.Kept}, info: r.info, newTag: r.f.Old,
		tree: r.agreed}
}

// arrival returns what a step must put at the name to restore what the call removed: a copy of the
// kept tree, an empty folder, a link or a file.
func (r *remade) creation() creation {
	switch {
	case r.isTree():
		return &copied{from: r.kept, name: r.f.Kept, found: &r.info, faithful: true, hashed: true, agreed: r.agreed,
			explain: unwrapTree}
	case r.f.Mode.IsDir():
		return newFolder{r.f.Mode}
	case r.f.Mode&fs.ModeSymlink != 0:
		return newLink{string(r.content)}
	}
	return &newFile{content: r.content, copy: r.long, from: r.template}
}

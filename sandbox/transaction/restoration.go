package transaction

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/tree"
)

// Restoration is what a call removed, to be made again.
type Restoration struct {
	Workspace *sandbox.Workspace
	Ctx       context.Context
	Item      history.Item   // the removed file, link or folder
	Content   []byte         // content of a file that isn't long, target of a link
	Long      *plan.Original // the content of a long one
	Tag       string         // of the content, "" if unknown
	template  *rights.Rights // of a file
	kept      dir.Folder     // where a tree is kept
	info      stat.Info      // of the tree there
	Stamp     string         // of all that is in it
	agreed    string         // tag by which it is compared again after it was moved or copied; see TreeAgreed
}

// IsTree reports whether it is a folder that is kept with all that was in it.
func (r *Restoration) IsTree() bool { return r.Item.Mode.IsDir() && r.Item.Kept != "" }

// check makes sure that the kept content is whole, and that the policy allows it at this target.
func (r *Restoration) check(p *sandbox.Target) (err error) {
	switch {
	case r.IsTree():
		return r.checkTree(p)
	case r.Item.Mode.IsDir():
		return nil
	}
	kept, isLong := plan.KeptContent(r.Workspace, &r.Item), false
	if r.Content, r.Tag, isLong, err = kept.Content(r.Ctx); isLong {
		r.Long = kept
	}
	if err == nil && r.Item.Mode.IsRegular() {
		r.template, err = KeptRights(r.Workspace.History(), r.Item)
	}
	return err
}

func (r *Restoration) checkTree(p *sandbox.Target) error {
	kept, err := r.Workspace.History().KeptFolder()
	if err != nil {
		return err
	}
	r.kept = kept
	if err := r.findTree(); err != nil {
		return err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %v %d %d\n", r.info.ID(), r.info.Mode, r.info.UID, r.info.GID)
	s := tree.Surveyor{Workspace: r.Workspace, Tops: []tree.Top{tree.TopOf(p, true)}, See: func(below string, info stat.Info) {
		fmt.Fprintf(sum, "%q %v %s\n", below, info.Mode, info.ChangeStamp())
	}}
	found, err := s.Survey(r.Ctx, kept, r.Item.Kept)
	if err != nil {
		return err
	}
	r.Stamp = hex.EncodeToString(sum.Sum(nil))
	if err := r.Workspace.CheckKept(p, r.Stamp); err != nil {
		return err
	}
	if r.Workspace.IsView() {
		r.agreed = found.Tag
	}
	if strings.HasPrefix(r.Item.Old, openfile.StateTag) {
		if found.Entries < r.Item.Entries {
			return r.Item.Damaged()
		}
		r.Item.Old = found.Tag // what somebody wrote into it while it was removed is restored with it
		return nil
	}
	tag, err := tree.Fingerprint(r.Ctx, kept, r.Item.Kept)
	if err == nil && tag != r.Item.Old {
		err = r.Item.Damaged()
	}
	return err
}

// findTree looks for the tree under the name by which the call kept it, or, if undos have brought
// it back and removed it again since, by which another call did.
func (r *Restoration) findTree() (err error) {
	if r.info, err = r.kept.Lstat(r.Item.Kept); err == nil {
		return nil
	}
	all, err := r.Workspace.History().Entries(r.Ctx)
	for _, e := range all {
		f := e.Items[0]
		if f.Kept == "" || f.Path != r.Item.Path || f.Old != r.Item.Old {
			continue
		}
		if info, err := r.kept.Lstat(f.Kept); err == nil {
			r.Item.Kept, r.info = f.Kept, info
			return nil
		}
	}
	return cmp.Or(err, r.Item.Gone())
}

// moving is the step that moves a tree out of the state folder.
func (r *Restoration) moving(p *sandbox.Target) *plan.Step {
	return &plan.Step{Target: p, From: &sandbox.Target{Asked: p.Asked, Folder: r.kept, Name: r.Item.Kept}, Info: r.info, NewTag: r.Item.Old,
		Tree: r.agreed}
}

// creation returns what a step must put at the name to restore what the call removed: a copy of the
// kept tree, an empty folder, a link or a file.
func (r *Restoration) creation() plan.Created {
	switch {
	case r.IsTree():
		return &plan.CopiedTree{From: r.kept, Name: r.Item.Kept, Found: &r.info, Faithful: true, Hashed: true, Agreed: r.agreed,
			Explain: tree.Unwrap}
	case r.Item.Mode.IsDir():
		return plan.NewFolder{Mode: r.Item.Mode}
	case r.Item.Mode&fs.ModeSymlink != 0:
		return plan.NewLink{Text: string(r.Content)}
	}
	return &plan.NewFile{Content: r.Content, Copy: r.Long, From: r.template}
}

// KeptRights is the template for a restored file: the mode is in the journal, owner and
// attributes were kept with the content.
func KeptRights(kept *history.Store, f history.Item) (*rights.Rights, error) {
	file, err := kept.Open(f)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m, err := tree.RightsOf(file, false)
	if err != nil {
		return nil, f.Unreadable(err)
	}
	m.Of.Mode, m.Lost = f.Mode, f.Lost
	return m, nil
}

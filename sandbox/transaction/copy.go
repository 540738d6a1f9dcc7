package transaction

import (
	"context"
	"os"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/tree"
)

// maxCopyBytes is the most that the files of a copied folder may have together: as much as is kept
// of all backups.
const maxCopyBytes = history.MaxBytes

// Copy copies the content of a file, or a folder with everything in it. A new file gets the mode of
// the old one without set-ID bits, and its extended attributes; a file that is replaced keeps its
// own. A link at the path is followed; links in a folder are copied as links. A folder appears
// whole or not at all, and never replaces anything.
func Copy(ctx context.Context, w *sandbox.Workspace, t Transfer) (*Done, error) {
	return plan.RetryOnCollision(ctx, w.Shown(t.From), func() (*Done, error) { return copyOnce(ctx, w, t) })
}

func copyOnce(ctx context.Context, w *sandbox.Workspace, t Transfer) (*Done, error) {
	h := plan.LockSet{Workspace: w, Ctx: ctx}
	defer h.Release()
	m, err := begin(&h, t, sandbox.Purpose{Follow: true, Agreed: true}, sandbox.Purpose{Write: true, Follow: true})
	if err != nil {
		return nil, err
	}
	isFolder, overFolder := m.from.Info.Mode.IsDir(), m.to.Info.Mode.IsDir()
	switch {
	case m.to.Exists && (!t.Overwrite || isFolder && overFolder):
		return nil, m.taken()
	case m.to.Exists && isFolder:
		return nil, m.to.Fail(fserr.ErrNotFolder)
	case isFolder:
		return m.copyFolder()
	case overFolder:
		return nil, m.unfit()
	}
	return m.copyFile()
}

// copyFile writes the content of the file that it opened: a transaction with one change.
func (m *transfer) copyFile() (*Done, error) {
	f, err := m.from.Open(os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c := Change{WriteOptions: m.target(), Copy: &plan.Original{File: f, Limit: m.Workspace.Whole(), Held: m.Workspace.Held()}}
	if !m.to.Exists {
		c.Rights, err = tree.RightsOf(f, true)
	}
	if err == nil && f.Info.Size > m.Workspace.Whole() {
		err = &fserr.SizeError{Size: f.Info.Size, Limit: m.Workspace.Whole()}
	}
	if err == nil && m.Workspace.IsView() {
		if c.Copy.Tag, err = f.Hash(m.Ctx); err == nil {
			c.Copy.Changed = fserr.ErrCollision
			err = m.Workspace.CheckTag(m.from, c.Copy.Tag)
		}
	}
	if err != nil {
		return nil, m.from.Fail(err)
	}
	done, err := commitOne(m.Ctx, m.Workspace, c)
	if done != nil {
		done.From, done.Mode = m.from.Asked, f.Info.Mode
	}
	return done, err
}

// target is where a copied file is written.
func (m *transfer) target() WriteOptions {
	t := WriteOptions{Path: m.t.To, Creation: MustCreate, Parents: m.t.Parents, Large: true, DryRun: m.t.DryRun, Tool: m.t.Tool}
	if m.t.Overwrite {
		t.Creation = MayCreate
	}
	return t
}

// copyFolder builds the copy under a hidden name in the target folder, then renames it.
func (m *transfer) copyFolder() (*Done, error) {
	s := tree.Surveyor{Workspace: m.Workspace, Regular: true, Limit: tree.LimitError{MaxEntries: m.t.Entries, MaxBytes: maxCopyBytes},
		Tops: []tree.Top{tree.TopOf(m.from, false), tree.TopOf(m.to, true)}}
	var err error
	if m.found, err = s.SurveyAt(m.Ctx, m.from); err == nil {
		err = m.Workspace.CheckTag(m.from, m.found.Tag)
	}
	if err != nil {
		return nil, m.from.Fail(err)
	}
	if m.t.DryRun {
		return m.report(), nil
	}
	if err = m.Lock(m.to); err == nil {
		err = m.MakeParents(m.to)
	}
	if err == nil {
		err = m.build()
	}
	return reported(m.report(), m.to.Fail(m.RollbackUnlessCommitted(err)))
}

func (m *transfer) build() error {
	creates := &plan.CopiedTree{From: m.from.Folder, Name: m.from.Name, Found: &m.from.Info, Largest: m.Workspace.Whole(),
		Explain: m.explainCopy, Hashed: true,
		Agreed: m.Workspace.TreeAgreed(m.from, m.found.Tag)}
	p := &plan.Plan{LockSet: m.LockSet, Steps: []*plan.Step{{Target: m.to, Creates: creates}}, Entry: history.NewEntry(m.t.Tool, "",
		history.Item{Path: m.to.Path, Kind: history.Create, Mode: m.from.Info.Mode})}
	return m.explain(p.Run())
}

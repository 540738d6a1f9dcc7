package sandbox

import (
	"context"
	"os"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// maxCopyBytes is the most that the files of a copied folder may have together: as much as is kept
// of all backups.
const maxCopyBytes = history.MaxBytes

// Copy copies the content of a file, or a folder with everything in it. A new file gets the mode of
// the old one without set-ID bits, and its extended attributes; a file that is replaced keeps its
// own. A link at the path is followed; links in a folder are copied as links. A folder appears
// whole or not at all, and never replaces anything.
func (w *Workspace) Copy(ctx context.Context, t Transfer) (*Done, error) {
	return retryOnCollision(w.shown(t.From), func() (*Done, error) { return copyOnce(ctx, w, t) })
}

func copyOnce(ctx context.Context, w *Workspace, t Transfer) (*Done, error) {
	h := hold{w: w, ctx: ctx}
	defer h.release()
	m, err := begin(&h, t, purpose{follow: true, agreed: true}, purpose{write: true, follow: true})
	if err != nil {
		return nil, err
	}
	isFolder, overFolder := m.from.info.Mode.IsDir(), m.to.info.Mode.IsDir()
	switch {
	case m.to.exists && (!t.Overwrite || isFolder && overFolder):
		return nil, m.taken()
	case m.to.exists && isFolder:
		return nil, m.to.fail(dir.ErrNotFolder)
	case isFolder:
		return m.copyFolder()
	case overFolder:
		return nil, m.unfit()
	}
	return m.copyFile()
}

// copyFile writes the content of the file that it opened: a transaction with one change.
func (m *transfer) copyFile() (*Done, error) {
	f, err := m.from.open(os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c := Change{Target: m.target(), copy: &original{file: f, limit: m.w.whole, held: m.w.held()}}
	if !m.to.exists {
		c.template, err = templateOf(f, true)
	}
	if err == nil && f.Info.Size > m.w.whole {
		err = &dir.SizeError{Size: f.Info.Size, Limit: m.w.whole}
	}
	if err == nil && m.w.only != nil {
		if c.copy.tag, err = f.Hash(m.ctx); err == nil {
			c.copy.changed = dir.ErrCollision
			err = m.w.checkTag(m.from, c.copy.tag)
		}
	}
	if err != nil {
		return nil, m.from.fail(err)
	}
	done, err := commitOne(m.ctx, m.w, c)
	if done != nil {
		done.From, done.Mode = m.from.asked, f.Info.Mode
	}
	return done, err
}

// target is where a copied file is written.
func (m *transfer) target() Target {
	t := Target{Path: m.t.To, Creation: MustCreate, Parents: m.t.Parents, Large: true, DryRun: m.t.DryRun, Tool: m.t.Tool}
	if m.t.Overwrite {
		t.Creation = MayCreate
	}
	return t
}

// copyFolder builds the copy under a hidden name in the target folder, then renames it.
func (m *transfer) copyFolder() (*Done, error) {
	s := surveyor{w: m.w, regular: true, limit: TreeSizeError{MaxEntries: m.t.Entries, MaxBytes: maxCopyBytes},
		tops: []treeTop{{m.from.asked, m.from.path, false}, {m.to.asked, m.to.path, true}}}
	var err error
	if m.found, err = s.surveyAt(m.ctx, m.from); err == nil {
		err = m.w.checkTag(m.from, m.found.tag)
	}
	if err != nil {
		return nil, m.from.fail(err)
	}
	if m.t.DryRun {
		return m.report(), nil
	}
	if err = m.lock(m.to); err == nil {
		err = m.makeParents(m.to)
	}
	if err == nil {
		err = m.build()
	}
	return reported(m.report(), m.to.fail(m.unlessDone(err)))
}

func (m *transfer) build() error {
	arrives := &copied{from: m.from.folder, name: m.from.name, found: &m.from.info, largest: m.w.whole, explain: m.explainCopy, hashed: true,
		agreed: m.w.treeAgreed(m.from, m.found)}
	p := &plan{hold: m.hold, steps: []*step{{p: m.to, arrives: arrives}}, entry: history.NewEntry(m.t.Tool, "",
		history.Item{Path: m.to.path, Kind: history.Give, Mode: m.from.info.Mode})}
	return m.explain(p.run())
}

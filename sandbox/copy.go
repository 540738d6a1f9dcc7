package sandbox

import (
	"context"
	"math"
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
	return retryOnCollision(w.Shown(t.From), func() (*Done, error) { return copyOnce(ctx, w, t) })
}

func copyOnce(ctx context.Context, w *Workspace, t Transfer) (*Done, error) {
	h := lockSet{w: w, ctx: ctx}
	defer h.release()
	m, err := begin(&h, t, Purpose{Follow: true, Agreed: true}, Purpose{Write: true, Follow: true})
	if err != nil {
		return nil, err
	}
	isFolder, overFolder := m.from.Info.Mode.IsDir(), m.to.Info.Mode.IsDir()
	switch {
	case m.to.Exists && (!t.Overwrite || isFolder && overFolder):
		return nil, m.taken()
	case m.to.Exists && isFolder:
		return nil, m.to.Fail(dir.ErrNotFolder)
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
	c := Change{WriteOptions: m.target(), copy: &original{file: f, limit: m.w.whole, held: m.w.Held()}}
	if !m.to.Exists {
		c.template, err = templateOf(f, true)
	}
	if err == nil && f.Info.Size > m.w.whole {
		err = &dir.SizeError{Size: f.Info.Size, Limit: m.w.whole}
	}
	if err == nil && m.w.only != nil {
		if c.copy.tag, err = f.Hash(m.ctx); err == nil {
			c.copy.changed = dir.ErrCollision
			err = m.w.CheckTag(m.from, c.copy.tag)
		}
	}
	if err != nil {
		return nil, m.from.Fail(err)
	}
	done, err := commitOne(m.ctx, m.w, c)
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
	s := surveyor{w: m.w, regular: true, limit: TreeSizeError{MaxEntries: m.t.Entries, MaxBytes: maxCopyBytes},
		tops: []treeTop{{m.from.Asked, m.from.Path, false}, {m.to.Asked, m.to.Path, true}}}
	var err error
	if m.found, err = s.surveyAt(m.ctx, m.from); err == nil {
		err = m.w.CheckTag(m.from, m.found.tag)
	}
	if err != nil {
		return nil, m.from.Fail(err)
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
	return reported(m.report(), m.to.Fail(m.rollbackUnlessCommitted(err)))
}

func (m *transfer) build() error {
	creates := &copied{from: m.from.Folder, name: m.from.Name, found: &m.from.Info, largest: m.w.whole, explain: m.explainCopy, hashed: true,
		agreed: m.w.TreeAgreed(m.from, m.found)}
	p := &plan{lockSet: m.lockSet, steps: []*step{{p: m.to, creates: creates}}, entry: history.NewEntry(m.t.Tool, "",
		history.Item{Path: m.to.Path, Kind: history.Give, Mode: m.from.Info.Mode})}
	return m.explain(p.run())
}

// maxHeldFile is the size, in bytes, up to which a file is held in memory where that isn't needed:
// to show what becomes of it, and to tell whether it changes at all. It is the default of the Whole
// limit, which bounds what has to be held.
const maxHeldFile = 10 << 20

// Held is up to which size, in bytes, a file is held in memory where that isn't needed.
func (w *Workspace) Held() int64 { return min(w.whole, maxHeldFile) }

// original is a file whose content another one gets unchanged. A long one is never in memory.
type original struct {
	file    *dir.File // open already, else
	open    func() (*dir.File, error)
	kept    *history.Item // is it, in store, in place of both
	store   *history.Store
	limit   int64  // bytes that it may have, 0 for any number
	held    int64  // from more bytes on it is long
	tag     string // content etag that it must have; "" for any content
	changed error  // if it hasn't that, and isn't kept
}

// kept is the kept content of a file.
func (w *Workspace) kept(f *history.Item) *original {
	o := &original{held: w.Held(), kept: f, store: w.history}
	if isContentTag(f.Old) {
		o.tag = f.Old
	}
	return o
}

// opened opens the file, for as long as close isn't called.
func (o *original) opened() (f *dir.File, close func(), err error) {
	if o.file != nil {
		return o.file, func() {}, nil
	}
	if o.kept != nil {
		f, err = o.store.OpenWhole(*o.kept)
	} else {
		f, err = o.open()
	}
	if err != nil {
		return nil, nil, err
	}
	return f, func() { f.Close() }, nil
}

// content opens the file, checks it, and reads it if it isn't long; isLong says so. tag is its
// content etag, "" for a long one of which none is known.
func (o *original) content(ctx context.Context) (content []byte, tag string, isLong bool, err error) {
	f, done, err := o.opened()
	if err != nil {
		return nil, "", false, err
	}
	defer done()
	switch isLong = f.Info.Size > o.held; {
	case o.limit > 0 && f.Info.Size > o.limit:
		return nil, "", isLong, &dir.SizeError{Size: f.Info.Size, Limit: o.limit}
	case !isLong:
		if content, err = f.ReadAll(ctx, o.held); err == nil {
			tag = dir.ContentETag(content)
		}
	case o.tag != "":
		tag, err = f.Hash(ctx)
	}
	switch {
	case err != nil && o.kept != nil:
		err = o.kept.Unreadable(err)
	case err != nil || o.tag == "" || tag == o.tag:
	case o.kept != nil:
		err = o.kept.Damaged()
	default:
		err = o.changed
	}
	return content, tag, isLong, err
}

// copyTo writes the content of a long file into a new one.
func (o *original) copyTo(ctx context.Context, to *dir.File) error {
	f, done, err := o.opened()
	if err != nil {
		return err
	}
	defer done()
	limit := o.limit
	if limit == 0 {
		limit = math.MaxInt64
	}
	return f.CopyInto(ctx, to, limit)
}

// isSame reports whether what is at a target has the same content. Nearly always the size tells.
func (o *original) isSame(ctx context.Context, p *Target, then dir.Info) (bool, error) {
	f, done, err := o.opened()
	if err != nil {
		return false, err
	}
	defer done()
	if f.Info.Size != then.Size {
		return false, nil
	}
	there, err := p.OpenSame(then)
	if err != nil {
		return false, err
	}
	defer there.Close()
	return there.Equals(ctx, f)
}

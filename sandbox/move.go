package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// Move gives a file, a link itself, or a folder another name, with one rename, which fails with
// ErrExists if the name is taken at that moment. With Overwrite, the file that has the name is kept
// as a backup and replaced. To another file system it is a copy, synced before the original is
// removed. Every path in a moved folder is checked against the policy, under its old and its new
// name.
func (w *Workspace) Move(ctx context.Context, t Transfer) (*Transferred, error) {
	return retryOnCollision(w.named(t.From), func() (*Transferred, error) { return w.moveOnce(ctx, t) })
}

func (w *Workspace) moveOnce(ctx context.Context, t Transfer) (*Transferred, error) {
	m, err := w.begin(ctx, t, purpose{write: true}, purpose{write: true})
	if err != nil {
		return nil, err
	}
	defer m.end()
	return m.run()
}

func (m *transfer) run() (*Transferred, error) {
	if err := m.admitMove(); err != nil {
		return nil, err
	}
	if err := m.surveyMove(); err != nil {
		return nil, err
	}
	if m.t.DryRun {
		done := m.report()
		var err error
		done.ETag, err = m.etag(m.from)
		return done, err
	}
	if err := m.prepare(); err != nil {
		return nil, m.failed(err)
	}
	backupID, err := m.carryOut()
	if m.failed(err); err != nil && !errors.Is(err, dir.ErrDurability) {
		return nil, err
	}
	done := m.report()
	done.BackupID, done.LeadsOutside = backupID, m.leadsOutside()
	if etag, err := m.etag(m.to); err == nil { // the move is done, whether or not the content can be read
		done.ETag = etag
	}
	return done, err
}

// admitMove checks the files at both places.
func (m *transfer) admitMove() error {
	if err := refuseMount(m.from); err != nil {
		return own(m.from, err)
	}
	if !m.to.exists {
		return nil
	}
	m.recase = parentOf(m.from.path) == parentOf(m.to.path) && strings.EqualFold(m.from.name, m.to.name) &&
		m.from.info.ID() == m.to.info.ID() && (m.from.info.Mode.IsDir() || m.from.info.Links < 2)
	if m.recase {
		return nil
	}
	if err := refuseMount(m.to); err != nil {
		return own(m.to, err)
	}
	from, to := m.from.info.Mode, m.to.info.Mode
	switch {
	case !m.t.Overwrite:
		return m.taken()
	case from.IsDir() && !to.IsDir():
		return m.to.fail(dir.ErrNotFolder)
	case !from.IsDir() && (to.IsDir() || dir.IsSpecial(to)):
		return m.unfit()
	case m.from.info.IsLink() && m.w.leads(m.t.From, m.to):
		return m.to.fail(fmt.Errorf("%w: the link leads there, and would lead to itself", dir.ErrSame))
	case to.IsRegular():
		return own(m.to, m.to.mayWrite(m.to.info))
	case to.IsDir():
		names, err := namesIn(m.ctx, m.to)
		if err == nil && len(names) > 0 {
			err = dir.ErrNotEmpty
		}
		return own(m.to, err)
	}
	return nil
}

// leads reports that a link leads to a place.
func (w *Workspace) leads(link string, to *place) bool {
	p, err := w.locate(link, purpose{follow: true})
	if err != nil {
		return false
	}
	defer p.close()
	return p.exists && p.path == to.path
}

// surveyMove checks every path of a folder against the policy, and refuses a folder with a mount in
// it.
func (m *transfer) surveyMove() (err error) {
	if !m.from.info.Mode.IsDir() {
		return nil
	}
	s := surveyor{w: m.w, move: true, tops: []treeTop{{m.from.asked, m.from.path, true}, {m.to.asked, m.to.path, true}}}
	m.found, err = s.look(m.ctx, m.from.folder, m.from.name)
	return err
}

// carryOut announces the move in the journal, then makes it.
func (m *transfer) carryOut() (backupID string, err error) {
	tag, err := m.w.tag(m.ctx, m.from.folder, m.from.name, m.from.info)
	if err != nil {
		return "", own(m.from, err)
	}
	b, kept, err := m.announce(tag)
	if err != nil {
		return "", err
	}
	m.announced = b
	if err = m.ctx.Err(); err == nil && m.revives != nil && m.staysOnDisk() {
		err = m.changePlaces()
	} else if err == nil {
		err = m.rename()
	}
	if errors.Is(err, syscall.EXDEV) && !errors.Is(err, dir.ErrDurability) {
		if kept {
			m.w.history.Drop(b)
		}
		return m.moveAcross(tag)
	}
	return m.conclude(b, kept, err)
}

// conclude finishes a move. If the move failed and was taken back, its entry is removed from the
// journal.
func (m *transfer) conclude(b *history.Entry, kept bool, err error) (backupID string, _ error) {
	if m.afterMove != nil && (err == nil || errors.Is(err, dir.ErrDurability)) {
		if failed := m.afterMove(); failed != nil && !errors.Is(failed, dir.ErrDurability) {
			err = rolledBack(failed, m.to.folder.Move(m.to.name, m.from.folder, m.from.name, dir.IfFree))
		}
	}
	if err == nil || errors.Is(err, dir.ErrDurability) {
		if kept {
			backupID = b.ID
		}
		return backupID, own(m.to, err)
	}
	var left *dir.RollbackError
	if kept && !errors.As(err, &left) { // else the entry may be needed to restore something
		m.w.history.Drop(b)
	}
	return "", own(m.culprit(err), err)
}

// culprit is the place that an error of the system is about: no space, or no permission to add a
// name, is about the target.
func (m *transfer) culprit(err error) *place {
	kind := dir.Classify(err)
	isRefusal := errors.Is(kind, dir.ErrPermission) || errors.Is(kind, dir.ErrReadOnly)
	if errors.Is(kind, dir.ErrNoSpace) || (isRefusal && !m.to.folder.IsWritable(".")) {
		return m.to
	}
	return m.from
}

// announce keeps the file that has the new name, and adds the move to the journal. tag tells later
// whether the moved file is still the same.
func (m *transfer) announce(tag string) (b *history.Entry, kept bool, err error) {
	moved := history.Saved{Path: m.to.path, Action: history.Moved, From: m.from.path, Mode: m.from.info.Mode, Size: m.from.info.Size,
		Added: int64(m.madeCount), New: tag}
	if m.from.info.Changed != 0 { // without it, a file that was moved back looks like one that never moved
		moved.Stamp = m.from.info.ChangeStamp()
	}
	b = history.NewEntry(m.t.Tool, m.t.undoes, append(m.alsoSaved, moved)...)
	sources := make([]history.Source, len(b.Files))
	for i := range sources {
		sources[i].Empty = true
	}
	replaces := m.to.exists && !m.recase
	if replaces {
		old, from, err := m.w.keepable(m.ctx, m.to)
		if err != nil {
			return nil, false, own(m.to, err)
		}
		if from.File != nil {
			defer from.File.Close()
		}
		m.replaced = old.Old
		b.Files, sources = append(b.Files, old), append(sources, from)
	}
	kept, err = m.w.history.Keep(m.ctx, b, sources, replaces)
	return b, kept, own(m.to, err)
}

// keepable describes the file at a place for the journal, before it is replaced, and where its
// content is read from.
func (w *Workspace) keepable(ctx context.Context, p *place) (history.Saved, history.Source, error) {
	old := p.removed()
	switch {
	case p.info.IsLink():
		text, err := p.folder.Readlink(p.name)
		if err != nil {
			return old, history.Source{}, dir.ErrCollision
		}
		old.Old, old.Size = dir.ContentETag([]byte(text)), int64(len(text))
		return old, history.Source{Content: []byte(text)}, nil
	case !p.info.Mode.IsRegular():
		old.Size = 0
		return old, history.Source{Empty: true}, nil
	}
	f, err := p.open(os.O_RDONLY)
	if err != nil {
		return old, history.Source{}, err
	}
	if unchanged(p, f.Info) != nil || f.Info.Size != p.info.Size {
		f.Close()
		return old, history.Source{}, dir.ErrCollision
	}
	p.info = f.Info
	if old.Old, err = f.Hash(ctx); err != nil {
		f.Close()
		return old, history.Source{}, err
	}
	carried, err := f.Attributes()
	if err != nil {
		f.Close()
		return old, history.Source{}, err
	}
	return old, history.Source{File: f, Owner: &f.Info, Carried: carried}, nil
}

// identityTag begins a tag that says which file it is, in place of its content. Tags in the journal
// tell whether a moved file is still the same.
const identityTag = "i"

// tag describes a file in a way that a rename doesn't change.
func (w *Workspace) tag(ctx context.Context, dir dir.Folder, name string, info dir.Info) (string, error) {
	if info.Mode.IsRegular() && info.Size <= w.whole {
		if f, err := dir.Open(name, os.O_RDONLY); err == nil {
			defer f.Close()
			return f.Hash(ctx)
		}
	}
	return identityTag + info.ID(), nil
}

// etag is the etag of a regular file; "" for everything else, and for a file that can't be read.
func (m *transfer) etag(p *place) (string, error) {
	if !m.from.info.Mode.IsRegular() {
		return "", nil
	}
	f, err := p.folder.Open(p.name, os.O_RDONLY)
	if err != nil {
		return "", nil
	}
	defer f.Close()
	etag, err := m.w.ETag(context.WithoutCancel(m.ctx), f, nil)
	return etag, own(p, err)
}

// rename makes the move within one file system; syscall.EXDEV says that there are two.
func (m *transfer) rename() error {
	if m.replacesFile() {
		return m.replace()
	}
	how := dir.IfFree
	if m.to.exists {
		how = dir.Over // the same name in another case, or an empty folder: the system checks that it is empty
	}
	err := m.moveName(how)
	if how == dir.Over && !m.recase && errors.Is(err, dir.ErrCollision) {
		err = m.moveOverEmpty()
	}
	if err != nil {
		return err
	}
	if now, err := m.to.folder.Lstat(m.to.name); err == nil && now.ID() != m.from.info.ID() {
		if err := m.to.folder.Move(m.to.name, m.from.folder, m.from.name, dir.IfFree); err != nil {
			return dir.LeftBehind(err)
		}
		return dir.ErrCollision // somebody put it there at the last moment
	}
	return m.syncBoth()
}

// moveName is the rename itself, with the errors that a changed folder causes.
func (m *transfer) moveName(how dir.Moving) error {
	err := m.from.folder.Move(m.from.name, m.to.folder, m.to.name, how)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return dir.ErrCollision
	case errors.Is(err, syscall.EINVAL) && m.from.info.Mode.IsDir(): // the new path is inside the moved folder by now
		return dir.ErrCollision
	case err != nil && errors.Is(dir.Classify(err), dir.ErrNotEmpty), errors.Is(err, fs.ErrExist):
		if m.t.Overwrite {
			return dir.ErrCollision
		}
		return m.taken()
	}
	return err
}

// moveOverEmpty is for os.Root, which can't rename over a folder: the empty folder is removed
// first.
func (m *transfer) moveOverEmpty() error {
	folder, name := m.to.folder, m.to.name
	if err := unchanged(m.to, m.to.info); err != nil {
		return err
	}
	if folder.RemoveFolder(name) != nil {
		return dir.ErrCollision
	}
	err := m.moveName(dir.IfFree)
	if err != nil {
		_ = folder.Mkdir(name, m.to.info.Mode)
	}
	return err
}

// leadsOutside reports that a moved link now leads out of the workspace.
func (m *transfer) leadsOutside() bool {
	if !m.from.info.IsLink() {
		return false
	}
	p, err := m.w.locate(m.t.To, purpose{follow: true})
	if err == nil {
		p.close()
	}
	return errors.Is(err, dir.ErrLinkOutside)
}

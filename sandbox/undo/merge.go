package undo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/pathname"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/transaction"
	"fsbox/sandbox/tree"
)

// merger finds out what undoing calls comes to, and changes nothing itself: it undoes one
// call after the other, newest first, in what it knows about each file. So it refuses what
// undoing one at a time would refuse: each call must find what it left.
type merger struct {
	w       *sandbox.Workspace
	ctx     context.Context
	isOne   bool // only one call is undone: it may be about a link or a folder
	files   map[string]*merged
	order   []*merged // as the calls name them
	changed []*merged // those that a change is for

	last     []byte // content of the version that was read last
	lastPath string // its path, "" if another version is there by now
	see      Seer
	first    bool // the next path that is told of is the first one
}

// merged is a path, with the file that is there now and the one that shall be.
type merged struct {
	path      string
	now, then version
	movesFrom *merged // the file only gets its name back from this path
	movesTo   *merged // or, the other end of that
}

// version is a file at a path at some time.
type version struct {
	exists  bool
	tag     string                 // of the content
	copy    *plan.Original         // the file with the content; nil, as resized, for what has been on disk, unchanged
	resized func() ([]byte, error) // gives the content of a version that no file has
	at      string                 // path on disk of the file whose mode, owner and attributes it has, "" for kept
	kept    *history.Item          // what was kept of these; nil if at is set
	mode    *fs.FileMode           // to be set, if it differs from these
	info    *stat.Info             // of a file on disk that may be compared by it; else nil
	links   uint64
	left    *history.Item            // a link or a folder that the call left; nil for a file
	back    *transaction.Restoration // one that comes back
}

// file is what is known about a path. At first, that is what is there now.
func (m *merger) file(path string, f *history.Item) (*merged, error) {
	if known := m.files[path]; known != nil {
		return known, nil
	}
	now, err := m.present(path, f)
	if err != nil {
		return nil, err
	}
	first := &merged{path: path, now: now, then: now}
	m.files[path], m.order = first, append(m.order, first)
	return first, nil
}

// present describes what is on disk. If a call left a link or a folder, Commit looks whether it is
// still the same.
func (m *merger) present(path string, left *history.Item) (version, error) {
	p, err := m.w.Locate(pathname.InRoot(path), sandbox.Purpose{Write: true})
	if errors.Is(err, fserr.ErrNotFolder) {
		return version{}, unmergeable(err, "a file is where %q had a directory", path)
	}
	if err != nil {
		return version{}, err
	}
	defer p.Close()
	switch {
	case !p.Exists:
		return version{}, nil
	case m.isOne && p.Info.Mode.Type() != 0 && p.Info.Mode.Type() == left.Mode.Type():
		return version{exists: true, tag: left.New, left: left}, nil
	case p.Info.Mode.IsDir():
		return version{}, unmergeable(p.Fail(&fserr.StaleError{}), "a directory is where the file %q was", path)
	case !p.Info.Mode.IsRegular():
		return version{}, p.Fail(&fserr.StaleError{})
	}
	f, err := p.Open(os.O_RDONLY)
	if err != nil && (left.Kind == history.Remove || left.Mode.Type() != 0) { // no file is to be here, whatever is in it
		err = &fserr.StaleError{}
	}
	if err != nil {
		return version{}, p.Fail(err)
	}
	defer f.Close()
	etag, err := m.w.ETag(m.ctx, f, nil)
	v := version{exists: true, tag: etag, at: path, links: f.Info.Links}
	if sandbox.IsIdentity(left.New) || f.Info.Size > m.w.Held() {
		v.info = new(f.Info)
	}
	return v, p.Fail(err)
}

// revert undoes what a call did to one path.
func (m *merger) revert(b *history.Entry, f *history.Item) error {
	if f.Mode.Type() != 0 && !m.isOne {
		why := fmt.Sprintf("%s of %q, which is no regular file (backup %s), is one of them", b.Tool, f.Path, b.ID)
		return &UnmergeableError{Why: why, ID: b.ID}
	}
	at, err := m.file(f.Path, f)
	if err != nil {
		return err
	}
	switch f.Kind {
	case history.Remove:
		m.lastPath = ""
		return at.put(m.restored(f, version{}))
	case history.Extend, history.Cut:
		return m.resize(at, f)
	}
	if err := m.expect(at, f.New); err != nil {
		return err
	}
	return m.replace(at, f)
}

// replace undoes a call that left the file that is at its path.
func (m *merger) replace(at *merged, f *history.Item) error {
	m.lastPath = ""
	old := at.then
	at.then = version{}
	switch f.Kind {
	case history.Create:
		return nil
	case history.Replace:
		return at.put(m.restored(f, old))
	case history.Rename:
		from, err := m.file(f.From, f)
		if err != nil {
			return err
		}
		return from.put(old)
	}
	return history.Failed(errUnreadable)
}

// put gives a path a file, unless it has one.
func (f *merged) put(v version) error {
	if f.then.exists {
		return f.stale()
	}
	f.then = v
	return nil
}

func (f *merged) stale() error {
	return &fserr.PathError{Path: f.path, Err: &fserr.StaleError{Current: f.now.tag}}
}

// restored is the kept content of a path. What a call didn't change besides the content stays as it
// is in the version after it.
func (m *merger) restored(f *history.Item, after version) version {
	if f.Mode.Type() != 0 {
		return version{exists: true, back: &transaction.Restoration{Workspace: m.w, Ctx: m.ctx, Item: *f}}
	}
	v := version{exists: true, tag: f.Old, at: after.at, kept: after.kept, mode: after.mode, links: after.links,
		copy: plan.KeptContent(m.w, f)}
	switch f.Restores {
	case history.RestoreMode:
		mode := f.Mode &^ fs.ModeType
		v.mode = &mode
	case history.RestoreAll:
		v.at, v.kept, v.mode, v.links = "", f, nil, 1
	}
	return v
}

// expect makes sure that a path has the file that a call left.
func (m *merger) expect(f *merged, tag string) error {
	v := f.then
	switch {
	case !v.exists:
		return f.stale()
	case v.tag == tag, sandbox.IsIdentity(tag) && v.info != nil && tree.IdentityLike(*v.info, tag) == tag:
		return nil
	case sandbox.IsIdentity(tag) && v.info == nil, !sandbox.IsIdentity(tag) && !tree.IsContentTag(tag):
		return unmergeable(f.stale(), "%q is too long to be compared", f.path)
	case tree.IsContentTag(tag) && !tree.IsContentTag(v.tag): // too long for an etag of its content
		if now, err := m.hash(v); err != nil || now == tag {
			return err
		}
	}
	return f.stale()
}

// hash is the content etag of a version of any length.
func (m *merger) hash(v version) (string, error) {
	if v.resized != nil {
		content, err := v.resized()
		return openfile.ContentETag(content), err
	}
	f, done, err := m.original(v).OpenFile()
	if err != nil {
		return "", err
	}
	defer done()
	return f.Hash(m.ctx)
}

// original is the file with a version's content.
func (m *merger) original(v version) *plan.Original {
	if v.copy != nil {
		return v.copy
	}
	o := &plan.Original{Held: m.w.Held(), Changed: (&sandbox.Target{Asked: v.at}).Fail(&fserr.StaleError{})}
	if tree.IsContentTag(v.tag) {
		o.Tag = v.tag
	}
	o.Open = func() (*openfile.File, error) {
		f, err := m.w.OpenAt(pathname.InRoot(v.at), sandbox.Purpose{})
		if err == nil && o.Tag == "" && v.tag != openfile.StateETag(f.Info) {
			f.Close()
			return nil, o.Changed
		}
		return f, err
	}
	return o
}

// resize undoes an append, or the undo of one.
func (m *merger) resize(f *merged, s *history.Item) error {
	if !f.then.exists {
		return f.stale()
	}
	old := f.then
	content, err := m.read(f.path, old)
	if err != nil {
		return err
	}
	inverse := s.Inverse()
	length, tag := beginning(inverse)
	isLeft := int64(len(content)) == inverse.Size && openfile.IsTagOf(tag, content[:length])
	if !isLeft || s.Kind == history.Extend && openfile.ContentETag(content[length:]) != s.New {
		return f.stale()
	}
	var tail []byte
	if s.Kind == history.Cut {
		tail, err = m.w.History().Content(m.ctx, *s)
	}
	m.last, m.lastPath = resized(inverse, content, tail), f.path
	f.then.tag, f.then.copy = openfile.ContentETag(m.last), nil
	f.then.resized = func() ([]byte, error) {
		content, err := m.read("", old)
		return resized(inverse, content, tail), err
	}
	return err
}

// read reads a version's content, the present one of a path. Of all files only the last one read is
// held: the calls that are undone may be about very many.
func (m *merger) read(path string, v version) ([]byte, error) {
	switch {
	case path != "" && m.lastPath == path:
		return m.last, nil
	case v.resized != nil:
		return v.resized()
	}
	content, _, isLong, err := m.original(v).Content(m.ctx)
	if isLong && err == nil {
		size := sizeOf(m.w, v.at)
		tooLarge := &fserr.PathError{Path: v.at, Err: &fserr.SizeError{Size: size, Limit: m.w.Held()}}
		return nil, unmergeable(tooLarge, "%q has %d bytes, and can't be read whole", v.at, size)
	}
	return content, err
}

// merge undoes calls, newest first, and gives what that comes to.
func (m *merger) merge(calls []*history.Entry) ([]transaction.Change, error) {
	for _, b := range calls {
		for i := range b.Items {
			if err := m.revert(b, &b.Items[i]); err != nil {
				return nil, err
			}
		}
	}
	return m.changes()
}

// changes are what takes every file from what it is now to what it shall be.
func (m *merger) changes() ([]transaction.Change, error) {
	var all []transaction.Change
	for _, f := range m.order {
		if f.isUnchanged() {
			continue
		}
		c, err := m.change(f)
		if err != nil {
			return nil, err
		}
		all, m.changed = append(all, c), append(m.changed, f)
	}
	return all, nil
}

// isUnchanged reports whether a path needs no change.
func (f *merged) isUnchanged() bool {
	isOnDisk := f.then.exists && f.then.copy == nil && f.then.resized == nil
	return !f.now.exists && !f.then.exists || isOnDisk && f.then.at == f.path && f.then.mode == nil
}

func (m *merger) change(f *merged) (transaction.Change, error) {
	c := transaction.Change{WriteOptions: transaction.WriteOptions{Path: pathname.InRoot(f.path), Large: true}}
	switch {
	case f.now.left != nil:
		c.Anything, c.Recursive, c.Left = true, true, f.now.left
	case f.now.exists:
		c.IfMatch = f.now.tag
	}
	if c.Remove = !f.then.exists; c.Remove {
		return c, nil
	}
	if !f.now.exists {
		c.Creation, c.Parents = transaction.MustCreate, true
	}
	if c.Back = f.then.back; c.Back != nil {
		return c, nil
	}
	c.Mode = f.then.mode
	if f.then.resized != nil {
		c.Make = func([]byte, bool) ([]byte, error) { return f.then.resized() }
	} else {
		c.Copy = m.original(f.then)
	}
	var err error
	switch {
	case f.then.kept != nil:
		c.Rights, err = transaction.KeptRights(m.w.History(), *f.then.kept)
	case f.then.at != f.path:
		c.Rights, err = m.rename(f)
	}
	return c, err
}

// rename notes that a file gets another name, and gives what else it takes along.
func (m *merger) rename(f *merged) (*rights.Rights, error) {
	if from := m.files[f.then.at]; from != nil && !from.then.exists && !f.now.exists {
		f.movesFrom, from.movesTo = from, f
	}
	if f.then.links > 1 {
		return nil, unmergeable(f.stale(), "%q has other names, which would keep the present content", f.then.at)
	}
	open, err := m.w.OpenAt(pathname.InRoot(f.then.at), sandbox.Purpose{})
	if err != nil {
		return nil, err
	}
	defer open.Close()
	from, err := tree.RightsOf(open, false)
	return from, (&sandbox.Target{Asked: f.then.at}).Fail(err)
}

// action is what becomes of the path.
func (f *merged) action() history.Kind {
	switch {
	case f.movesFrom != nil:
		return history.Rename
	case !f.then.exists:
		return history.Remove
	case !f.now.exists:
		return history.Create
	}
	return history.Replace
}

// sizeOf is how many bytes the file at a path has, 0 for none.
func sizeOf(w *sandbox.Workspace, path string) int64 {
	p, _ := w.Glance(pathname.InRoot(path), sandbox.Purpose{})
	return p.Info.Size
}

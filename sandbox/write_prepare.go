package sandbox

import (
	"bytes"
	"io/fs"
	"os"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// transaction turns a list of changes into one plan: it finds the targets, locks their folders,
// reads the old contents and gets the new ones.
type transaction struct {
	lockSet
	changes []Change
	dry     bool
	copies  bool          // old files are copied, not kept themselves
	trees   bool          // so are trees; else they are moved into the state folder and out of it
	moved   bool          // the plan moves a tree in that way
	failed  map[int]error // changes that can't be made, by their index
	writes  []*write
	size    int64                 // bytes of old content that are kept
	held    int64                 // bytes of content that stay in memory, of changes with Planned
	folders map[string]dir.Folder // open folders by path, each for all writes in it
}

// write is one name that a transaction changes.
type write struct {
	step
	index     int // index of its change
	target    WriteOptions
	make      func(old []byte, existed bool) ([]byte, error)
	copy      *original
	remove    bool
	source    *write // of a moved file: the one that removes it from its old path
	movedFrom bool   // this is such a one

	occupied bool // a file that must not exist yet has the path: an error, unless another change takes it away
	merged   bool // another change puts a file at the path of this removal: together they are one replacement

	found  *survey // of a folder that is removed
	unkept int     // number of special files in it that undo can't bring back
	back   *remade // what comes back, if that is no regular file
	move   *transfer

	old     []byte
	carried dir.Attributes
	content []byte
	changed bool
	dropped bool // the contents aren't in memory any more
	cut     bool // old has only the beginning
	isLong  bool // the new content was never in memory
}

// prepare reads the old content and gets the new one.
func (t *transaction) prepare(s *write) error {
	switch {
	case s.target.Later > 0:
		return t.prepareLater(s)
	case s.move != nil:
		return s.move.prepare()
	case s.back != nil:
		s.changed, s.lost = true, s.back.f.Lost
		return s.back.check(s.p)
	case s.p.Exists && !s.p.Info.Mode.IsRegular():
		return t.prepareRemoval(s)
	}
	if s.p.Exists {
		if err := t.readOld(s); err != nil {
			return err
		}
	}
	if err := t.makeContent(s); err != nil {
		return &CallerError{err}
	}
	if s.remove {
		s.changed = !s.merged
		return nil
	}
	mode := s.info.Mode &^ fs.ModeType
	keepsMode := s.target.mode(mode) == mode
	same, err := t.isSame(s)
	if err != nil {
		return err
	}
	s.changed = !same || !s.p.Exists || s.isForeign() || !keepsMode
	s.mayExist = s.target.Creation != MustCreate
	s.creates = s.newFile()
	return nil
}

// isSame reports whether the new content is the old one, as far as that is known.
func (t *transaction) isSame(s *write) (bool, error) {
	switch {
	case s.isLong && s.cut:
		return s.copy.isSame(t.ctx, s.p, s.info)
	case s.isPartial():
		return false, nil
	}
	return bytes.Equal(s.old, s.content), nil
}

// maxHeld is how many bytes of contents a transaction holds of changes that were told to Planned:
// as many as make the second reading of small files rare.
const maxHeld = 4 << 20

// planned tells of a change, unless the whole call fails, and lets go of its contents.
func (t *transaction) planned(s *write) {
	tell := t.changes[s.index].Planned
	if tell == nil {
		return
	}
	if len(t.failed) == 0 {
		tell(t.done(s))
	}
	t.drop(s)
	if s.source != nil {
		t.drop(s.source)
	}
}

// drop lets go of contents where too many are held: they are read and made again when they are
// written.
func (t *transaction) drop(s *write) {
	if t.held += int64(len(s.old) + len(s.content)); t.held <= maxHeld {
		return
	}
	t.held -= int64(len(s.old) + len(s.content))
	if n, ok := s.creates.(*newFile); ok && !s.isLong {
		n.size = int64(len(s.old) + len(s.content))
		n.content, n.later = nil, func() ([]byte, error) { return t.contentNow(s) }
	}
	s.old, s.content, s.dropped = nil, nil, true
}

// makeContent gets the new content.
func (t *transaction) makeContent(s *write) (err error) {
	switch {
	case s.copy != nil:
		s.content, s.newTag, s.isLong, err = s.copy.content(t.ctx)
		return err
	case s.make == nil:
		return nil
	case s.source != nil:
		s.content, err = s.make(s.source.old, true)
	default:
		s.content, err = s.make(s.old, s.p.Exists)
	}
	s.newTag = dir.ContentETag(s.content)
	return err
}

// newFile is the file that a write makes.
func (s *write) newFile() *newFile {
	n := &newFile{content: s.content, from: s.template()}
	if s.isLong {
		n.copy = s.copy
	}
	if n.from != nil || s.target.Mode != nil {
		n.mode = s.target.mode
	}
	n.runs = s.target.Exec != nil && *s.target.Exec
	return n
}

// template is the file from which the new file takes over; nil if it doesn't replace, move or
// restore one.
func (s *write) template() *dir.Rights {
	switch {
	case s.target.template != nil:
		return s.target.template
	case s.source != nil:
		return &dir.Rights{Of: s.source.info, Attributes: s.source.carried}
	case s.p.Exists:
		return &dir.Rights{Of: s.info, Attributes: s.carried}
	}
	return nil
}

// isForeign reports whether a new file gets mode and owner from another file than the one it
// replaces.
func (s *write) isForeign() bool { return s.source != nil || s.target.template != nil }

// isPartial reports whether the contents before and after aren't both known whole.
func (s *write) isPartial() bool { return s.isUnread() || s.isLong }

// isUnread reports whether the old content isn't in memory, or only its beginning.
func (s *write) isUnread() bool { return s.p.Exists && (s.target.Later > 0 || s.cut || s.dropped) }

// maxOld is how much old content one transaction may have, in bytes: all of it is held in memory,
// and then kept in the state folder.
const maxOld = history.MaxBytes

// readOld reads the file to be replaced and checks that it may be: by etag, and by its own
// permission bits. A rename would also replace a write-protected file, which is not what its owner
// wants. To remove a file, the permissions of its folder are enough.
func (t *transaction) readOld(s *write) error {
	f, err := s.p.OpenAgain(os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	if !t.dry {
		if err := unlinkKept(t.ctx, t.w, f); err != nil {
			return err
		}
	}
	s.info = f.Info
	if s.target.Later > 0 {
		s.oldTag, err = s.target.IfMatch, t.w.CheckTag(s.p, s.target.IfMatch)
	} else {
		err = t.holdOld(s, f)
	}
	if err != nil {
		return err
	}
	if s.carried, err = f.Attributes(); err != nil || s.remove {
		return err
	}
	return s.p.CheckWritable(f.Info)
}

func (t *transaction) holdOld(s *write, f *dir.File) (err error) {
	s.cut = s.target.Large && f.Info.Size > t.w.Held()
	if s.old, err = t.oldContent(s, f); err != nil {
		return err
	}
	if t.size += int64(len(s.old)); t.size > maxOld {
		return &dir.SizeError{Size: t.size, Limit: maxOld}
	}
	if s.oldTag = dir.ContentETag(s.old); s.cut {
		s.oldTag = dir.StateETag(s.info)
	}
	return nil
}

func (t *transaction) oldContent(s *write, f *dir.File) ([]byte, error) {
	if s.cut {
		if err := t.w.CheckETag(t.ctx, s.target.IfMatch, f, nil); err != nil {
			return nil, err
		}
		edges, err := f.Edges(f.Info.Size)
		return edges.Head, err
	}
	content, err := f.ReadAll(t.ctx, t.w.whole)
	if err != nil {
		return nil, err
	}
	return content, t.w.CheckETag(t.ctx, s.target.IfMatch, f, content)
}

// anyWrite are the permission bits that let anyone write.
const anyWrite = 0o222

// CheckWritable refuses a file that this process, or everyone, may not write to.
func (p *Target) CheckWritable(i dir.Info) error {
	writable := p.Folder.May(p.Name, dir.Writing)
	switch {
	case !writable && CheckUnchanged(p, i) != nil:
		return dir.ErrCollision // another file has the name by now
	case i.Mode&anyWrite == 0:
		return dir.ErrPermission
	case writable:
		return nil
	}
	f, err := p.Folder.Open(p.Name, os.O_WRONLY) // the error tells the reason: permission, or a read-only file system
	if err == nil {
		err = f.Close()
	}
	return err
}

// A change of very many files would not fit into memory. A caller that has planned it by itself
// sets Target.Later: no content is held, and IfMatch, the etag of its content, says which one
// the change was planned for. Make gets that content only when the new file is made, and may be
// called again if somebody changes a file of the same change meanwhile. Done has no contents. A
// caller that sets Change.Planned has it planned here, and contents are held as far as drop
// says.

// prepareLater is prepare for a file whose contents are not held.
func (t *transaction) prepareLater(s *write) error {
	if err := t.readOld(s); err != nil {
		return err
	}
	s.changed = true
	n := s.newFile()
	n.later, n.size = func() ([]byte, error) { return t.contentNow(s) }, s.target.Later
	s.creates = n
	return nil
}

// contentNow reads the old content and gets the new one. ErrCollision says that the file isn't the
// one that was prepared, *dir.StaleError that the caller means another content.
func (t *transaction) contentNow(s *write) (content []byte, err error) {
	of := s
	if s.source != nil {
		of = s.source
	}
	var old []byte
	switch {
	case s.copy != nil:
		content, _, _, err = s.copy.content(t.ctx)
		return content, err
	case of.p.Exists:
		if old, err = t.readAgain(of); err != nil {
			return nil, err
		}
	}
	remake := t.changes[s.index].Remake
	if remake == nil {
		remake = s.make
	}
	if content, err = remake(old, of.p.Exists); err != nil {
		return nil, &CallerError{err}
	}
	return content, nil
}

// readAgain reads an old content once more.
func (t *transaction) readAgain(s *write) ([]byte, error) {
	f, err := s.p.OpenSame(s.info)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	old, err := f.ReadAll(t.ctx, t.w.whole)
	if err == nil {
		err = t.w.CheckETag(t.ctx, s.oldTag, f, old)
	}
	return old, err
}

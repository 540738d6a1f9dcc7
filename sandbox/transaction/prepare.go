package transaction

import (
	"bytes"
	"cmp"
	"io/fs"
	"sync"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/tree"
)

// Transaction turns a list of changes into one plan: it finds the targets, locks their folders,
// reads the old contents and gets the new ones.
type Transaction struct {
	plan.LockSet
	Changes []Change
	dry     bool
	files   backups       // of old files
	trees   backups       // of trees
	Failed  map[int]error // changes that can't be made, by their index
	writes  []*write
	size    int64                 // bytes of old content that are kept
	held    int64                 // bytes of content that stay in memory, of changes with Planned
	folders map[string]dir.Folder // open folders by path, each for all writes in it
}

// backups are how old content gets into the state folder, and a tree out of it.
type backups int

const (
	keptItself backups = iota // a file gets a second name there, a tree is moved
	keptAsCopy
)

// kind is what a transaction does to one name.
type kind int

const (
	writes   kind = iota // a file gets a new content, or is made
	removes              // what has the name is removed
	leaves               // a file leaves its name: it is the source of another write
	moves                // what has another name gets this one, as it is
	restores             // a link or a folder comes back
)

// write is one name that a transaction changes.
type write struct {
	plan.Step
	index     int // index of its change
	target    WriteOptions
	make      func(old []byte, existed bool) ([]byte, error)
	copy      *plan.Original
	kind      kind
	source    *write // of a moved file: the one that leaves its old path
	successor *write // of one that removes or leaves: puts a file at its path, so that together they are one replacement

	found  *tree.Survey // of a folder that is removed
	unkept int          // number of special files in it that undo can't bring back
	back   *Restoration // of one that restores
	move   *transfer    // of one that moves

	old     []byte
	carried rights.Attributes
	content []byte
	changed bool
	dropped bool // the contents aren't in memory any more
	cut     bool // old has only the beginning
	isLong  bool // the new content was never in memory
}

// frees reports whether nothing has the name afterwards.
func (s *write) frees() bool { return s.kind == removes || s.kind == leaves }

// prepareOne reads the old content and gets the new one.
func (t *Transaction) prepareOne(s *write) error {
	switch {
	case s.target.Later > 0:
		return t.prepareLater(s)
	case s.kind == moves:
		return s.move.prepare()
	case s.kind == restores:
		s.changed, s.Lost = true, s.back.Item.Lost
		return s.back.check(s.Target)
	case s.Target.Exists && !s.Target.Info.Mode.IsRegular():
		return t.prepareRemoval(s)
	}
	if s.Target.Exists {
		if err := t.readOld(s); err != nil {
			return err
		}
	}
	if err := t.makeContent(s); err != nil {
		return &sandbox.CallerError{Err: err}
	}
	if s.frees() {
		s.changed = s.successor == nil
		return nil
	}
	mode := s.Info.Mode &^ fs.ModeType
	keepsMode := s.target.mode(mode) == mode
	same, err := t.isSame(s)
	if err != nil {
		return err
	}
	s.changed = !same || !s.Target.Exists || s.isForeign() || !keepsMode
	s.MayExist = s.target.Creation != MustCreate
	s.Creates = s.newFile()
	return nil
}

// isSame reports whether the new content is the old one, as far as that is known.
func (t *Transaction) isSame(s *write) (bool, error) {
	switch {
	case s.isLong && s.cut:
		return s.copy.IsSame(t.Ctx, s.Target, s.Info)
	case s.isPartial():
		return false, nil
	}
	return bytes.Equal(s.old, s.content), nil
}

// maxHeld is how many bytes of contents a transaction holds of changes that were told to Planned:
// as many as make the second reading of small files rare.
const maxHeld = 4 << 20

// planned tells of a change, unless the whole call fails, and lets go of its contents.
func (t *Transaction) planned(s *write) {
	tell := t.Changes[s.index].Planned
	if tell == nil {
		return
	}
	if len(t.Failed) == 0 {
		tell(t.done(s))
	}
	t.drop(s)
	if s.source != nil {
		t.drop(s.source)
	}
}

// drop lets go of contents where too many are held: they are read and made again when they are
// written.
func (t *Transaction) drop(s *write) {
	if t.held += int64(len(s.old) + len(s.content)); t.held <= maxHeld {
		return
	}
	t.held -= int64(len(s.old) + len(s.content))
	if n, ok := s.Creates.(*plan.NewFile); ok && !s.isLong {
		n.Size = int64(len(s.old) + len(s.content))
		n.Content, n.Later = nil, func() ([]byte, error) { return t.contentNow(s) }
	}
	s.old, s.content, s.dropped = nil, nil, true
}

// makeContent gets the new content.
func (t *Transaction) makeContent(s *write) (err error) {
	switch {
	case s.copy != nil:
		s.content, s.NewTag, s.isLong, err = s.copy.Content(t.Ctx)
		return err
	case s.make == nil:
		return nil
	case s.source != nil:
		s.content, err = s.make(s.source.old, true)
	default:
		s.content, err = s.make(s.old, s.Target.Exists)
	}
	s.NewTag = openfile.ContentETag(s.content)
	return err
}

// newFile is the file that a write makes.
func (s *write) newFile() *plan.NewFile {
	n := &plan.NewFile{Content: s.content, From: s.template()}
	if s.isLong {
		n.Copy = s.copy
	}
	if n.From != nil || s.target.Mode != nil {
		n.Mode = s.target.mode
	}
	n.Runs = s.target.Exec != nil && *s.target.Exec
	return n
}

// template is the file from which the new file takes over; nil if it doesn't replace, move or
// restore one.
func (s *write) template() *rights.Rights {
	switch {
	case s.target.Rights != nil:
		return s.target.Rights
	case s.source != nil:
		return &rights.Rights{Of: s.source.Info, Attributes: s.source.carried}
	case s.Target.Exists:
		return &rights.Rights{Of: s.Info, Attributes: s.carried}
	}
	return nil
}

// isForeign reports whether a new file gets mode and owner from another file than the one it
// replaces.
func (s *write) isForeign() bool { return s.source != nil || s.target.Rights != nil }

// isPartial reports whether the contents before and after aren't both known whole.
func (s *write) isPartial() bool { return s.isUnread() || s.isLong }

// isUnread reports whether the old content isn't in memory, or only its beginning.
func (s *write) isUnread() bool { return s.Target.Exists && (s.target.Later > 0 || s.cut || s.dropped) }

// maxOld is how much old content one transaction may have, in bytes: all of it is held in memory,
// and then kept in the state folder.
const maxOld = history.MaxBytes

// readOld reads the file to be replaced and checks that it may be: by etag, and by its own
// permission bits. A rename would also replace a write-protected file, which is not what its owner
// wants. To remove a file, the permissions of its folder are enough.
func (t *Transaction) readOld(s *write) error {
	f, writable, err := s.Target.OpenToChange(t.dry)
	if err != nil {
		return err
	}
	ask := t.askAbout(s, f)
	defer ask.end()
	if !t.dry {
		if err := plan.UnlinkKept(t.Ctx, t.Workspace, f); err != nil {
			return err
		}
	}
	s.Info = f.Info
	if s.target.Later > 0 {
		s.OldTag, err = s.target.IfMatch, t.Workspace.CheckTag(s.Target, s.target.IfMatch)
	} else {
		err = t.holdOld(s, f)
	}
	if err = cmp.Or(ask.name(), err); err != nil { // of another file, nothing else matters
		return err
	}
	if s.carried, err = ask.attributes(); err != nil || s.frees() || writable && f.Info.IsWritable() {
		return err
	}
	return s.Target.CheckWritable(f.Info)
}

// questions are asked about an open file besides its content.
type questions struct {
	name       func() error // see sandbox.Target.CheckName
	attributes func() (rights.Attributes, error)
	end        func() error // closes the file
}

// askAbout asks on SMB at once, while the content is read, and closes the file without waiting for
// that: the name takes a round trip, the attributes two, and closing one. While the file is closed,
// it may be renamed there.
func (t *Transaction) askAbout(s *write, f *openfile.File) questions {
	ask := questions{name: func() error { return s.Target.CheckName(f) }, attributes: f.Attributes, end: f.Close}
	if !s.Target.Folder.System().LosesTarget {
		return ask
	}
	ask.name = beside(ask.name)
	if s.frees() {
		ask.end = func() error {
			_ = ask.name()
			return f.Close()
		}
		return ask
	}
	var carried rights.Attributes
	asked := beside(func() (err error) {
		carried, err = f.Attributes()
		return err
	})
	ask.attributes = func() (rights.Attributes, error) {
		err := asked()
		return carried, err
	}
	ask.end = func() error {
		t.Closing.Go(func() {
			_, _ = ask.name(), asked()
			f.Close()
		})
		return nil
	}
	return ask
}

// beside calls a function at once, and gives one that waits for its error.
func beside(do func() error) (wait func() error) {
	wait = sync.OnceValue(do)
	go wait()
	return wait
}

func (t *Transaction) holdOld(s *write, f *openfile.File) (err error) {
	s.cut = s.target.Large && f.Info.Size > t.Workspace.Held()
	if s.old, err = t.oldContent(s, f); err != nil {
		return err
	}
	if t.size += int64(len(s.old)); t.size > maxOld {
		return &fserr.SizeError{Size: t.size, Limit: maxOld}
	}
	if s.OldTag = openfile.ContentETag(s.old); s.cut {
		s.OldTag = openfile.StateETag(s.Info)
	}
	return nil
}

func (t *Transaction) oldContent(s *write, f *openfile.File) ([]byte, error) {
	if s.cut {
		if err := t.Workspace.CheckETag(t.Ctx, s.target.IfMatch, f, nil); err != nil {
			return nil, err
		}
		edges, err := f.Edges(f.Info.Size)
		return edges.Head, err
	}
	content, err := f.ReadAll(t.Ctx, t.Workspace.Whole())
	if err != nil {
		return nil, err
	}
	return content, t.Workspace.CheckETag(t.Ctx, s.target.IfMatch, f, content)
}

// A change of very many files would not fit into memory. A caller that has planned it by itself
// sets Target.Later: no content is held, and IfMatch, the etag of its content, says which one
// the change was planned for. Make gets that content only when the new file is made, and may be
// called again if somebody changes a file of the same change meanwhile. Done has no contents. A
// caller that sets Change.Planned has it planned here, and contents are held as far as drop
// says.

// prepareLater is prepare for a file whose contents are not held.
func (t *Transaction) prepareLater(s *write) error {
	if err := t.readOld(s); err != nil {
		return err
	}
	s.changed = true
	n := s.newFile()
	n.Later, n.Size = func() ([]byte, error) { return t.contentNow(s) }, s.target.Later
	s.Creates = n
	return nil
}

// contentNow reads the old content and gets the new one. ErrCollision says that the file isn't the
// one that was prepared, *fserr.StaleError that the caller means another content.
func (t *Transaction) contentNow(s *write) (content []byte, err error) {
	of := s
	if s.source != nil {
		of = s.source
	}
	var old []byte
	switch {
	case s.copy != nil:
		content, _, _, err = s.copy.Content(t.Ctx)
		return content, err
	case of.Target.Exists:
		if old, err = t.readAgain(of); err != nil {
			return nil, err
		}
	}
	remake := t.Changes[s.index].Remake
	if remake == nil {
		remake = s.make
	}
	if content, err = remake(old, of.Target.Exists); err != nil {
		return nil, &sandbox.CallerError{Err: err}
	}
	return content, nil
}

// readAgain reads an old content once more.
func (t *Transaction) readAgain(s *write) ([]byte, error) {
	f, err := s.Target.OpenSame(s.Info)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	old, err := f.ReadAll(t.Ctx, t.Workspace.Whole())
	if err == nil {
		err = t.Workspace.CheckETag(t.Ctx, s.OldTag, f, old)
	}
	return old, err
}

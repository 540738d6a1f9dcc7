package tree

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strings"
	"syscall"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/pathname"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/disk/walk"
	"fsbox/sandbox/policy"
)

// Survey is the result of a look through a tree.
type Survey struct {
	Entries int    // number of names below the top
	Bytes   int64  // of all regular files together
	Tag     string // of the tree's state, or its content: see tag.go
}

// Surveyor looks through a tree that is to be removed, moved or copied, and refuses it if that
// isn't allowed for one of its paths.
type Surveyor struct {
	Workspace *sandbox.Workspace
	Tops      []Top
	found     *stat.Info                         // what was found at the top, which must still be there; nil for anything
	Remove    bool                               // every folder must permit removal of its content
	Move      bool                               // nothing may be mounted in it
	Whole     bool                               // refuse what can't be copied: FIFOs, sockets, devices
	Regular   bool                               // refuse all but folders, links, and regular files of at most the Whole limit
	content   bool                               // the tag is of the content
	See       func(below string, info stat.Info) // gets what is in the tree; may be nil
	Limit     LimitError                         // by MaxEntries and MaxBytes
	closed    map[string]bool                    // folders from which this process may not remove anything
}

// Top is a path of the tree, present or future, by which the policy checks everything in it.
type Top struct {
	asked, path string // with links not resolved, and resolved
	write       bool   // deny_write holds as well
}

// TopOf is a tree at a target; write says that deny_write holds as well.
func TopOf(p *sandbox.Target, write bool) Top { return Top{p.Asked, p.Path, write} }

// LimitError says that a folder holds more than an operation allows. A limit of zero is none.
type LimitError struct {
	Entries, MaxEntries int   // names
	Bytes, MaxBytes     int64 //
}

func (e *LimitError) Error() string {
	if e.MaxEntries > 0 && e.Entries > e.MaxEntries {
		return fmt.Sprintf("the directory holds more than %d names", e.MaxEntries)
	}
	return fmt.Sprintf("the files in the directory have more than %d bytes together", e.MaxBytes)
}

func (e *LimitError) Is(target error) bool { return target == fserr.ErrTooLarge }

// Survey looks through a file, or a folder with everything in it. With an error, the result is of
// what comes before.
func (s *Surveyor) Survey(ctx context.Context, in dir.Folder, name string) (*Survey, error) {
	found := &Survey{Tag: openfile.StateTag}
	s.closed = map[string]bool{}
	sum, add := sha256.New(), addState
	if s.content {
		found.Tag, add = treeTag, addContent
	}
	own := "" // the last of this program's temporary names: they are no part of the tree
	err := walk.Tree(ctx, in, name, walk.Visitor{Enter: func(e walk.Entry) error {
		if err := s.admit(e); err != nil {
			return err
		}
		switch {
		case e.Path != "" && policy.IsOwn(e.Name):
			own = e.Path + "/"
			return nil
		case own != "" && strings.HasPrefix(e.Path, own):
			return nil
		}
		if e.Path != "" {
			found.Entries++
			if s.See != nil {
				s.See(e.Path, e.Info)
			}
		}
		if e.Info.Mode.IsRegular() {
			found.Bytes += e.Info.Size
		}
		if err := s.Limit.check(found); err != nil {
			return err
		}
		return add(ctx, sum, e)
	}, Opened: s.noteRights})
	found.Tag += hex.EncodeToString(sum.Sum(nil)[:openfile.EtagBytes])
	if len(s.Tops) > 0 {
		err = Explain(s.Tops[0].asked, err)
	}
	return found, err
}

// SurveyAt looks through what was found at a target, and only that: another call of the system may
// find something else under the name.
func (s *Surveyor) SurveyAt(ctx context.Context, p *sandbox.Target) (*Survey, error) {
	s.found = &p.Info
	return s.Survey(ctx, p.Folder, p.Name)
}

// isFound refuses the top of a tree that isn't what was found there before.
func isFound(e walk.Entry, found *stat.Info) error {
	switch {
	case found == nil || e.Path != "":
		return nil
	case e.Info.Mode.Type() != found.Mode.Type(), e.Info.ID() != found.ID():
		return fserr.ErrCollision
	}
	return nil
}

// Explain names the path of the workspace that an error of a walk is about.
func Explain(asked string, err error) error {
	at, ok := errors.AsType[*walk.Error](err)
	if !ok || sandbox.IsRefused(err) {
		return err
	}
	path := asked
	if at.Path != "" {
		path = pathname.Below(asked, at.Path)
	}
	if known, ok := errors.AsType[*fserr.PathError](at.Err); ok {
		if known.Path == "" {
			known.Path = path
		}
		return known
	}
	return fserr.Explain(path, sandbox.NotFollowed(at.Err))
}

func (s *Surveyor) admit(e walk.Entry) error {
	if err := isFound(e, s.found); err != nil {
		return err
	}
	if e.Path != "" { // the top was checked when it was located
		if err := s.checkPolicy(e.Path, e.Info.Mode.IsDir()); err != nil {
			return err
		}
	}
	if s.Workspace != nil && (e.Info.Mode.IsDir() || e.Info.Links > 1) {
		if err := s.Workspace.RefuseHidden(func() (stat.Info, error) { return e.Info, nil }); err != nil {
			return &fserr.PathError{Err: err}
		}
	}
	switch {
	case s.Move && e.Mount:
		return fserr.ErrMounted
	case s.Whole && stat.IsSpecial(e.Info.Mode):
		return fmt.Errorf("%w: a %s can't move to another one", fserr.ErrUnsupported, stat.TypeName(e.Info.Mode))
	case s.Regular && stat.IsSpecial(e.Info.Mode):
		return &fserr.PathError{Type: stat.TypeName(e.Info.Mode), Err: fserr.ErrNotFile}
	case s.Regular && e.Info.Mode.IsRegular() && e.Info.Size > s.Workspace.Whole():
		return &fserr.SizeError{Size: e.Info.Size, Limit: s.Workspace.Whole()}
	case e.Path != "" && s.closed[parentOf(e.Path)]:
		return whyClosed(e.Dir)
	}
	return nil
}

func (s *Surveyor) checkPolicy(path string, folder bool) error {
	for _, top := range s.Tops {
		for _, name := range [...]string{top.path, top.asked} {
			if err := s.Workspace.CheckEntry(pathname.Below(name, path), top.write, folder); err != nil {
				return sandbox.BlockedAs(pathname.Below(top.asked, path), err)
			}
			if name == top.asked {
				break
			}
		}
	}
	return nil
}

// noteRights notes a folder from which this process may not remove anything: an entry of it is
// refused. It asks the open folder: something else may have the name for a moment, such as a link
// that leads nowhere.
func (s *Surveyor) noteRights(e walk.Entry, folder dir.Folder) {
	if s.Remove && !folder.May(".", rights.Writing) {
		s.closed[e.Path] = true
	}
}

// whyClosed tells a read-only file system from a missing permission: such a file system refuses
// even to remove a name that doesn't exist.
func whyClosed(folder dir.Folder) error {
	if err := folder.RemoveFolder(policy.TempPrefix + "none"); errors.Is(err, syscall.EROFS) {
		return err
	}
	return fserr.ErrPermission
}

// parentOf is the folder of a path in a tree.
func parentOf(path string) string { return path[:max(0, strings.LastIndexByte(path, '/'))] }

func (e LimitError) check(found *Survey) error {
	e.Entries, e.Bytes = found.Entries, found.Bytes
	if (e.MaxEntries > 0 && e.Entries > e.MaxEntries) || (e.MaxBytes > 0 && e.Bytes > e.MaxBytes) {
		return &e
	}
	return nil
}

// addState adds an entry to a hash of a tree's state. It shows every change except a rename of the
// top. Size and time of the top folder are left out: some file systems change them when the folder
// is moved (f2fs), and the names in it tell more.
func addState(_ context.Context, h hash.Hash, e walk.Entry) error {
	size, modified := uint64(e.Info.Size), uint64(e.Info.Modified.UnixNano())
	if e.Path == "" && e.Info.Mode.IsDir() {
		size, modified = 0, 0
	}
	var b [40]byte
	for i, v := range [...]uint64{e.Info.Dev, e.Info.Ino, size, modified, uint64(e.Info.Mode)} {
		binary.BigEndian.PutUint64(b[8*i:], v)
	}
	_, _ = h.Write(b[:])
	_, err := h.Write(append([]byte(e.Path), 0))
	return err
}

// treeTag begins a fingerprint.
const treeTag = "t"

// Fingerprint tells a tree from any other by its names, types, permission bits, link targets and
// contents.
func Fingerprint(ctx context.Context, in dir.Folder, name string) (string, error) {
	found, err := (&Surveyor{content: true}).Survey(ctx, in, name)
	return found.Tag, err
}

// addContent adds an entry to a fingerprint. Set-ID bits of files don't count: a copy has none.
func addContent(ctx context.Context, h hash.Hash, e walk.Entry) error {
	text, err := contentOf(ctx, e)
	if err != nil {
		return err
	}
	mode := e.Info.Mode
	if mode.IsRegular() {
		mode &^= stat.SetID
	}
	_, _ = h.Write(binary.BigEndian.AppendUint32(nil, uint32(mode)))
	_, err = h.Write([]byte(e.Path + "\x00" + text + "\x00"))
	return err
}

// contentOf tells one content of an entry from another: a link's target, a file's etag, "" for
// everything else.
func contentOf(ctx context.Context, e walk.Entry) (string, error) {
	switch {
	case e.Info.IsLink():
		return dir.LinkTarget(e.Dir, e.Name)
	case !e.Info.Mode.IsRegular():
		return "", nil
	}
	return Hash(ctx, e.Dir, e.Name)
}

// IsUnchanged reports whether a name has the tree whose state was read, unchanged except for its
// own name.
func IsUnchanged(in dir.Folder, name, tag string) bool {
	now, err := new(Surveyor).Survey(context.Background(), in, name)
	return err == nil && now.Tag == tag
}

// Unwrap is the cause of an error of a walk.
func Unwrap(err error) error {
	if at, ok := errors.AsType[*walk.Error](err); ok {
		return at.Err
	}
	return err
}

// Stamp describes the state of all that is in a folder, for Agreed, and calls see for each name
// in it, in their order, with its path from there. Links at the end of the path are followed.
func Stamp(ctx context.Context, w *sandbox.Workspace, path string, see func(below string, info stat.Info)) (string, error) {
	p, err := w.Locate(path, sandbox.Purpose{Follow: true})
	if err != nil {
		return "", err
	}
	defer p.Close()
	found, err := (&Surveyor{See: see}).Survey(ctx, p.Folder, p.Name)
	return found.Tag, p.Fail(Explain(p.Asked, err))
}

package sandbox

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

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// survey is the result of a look through a tree.
type survey struct {
	entries int    // number of names below the top
	bytes   int64  // of all regular files together
	tag     string // of the tree's state, or its content: see tag.go
}

// surveyor looks through a tree that is to be removed, moved or copied, and refuses it if that
// isn't allowed for one of its paths.
type surveyor struct {
	w       *Workspace
	tops    []treeTop
	found   *dir.Info                         // what was found at the top, which must still be there; nil for anything
	remove  bool                              // every folder must permit removal of its content
	move    bool                              // nothing may be mounted in it
	whole   bool                              // refuse what can't be copied: FIFOs, sockets, devices
	regular bool                              // refuse all but folders, links, and regular files of at most the Whole limit
	content bool                              // the tag is of the content
	see     func(below string, info dir.Info) // gets what is in the tree; may be nil
	limit   TreeSizeError                     // by MaxEntries and MaxBytes
	closed  map[string]bool                   // folders from which this process may not remove anything
}

// treeTop is a path of the tree, present or future, by which the policy checks everything in it.
type treeTop struct {
	asked, path string // with links not resolved, and resolved
	write       bool   // deny_write holds as well
}

// TreeSizeError says that a folder holds more than an operation allows. A limit of zero is none.
type TreeSizeError struct {
	Entries, MaxEntries int   // names
	Bytes, MaxBytes     int64 //
}

func (e *TreeSizeError) Error() string {
	if e.MaxEntries > 0 && e.Entries > e.MaxEntries {
		return fmt.Sprintf("the folder holds more than %d names", e.MaxEntries)
	}
	return fmt.Sprintf("the files in the folder have more than %d bytes together", e.MaxBytes)
}

func (e *TreeSizeError) Is(target error) bool { return target == dir.ErrTooLarge }

// survey looks through a file, or a folder with everything in it. With an error, the result is of
// what comes before.
func (s *surveyor) survey(ctx context.Context, in dir.Folder, name string) (*survey, error) {
	found := &survey{tag: dir.StateTag}
	sum, add := sha256.New(), addState
	if s.content {
		found.tag, add = treeTag, addContent
	}
	own := "" // the last of this program's temporary names: they are no part of the tree
	err := dir.WalkTree(ctx, in, name, dir.Visitor{Enter: func(e dir.TreeEntry) error {
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
			found.entries++
			if s.see != nil {
				s.see(e.Path, e.Info)
			}
		}
		if e.Info.Mode.IsRegular() {
			found.bytes += e.Info.Size
		}
		if err := s.limit.check(found); err != nil {
			return err
		}
		return add(ctx, sum, e)
	}})
	found.tag += hex.EncodeToString(sum.Sum(nil)[:dir.EtagBytes])
	if len(s.tops) > 0 {
		err = explainTree(s.tops[0].asked, err)
	}
	return found, err
}

// surveyAt looks through what was found at a target, and only that: another call of the system may
// find something else under the name.
func (s *surveyor) surveyAt(ctx context.Context, p *Target) (*survey, error) {
	s.found = &p.Info
	return s.survey(ctx, p.Folder, p.Name)
}

// isFound refuses the top of a tree that isn't what was found there before.
func isFound(e dir.TreeEntry, found *dir.Info) error {
	switch {
	case found == nil || e.Path != "":
		return nil
	case e.Info.Mode.Type() != found.Mode.Type(), e.Info.ID() != found.ID():
		return dir.ErrCollision
	}
	return nil
}

// explainTree names the path of the workspace that an error of a walk is about.
func explainTree(asked string, err error) error {
	var at *dir.TreeError
	if !errors.As(err, &at) || IsRefused(err) {
		return err
	}
	path := asked
	if at.Path != "" {
		path = dir.Below(asked, at.Path)
	}
	if known, ok := errors.AsType[*dir.PathError](at.Err); ok {
		if known.Path == "" {
			known.Path = path
		}
		return known
	}
	return dir.Explain(path, NotFollowed(at.Err))
}

func (s *surveyor) admit(e dir.TreeEntry) error {
	if err := isFound(e, s.found); err != nil {
		return err
	}
	if e.Path != "" { // the top was checked when it was located
		if err := s.checkPolicy(e.Path, e.Info.Mode.IsDir()); err != nil {
			return err
		}
	}
	if s.w != nil && (e.Info.Mode.IsDir() || e.Info.Links > 1) {
		if err := s.w.RefuseHidden(func() (dir.Info, error) { return e.Info, nil }); err != nil {
			return &dir.PathError{Err: err}
		}
	}
	switch {
	case s.move && e.Mount:
		return dir.ErrMounted
	case s.whole && dir.IsSpecial(e.Info.Mode):
		return fmt.Errorf("%w: a %s can't move to another one", dir.ErrUnsupported, dir.TypeName(e.Info.Mode))
	case s.regular && dir.IsSpecial(e.Info.Mode):
		return &dir.PathError{Type: dir.TypeName(e.Info.Mode), Err: dir.ErrNotFile}
	case s.regular && e.Info.Mode.IsRegular() && e.Info.Size > s.w.whole:
		return &dir.SizeError{Size: e.Info.Size, Limit: s.w.whole}
	case s.remove:
		return s.admitRemoval(e)
	}
	return nil
}

func (s *surveyor) checkPolicy(path string, folder bool) error {
	for _, top := range s.tops {
		for _, name := range [...]string{top.path, top.asked} {
			if err := s.w.CheckEntry(dir.Below(name, path), top.write, folder); err != nil {
				return BlockedAs(dir.Below(top.asked, path), err)
			}
			if name == top.asked {
				break
			}
		}
	}
	return nil
}

// admitRemoval refuses an entry of a folder from which nothing may be removed.
func (s *surveyor) admitRemoval(e dir.TreeEntry) error {
	if e.Path != "" && s.closed[parentOf(e.Path)] {
		return whyClosed(e.Dir)
	}
	if !e.Info.Mode.IsDir() {
		return nil
	}
	if !e.Dir.May(e.Name, dir.Writing) {
		if s.closed == nil {
			s.closed = map[string]bool{}
		}
		s.closed[e.Path] = true
	}
	return nil
}

// whyClosed tells a read-only file system from a missing permission: such a file system refuses
// even to remove a name that doesn't exist.
func whyClosed(folder dir.Folder) error {
	if err := folder.RemoveFolder(policy.TempPrefix + "none"); errors.Is(err, syscall.EROFS) {
		return err
	}
	return dir.ErrPermission
}

// parentOf is the folder of a path in a tree.
func parentOf(path string) string { return path[:max(0, strings.LastIndexByte(path, '/'))] }

func (e TreeSizeError) check(found *survey) error {
	e.Entries, e.Bytes = found.entries, found.bytes
	if (e.MaxEntries > 0 && e.Entries > e.MaxEntries) || (e.MaxBytes > 0 && e.Bytes > e.MaxBytes) {
		return &e
	}
	return nil
}

// addState adds an entry to a hash of a tree's state. It shows every change except a rename of the
// top. Size and time of the top folder are left out: some file systems change them when the folder
// is moved (f2fs), and the names in it tell more.
func addState(_ context.Context, h hash.Hash, e dir.TreeEntry) error {
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

// fingerprint tells a tree from any other by its names, types, permission bits, link targets and
// contents.
func fingerprint(ctx context.Context, in dir.Folder, name string) (string, error) {
	found, err := (&surveyor{content: true}).survey(ctx, in, name)
	return found.tag, err
}

// addContent adds an entry to a fingerprint. Set-ID bits of files don't count: a copy has none.
func addContent(ctx context.Context, h hash.Hash, e dir.TreeEntry) error {
	text, err := contentOf(ctx, e)
	if err != nil {
		return err
	}
	mode := e.Info.Mode
	if mode.IsRegular() {
		mode &^= dir.SetID
	}
	_, _ = h.Write(binary.BigEndian.AppendUint32(nil, uint32(mode)))
	_, err = h.Write([]byte(e.Path + "\x00" + text + "\x00"))
	return err
}

// contentOf tells one content of an entry from another: a link's target, a file's etag, "" for
// everything else.
func contentOf(ctx context.Context, e dir.TreeEntry) (string, error) {
	switch {
	case e.Info.IsLink():
		return dir.LinkTarget(e.Dir, e.Name)
	case !e.Info.Mode.IsRegular():
		return "", nil
	}
	return hashAt(ctx, e.Dir, e.Name)
}

package sandbox

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// survey is what a look through a tree found.
type survey struct {
	entries int   // names below the top
	bytes   int64 // of all regular files
	stamp   string
}

// surveyor goes through a tree that is to be taken away, moved or copied, and refuses it where one of its paths may not be.
type surveyor struct {
	w       *Workspace
	tops    []treeTop
	remove  bool // every folder must let its content be removed
	move    bool // nothing may be mounted in it
	whole   bool // nothing that can't be copied: FIFOs, sockets, devices
	regular bool // nothing but folders, links and regular files of at most the Whole limit
	limit   treeLimit
	closed  map[string]bool // folders that this process may not take anything out of
}

// treeTop is a name that the tree has, or is to get, and that the policy judges all of it by.
type treeTop struct {
	asked, path string // as asked, and resolved
	write       bool   // deny_write holds too
}

// treeLimit bounds a tree; zero is no limit.
type treeLimit struct {
	entries int
	bytes   int64
}

// TreeSizeError says that a folder holds more than an operation takes.
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

// asked is how messages call the top.
func (s *surveyor) asked() string {
	if len(s.tops) == 0 {
		return ""
	}
	return s.tops[0].asked
}

// look surveys what has a name.
func (s *surveyor) look(ctx context.Context, in dir.Folder, name string) (*survey, error) {
	found := &survey{}
	stamp := sha256.New()
	err := walkTree(ctx, in, name, visitor{enter: func(e treeEntry) error {
		if err := s.admit(e); err != nil {
			return err
		}
		if e.path != "" {
			found.entries++
		}
		if e.info.Mode.IsRegular() {
			found.bytes += e.info.Size
		}
		stampEntry(stamp, e)
		return s.limit.check(found)
	}})
	if err != nil {
		return nil, explainTree(s.asked(), err)
	}
	found.stamp = hex.EncodeToString(stamp.Sum(nil)[:dir.EtagBytes])
	return found, nil
}

// fits reports that a tree is as it was when it was surveyed, but for its own name.
func (s *survey) fits(in dir.Folder, name string) bool {
	now, err := new(surveyor).look(context.Background(), in, name)
	return err == nil && now.stamp == s.stamp
}

// explainTree names the path in the workspace that an error of a walk is about.
func explainTree(asked string, err error) error {
	var at *treeError
	if !errors.As(err, &at) || isOwn(err) {
		return err
	}
	path := asked
	if at.path != "" {
		path = below(asked, at.path)
	}
	var known *dir.PathError
	if errors.As(at.err, &known) {
		if known.Path == "" {
			known.Path = path
		}
		return known
	}
	return dir.Explain(path, notFollowed(at.err))
}

func (s *surveyor) admit(e treeEntry) error {
	if e.path != "" { // the top was judged where it was found
		if err := s.checkPolicy(e.path); err != nil {
			return err
		}
	}
	if s.w != nil && e.info.Mode.IsDir() {
		if err := s.w.hiddenFolder(func() (dir.Info, error) { return e.info, nil }); err != nil {
			return &dir.PathError{Err: err}
		}
	}
	switch {
	case s.move && e.mount:
		return ErrMounted
	case s.whole && isSpecial(e.info.Mode):
		return fmt.Errorf("%w: a %s can't move to another one", dir.ErrUnsupported, dir.TypeName(e.info.Mode))
	case s.regular && isSpecial(e.info.Mode):
		return &dir.PathError{Type: dir.TypeName(e.info.Mode), Err: dir.ErrNotFile}
	case s.regular && e.info.Mode.IsRegular() && e.info.Size > s.w.whole:
		return &dir.SizeError{Size: e.info.Size, Limit: s.w.whole}
	case s.remove:
		return s.admitRemoval(e)
	}
	return nil
}

func (s *surveyor) checkPolicy(path string) error {
	for _, top := range s.tops {
		for _, name := range [...]string{top.path, top.asked} {
			if err := s.w.checkEntry(below(name, path), top.write); err != nil {
				return blockedAs(below(top.asked, path), err)
			}
			if name == top.asked {
				break
			}
		}
	}
	return nil
}

// admitRemoval refuses what lies in a folder that nothing may be taken out of.
func (s *surveyor) admitRemoval(e treeEntry) error {
	if e.path != "" && s.closed[parentOf(e.path)] {
		return whyClosed(e.dir)
	}
	if !e.info.Mode.IsDir() {
		return nil
	}
	if !e.dir.IsWritable(e.name) {
		if s.closed == nil {
			s.closed = map[string]bool{}
		}
		s.closed[e.path] = true
	}
	return nil
}

// whyClosed tells a read-only file system from missing permission: it refuses even to remove what isn't there.
func whyClosed(folder dir.Folder) error {
	if err := folder.RemoveFolder(policy.TempPrefix + "none"); errors.Is(err, syscall.EROFS) {
		return err
	}
	return dir.ErrPermission
}

// parentOf is the folder that a path of a tree lies in.
func parentOf(path string) string { return path[:max(0, strings.LastIndexByte(path, '/'))] }

func (l treeLimit) check(found *survey) error {
	if (l.entries > 0 && found.entries > l.entries) || (l.bytes > 0 && found.bytes > l.bytes) {
		return &TreeSizeError{Entries: found.entries, MaxEntries: l.entries, Bytes: found.bytes, MaxBytes: l.bytes}
	}
	return nil
}

// stampEntry takes an entry into a hash of the present state of a tree: any change but that of the top's own name shows. Of a
// folder on top, the names in it tell more than its time, which some file systems change with its place (f2fs).
func stampEntry(h hash.Hash, e treeEntry) {
	size, modified := uint64(e.info.Size), uint64(e.info.Modified.UnixNano())
	if e.path == "" && e.info.Mode.IsDir() {
		size, modified = 0, 0
	}
	var b [40]byte
	for i, v := range [...]uint64{e.info.Dev, e.info.Ino, size, modified, uint64(e.info.Mode)} {
		binary.BigEndian.PutUint64(b[8*i:], v)
	}
	_, _ = h.Write(b[:])
	_, _ = h.Write(append([]byte(e.path), 0))
}

// treeTag begins a fingerprint.
const treeTag = "t"

// fingerprint tells a tree from any other by its names, types, permission bits, link texts and contents. Set-ID bits of files don't
// count: a copy has none.
func fingerprint(ctx context.Context, in dir.Folder, name string) (string, error) {
	sum := sha256.New()
	err := walkTree(ctx, in, name, visitor{enter: func(e treeEntry) error {
		text, err := contentOf(ctx, e)
		printEntry(sum, e.info.Mode, e.path, text)
		return err
	}})
	return treeTag + hex.EncodeToString(sum.Sum(nil)[:dir.EtagBytes]), err
}

func printEntry(h hash.Hash, mode fs.FileMode, path, text string) {
	if mode.IsRegular() {
		mode &^= dir.SetID
	}
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], uint32(mode))
	_, _ = h.Write(b[:])
	_, _ = h.Write(append([]byte(path), 0))
	_, _ = h.Write(append([]byte(text), 0))
}

// emptyTag is the fingerprint of an empty folder.
func emptyTag(mode fs.FileMode) string {
	sum := sha256.New()
	printEntry(sum, mode, "", "")
	return treeTag + hex.EncodeToString(sum.Sum(nil)[:dir.EtagBytes])
}

// readlink reads an entry that was a link a moment ago.
func (e treeEntry) readlink() (string, error) {
	text, err := e.dir.Readlink(e.name)
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, fs.ErrNotExist) {
		return "", dir.ErrBusy
	}
	return text, err
}

// contentOf is what an entry holds, in short: a link's text, a file's etag, "" for all else.
func contentOf(ctx context.Context, e treeEntry) (string, error) {
	switch {
	case e.info.IsLink():
		return e.readlink()
	case !e.info.Mode.IsRegular():
		return "", nil
	}
	f, err := e.dir.Open(e.name, os.O_RDONLY)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return f.Hash(ctx)
}

// checkEntry is the policy for what lies in a folder that it has let pass: the name alone mostly decides.
func (w *Workspace) checkEntry(path string, write bool) error {
	if v := w.policy.CheckEntry(path, write); v.Blocks() {
		return blockedBy(path, v)
	}
	return w.checkEntrySpelling(path, write)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

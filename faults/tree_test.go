//go:build linux && amd64

package faults

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// entry is a file, folder or link as data. Paths are relative to the workspace; "../out/..." lies
// outside.
type entry struct {
	kind     entryKind
	path     string
	text     string // content; of a link, where it leads; of a hard link, the path of the other name
	bits     uint32 // permission bits, 0 for the usual ones
	uid, gid int
	xattrs   map[string]string
	holes    bool // blocks of zeros take no space
}

type entryKind byte

const (
	isFile     entryKind = 'f'
	isFolder   entryKind = 'd'
	isLink     entryKind = 'l'
	isHardLink entryKind = 'h'
)

func newEntry(kind entryKind, path, text string) entry {
	return entry{kind: kind, path: path, text: text, uid: os.Geteuid(), gid: os.Getegid()}
}

func file(path, text string) entry    { return newEntry(isFile, path, text) }
func folder(path string) entry        { return newEntry(isFolder, path, "") }
func link(path, target string) entry  { return newEntry(isLink, path, target) }
func second(path, first string) entry { return newEntry(isHardLink, path, first) }

func (e entry) mode(bits uint32) entry { e.bits = bits; return e }

func (e entry) owner(uid, gid int) entry { e.uid, e.gid = uid, gid; return e }

func (e entry) xattr(name, value string) entry {
	e.xattrs = maps.Clone(e.xattrs)
	if e.xattrs == nil {
		e.xattrs = map[string]string{}
	}
	e.xattrs[name] = value
	return e
}

// sparse is the same file with holes in it.
func (e entry) sparse() entry { e.holes = true; return e }

// with is the same entry with another content.
func (e entry) with(text string) entry { e.text = text; return e }

// accessList is a POSIX ACL in the kernel's form (linux/posix_acl_xattr.h): user 1234 may read and
// write besides the owner. It goes with the permission bits 0664.
const accessList = "\x02\x00\x00\x00" +
	"\x01\x00\x06\x00\xff\xff\xff\xff" + // owner rw-
	"\x02\x00\x06\x00\xd2\x04\x00\x00" + // user 1234 rw-
	"\x04\x00\x04\x00\xff\xff\xff\xff" + // group r--
	"\x10\x00\x06\x00\xff\xff\xff\xff" + // mask rw-
	"\x20\x00\x04\x00\xff\xff\xff\xff" // others r--

const accessListName = "system.posix_acl_access"

// permissions are those of the entry, for the usual umask 022.
func (e entry) permissions() uint32 {
	switch {
	case e.kind == isLink:
		return 0o777
	case e.bits != 0:
		return e.bits
	case e.kind == isFolder:
		return 0o755
	}
	return 0o644
}

func (e entry) make(ws string) error {
	path := filepath.Join(ws, e.path)
	var err error
	switch e.kind {
	case isFile:
		if err = os.WriteFile(path, []byte(e.text), 0o600); err == nil && e.holes {
			err = dig(path, e.text)
		}
	case isFolder:
		err = os.MkdirAll(path, 0o755)
	case isLink:
		return os.Symlink(e.text, path)
	case isHardLink:
		return os.Link(filepath.Join(ws, e.text), path)
	}
	if err != nil {
		return err
	}
	for name, value := range e.xattrs {
		err = errors.Join(err, unix.Lsetxattr(path, name, []byte(value), 0))
	}
	if e.uid != os.Geteuid() || e.gid != os.Getegid() {
		err = errors.Join(err, os.Lchown(path, e.uid, e.gid))
	}
	return errors.Join(err, unix.Chmod(path, e.permissions()))
}

// dig makes holes where a file has blocks of zeros.
func dig(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	const block = 4096
	for at := 0; at+block <= len(text); at += block {
		if strings.Trim(text[at:at+block], "\x00") == "" {
			err = errors.Join(err, unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, int64(at), block))
		}
	}
	return err
}

// node is what is at a path: what must be right, and what tells that nobody touched it.
type node struct {
	kind  entryKind
	attrs string // permission bits, owner, extended attributes
	text  string

	device   uint64
	inode    uint64
	names    uint64 // that the file system counts
	modified int64  // nanoseconds
}

func (n node) String() string { return fmt.Sprintf("%c %s %.80q", n.kind, n.attrs, n.text) }

// equal leaves identity and time aside.
func (n node) equal(o node) bool { return n.kind == o.kind && n.attrs == o.attrs && n.text == o.text }

// tree maps paths to what is there.
type tree map[string]node

// model is the tree that entries describe.
func model(entries []entry) tree {
	t := tree{}
	for _, e := range entries {
		n := node{kind: e.kind, text: e.text, attrs: attributes(e.permissions(), e.uid, e.gid, e.xattrs)}
		if e.kind == isHardLink {
			n = t[e.text]
		}
		t[e.path] = n
	}
	return t
}

func attributes(bits uint32, uid, gid int, xattrs map[string]string) string {
	s := fmt.Sprintf("%04o %d:%d", bits, uid, gid)
	for _, name := range slices.Sorted(maps.Keys(xattrs)) {
		s += fmt.Sprintf(" %s=%q", name, xattrs[name])
	}
	return s
}

// look reads the tree of a run: the workspace and the folder beside it.
func look(base string) (tree, error) {
	t := tree{}
	for _, top := range []string{"ws", "out"} {
		err := filepath.WalkDir(filepath.Join(base, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Dir(path) == base {
				return err
			}
			name, err := filepath.Rel(filepath.Join(base, "ws"), path)
			if err == nil {
				t[name], err = nodeAt(path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

func nodeAt(path string) (n node, err error) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return n, err
	}
	n = node{device: st.Dev, inode: st.Ino, names: uint64(st.Nlink), modified: st.Mtim.Nano()}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		n.kind = isFolder
	case unix.S_IFLNK:
		n.kind = isLink
		n.text, err = os.Readlink(path)
	case unix.S_IFREG:
		n.kind = isFile
		var b []byte
		b, err = os.ReadFile(path)
		n.text = string(b)
	default:
		err = fmt.Errorf("%s is of a strange type: %o", path, st.Mode)
	}
	if err != nil {
		return n, err
	}
	xattrs, err := xattrsOf(path)
	n.attrs = attributes(st.Mode&0o7777, int(st.Uid), int(st.Gid), xattrs)
	return n, err
}

func xattrsOf(path string) (map[string]string, error) {
	buf := make([]byte, 4096)
	size, err := unix.Llistxattr(path, buf)
	if err != nil || size == 0 {
		if errors.Is(err, unix.ENOTSUP) {
			err = nil
		}
		return nil, err
	}
	xattrs := map[string]string{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(buf[:size]), "\x00"), "\x00") {
		if strings.HasPrefix(name, "trusted.SGI_ACL_") { // how xfs keeps access lists
			continue
		}
		value := make([]byte, 4096)
		n, err := unix.Lgetxattr(path, name, value)
		if err != nil {
			return nil, err
		}
		xattrs[name] = string(value[:n])
	}
	return xattrs, nil
}

// kept gives the files that have a name outside of the tree as well, such as the program's state
// folder.
func (t tree) kept() (paths []string) {
	names := map[[2]uint64]uint64{}
	for _, n := range t {
		names[[2]uint64{n.device, n.inode}]++
	}
	for path, n := range t {
		if n.kind == isFile && n.names != names[[2]uint64{n.device, n.inode}] {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// litterPrefix marks what the program makes for its own use.
const litterPrefix = ".fsbox-"

// sweep takes litter out of the tree, with all that is below it, and gives its paths.
func (t tree) sweep() (litter []string) {
	for path := range t {
		if strings.Contains("/"+path, "/"+litterPrefix) {
			litter = append(litter, path)
			delete(t, path)
		}
	}
	slices.Sort(litter)
	return litter
}

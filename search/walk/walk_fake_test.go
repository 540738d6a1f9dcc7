package walk

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// fakeTree is a tree in memory that counts its open folders.
type fakeTree struct {
	root       *fakeNode
	mutex      sync.Mutex // guards what is below
	open, most int
	openings   int
	listed     int             // names that a list gives at a time, 0 for all
	opened     []string        // paths of the first folders opened
	unlisted   map[string]bool // folders that fail to list
	gone       map[string]bool // folders and files that fail to open
}

type fakeNode struct {
	kind    fs.FileMode
	content string
	names   map[string]*fakeNode
}

var (
	errFakeGone   = errors.New("gone")
	errFakeList   = errors.New("can't list")
	errFakeClosed = errors.New("directory used after Close")
)

// newFakeTree builds a tree: "a/" is a folder, "a -> b" a symlink, "a (fifo)" a FIFO, the rest are
// files with that content.
func newFakeTree(files map[string]string) *fakeTree {
	t := &fakeTree{root: &fakeNode{kind: fs.ModeDir}, unlisted: map[string]bool{}, gone: map[string]bool{}}
	for path, content := range files {
		kind := fs.FileMode(0)
		if p, ok := strings.CutSuffix(path, "/"); ok {
			path, kind = p, fs.ModeDir
		} else if p, _, ok := strings.Cut(path, " -> "); ok {
			path, kind = p, fs.ModeSymlink
		} else if p, ok := strings.CutSuffix(path, " (fifo)"); ok {
			path, kind = p, fs.ModeNamedPipe
		}
		node := t.root
		for name := range strings.SplitSeq(path, "/") {
			node = node.child(name)
		}
		if node.names == nil {
			node.kind, node.content = kind, content
		}
	}
	return t
}

// child returns a name in a folder and makes the folder one if need be.
func (n *fakeNode) child(name string) *fakeNode {
	n.kind = fs.ModeDir
	if n.names == nil {
		n.names = map[string]*fakeNode{}
	}
	if n.names[name] == nil {
		n.names[name] = &fakeNode{}
	}
	return n.names[name]
}

func (t *fakeTree) folder() *fakeFolder { return &fakeFolder{tree: t, node: t.root} }

// memoryTree opens a tree given by its files.
func memoryTree(files map[string]string) Folder { return newFakeTree(files).folder() }

type fakeFolder struct {
	tree   *fakeTree
	node   *fakeNode
	path   string
	closed bool
}

// List does not look at the context: a small folder need not. A tree can have it give few names at
// a time.
func (f *fakeFolder) List(_ context.Context, from string) (list []Dirent, bound string, err error) {
	f.tree.mutex.Lock()
	defer f.tree.mutex.Unlock()
	if f.closed {
		return nil, "", errFakeClosed
	}
	if f.tree.unlisted[shownPath(f.path)] {
		return nil, "", errFakeList
	}
	for name, node := range f.node.names { // map order: unsorted, as promised
		if name >= from || f.tree.listed == 0 {
			list = append(list, Dirent{Name: name, Type: node.kind})
		}
	}
	if most := f.tree.listed; most > 0 && len(list) > most {
		sortNames(list)
		list, bound = list[:most:most], list[most-1].Name
	}
	if f.tree.listed > 0 {
		for _, name := range []string{".git", ".gitignore", ".ignore"} {
			node, ok := f.node.names[name]
			if ok && !slices.ContainsFunc(list, func(d Dirent) bool { return d.Name == name }) {
				list = append(list, Dirent{Name: name, Type: node.kind})
			}
		}
	}
	return list, bound, nil
}

func (f *fakeFolder) lookup(name string) (*fakeNode, error) {
	path := joinPath(f.path, name)
	switch node := f.node.names[name]; {
	case f.closed:
		return nil, errFakeClosed
	case f.tree.gone[path]:
		return nil, errFakeGone
	case node == nil:
		return nil, fs.ErrNotExist
	default:
		return node, nil
	}
}

func (f *fakeFolder) Folder(name string) (Folder, error) {
	f.tree.mutex.Lock()
	defer f.tree.mutex.Unlock()
	node, err := f.lookup(name)
	if err == nil && !node.kind.IsDir() {
		err = errors.New("not a directory")
	}
	if err != nil {
		return (*fakeFolder)(nil), err // a typed nil: nobody may look at it
	}
	f.tree.open++
	f.tree.most = max(f.tree.most, f.tree.open)
	path := joinPath(f.path, name)
	if f.tree.openings++; f.tree.openings < 100 {
		f.tree.opened = append(f.tree.opened, path)
	}
	return &fakeFolder{tree: f.tree, node: node, path: path}, nil
}

func (f *fakeFolder) File(name string) (File, error) {
	f.tree.mutex.Lock()
	defer f.tree.mutex.Unlock()
	node, err := f.lookup(name)
	if err == nil && !node.kind.IsRegular() {
		panic("opened what is not a file: " + joinPath(f.path, name))
	}
	if err != nil {
		return nil, err
	}
	return fakeFile{strings.NewReader(node.content)}, nil
}

// Lstat gives the length of the path as the size, so that tests see whom it is about.
func (f *fakeFolder) Lstat(name string) (Info, error) {
	f.tree.mutex.Lock()
	defer f.tree.mutex.Unlock()
	node := f.node.names[name]
	switch {
	case f.closed:
		return Info{}, errFakeClosed
	case node == nil:
		return Info{}, fs.ErrNotExist
	}
	return Info{Type: node.kind, Size: int64(len(joinPath(f.path, name)))}, nil
}

func (f *fakeFolder) Close() error {
	f.tree.mutex.Lock()
	defer f.tree.mutex.Unlock()
	if f.closed || f.node == f.tree.root {
		panic("closed twice, or not the walk's: " + shownPath(f.path))
	}
	f.closed = true
	f.tree.open--
	return nil
}

type fakeFile struct{ *strings.Reader }

func (fakeFile) Close() error { return nil }

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"fsbox/sandbox/dir"
)

// treeEntry is one name of a tree.
type treeEntry struct {
	dir   dir.Folder // the entry's folder; open only during the visit
	name  string
	path  string // from the top of the tree; "" for the top itself
	info  dir.Info
	mount bool // something is mounted there
}

// visitor has the functions that a walk calls. For a folder, enter is called before its content is
// visited, and leave after; for everything else only enter.
type visitor struct {
	enter func(treeEntry) error
	leave func(treeEntry) error
}

// treeError is an error about one path of a tree.
type treeError struct {
	path string // from the top of the tree
	err  error
}

func (e *treeError) Error() string { return fmt.Sprintf("%q: %v", e.path, e.err) }
func (e *treeError) Unwrap() error { return e.err }

// walkTree visits a file or folder, and everything in a folder, in the order of names. It follows
// no link. To refuse mounts is up to the visitor. Few descriptors are open at a time. Errors are
// *treeError.
func walkTree(ctx context.Context, in dir.Folder, name string, v visitor) error {
	info, mount, err := in.Examine(name)
	if err != nil {
		return &treeError{err: err}
	}
	w := treeWalk{ctx: ctx, visitor: v, at: dir.Descend(in)}
	defer w.at.Close()
	return w.run(treeEntry{dir: in, name: name, info: info, mount: mount})
}

type treeWalk struct {
	ctx context.Context
	visitor
	at    *dir.Descent
	stack []openEntry
}

// openEntry is a folder that a walk is in, with the names in it that are not yet visited.
type openEntry struct {
	treeEntry
	left []string
}

func (w *treeWalk) run(top treeEntry) error {
	if err := w.visit(top); err != nil {
		return err
	}
	for len(w.stack) > 0 {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		last := &w.stack[len(w.stack)-1]
		if len(last.left) == 0 {
			if err := w.leaveFolder(); err != nil {
				return err
			}
			continue
		}
		name := last.left[0]
		last.left = last.left[1:]
		e := treeEntry{dir: w.at.Here(), name: name, path: below(last.path, name)}
		var err error
		if e.info, e.mount, err = e.dir.Examine(name); err != nil {
			return &treeError{e.path, err}
		}
		if err := w.visit(e); err != nil {
			return err
		}
	}
	return nil
}

// below is the path of a name in a folder.
func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "/" + name
}

func (w *treeWalk) visit(e treeEntry) error {
	if err := w.enter(e); err != nil {
		return &treeError{e.path, err}
	}
	if !e.info.Mode.IsDir() {
		return nil
	}
	names, err := w.enterFolder(e)
	if err != nil {
		return &treeError{e.path, err}
	}
	w.stack = append(w.stack, openEntry{e, names})
	return nil
}

func (w *treeWalk) enterFolder(e treeEntry) ([]string, error) {
	if err := w.at.Down(e.name); err != nil {
		return nil, err
	}
	if id := w.at.Levels[len(w.at.Levels)-1].ID; id != e.info.ID() {
		return nil, dir.ErrBusy // another folder has the name by now
	}
	entries, err := w.at.Here().List(w.ctx)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name
	}
	slices.Sort(names)
	return names, nil
}

func (w *treeWalk) leaveFolder() error {
	last := len(w.stack) - 1
	e := w.stack[last].treeEntry
	w.stack = w.stack[:last]
	if err := w.at.Up(); err != nil {
		return &treeError{e.path, err}
	}
	if w.leave == nil {
		return nil
	}
	e.dir = w.at.Here()
	if err := w.leave(e); err != nil {
		return &treeError{e.path, err}
	}
	return nil
}

// isSpecial reports FIFOs, sockets and devices.
func isSpecial(mode fs.FileMode) bool {
	return !mode.IsRegular() && !mode.IsDir() && mode&fs.ModeSymlink == 0
}

// removeTree removes a file, or a folder with everything in it. No link is followed, and no other
// file system is entered: ErrBusy if one is mounted there.
func removeTree(ctx context.Context, in dir.Folder, name string) error {
	return walkTree(ctx, in, name, visitor{
		enter: func(e treeEntry) error {
			switch {
			case e.mount:
				return ErrMounted
			case e.info.Mode.IsDir():
				return nil
			}
			return removeEntry(e, e.dir.Remove)
		},
		leave: func(e treeEntry) error { return removeEntry(e, e.dir.RemoveFolder) },
	})
}

// removeEntry removes one name of a tree. If its folder doesn't permit that, as in the copy of a
// write-protected one, the folder's mode is changed first.
func removeEntry(e treeEntry, remove func(name string) error) error {
	err := remove(e.name)
	if errors.Is(err, fs.ErrPermission) && e.path != "" && e.dir.Chmod(privateMode) == nil {
		err = remove(e.name)
	}
	return ignoreMissing(err)
}

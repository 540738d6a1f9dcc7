// Package walk goes through a tree of folders, and removes one. It has few folders open at a time,
// however deep the tree is, and follows no link.
package walk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/pathname"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/policy"
)

// Entry is one name of a tree.
type Entry struct {
	Dir   dir.Folder // the entry's folder; open only during the visit
	Name  string
	Path  string // from the top of the tree; "" for the top itself
	Info  stat.Info
	Mount bool // something is mounted there

	Attributes rights.Attributes // of a folder that is left; nil unless the Visitor wants them
}

// Visitor has the functions that a walk calls. For a folder, Enter is called before its content is
// visited, and Leave after; for everything else only Enter. A folder for which Enter returns
// ErrSkipped is neither visited nor left. Opened is called between the two with the folder itself,
// whatever has its name by then; it may be nil.
type Visitor struct {
	Enter  func(Entry) error
	Opened func(e Entry, folder dir.Folder)
	Leave  func(Entry) error

	Attributes bool // read those of folders
}

// ErrSkipped keeps a walk out of a folder.
var ErrSkipped = errors.New("the directory is skipped")

// Error is an error about one path of a tree.
type Error struct {
	Path string // from the top of the tree
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%q: %v", e.Path, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// Tree visits a file or folder, and everything in a folder, in the order of names. It follows
// no link. To refuse mounts is up to the Visitor. Few descriptors are open at a time. Errors are
// *Error.
func Tree(ctx context.Context, in dir.Folder, name string, v Visitor) error {
	info, mount, err := in.Examine(name)
	if err != nil {
		return &Error{Err: err}
	}
	w := walk{ctx: ctx, Visitor: v, at: Descend(in)}
	defer w.at.Close()
	if err := w.visit(Entry{Dir: in, Name: name, Info: info, Mount: mount}); err != nil {
		return &Error{Err: err}
	}
	for len(w.stack) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if path, err := w.step(); err != nil {
			return &Error{path, err}
		}
	}
	return nil
}

type walk struct {
	ctx context.Context
	Visitor
	at    *Descent
	stack []openEntry
}

// openEntry is a folder that a walk is in, with the names in it that are not yet visited.
type openEntry struct {
	Entry
	left []string
}

// step visits the next name of the lowest folder, or leaves that folder. path is what it was about.
func (w *walk) step() (path string, err error) {
	last := &w.stack[len(w.stack)-1]
	if len(last.left) == 0 {
		return last.Path, w.leaveFolder()
	}
	name := last.left[0]
	last.left = last.left[1:]
	e := Entry{Name: name, Path: pathname.Below(last.Path, name)}
	if e.Dir, err = w.at.Here(); err == nil {
		e.Info, e.Mount, err = e.Dir.Examine(name)
	}
	if err == nil {
		err = w.visit(e)
	}
	// A temporary file of this program, or what is below one, goes with the call that made it.
	if errors.Is(err, fs.ErrNotExist) && slices.ContainsFunc(strings.Split(e.Path, "/"), policy.IsOwn) {
		err = nil
	}
	return e.Path, err
}

func (w *walk) visit(e Entry) error {
	if err := w.Enter(e); err != nil || !e.Info.Mode.IsDir() {
		if err == ErrSkipped {
			err = nil
		}
		return err
	}
	names, err := w.enterFolder(&e)
	if err == nil {
		w.stack = append(w.stack, openEntry{e, names})
	}
	return err
}

func (w *walk) enterFolder(e *Entry) ([]string, error) {
	folder, err := w.at.Down(e.Name)
	if err != nil {
		return nil, err
	}
	if id := w.at.Levels[len(w.at.Levels)-1].ID; id != e.Info.ID() {
		return nil, fserr.ErrBusy // another folder has the name by now
	}
	if w.Opened != nil {
		w.Opened(*e, folder)
	}
	if w.Visitor.Attributes {
		if e.Attributes, err = folder.Attributes(); err != nil {
			return nil, err
		}
	}
	entries, err := dir.List(w.ctx, folder)
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

func (w *walk) leaveFolder() (err error) {
	last := len(w.stack) - 1
	e := w.stack[last].Entry
	w.stack = w.stack[:last]
	w.at.Up()
	if w.Leave == nil {
		return nil
	}
	if e.Dir, err = w.at.Here(); err != nil {
		return err
	}
	return w.Leave(e)
}

// Remove removes a file, or a folder with everything in it. It is no error if there is none. No
// link is followed, and no other file system is entered: ErrBusy if one is mounted there. If the
// time of ctx is over before, a later call goes on.
func Remove(ctx context.Context, in dir.Folder, name string) error {
	if fserr.IgnoreMissing(in.Remove(name)) == nil {
		return nil // what isn't a folder needs no walk
	}
	if !dir.Exists(in, name) {
		return nil // a read-only disk says so before it looks for the name
	}
	r := removal{in: in, name: name}
	for {
		r.raised = false
		err := Tree(ctx, in, name, Visitor{Enter: r.enter, Leave: r.leave})
		if err != nil || !r.raised {
			return err
		}
	}
}

// removal is what the walks of one Remove know. So that a little time is enough for a part of a
// tree of thousands of levels, a walk goes down only maxRemoved levels, and moves what is below to
// the top, for the next walk.
type removal struct {
	in     dir.Folder
	name   string
	top    string // the ID of the folder that the first walk found
	depth  int
	raised bool
}

const maxRemoved = 100

func (r *removal) enter(e Entry) error {
	switch {
	case e.Mount:
		return fserr.ErrMounted
	case !e.Info.Mode.IsDir():
		return removeEntry(e, e.Dir.Remove)
	case r.depth >= maxRemoved && r.raise(e) == nil:
		r.raised = true
		return ErrSkipped
	}
	if e.Path == "" {
		if r.top = cmp.Or(r.top, e.Info.ID()); r.top != e.Info.ID() {
			return fserr.ErrBusy // another folder has the name by now
		}
	}
	r.depth++
	return nil
}

func (r *removal) leave(e Entry) error {
	r.depth--
	if e.Path == "" && r.raised {
		return nil // it is not empty yet
	}
	return removeEntry(e, e.Dir.RemoveFolder)
}

// raise moves a folder to the top of the tree.
func (r *removal) raise(e Entry) error {
	top, err := r.in.Sub(r.name)
	if err != nil {
		return err
	}
	defer top.Close()
	if id, err := dir.FolderID(top); err != nil || id != r.top {
		return cmp.Or[error](err, fserr.ErrBusy)
	}
	return e.Dir.Move(e.Name, top, fmt.Sprintf("%016x", rand.Uint64()), dir.IfFree)
}

// removeEntry removes one name of a tree. If its folder doesn't permit that, as in the copy of a
// write-protected one, the folder's mode is changed first.
func removeEntry(e Entry, remove func(name string) error) error {
	err := remove(e.Name)
	if errors.Is(err, fs.ErrPermission) && e.Path != "" && e.Dir.Chmod(0o700) == nil {
		err = remove(e.Name)
	}
	return fserr.IgnoreMissing(err)
}

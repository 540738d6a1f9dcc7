package walk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime/debug"
	"strings"
	"time"
)

// Folder is an open directory. Every name it takes or gives is a single component. No method
// follows a symlink in the last component. Folder and Lstat may be called by several goroutines at
// a time.
type Folder interface {
	Folder(name string) (Folder, error) // no symlink followed
	File(name string) (File, error)     // regular files only, no symlink followed
	Lstat(name string) (Info, error)
	Close() error

	// List gives the names in the folder, unsorted and without "." and "..". Names that come before
	// from may be missing. If there are very many names, those that come after bound may be missing
	// as well; bound is "" if none of these are. .git and the ignore files are always given, if
	// they exist.
	List(ctx context.Context, from string) (names []Dirent, bound string, err error)
}

// Opener is a Folder that opens others by their path, relative to the root or absolute, without
// following a link, and tells that path relative to the root. The .git of a linked worktree names
// its repository so.
type Opener interface {
	Open(path string) (folder Folder, relative string, err error)
}

// Dirent is one name in a folder. Type holds type bits only. It is an alias, so that a package that
// lists folders need not import this one.
type Dirent = struct {
	Name string
	Type fs.FileMode
}

// Info describes the file, folder or link that has a name.
type Info struct {
	Type     fs.FileMode // type bits
	Size     int64       // bytes
	Modified time.Time
}

// File is an open regular file.
type File interface {
	io.ReaderAt
	Size() int64
	Close() error
}

// Options says where a walk begins and what it leaves out. If Readers is set, several goroutines
// may call its functions at the same time.
type Options struct {
	Path          string // start folder, workspace-relative, slash-separated, resolved; "." = the root
	Start         Folder // the folder Path, if it is open already; the caller closes it
	Recursive     bool   // false = only the names in Path itself, without ignore rules
	Depth         int    // 0 = no limit, 1 = direct children
	IncludeHidden bool   // visit names that start with a dot
	NoIgnore      bool   // read no ignore files
	After         string // start after this path (workspace-relative), "" = from the start
	Readers       int    // goroutines that read folders ahead of the visits, at most 7

	// From is a folder above Path, "" for Path itself. The folders between From and Path, and Path,
	// are checked as if the walk began at From: if it would not enter one of them, since it is
	// ignored or is .git, Walk fails with ErrPassedBy.
	From string

	Blocked func(path string, folder bool) bool      // whether policy denies the path; may be nil
	Enter   func(path string) bool                   // false = visit the folder but not its contents; may be nil
	Want    func(path string, kind fs.FileMode) bool // false = visit with Entry.Wanted false; may be nil
	Count   func(path string) bool                   // false = not counted as hidden or ignored, unless it is a folder to enter; may be nil
	LeftOut func(path string)                        // gets each hidden or ignored entry, in order; may be nil
	Glob    *GlobFolder                              // a glob, in Path: it limits Enter and Want, and reveals hidden names; may be nil
	Always  string                                   // this path is visited even if it is ignored
	Inform  bool                                     // visit will call Entry.Info for wanted entries

	eager bool // readers start at once and read as far ahead as they may: for tests
}

// Entry is one name that a walk met. It is valid only during the visit.
type Entry struct {
	Path, Name string      // Path is workspace-relative
	Type       fs.FileMode // type bits
	Blocked    bool        // policy denies it; a blocked folder is not entered
	Wanted     bool        // Options.Want and Options.Glob accept it
	Enters     bool        // the walk goes on inside
	Depth      int         // 1 = direct child of Options.Path
	Tally      *Tally      // what the walk has left out so far; copy it, don't keep the pointer

	walk *walker
	at   int // index in the batch of its folder, which is the top of the stack
}

// Info describes the entry.
func (e Entry) Info() (Info, error) { return e.walk.info(e) }

// IsInformed reports whether Info takes no system call.
func (e Entry) IsInformed() bool {
	infos := e.walk.stack.top().infos
	return e.at < len(infos) && infos[e.at].known
}

// IsIn reports whether a held folder is the one that the entry is in.
func (e Entry) IsIn(h *Held) bool { return h != nil && e.walk.stack.top().handle == h.handle }

// Hold keeps the folder that the entry is in open after the visit, and after the walk.
func (e Entry) Hold() (*Held, error) {
	if err := e.walk.reopen(); err != nil {
		return nil, err
	}
	h := &Held{handle: e.walk.stack.top().handle, ahead: &e.walk.ahead}
	h.ahead.mutex.Lock()
	defer h.ahead.unlock()
	h.handle.users++
	return h, nil
}

// Held is a folder of a walk that is kept open. Any goroutine may use it until Release, which must
// be called once.
type Held struct {
	handle *handle
	ahead  *ahead
}

// File opens a regular file in the folder, as Folder.File does.
func (h *Held) File(name string) (File, error) { return h.handle.folder.File(name) }

// Release ends the use of the folder.
func (h *Held) Release() {
	h.ahead.mutex.Lock()
	defer h.ahead.unlock()
	h.handle.release()
}

// Skipped is a folder, or an ignore file, that could not be read.
type Skipped struct {
	Path string
	Err  error
}

// Tally counts what a walk left out. A folder counts once, its contents not at all. With
// Options.After only what comes after that path is counted.
type Tally struct {
	Hidden, Ignored, Blocked int64
	Skipped                  []Skipped // the first 50
	SkippedCount             int64
}

// maxSkipped caps Tally.Skipped; the rest is only counted.
const maxSkipped = 50

func (t *Tally) skip(path string, err error) {
	t.SkippedCount++
	if len(t.Skipped) < maxSkipped {
		t.Skipped = append(t.Skipped, Skipped{Path: path, Err: err})
	}
}

// ErrStop, returned by visit, ends a walk at once without an error.
var ErrStop = errors.New("walk stopped")

// ErrPassedBy is the error of Walk if a walk that begins at o.From would not reach o.Path: a folder
// on the way is ignored, which the tally counts, or is .git.
var ErrPassedBy = errors.New("the directory is passed by")

// Walk visits what lies below o.Path, a folder before its contents, in path order: the same for any
// number of readers. Symlinks are visited, never followed. Hidden and ignored entries are counted
// and not visited; .git is entered only if the walk begins inside it, or with IncludeHidden and
// NoIgnore.
//
// A folder that can't be read is listed in the tally and the walk goes on; if it is o.Path itself,
// Walk fails. When ctx ends, Walk returns ctx.Err(). Any other error is the one that visit
// returned. The tally is valid in each case.
func Walk(ctx context.Context, root Folder, o Options, visit func(Entry) error) (Tally, error) {
	after, left := relativeAfter(o.After, o.Path)
	if !left {
		return Tally{}, ctx.Err()
	}
	w := &walker{ctx: ctx, decider: newDecider(o), visit: visit}
	w.ahead.init(ctx)
	defer w.end()
	err := w.start(root, after)
	if err == nil {
		err = w.run()
	}
	if errors.Is(err, ErrStop) {
		err = nil
	}
	return w.tally, err
}

// relativeAfter makes after, the path after which a walk of start resumes, relative to start. rest
// is "" if everything below start is still to come; left is false if nothing is.
func relativeAfter(after, start string) (rest string, left bool) {
	if after == "" || after == "." {
		return "", true
	}
	if start == "." {
		return after, true
	}
	for {
		a, restAfter, deepAfter := strings.Cut(after, "/")
		s, restStart, deepStart := strings.Cut(start, "/")
		switch {
		case a != s:
			return "", a < s
		case !deepAfter:
			return "", true
		case !deepStart:
			return restAfter, true
		}
		after, start = restAfter, restStart
	}
}

// joinPath appends a name to a folder's path, "" for the root.
func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "/" + name
}

// shownPath is a folder's path as callers see it.
func shownPath(path string) string {
	if path == "" {
		return "."
	}
	return path
}

// Panic is the value that Walk, and Grep in package search, panic with after a panic in one of
// their goroutines: the reason, and the stack of that goroutine.
type Panic struct {
	Reason any
	Stack  []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Reason) }

// Recovered wraps what recover returned in a Panic; nil stays nil.
func Recovered(reason any) *Panic {
	if reason == nil {
		return nil
	}
	if p, ok := reason.(*Panic); ok {
		return p
	}
	return &Panic{Reason: reason, Stack: debug.Stack()}
}

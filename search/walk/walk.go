package walk

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// Folder is an open directory. Every name it takes or gives is a single
// component. No method follows a symlink in the last component. Folder and
// Lstat may be called by several goroutines at a time.
type Folder interface {
	Folder(name string) (Folder, error) // no symlink followed
	File(name string) (File, error)     // regular files only, no symlink followed
	Lstat(name string) (Info, error)
	Close() error

	// List gives the names but . and .., unsorted: those that don't come before
	// from, and perhaps others. Of a folder with very many it may leave out those
	// that come after bound, which is "" for none, but for .git and ignore files.
	List(ctx context.Context, from string) (names []Dirent, bound string, err error)
}

// Dirent is one name in a folder. Type holds type bits only.
type Dirent struct {
	Name string
	Type fs.FileMode
}

// Info describes what a name stands for.
type Info struct {
	Type     fs.FileMode // type bits
	Size     int64       // bytes
	Modified time.Time
}

// File is an open regular file.
type File interface {
	io.Reader
	io.ReaderAt
	Size() int64
	Close() error
}

// Options says where a walk begins and what it passes over. With Readers,
// several goroutines call its functions at a time.
type Options struct {
	Path          string // start folder, workspace-relative, slash-separated, resolved; "." = the root
	Recursive     bool   // false = the folder's own listing, without ignore rules
	Depth         int    // 0 = no limit, 1 = direct children
	IncludeHidden bool   // visit names that start with a dot
	NoIgnore      bool   // read no ignore files
	After         string // resume behind this path (workspace-relative), "" = from the start
	Readers       int    // goroutines that read folders ahead of the visits, at most 7

	// From is a folder above Path, "" for Path itself: the folders from there down to Path are judged as if the walk had
	// come through them. See ErrPassedBy.
	From string

	Blocked func(path string) bool                   // policy; may be nil
	Enter   func(path string) bool                   // false = visit the folder but not its contents; may be nil
	Want    func(path string, kind fs.FileMode) bool // false = visit with Entry.Wanted false; may be nil
	Glob    *GlobFolder                              // of Path: enters where it leads, wants what it matches; may be nil
	Always  string                                   // a path that is visited though ignored
	Inform  bool                                     // Entry.Info is going to be asked of what is wanted
	Long    func()                                   // is called once if the walk proves to be long; may be nil

	eager bool // readers start at once and read as far ahead as they may: for tests
}

// Entry is one name that a walk met. It is good for as long as it is visited.
type Entry struct {
	Path, Name string      // Path is workspace-relative
	Type       fs.FileMode // type bits
	Blocked    bool        // policy denies it; a blocked folder is not entered
	Wanted     bool        // Options.Want and Glob say so
	Depth      int         // 1 = direct child of Options.Path
	Tally      *Tally      // what the walk has passed over so far; to be copied, not kept

	walk *walker
	at   int // in the batch of the folder on top
}

// Info describes the entry.
func (e Entry) Info() (Info, error) { return e.walk.info(e) }

// Skipped is a folder, or an ignore file, that could not be read.
type Skipped struct {
	Path string
	Err  error
}

// Tally counts what a walk passed over. A folder counts once, its contents not
// at all. With Options.After only what lies behind is counted.
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

// ErrPassedBy is what Walk ends with if it would have passed o.Path by, had it begun at o.From: a folder on the way is
// ignored, which the tally counts, or .git.
var ErrPassedBy = errors.New("the folder is passed by")

// Walk visits what lies below o.Path, a folder before its contents, in path
// order: the same for any number of readers. Symlinks are visited, never
// followed. Hidden and ignored entries are counted and not visited; .git is
// entered only from inside, or with IncludeHidden and NoIgnore.
//
// A folder that can't be read goes to the tally and the walk goes on; if it is
// o.Path itself, Walk fails. When ctx ends, Walk returns ctx.Err(). Any other
// error is the one that visit returned. The tally holds in each case.
func Walk(ctx context.Context, root Folder, o Options, visit func(Entry) error) (Tally, error) {
	after, left := behind(o.After, o.Path)
	if !left {
		return Tally{}, ctx.Err()
	}
	w := &walker{ctx: ctx, judge: newJudge(o), visit: visit}
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

// behind cuts after, the path a walk of start resumes behind, down to a path
// below start. rest is "" if everything below start is still to come; left is
// false if nothing is.
func behind(after, start string) (rest string, left bool) {
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

// hasComponent reports whether one component of path is name.
func hasComponent(path, name string) bool {
	return slices.Contains(strings.Split(path, "/"), name)
}

// joinPath puts a name behind a folder's path, "" for the root.
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

// Panic is what Grep panics with when one of its goroutines did: the reason, and the stack where it came up.
type Panic struct {
	Reason any
	Stack  []byte
}

package search

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// Folder is an open directory. Every name it takes or gives is a single
// component. No method follows a symlink in the last component.
type Folder interface {
	List(ctx context.Context) ([]Dirent, error) // all names but . and .., unsorted
	Folder(name string) (Folder, error)         // no symlink followed
	File(name string) (File, error)             // regular files only, no symlink followed
	Close() error
}

// Dirent is one name in a folder. Type holds type bits only.
type Dirent struct {
	Name string
	Type fs.FileMode
}

// File is an open regular file.
type File interface {
	io.Reader
	io.ReaderAt
	Size() int64
	Close() error
}

// WalkOptions says where a walk begins and what it passes over.
type WalkOptions struct {
	Path          string // start folder, workspace-relative, slash-separated, resolved; "." = the root
	Recursive     bool   // false = the folder's own listing, without ignore rules
	Depth         int    // 0 = no limit, 1 = direct children
	IncludeHidden bool   // visit names that start with a dot
	NoIgnore      bool   // read no ignore files
	After         string // resume behind this path (workspace-relative), "" = from the start

	// From is a folder above Path, "" for Path itself: the folders from there down to Path are judged as if the walk had
	// come through them. See ErrPassedBy.
	From string

	Blocked func(path string) bool // policy; may be nil
	Enter   func(path string) bool // false = visit the folder but not its contents; may be nil
	Reveal  func(path string) bool // true = visit the name though it is hidden; may be nil
	Always  string                 // a path that is visited though ignored
}

// Entry is one name that a walk met.
type Entry struct {
	Path, Name string      // Path is workspace-relative
	Type       fs.FileMode // type bits
	Blocked    bool        // policy denies it; a blocked folder is not entered
	Depth      int         // 1 = direct child of WalkOptions.Path
	Parent     Folder      // open while the entry is visited, no longer; not to be closed
	Tally      *Tally      // what the walk has passed over so far; to be copied, not kept
}

// Skipped is a folder, or an ignore file, that could not be read.
type Skipped struct {
	Path string
	Err  error
}

// Tally counts what a walk passed over. A folder counts once, its contents not
// at all. With WalkOptions.After only what lies behind is counted.
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
// order. Symlinks are visited, never followed. Hidden and ignored entries are
// counted and not visited; .git is entered only from inside, or with
// IncludeHidden and NoIgnore.
//
// A folder that can't be read goes to the tally and the walk goes on; if it is
// o.Path itself, Walk fails. When ctx ends, Walk returns ctx.Err(). Any other
// error is the one that visit returned. The tally holds in each case.
func Walk(ctx context.Context, root Folder, o WalkOptions, visit func(Entry) error) (Tally, error) {
	after, left := behind(o.After, o.Path)
	if !left {
		return Tally{}, ctx.Err()
	}
	w := &walker{ctx: ctx, o: o, visit: visit, limit: o.Depth}
	if !o.Recursive {
		w.limit = 1
	}
	w.rules = o.Recursive && !o.NoIgnore
	if w.from = o.From; w.from == "" {
		w.from = o.Path
	}
	w.enterGit = hasComponent(w.from, ".git") || o.IncludeHidden && o.NoIgnore
	defer w.stack.closeAll()
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

// walker is one walk under way.
type walker struct {
	ctx   context.Context
	o     WalkOptions
	visit func(Entry) error
	tally Tally
	stack folderStack

	from     string // o.From, or o.Path
	limit    int    // deepest level visited, 0 = no limit
	rules    bool   // ignore rules hold
	enterGit bool   // .git is a folder like any other
	judged   int    // entries since the last look at ctx
}

// contextEvery is how many entries pass between two looks at the context.
const contextEvery = 256

// start opens o.Path, reading the rules of the folders above it on the way.
func (w *walker) start(root Folder, after string) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	folder, level, err := w.descend(root)
	if err != nil {
		return err
	}
	path := w.o.Path
	if path == "." {
		path = ""
	}
	f, err := w.list(folder, path, level, after)
	switch {
	case err == nil:
		f.borrowed = path == ""
		w.stack.push(f, path)
		return nil
	case path != "":
		folder.Close()
	}
	if w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	return fmt.Errorf("list folder %q: %w", w.o.Path, err)
}

// descend opens o.Path. The level holds the rules of the folders above it.
func (w *walker) descend(root Folder) (Folder, *ruleLevel, error) {
	if w.o.Path == "." {
		return root, nil, nil
	}
	folder, path := root, ""
	var level *ruleLevel
	for name := range strings.SplitSeq(w.o.Path, "/") {
		if w.rules {
			level = w.rulesAbove(folder, path, level)
		}
		if w.passesBy(level, joinPath(path, name), name) {
			if path != "" {
				folder.Close()
			}
			return nil, nil, ErrPassedBy
		}
		next, err := folder.Folder(name)
		if path != "" { // the root is the caller's
			folder.Close()
		}
		if err != nil {
			return nil, nil, fmt.Errorf("open folder %q: %w", w.o.Path, err)
		}
		folder, path = next, joinPath(path, name)
	}
	return folder, level, nil
}

// passesBy judges a folder on the way to o.Path, if it lies below o.From.
func (w *walker) passesBy(level *ruleLevel, path, name string) bool {
	if w.from == w.o.Path || w.from != "." && !strings.HasPrefix(path, w.from+"/") {
		return false
	}
	if level.ignores(path, name, true) {
		w.tally.Ignored++
		return true
	}
	return name == ".git" && !w.enterGit
}

// rulesAbove adds the rules of a folder above o.Path. Of that folder nothing
// else is looked at.
func (w *walker) rulesAbove(folder Folder, path string, level *ruleLevel) *ruleLevel {
	names, err := folder.List(w.ctx)
	if err != nil {
		w.tally.skip(shownPath(path), err)
		return level
	}
	return readRules(folder, path, sortNames(names), level, w.tally.skip)
}

// run goes depth first through the folders, until the first one is done.
func (w *walker) run() error {
	for {
		f := w.stack.top()
		if f == nil {
			return nil
		}
		if len(f.rest) == 0 {
			w.stack.pop()
			continue
		}
		d := f.rest[0]
		f.rest = f.rest[1:]
		if err := w.take(f, d); err != nil {
			return err
		}
	}
}

// take deals with one name of the folder on top: judges it, counts or visits it, and enters it.
func (w *walker) take(f *frame, d Dirent) error {
	if w.judged++; w.judged%contextEvery == 0 && w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	after, seen := f.after, f.resumed
	f.after, f.resumed = "", false
	v, path := w.judge(f, d)
	if !seen {
		if err := w.show(f, d, path, v); err != nil {
			return err
		}
	}
	if v != verdictVisit || !d.Type.IsDir() || f.folder == nil || !w.enters(d.Name, path) {
		return nil
	}
	return w.enter(f, d.Name, path, after)
}

type verdict uint8

const (
	verdictVisit verdict = iota
	verdictHidden
	verdictIgnored
	verdictBlocked
)

// judge decides about one name. It has no effect, and leaves the path of a hidden name empty.
func (w *walker) judge(f *frame, d Dirent) (v verdict, path string) {
	if !w.o.IncludeHidden && strings.HasPrefix(d.Name, ".") && (w.o.Reveal == nil || !w.o.Reveal(w.stack.join(d.Name))) {
		return verdictHidden, ""
	}
	path = w.stack.join(d.Name)
	switch {
	case path != w.o.Always && f.level.ignores(path, d.Name, d.Type.IsDir()):
		return verdictIgnored, path
	case w.o.Blocked != nil && w.o.Blocked(path):
		return verdictBlocked, path
	}
	return verdictVisit, path
}

// show counts an entry and visits it, if it is one to be visited, with its
// folder open. A folder that is gone by now is given up.
func (w *walker) show(f *frame, d Dirent, path string, v verdict) error {
	switch v {
	case verdictHidden:
		w.tally.Hidden++
		return nil
	case verdictIgnored:
		w.tally.Ignored++
		return nil
	}
	if lost, err := w.stack.reopen(); err != nil {
		w.tally.skip(shownPath(lost), err)
		return nil
	}
	if v == verdictBlocked {
		w.tally.Blocked++
	}
	return w.visit(Entry{
		Path: path, Name: d.Name, Type: d.Type, Blocked: v == verdictBlocked,
		Depth: w.stack.depth(), Parent: f.folder, Tally: &w.tally,
	})
}

// enters decides whether the walk goes on inside a folder.
func (w *walker) enters(name, path string) bool {
	switch {
	case w.limit > 0 && w.stack.depth() >= w.limit:
		return false
	case name == ".git" && !w.enterGit:
		return false
	}
	return w.o.Enter == nil || w.o.Enter(path)
}

// enter puts a folder inside the top one on the stack. One that can't be read goes to the tally.
func (w *walker) enter(parent *frame, name, path, after string) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	folder, err := parent.folder.Folder(name)
	if err != nil {
		w.tally.skip(path, err)
		return nil
	}
	f, err := w.list(folder, path, parent.level, after)
	if err == nil {
		w.stack.push(f, path)
		return nil
	}
	folder.Close()
	if w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	w.tally.skip(path, err)
	return nil
}

// list reads a folder and its rules. after is what is left of o.After in there:
// the names before its first component are dropped.
func (w *walker) list(folder Folder, path string, above *ruleLevel, after string) (*frame, error) {
	names, err := folder.List(w.ctx)
	if err != nil {
		return nil, err
	}
	f := &frame{folder: folder, level: above, rest: sortNames(names)}
	if w.rules {
		f.level = readRules(folder, path, f.rest, above, w.tally.skip)
	}
	if after != "" {
		var first string
		first, f.after, _ = strings.Cut(after, "/")
		at, found := slices.BinarySearchFunc(f.rest, first, compareName)
		if f.rest, f.resumed = f.rest[at:], found; !found {
			f.after = "" // it went with its folder
		}
	}
	return f, nil
}

// sortNames sorts names in place, bytewise.
func sortNames(names []Dirent) []Dirent {
	slices.SortFunc(names, func(a, b Dirent) int { return strings.Compare(a.Name, b.Name) })
	return names
}

func compareName(d Dirent, name string) int { return strings.Compare(d.Name, name) }

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

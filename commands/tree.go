package commands

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/sandbox"
	"fsbox/sandbox/dir"
	"fsbox/search/walk"
)

// tree lets package walk go through the folders of package sandbox: neither of the two imports the
// other.
type tree struct {
	dir    *sandbox.Folder
	looked *atomic.Int64 // see Env
}

func (t *tree) count() {
	if t.looked != nil {
		t.looked.Add(1)
	}
}

func (t *tree) List(ctx context.Context, from string) ([]walk.Dirent, string, error) {
	t.count()
	return t.dir.List(ctx, from)
}

func (t *tree) Folder(name string) (walk.Folder, error) {
	sub, err := t.dir.Folder(name)
	if err != nil {
		return nil, err
	}
	return &tree{sub, t.looked}, nil
}

func (t *tree) File(name string) (walk.File, error) {
	t.count()
	f, err := t.dir.File(name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (t *tree) Lstat(name string) (walk.Info, error) {
	info, err := t.dir.Lstat(name)
	return walk.Info{Type: info.Mode.Type(), Size: info.Size, Modified: info.Modified}, err
}

func (t *tree) Close() error { return t.dir.Close() }

// readers is how many goroutines help a walk: together with the goroutine that walks it is one per
// core.
func readers() int { return runtime.GOMAXPROCS(0) - 1 }

// scope is where a walk goes: the folder as asked and as resolved. It is opened once, and open
// until it is closed or a walk takes it.
type scope struct {
	asked, path string
	folder      *tree
}

func (e *Env) newScope(folder *sandbox.Folder) scope {
	return scope{asked: folder.Asked, path: folder.Path, folder: &tree{folder, e.looked}}
}

// close closes the folder, unless a walk has taken it.
func (s scope) close() {
	if s.folder != nil && s.folder.dir != nil {
		s.folder.Close()
	}
}

// take hands the folder over to a walk.
func (s scope) take() *tree {
	taken := *s.folder
	s.folder.dir = nil
	return &taken
}

// shown gives a path of the walk the way the caller asked for its start.
func (s scope) shown(path string) string {
	if s.asked == s.path {
		return path
	}
	return words.Under(s.asked, words.Below(s.path, path))
}

// blocked is the policy for a walk. It checks each path both as asked and as resolved.
func (s scope) blocked(w *sandbox.Workspace) func(path string) bool {
	if s.asked == s.path {
		return w.DeniesEntry
	}
	return func(path string) bool { return w.DeniesEntry(path) || w.DeniesEntry(s.shown(path)) }
}

// resolved is the inverse of shown.
func (s scope) resolved(shown string) string { return words.Under(s.path, words.Below(s.asked, shown)) }

// fail adds the path of the folder, as it was asked for, to an error that has no path.
func (s scope) fail(err error) error {
	if _, named := errors.AsType[*dir.PathError](err); named || errors.Is(err, context.Canceled) {
		return err
	}
	return &dir.PathError{Path: s.asked, Err: err}
}

// scopeOf opens the folder of a walk.
func (e *Env) scopeOf(path string) (scope, error) {
	folder, err := e.Workspace.OpenFolder(path)
	if err != nil {
		return scope{}, err
	}
	return e.newScope(folder), nil
}

// roots are the folders that a walk uses: where it starts, and the root of the workspace, since
// ignore rules hold from there down.
type roots struct{ start, top *tree }

// roots takes the scope's folder and opens the root, unless they are the same.
func (s scope) roots(e *Env) (roots, error) {
	if s.path == "." {
		start := s.take()
		return roots{start, start}, nil
	}
	top, err := e.root()
	if err != nil {
		return roots{}, err
	}
	return roots{s.take(), top}, nil
}

func (r roots) close() {
	r.start.Close()
	if r.top != r.start {
		r.top.Close()
	}
}

// root opens the root of the workspace for a walk.
func (e *Env) root() (*tree, error) {
	dir, err := e.Workspace.OpenFolder(".")
	return &tree{dir, e.looked}, err
}

func (s scope) skipped(all []walk.Skipped) []answer.SkippedPath {
	return words.Mapped(all, func(skip walk.Skipped) answer.SkippedPath {
		return answer.SkippedPath{PathName: words.PathOf(s.shown(skip.Path)), Error: failureOf(skip.Err).Code}
	})
}

// endOfWalk tells a walk that ran out of time, whose results so far are answered, from one that
// failed.
func endOfWalk(err error) (timedOut bool, fail error) {
	if errors.Is(err, context.DeadlineExceeded) {
		return true, nil
	}
	return false, err
}

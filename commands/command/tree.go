package command

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/search/walk"
)

// Tree lets package walk go through the folders of package sandbox: neither of the two imports the
// other.
type Tree struct {
	dir *sandbox.Folder
	env *Env
}

func (t *Tree) List(ctx context.Context, from string) ([]walk.Dirent, string, error) {
	t.env.Work.AddFile()
	share := 1
	if t.env.Beside != nil {
		share = t.env.Beside()
	}
	return t.dir.List(ctx, from, share)
}

func (t *Tree) Folder(name string) (walk.Folder, error) {
	sub, err := t.dir.Folder(name)
	if err != nil {
		return nil, err
	}
	return &Tree{sub, t.env}, nil
}

func (t *Tree) File(name string) (walk.File, error) {
	t.env.Work.AddFile()
	f, err := t.dir.File(name)
	if err != nil {
		return nil, err
	}
	f.Work = t.env.Work
	return f, nil
}

func (t *Tree) Lstat(name string) (walk.Info, error) {
	info, err := t.dir.Lstat(name)
	return walk.Info{Type: info.Mode.Type(), Size: info.Size, Modified: info.Modified}, err
}

// Open opens a folder by its path, relative to the root or as the host has it. No link is followed,
// and what lies outside of the root isn't there.
func (t *Tree) Open(name string) (walk.Folder, string, error) {
	if filepath.IsAbs(name) {
		rest, inside := t.env.Workspace.Inside(name)
		if !inside {
			return nil, "", fs.ErrNotExist
		}
		name = rest
	}
	if name = path.Clean(name); name == ".." || strings.HasPrefix(name, "../") {
		return nil, "", fs.ErrNotExist
	}
	at, err := t.env.tree(".")
	if err != nil || name == "." {
		return at, name, err
	}
	var folder walk.Folder = at
	for part := range strings.SplitSeq(name, "/") {
		next, err := folder.Folder(part)
		folder.Close()
		if err != nil {
			return nil, "", err
		}
		folder = next
	}
	return folder, name, nil
}

func (t *Tree) Close() error { return t.dir.Close() }

// Readers is how many goroutines help a walk: together with the goroutine that walks it is one per
// core.
func Readers() int { return runtime.GOMAXPROCS(0) - 1 }

// Scope is where a walk goes: the folder as asked and as resolved. It is opened once, and open
// until it is closed or a walk takes it.
type Scope struct {
	Asked, Path string
	folder      *Tree
}

func (e *Env) NewScope(folder *sandbox.Folder) Scope {
	return Scope{Asked: folder.Asked, Path: folder.Path, folder: &Tree{folder, e}}
}

// Close closes the folder, unless a walk has taken it.
func (s Scope) Close() {
	if s.folder != nil && s.folder.dir != nil {
		s.folder.Close()
	}
}

// take hands the folder over to a walk.
func (s Scope) take() *Tree {
	taken := *s.folder
	s.folder.dir = nil
	return &taken
}

// Shown gives a path of the walk the way the caller asked for its start.
func (s Scope) Shown(path string) string {
	if s.Asked == s.Path {
		return path
	}
	return words.Under(s.Asked, words.Below(s.Path, path))
}

// Blocked is the policy for a walk. It checks each path both as asked and as resolved.
func (s Scope) Blocked(w *sandbox.Workspace) func(path string, folder bool) bool {
	if s.Asked == s.Path {
		return w.DeniesEntry
	}
	return func(path string, folder bool) bool {
		return w.DeniesEntry(path, folder) || w.DeniesEntry(s.Shown(path), folder)
	}
}

// Resolved is the inverse of shown.
func (s Scope) Resolved(shown string) string { return words.Under(s.Path, words.Below(s.Asked, shown)) }

// Fail adds the path of the folder, as it was asked for, to an error that has no path.
func (s Scope) Fail(err error) error {
	if _, named := errors.AsType[*fserr.PathError](err); named || errors.Is(err, context.Canceled) {
		return err
	}
	return &fserr.PathError{Path: s.Asked, Err: err}
}

// ScopeOf opens the folder of a walk.
func (e *Env) ScopeOf(path string) (Scope, error) {
	folder, err := e.Workspace.OpenFolder(path)
	if err != nil {
		return Scope{}, err
	}
	return e.NewScope(folder), nil
}

// roots are the folders that a walk uses: where it starts, and the root of the workspace, since
// ignore rules hold from there down.
type roots struct{ Start, Top *Tree }

// Roots takes the scope's folder and opens the root, unless they are the same.
func (s Scope) Roots(e *Env) (roots, error) {
	if s.Path == "." {
		start := s.take()
		return roots{start, start}, nil
	}
	top, err := e.tree(".")
	if err != nil {
		return roots{}, err
	}
	return roots{s.take(), top}, nil
}

func (r roots) Close() {
	r.Start.Close()
	if r.Top != r.Start {
		r.Top.Close()
	}
}

// tree opens a folder for a walk.
func (e *Env) tree(path string) (*Tree, error) {
	folder, err := e.Workspace.OpenFolder(path)
	return &Tree{folder, e}, err
}

func (s Scope) Skipped(all []walk.Skipped) []answer.SkippedPath {
	return words.Mapped(all, func(skip walk.Skipped) answer.SkippedPath {
		return answer.SkippedPath{PathName: words.PathOf(s.Shown(skip.Path)), Error: FailureOf(skip.Err).Code}
	})
}

package hint

import (
	"context"
	"strings"
	"time"

	"fsbox/commands/words"
	"fsbox/search/walk"
)

// Tree is the workspace as hints see it.
type Tree struct {
	Workspace
	Open func(folder string) (walk.Folder, error) // opens a folder for a walk, "." for the root
	Time time.Duration                            // the most that Similar may take: much more than it needs, except where a disk is slow
}

// Workspace says what a path means. What policy denies isn't in it.
type Workspace interface {
	Root() string                       // its path on the host
	Clean(asked string) (string, error) // a path as text, relative to the root
	Exists(path string) bool
	DeniesEntry(path string, folder bool) bool
}

// maxLookedAt is how many names a look around compares with what was asked for: 100 ms of work.
const maxLookedAt = 100_000

// look gives visit the names below a folder, hidden ones as well, except what policy denies and
// what is in .git. It ends early if visit wants no more, or after enough names; an error only means
// that there is no hint.
func (t Tree) look(ctx context.Context, o walk.Options, visit func(walk.Entry) (more bool)) {
	root, err := t.Open(".")
	if err != nil {
		return
	}
	defer root.Close()
	o.Recursive, o.IncludeHidden = true, true
	o.Enter = func(path string) bool { return path != ".git" && !strings.HasSuffix(path, "/.git") }
	left := maxLookedAt
	_, _ = walk.Walk(ctx, root, o, func(entry walk.Entry) error {
		if left--; left < 0 || !entry.Blocked && !visit(entry) {
			return walk.ErrStop
		}
		return nil
	})
}

// Nearest finds the path below a folder with the smallest distance, the first of several, in a
// single look around. A distance below 0 is that of a path that isn't meant.
func (t Tree) Nearest(ctx context.Context, o walk.Options, distance func(walk.Entry) int) (hit string, least int) {
	t.look(ctx, o, func(e walk.Entry) (more bool) {
		if d := distance(e); d >= 0 && (hit == "" || d < least) {
			hit, least = e.Path, d
		}
		return hit == "" || least > 0
	})
	return hit, least
}

// How many names a count looks at, 10 ms of work, and how many it counts.
const (
	maxCountedIn = 10_000
	maxCounted   = 50
)

// Count counts what a walk finds below a folder, and gives the first of it. isAll is false if there
// may be more.
func (t Tree) Count(ctx context.Context, o walk.Options, wanted func(walk.Entry) bool) (n int64, first string, isAll bool) {
	root, err := t.Open(".")
	if err != nil {
		return 0, "", false
	}
	defer root.Close()
	o.Recursive = true
	left := maxCountedIn
	_, err = walk.Walk(ctx, root, o, func(e walk.Entry) error {
		if left--; left < 0 || n == maxCounted {
			return walk.ErrStop
		}
		if e.Blocked || !wanted(e) {
			return nil
		}
		if n++; first == "" {
			first = e.Path
		}
		return nil
	})
	return n, first, err == nil && left >= 0 && n < maxCounted
}

// LeftOut says why a walk that began in a folder passed a path below it by: it is in .git, the rule
// of an ignore file, or a leading dot; "" if none of them is the reason. Both paths are resolved.
func (t Tree) LeftOut(ctx context.Context, folder, path string, noIgnore, includeHidden bool) (why string) {
	below := "/" + words.Below(folder, path)
	if strings.Contains(below, "/.git/") && !(noIgnore && includeHidden) {
		return "; .git is skipped: set no_ignore and include_hidden"
	}
	if root, err := t.Open("."); err == nil && !noIgnore {
		rule, ok := walk.WhyIgnored(ctx, root, folder, path)
		if ok && t.Exists(rule.File) { // policy may deny the file
			why = words.Phrase("; %q, line %d of %q, ignores it: set no_ignore", rule.Text, rule.Line, rule.File)
		}
		root.Close()
	}
	if !includeHidden && strings.Contains(below, "/.") {
		why += "; a leading dot hides it: set include_hidden"
	}
	return why
}

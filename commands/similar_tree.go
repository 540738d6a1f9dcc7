package commands

import (
	"context"
	"path"
	"strings"

	"fsbox/search/walk"
)

// maxLookedAt is how many names in the whole workspace are compared with one that is missing.
const maxLookedAt = 100_000

// likeAnywhere gives the paths in the workspace whose last component is step that of asked. What
// ignore rules leave out is looked at only if there is nothing else.
func (e *Env) likeAnywhere(ctx context.Context, asked string) []candidate {
	look := treeLook{env: e, asked: asked, name: path.Base(asked), left: maxLookedAt}
	look.walk(ctx, false)
	if len(look.found) == 0 {
		look.walk(ctx, true)
	}
	return look.found
}

// treeLook is a walk through the workspace for names step one that is missing.
type treeLook struct {
	env         *Env
	asked, name string
	left        int // names still to be looked at
	found       []candidate
}

// walk looks at as many names as time and the limit allow. That it may end sooner, or find a folder
// that can't be read, makes no difference: what it finds is only a suggestion.
func (l *treeLook) walk(ctx context.Context, noIgnore bool) {
	o := walk.Options{Path: ".", NoIgnore: noIgnore, Blocked: l.env.Workspace.DeniesEntry}
	l.env.lookAround(ctx, o, &l.left, func(entry walk.Entry) (more bool) {
		if step := likeness(l.name, entry.Name); step >= likeStem {
			l.found = addLike(l.found, candidate{entry.Path, scoreThere(step, l.asked, entry.Path)})
		}
		return true
	})
}

// lookAround gives visit the names below a folder for a suggestion, hidden ones as well, except
// what policy denies and what is in .git. It ends early if visit wants no more or no names are left
// to look at; an error only means that there is no suggestion.
func (e *Env) lookAround(ctx context.Context, o walk.Options, left *int, visit func(walk.Entry) (more bool)) {
	root, err := e.root()
	if err != nil {
		return
	}
	defer root.Close()
	o.Recursive, o.IncludeHidden = true, true
	o.Enter = func(path string) bool { return path != ".git" && !strings.HasSuffix(path, "/.git") }
	_, _ = walk.Walk(ctx, root, o, func(entry walk.Entry) error {
		if *left--; *left < 0 || !entry.Blocked && !visit(entry) {
			return walk.ErrStop
		}
		return nil
	})
}

// A score is ten for each step of likeness, and less than ten for where the path lies.

// scoreHere rates a name in the folder that was asked for.
func scoreHere(step int) int { return step*10 + 5 }

// scoreThere rates a path in another folder: the more of its folders were asked for, the better.
func scoreThere(step int, asked, found string) int {
	return step*10 + min(4, sharedEnd(path.Dir(asked), path.Dir(found))*2+sharedNames(asked, found))
}

// sharedEnd counts the components at the end that two paths have in common, in any case.
func sharedEnd(a, b string) (n int) {
	for a != "." && b != "." && strings.EqualFold(path.Base(a), path.Base(b)) {
		a, b = path.Dir(a), path.Dir(b)
		n++
	}
	return n
}

// sharedNames reports, as 1, that a folder of one path is one of the other as well.
func sharedNames(asked, found string) int {
	for name := range strings.SplitSeq(path.Dir(asked), "/") {
		for other := range strings.SplitSeq(path.Dir(found), "/") {
			if name != "." && strings.EqualFold(name, other) {
				return 1
			}
		}
	}
	return 0
}

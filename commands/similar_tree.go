package commands

import (
	"context"
	"path"
	"strings"

	"fsbox/search/walk"
)

// maxLookedAt is how many names in the whole workspace are compared with one that is missing.
const maxLookedAt = 100_000

// likeAnywhere gives the paths in the workspace whose last component is like that of asked. What
// ignore rules leave out is looked at only if there is nothing else.
func (e *Env) likeAnywhere(ctx context.Context, asked string) (found []candidate) {
	name, left := path.Base(asked), maxLookedAt
	visit := func(entry walk.Entry) (more bool) {
		if step := likeness(name, entry.Name); step >= likeStem {
			found = addLike(found, candidate{entry.Path, scoreThere(step, asked, entry.Path)})
		}
		return true
	}
	o := walk.Options{Path: ".", Blocked: e.Workspace.DeniesEntry}
	if e.lookAround(ctx, o, &left, visit); len(found) == 0 {
		o.NoIgnore = true
		e.lookAround(ctx, o, &left, visit)
	}
	return found
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

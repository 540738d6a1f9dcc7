package hint

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"fsbox/commands/words"
	"fsbox/search/walk"
	"fsbox/textio"

	"golang.org/x/text/unicode/norm"
)

// maxMeant is how many paths are named for one that doesn't exist.
const maxMeant = 3

// Meant finds the paths that were probably meant by one with nothing at it, best first. Why says
// what is wrong with the form of the one that was asked for, "" if nothing is.
func (t Tree) Meant(ctx context.Context, asked string) (paths []string, why string) {
	if meant, why := t.Respelled(asked); meant != "" {
		return []string{meant}, why
	}
	return t.Similar(ctx, asked), ""
}

// Similar finds the paths that are most like one that doesn't exist: names like its first component
// that is missing, and anywhere in the workspace names like its last one.
func (t Tree) Similar(ctx context.Context, asked string) (paths []string) {
	ctx, cancel := context.WithTimeout(ctx, t.Time)
	defer cancel()
	asked = fromRoot(asked)
	var all ranking
	t.rankHere(ctx, &all, asked)
	t.rankAnywhere(ctx, &all, asked)
	for _, c := range all {
		if c.path != asked && !slices.Contains(paths, c.path) && t.Exists(c.path) {
			paths = append(paths, c.path)
		}
		if len(paths) == maxMeant {
			break
		}
	}
	return paths
}

// ranking is a list of paths that may have been meant, the likeliest first.
type ranking []candidate

// candidate is one of them. Its score is a thousand for each step of likeness, less than that for
// where the path lies, and less again for how many bytes the name has otherwise.
type candidate struct {
	path  string
	score int
}

// maxCandidates is how many paths a ranking keeps: they are looked for on disk.
const maxCandidates = 64

func (r *ranking) add(path string, likeness, nearness, distance int) {
	c := candidate{path, likeness*1000 + nearness*100 - distance}
	at, _ := slices.BinarySearchFunc(*r, c, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.path, b.path))
	})
	if at < maxCandidates {
		*r = slices.Insert((*r)[:min(len(*r), maxCandidates-1)], at, c)
	}
}

// rankHere adds the names like the first component of asked that is missing, with the other
// components after them. Of a very large folder it looks at the first names.
func (t Tree) rankHere(ctx context.Context, all *ranking, asked string) {
	parent, name, rest := t.FirstMissing(asked)
	folder, err := t.Open(parent)
	if err != nil {
		return
	}
	defer folder.Close()
	entries, _, _ := folder.List(ctx, "") // without a list there is no hint
	for i, entry := range entries {
		if i%256 == 255 && ctx.Err() != nil {
			break
		}
		if like := likeness(name, entry.Name); like > 0 {
			all.add(path.Join(words.Under(parent, entry.Name), rest), like, 5, distance(like, name, entry.Name))
		}
	}
}

// rankAnywhere adds the paths in the workspace whose last component is like that of asked. What
// ignore rules leave out is looked at only if there is nothing else.
func (t Tree) rankAnywhere(ctx context.Context, all *ranking, asked string) {
	for _, ignored := range [...]bool{false, true} {
		found := false
		t.look(ctx, walk.Options{Path: ".", Blocked: t.DeniesEntry, NoIgnore: ignored}, func(e walk.Entry) (more bool) {
			if like := likeness(path.Base(asked), e.Name); like >= likeElsewhere {
				all.add(e.Path, like, nearness(asked, e.Path), distance(like, path.Base(asked), e.Name))
				found = true
			}
			return true
		})
		if found {
			return
		}
	}
}

// SimilarNames are the paths like one that is missing. If that may be a glob, they are those that
// have such signs as well, as app/[id] has. Without any it is a glob if it has a wildcard, or finds
// something; else the signs are a mistake, and any path like it may be meant.
func (t Tree) SimilarNames(ctx context.Context, asked string, finds func(context.Context) bool) (paths []string, isGlob bool) {
	isName := t.IsName(asked)
	if !isName && HasWildcard(asked) {
		return nil, true
	}
	paths = t.Similar(ctx, asked)
	if isName {
		return paths, false
	}
	signed := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !HasGlob(p) })
	switch {
	case len(signed) > 0:
		return signed, false
	case finds(ctx):
		return nil, true
	}
	return paths, false
}

// IsName reports whether a path that is missing is no glob: what has the signs of one is there.
func (t Tree) IsName(asked string) bool {
	_, name, rest := t.FirstMissing(fromRoot(asked))
	return !HasGlob(words.Under(name, rest))
}

// FirstMissing cuts a path at its first component that doesn't exist.
func (t Tree) FirstMissing(asked string) (folder, name, rest string) {
	folder = "."
	for name, rest, _ = strings.Cut(asked, "/"); rest != "" && t.Exists(words.Under(folder, name)); name, rest, _ = strings.Cut(rest, "/") {
		folder = words.Under(folder, name)
	}
	return folder, name, rest
}

// nearness rates a path in another folder, from 0 to 4: how many of its folders were asked for.
func nearness(asked, found string) (n int) {
	folders := strings.Split(strings.ToLower(path.Dir(asked)), "/")
	for name := range strings.SplitSeq(strings.ToLower(path.Dir(found)), "/") {
		if slices.Contains(folders, name) {
			n++
		}
	}
	return min(n, 4)
}

// likeElsewhere is how like a name must be if it lies in another folder.
const likeElsewhere = 2

// distance is how far two names are apart that are the same in another form, as far as it counts.
func distance(likeness int, asked, name string) int {
	if likeness < likeFolded {
		return 0
	}
	return textio.Distance(asked, name, 50)
}

// likeFolded is how like names are that differ in case.
const likeFolded = 4

// likeness rates how probable it is that asked was meant to be name, from 0 for not at all to 8.
func likeness(asked, name string) int {
	switch a, n := fold(asked), fold(name); {
	case asked == name:
		return 8
	case words.Shown(asked) == words.Shown(name): // as a listing shows it
		return 7
	case norm.NFC.String(asked) == norm.NFC.String(name):
		return 6
	case look(asked) == look(name):
		return 5
	case a == n:
		return likeFolded
	case textio.Distance(a, n, 3) <= min(2, len(a)/3): // a letter or two
		return 3
	case stem(a) == stem(n): // except for the extension
		return 2
	case holds(n, stem(a)) || holds(a, stem(n)):
		return 1
	}
	return 0
}

// holds reports whether a name contains another one that is long enough to mean something.
func holds(name, part string) bool { return len(part) > 2 && strings.Contains(name, part) }

func stem(name string) string {
	if ext := path.Ext(name); ext != name {
		return strings.TrimSuffix(name, ext)
	}
	return name
}

package commands

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"fsbox/commands/words"
	"fsbox/textio"

	"golang.org/x/text/unicode/norm"
)

// maxSimilar is how many paths a not_found answer names.
const maxSimilar = 3

// Limits of a search for similar paths, which begins only when a path has failed. Some 50,000 names
// are looked at in that time, and few of them, the most similar, on disk.
const (
	similarTime   = 100 * time.Millisecond
	maxCandidates = 64
)

// candidate is a path that may have been meant.
type candidate struct {
	path  string
	score int
}

func compareCandidates(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.path, b.path))
}

// similar finds the paths that are most like one that doesn't exist: names like its first component
// that is missing, and anywhere in the workspace names like its last one.
func (e *Env) similar(ctx context.Context, asked string) []string {
	ctx, cancel := context.WithTimeout(ctx, min(similarTime, e.Limits.Timeout/10))
	defer cancel()
	var paths []string
	found := append(e.likeHere(ctx, asked), e.likeAnywhere(ctx, asked)...)
	slices.SortFunc(found, compareCandidates)
	for _, c := range found {
		if c.path != asked && !slices.Contains(paths, c.path) && e.Workspace.Exists(c.path) { // what policy hides isn't suggested
			paths = append(paths, c.path)
		}
		if len(paths) == maxSimilar {
			break
		}
	}
	return paths
}

// likeHere gives the names like the first component of asked that is missing, with the other
// components after them. It looks at as many names as time allows.
func (e *Env) likeHere(ctx context.Context, asked string) (found []candidate) {
	folder, name, rest := e.firstMissing(asked)
	dir, err := e.Workspace.OpenFolder(folder)
	if err != nil {
		return nil
	}
	defer dir.Close()
	entries, _, err := dir.List(ctx, "") // of a very large folder, the first names
	if err != nil {
		return nil
	}
	for i, entry := range entries {
		if i%256 == 255 && ctx.Err() != nil {
			break
		}
		if step := likeness(name, entry.Name); step > 0 {
			found = addLike(found, candidate{path.Join(words.Under(folder, entry.Name), rest), scoreHere(step)})
		}
	}
	return found
}

// addLike adds a candidate, and keeps only the best if there are too many.
func addLike(found []candidate, c candidate) []candidate {
	if found = append(found, c); len(found) == 2*maxCandidates {
		slices.SortFunc(found, compareCandidates)
		found = found[:maxCandidates]
	}
	return found
}

func (e *Env) firstMissing(asked string) (folder, name, rest string) {
	folder = "."
	for {
		name, rest, _ = strings.Cut(asked, "/")
		if rest == "" || !e.Workspace.Exists(words.Under(folder, name)) {
			return folder, name, rest
		}
		folder, asked = words.Under(folder, name), rest
	}
}

// How probable it is that one name was meant by another, from 0 for not at all. Only the last
// three are likely enough to be looked for in other folders.
const (
	likeHolds     = 1 // one name contains the other
	likeStem      = 2 // same except for the extension
	likeTypo      = 3 // a letter or two
	likeFolded    = 4 // same except for case, Unicode form or an odd blank
	likeShown     = 5 // the name as a listing shows it
	likeIdentical = 6
)

// likeness rates how probable it is that asked was meant to be name.
func likeness(asked, name string) int {
	switch a, n := foldName(asked), foldName(name); {
	case asked == name:
		return likeIdentical
	case words.Shown(asked) == words.Shown(name):
		return likeShown
	case a == n:
		return likeFolded
	case textio.Distance(a, n, 3) <= min(2, len(a)/3):
		return likeTypo
	case stem(a) == stem(n):
		return likeStem
	case holds(n, stem(a)) || holds(a, stem(n)):
		return likeHolds
	}
	return 0
}

// holds reports whether a name contains another one that is long enough to mean something.
func holds(name, part string) bool { return len(part) > 2 && strings.Contains(name, part) }

func foldName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return unicode.ToLower(r)
	}, norm.NFC.String(name))
}

func stem(name string) string {
	if ext := path.Ext(name); ext != name {
		return strings.TrimSuffix(name, ext)
	}
	return name
}

package commands

import (
	"context"
	"path"
	"sort"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxSimilar is how many paths a not_found answer names.
const maxSimilar = 3

// suggest adds to a not_found failure the paths that were probably meant. It looks only where the path leads, and never
// changes what was asked.
func (e *Env) suggest(ctx context.Context, f *Failure) *Failure {
	d, ok := f.Details.(*PathDetails)
	if f.Code != CodeNotFound || !ok || f.Hint != "" {
		return f
	}
	d.Similar = e.similar(ctx, d.Path)
	switch len(d.Similar) {
	case 0:
		return f.hint("list what is there with ls")
	case 1:
		return f.hint("did you mean %q?", d.Similar[0])
	}
	return f.hint("did you mean one of details.similar?")
}

// similar finds names like that of the first component of asked that doesn't exist, and puts the rest back behind them.
func (e *Env) similar(ctx context.Context, asked string) []string {
	folder, name, rest := e.firstMissing(asked)
	dir, err := e.Workspace.OpenFolder(folder)
	if err != nil {
		return nil
	}
	defer dir.Close()
	entries, err := dir.List(ctx)
	if err != nil {
		return nil
	}
	type candidate struct {
		path  string
		score int
	}
	var found []candidate
	for _, entry := range entries {
		p := path.Join(under(folder, entry.Name), rest)
		if score := likeness(name, entry.Name); score > 0 && e.Workspace.Exists(p) { // what policy hides isn't suggested
			found = append(found, candidate{p, score})
		}
	}
	sort.Slice(found, func(i, j int) bool {
		if found[i].score != found[j].score {
			return found[i].score > found[j].score
		}
		return found[i].path < found[j].path
	})
	var paths []string
	for _, c := range found[:min(len(found), maxSimilar)] {
		paths = append(paths, c.path)
	}
	return paths
}

func (e *Env) firstMissing(asked string) (folder, name, rest string) {
	folder = "."
	for {
		name, rest, _ = strings.Cut(asked, "/")
		if rest == "" || !e.Workspace.Exists(under(folder, name)) {
			return folder, name, rest
		}
		folder, asked = under(folder, name), rest
	}
}

// likeness rates how probably asked means name: 0 for not at all.
func likeness(asked, name string) int {
	switch a, n := foldName(asked), foldName(name); {
	case a == n:
		return 4 // case, Unicode form or an odd blank apart
	case editDistance(a, n, 3) < 3 && editDistance(a, n, 3)*3 <= len(a):
		return 3
	case stem(a) == stem(n):
		return 2 // another extension
	case holds(n, stem(a)) || holds(a, stem(n)):
		return 1
	}
	return 0
}

// holds reports that a name contains another one that is long enough to mean something.
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

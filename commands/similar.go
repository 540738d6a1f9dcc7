package commands

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"fsbox/sandbox/dir"

	"golang.org/x/text/unicode/norm"
)

// maxSimilar is how many paths a not_found answer names.
const maxSimilar = 3

// suggest adds to a failure about a path what the caller can do, unless the command has said so
// already. It only looks along the path, and never changes the request.
func (e *Env) suggest(ctx context.Context, f *Failure, c *call) *Failure {
	d, ok := f.Details.(*PathDetails)
	if !ok || f.Hint != "" {
		return f
	}
	switch f.Code {
	case CodeNotFound:
		return e.suggestNames(ctx, f, d, e.fieldOf(c, d.Path))
	case CodeNotADirectory:
		return e.suggestFolder(f, d.Path)
	case CodeNotAFile:
		if d.Type == "directory" {
			return f.hint("name a file in it: ls lists them")
		}
		return f.hint("nothing but regular files is read or written")
	case CodeSymlinkLoop:
		return f.hint("the links lead back to themselves and to no file: leave them alone; delete removes a link itself")
	case CodePermissionDenied:
		return f.hint("fsbox runs as a user who may not do that: info shows the mode, and only the operator can change it")
	case CodeIOError:
		return f.hint("the system refuses it or the disk is at fault: try another file, or tell the operator")
	}
	return f
}

// suggestFolder says which part of a path is a file.
func (e *Env) suggestFolder(f *Failure, asked string) *Failure {
	switch info, err := e.Workspace.Lstat(asked); {
	case err == nil && info.Mode.IsRegular():
		return f.hint("there is a file of this name: read and grep take it, and a folder needs another one")
	case err == nil:
		return f.hint("something else has this name: info says what")
	}
	last, _, _ := e.firstMissing(asked)
	switch info, err := e.Workspace.Lstat(last); {
	case last == "." || err != nil:
		return f
	case info.Mode.IsRegular():
		return f.hint("%q is a file, and nothing lies in it", last)
	}
	return f.hint("%q is no folder, and nothing lies in it", last)
}

// presentHint is the hint if the name exists in its folder although opening it found nothing; "" if
// it doesn't exist.
func (e *Env) presentHint(path string) string {
	switch info, err := e.Workspace.Lstat(path); {
	case err != nil:
		return ""
	case info.Mode&fs.ModeSymlink != 0:
		return "the name is there, but what the symbolic link leads to is not: see where with info"
	}
	return "it is there now: try again"
}

// suggestNames names the paths that were probably meant instead of one that doesn't exist.
func (e *Env) suggestNames(ctx context.Context, f *Failure, d *PathDetails, field string) *Failure {
	if hint := e.presentHint(d.Path); hint != "" {
		return f.hint("%s", hint)
	}
	d.Similar = fitting(newRoom(e.Limits.MaxOutputBytes), e.similar(ctx, d.Path))
	var meant []ExactName // names that answers show exactly as the requested one
	for _, path := range d.Similar {
		d.ExactNames = appendExact(d.ExactNames, path)
		if shown(path) == shown(d.Path) {
			meant = appendExact(meant, path)
		}
	}
	switch {
	case len(d.Similar) == 0:
		return f.hint("list what is there with ls")
	case len(meant) > 0 && field == "":
		return f.hint("the name isn't UTF-8, and U+FFFD only replaces what can't be shown: details.exact_names has it")
	case len(meant) == 1:
		return f.hint("the name isn't UTF-8, and U+FFFD only replaces what can't be shown: send %q: %q instead of %q",
			field+base64Suffix, meant[0].PathBase64, field)
	case field != "" && (len(meant) > 1 || len(d.ExactNames) == len(d.Similar)):
		return f.hint("did you mean one of details.exact_names? send its path_base64 as %q instead of %q", field+base64Suffix, field)
	case len(d.Similar) == 1:
		return f.hint("did you mean %q?", d.Similar[0])
	}
	return f.hint("did you mean one of details.similar?")
}

// fieldOf gives the field of a request that holds a path, "" if none does: the path came from a
// patch, or from a flag that JSON doesn't have.
func (e *Env) fieldOf(c *call, path string) string {
	for _, f := range c.fields {
		if !f.isPath() {
			continue
		}
		if asked, err := e.Workspace.Clean(c.value.Field(f.index).String()); err == nil && asked == path {
			return f.name
		}
	}
	return ""
}

// similar finds names like the first component of asked that doesn't exist, and appends the other
// components to them.
func (e *Env) similar(ctx context.Context, asked string) []string {
	folder, name, rest := e.firstMissing(asked)
	dir, err := e.Workspace.OpenFolder(folder)
	if err != nil {
		return nil
	}
	defer dir.Close()
	ctx, cancel := context.WithTimeout(ctx, similarTime)
	defer cancel()
	entries, _, err := dir.List(ctx, "") // of a very large folder, the first names
	if err != nil {
		return nil
	}
	var paths []string
	for _, c := range mostLike(ctx, name, entries) {
		p := path.Join(under(folder, c.name), rest)
		if e.Workspace.Exists(p) { // what policy hides isn't suggested
			paths = append(paths, p)
		}
		if len(paths) == maxSimilar || ctx.Err() != nil {
			break
		}
	}
	return paths
}

// Limits of a search for similar names: some 50,000 names are looked at in that time, and few of
// them, the most similar, on disk.
const (
	similarTime   = 100 * time.Millisecond
	maxCandidates = 64
)

// candidate is a name that may have been meant.
type candidate struct {
	name  string
	score int
}

func compareCandidates(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.name, b.name))
}

// mostLike gives the names that are most similar to name, the best first. It looks at as many names
// as time allows.
func mostLike(ctx context.Context, name string, entries []dir.Dirent) (found []candidate) {
	for i, entry := range entries {
		if i%256 == 255 && ctx.Err() != nil {
			break
		}
		score := likeness(name, entry.Name)
		if score == 0 {
			continue
		}
		if found = append(found, candidate{entry.Name, score}); len(found) == 2*maxCandidates {
			slices.SortFunc(found, compareCandidates)
			found = found[:maxCandidates]
		}
	}
	slices.SortFunc(found, compareCandidates)
	return found
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

// likeness rates how probable it is that asked was meant to be name; 0 is not at all.
func likeness(asked, name string) int {
	switch a, n := foldName(asked), foldName(name); {
	case asked != name && shown(asked) == shown(name):
		return 5 // the name as a listing shows it
	case a == n:
		return 4 // same except for case, Unicode form or an odd blank
	case editDistance(a, n, 3) <= min(2, len(a)/3):
		return 3
	case stem(a) == stem(n):
		return 2 // same except for the extension
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

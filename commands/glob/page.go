package glob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"fsbox/commands/command"
	"fsbox/commands/listing"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/pathname"
	"fsbox/search/walk"
)

// globPage collects one page.
type globPage struct {
	listing.WalkPage // of a walk that begins at prefix
	request          *Request
	glob             *walk.Glob
	path             command.Scope   // of the request's path
	prefix           string          // the pattern's prefix without wildcards, relative to the root
	nowhere          bool            // there is no folder at the prefix
	inGit            bool            // it lies in .git, and path doesn't
	pattern          string          // relative to path
	letter           string          // says which of its names are taken to the letter
	named            []listing.Found // paths that the request names and that are not listed yet, in path order
	other            string          // type of what the pattern names, if it isn't the requested one
	blocked          int64           // named paths that policy denies
	visited          int             // names so far
	hasFolders       bool            // some of them are of folders
}

func (g *Request) page(env *command.Env) (*globPage, error) {
	p := &globPage{request: g}
	asked, err := env.Workspace.Clean(g.Path)
	if err != nil {
		return nil, err
	}
	if p.pattern, err = g.relative(env, asked); err != nil {
		return nil, err
	}
	if p.glob, p.letter, err = env.Glob(asked, p.pattern, g.IncludeHidden); err != nil {
		return nil, g.bad(err)
	}
	if p.path, err = env.ScopeOf(g.Path); err != nil {
		return nil, err
	}
	p.WalkPage = listing.WalkPage{PageState: listing.NewPage(env, g.Limit, "limit"), Env: env, Sort: g.Sort,
		SizeOf: func(f listing.Found) int64 { return p.Budget.SizeOfPath(f.Path) }}
	p.Where = p.path
	err = p.Begin(listing.GlobCursor, g.Cursor, g.Fingerprint(p.path.Asked))
	if err != nil {
		p.path.Close()
	}
	return p, err
}

// Fingerprint is that of everything that decides which paths there are, and in which order.
func (g *Request) Fingerprint(asked string) string {
	return listing.Fingerprint(g.Pattern, asked, g.Sort, g.Type, fmt.Sprint(g.IncludeHidden, g.NoIgnore))
}

// close closes the folders that no walk has taken.
func (p *globPage) close() {
	p.path.Close()
	p.Where.Close()
}

// search walks the folder that the prefix names.
func (p *globPage) search(ctx context.Context) (walk.Tally, error) {
	if p.glob.Literal() || p.nowhere {
		return walk.Tally{}, ctx.Err()
	}
	tally, err := p.Walk(ctx, p.options(), p.visit)
	switch {
	case errors.Is(err, walk.ErrPassedBy):
		p.inGit = tally.Ignored == 0
		p.named = slices.DeleteFunc(p.named, func(f listing.Found) bool { return f.Path == p.prefix })
		return tally, nil
	case err != nil && ctx.Err() == nil && p.prefix != p.path.Asked:
		err = p.passOver(p.prefix, err)
	}
	return tally, err
}

func (p *globPage) options() walk.Options {
	o := p.WalkPage.Options(p.request.IncludeHidden, p.request.NoIgnore)
	o.Recursive, o.Glob = true, p.glob.Folder(p.glob.Prefix())
	o.Want = func(_ string, kind fs.FileMode) bool { return p.wants(kind) }
	if p.path.Path == "." || strings.HasPrefix(p.Where.Path, p.path.Path+"/") { // otherwise a link leads elsewhere
		o.From = p.path.Path
	}
	if literal, ok := p.literal(); ok {
		o.Always = p.Where.Resolved(literal)
	}
	return o
}

// visit takes one entry of the walk.
func (p *globPage) visit(e walk.Entry) error {
	p.visited++
	p.hasFolders = p.hasFolders || e.Type.IsDir()
	shown := p.Where.Shown(e.Path)
	named, err := p.takeNamed(shown)
	if err == nil && e.Wanted && !e.Blocked && !named {
		err = p.TakeEntry(e)
	}
	if err == nil {
		p.NoteEntry(shown, *e.Tally)
	}
	return err
}

// wants says whether the request asks for a type. A symlink is neither file nor folder.
func (p *globPage) wants(mode fs.FileMode) bool {
	switch p.request.Type {
	case "file":
		return mode.IsRegular()
	case "directory":
		return mode.IsDir()
	}
	return true
}

// lookUp adds a path that the request names, if it exists. whole says that the path is the
// whole pattern.
func (p *globPage) lookUp(path string, whole bool) error {
	if p.ByPath() && p.After != nil && words.ComparePaths(path, p.After.Path) <= 0 {
		return nil
	}
	info, err := p.Env.Workspace.Lstat(pathname.InRoot(path))
	switch {
	case err != nil && p.glob.Literal():
		return p.passOver(path, err)
	case err != nil: // a name that a wildcard could match as well is left to the walk
		return nil
	case strings.HasSuffix(p.pattern, "/") && !info.Mode.IsDir():
		return nil
	case p.wants(info.Mode):
		f := listing.Found{Path: path, Kind: info.Mode.Type(), Size: info.Size, Modified: words.Seconds(info.Modified)}
		if f.Kind&fs.ModeSymlink != 0 {
			f.Target = words.OrNull(p.Env.Workspace.LinkTarget(pathname.InRoot(path)))
		}
		p.named = append(p.named, f)
		slices.SortFunc(p.named, func(a, b listing.Found) int { return words.ComparePaths(a.Path, b.Path) })
	case whole:
		p.other = info.Type()
	}
	return nil
}

func (p *globPage) result(tally walk.Tally) *Result {
	r := &Result{Pattern: p.request.Pattern, PathName: words.PathOf(p.path.Asked), Files: p.Items, Count: int(p.Count),
		PageEnd: p.End(p.Next()), Hidden: tally.Hidden, Ignored: tally.Ignored, Blocked: tally.Blocked + p.blocked, Unread: p.Unread(tally),
		noun: map[string]string{"file": "file", "directory": "directory", "any": "path"}[p.request.Type]}
	for i := range p.Items {
		r.ExactNames = append(r.ExactNames, words.ExactNames(p.Items[i].Path)...)
	}
	return r
}

// hint says why nothing was found, as far as that can be told.
func (p *globPage) hint(ctx context.Context, r *Result) string {
	late := p.OutOfTime("the pattern or path")
	switch {
	case late != "":
		return late
	case r.Count > 0 && !r.Truncated && p.request.Cursor == "":
		return cmp.Or(p.letter, p.deeperHint(ctx))
	case r.Count > 0 || r.Truncated || p.request.Cursor != "":
		return p.letter
	case p.other != "":
		return words.Phrase("its type is %q: set type to any to find it", p.other)
	case p.blocked > 0:
		return "the operator's policy blocks what the pattern names; no request can change it"
	}
	return cmp.Or(p.nothingHint(ctx), p.placeHint(), p.letter, r.blockedHint())
}

// blockedHint says that policy may be the reason, where no other one is known.
func (r *Result) blockedHint() string {
	if r.Blocked > 0 {
		return "the operator's policy blocks what the pattern may find; no request can change it"
	}
	return ""
}

// placeHint says why nothing was found by where the pattern looks.
func (p *globPage) placeHint() string {
	if p.inGit {
		return ".git is searched only if path is in it, or with include_hidden and no_ignore"
	}
	return ""
}

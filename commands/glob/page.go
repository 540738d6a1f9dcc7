package glob

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/listing"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"
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

// relative gives the pattern relative to path.
func (g *Request) relative(env *command.Env, asked string) (string, error) {
	if strings.TrimSpace(g.Pattern) == "" {
		return "", answer.Failf(answer.CodeInvalidInput, "%q is empty", "pattern").WithHint("** matches everything")
	}
	pattern, err := env.RelativeGlob(asked, g.Pattern)
	if pattern != g.Pattern {
		pattern = strings.TrimPrefix(pattern, "./")
	}
	return pattern, err
}

// bad puts the pattern as it was given into an error about it.
func (g *Request) bad(err error) error {
	if errors.Is(err, walk.ErrGlobTraversal) {
		return &fserr.PathError{Path: g.Pattern, Err: fserr.ErrTraversal}
	}
	return &walk.GlobError{Pattern: g.Pattern, Err: err}
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

func (p *globPage) result(tally walk.Tally) *Result {
	r := &Result{Pattern: p.request.Pattern, PathName: words.PathOf(p.path.Asked), Files: p.Items, Count: int(p.Count),
		PageEnd: p.End(p.Next()), Hidden: tally.Hidden, Ignored: tally.Ignored, Blocked: tally.Blocked + p.blocked, Unread: p.Unread(tally),
		noun: map[string]string{"file": "file", "directory": "directory", "any": "path"}[p.request.Type]}
	for i := range p.Items {
		r.ExactNames = append(r.ExactNames, words.ExactNames(p.Items[i].Path)...)
	}
	return r
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

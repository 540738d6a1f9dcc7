package look

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/verb"
	"fsbox/commands/words"
	"fsbox/sandbox/dir"
	"fsbox/search/walk"
)

// globPage collects one page.
type globPage struct {
	verb.Page[string]
	walker  verb.TimedWalk
	request *Glob
	env     *verb.Env
	glob    *walk.Glob
	where   verb.Scope              // of path
	prefix  string                  // the pattern's prefix without wildcards, relative to the root
	start   verb.Scope              // of that
	nowhere bool                    // there is no folder at the prefix
	inGit   bool                    // it lies in .git, and path doesn't
	pattern string                  // relative to path
	named   []verb.PageItem[string] // paths that the request names and that are not listed yet, in path order
	other   string                  // type of what the pattern names, if it isn't the requested one
	blocked int64                   // named paths that policy denies
}

func (g *Glob) page(env *verb.Env) (*globPage, error) {
	p := &globPage{request: g, env: env, walker: verb.TimedWalk{Abandoned: env.Abandoned}}
	asked, err := env.Workspace.Clean(g.Path)
	if err != nil {
		return nil, err
	}
	if p.pattern, err = g.relative(env, asked); err != nil {
		return nil, err
	}
	if p.glob, err = env.Glob(asked, p.pattern, g.IncludeHidden); err != nil {
		return nil, g.bad(err)
	}
	if p.where, err = env.ScopeOf(g.Path); err != nil {
		return nil, err
	}
	p.PageState = env.NewPage(g.Limit, "limit", func(all []walk.Skipped) []answer.SkippedPath { return p.start.Skipped(all) })
	p.CursorKind, p.Sort, p.Size = verb.GlobCursor, g.Sort, p.Budget.SizeOfPath
	p.Fingerprint = verb.Fingerprint(g.Pattern, p.where.Asked, g.Sort, g.Type, fmt.Sprint(g.IncludeHidden, g.NoIgnore))
	if err := p.Begin(g.Cursor); err != nil {
		p.where.Close()
		return nil, err
	}
	p.start = p.where
	return p, nil
}

// close closes the folders that no walk has taken.
func (p *globPage) close() {
	p.where.Close()
	p.start.Close()
}

// walk goes through the folder that the prefix names.
func (p *globPage) walk(ctx context.Context) (walk.Tally, error) {
	if p.glob.Literal() || p.nowhere {
		return walk.Tally{}, ctx.Err()
	}
	folders, err := p.start.Roots(p.env)
	if err != nil {
		return walk.Tally{}, err
	}
	tally, err := p.walker.Run(ctx, folders, p.options(), p.visit)
	switch {
	case errors.Is(err, walk.ErrPassedBy):
		p.inGit = tally.Ignored == 0
		p.named = slices.DeleteFunc(p.named, func(n verb.PageItem[string]) bool { return n.Path == p.prefix })
		return tally, nil
	case err != nil && ctx.Err() == nil && p.prefix != p.where.Asked:
		err = p.passOver(p.prefix, err)
	}
	return tally, err
}

func (p *globPage) options() walk.Options {
	o := walk.Options{Path: p.start.Path, Recursive: true, IncludeHidden: p.request.IncludeHidden, NoIgnore: p.request.NoIgnore,
		Readers: verb.Readers(), Blocked: p.start.Blocked(p.env.Workspace), Glob: p.glob.Folder(p.glob.Prefix()),
		Want: func(_ string, kind fs.FileMode) bool { return p.wants(kind) }, Inform: !p.ByPath(), Long: p.env.CollectLate,
	}
	if p.where.Path == "." || strings.HasPrefix(p.start.Path, p.where.Path+"/") { // otherwise a link leads elsewhere
		o.From = p.where.Path
	}
	if p.ByPath() && p.After != "" {
		o.After = p.start.Resolved(p.After)
	}
	if literal, ok := p.literal(); ok {
		o.Always = p.start.Resolved(literal)
	}
	return o
}

// visit takes one entry of the walk.
func (p *globPage) visit(e walk.Entry) error {
	shown := p.start.Shown(e.Path)
	named, err := p.takeNamed(shown)
	if err != nil {
		return err
	}
	if !e.Blocked && (e.Wanted || named && p.wants(e.Type)) {
		if err := p.takeEntry(e, shown); err != nil {
			return err
		}
	}
	p.Note(shown, *e.Tally)
	return nil
}

func (p *globPage) takeEntry(e walk.Entry, shown string) error {
	suffix := answer.TypeSuffix(verb.TypeName(e.Type))
	if e.Type&fs.ModeSymlink != 0 {
		if stop := p.walker.Ask(func() { suffix = answer.LinkSuffix(p.env.Workspace.LinkTarget(e.Path)) }); stop != nil {
			return stop
		}
	}
	if p.ByPath() {
		item := p.item(shown, suffix, 0, time.Time{})
		return p.Take(&item)
	}
	var info walk.Info
	var err error
	if stop := p.walker.Ask(func() { info, err = e.Info() }); stop != nil {
		return stop
	}
	switch {
	case errors.Is(err, dir.ErrNotFound):
		return nil
	case err != nil:
		p.SkipPath(shown, err)
		return nil
	}
	item := p.item(shown, suffix, info.Size, info.Modified)
	return p.Take(&item)
}

func (p *globPage) item(shown, suffix string, size int64, modified time.Time) verb.PageItem[string] {
	return verb.PageItem[string]{Path: shown, Key: p.Key(size, words.Seconds(modified)), Entry: shown, Suffix: suffix}
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

func (p *globPage) result(whole walk.Tally, timedOut bool) *GlobResult {
	tally := p.Finish(whole, timedOut)
	return &GlobResult{Pattern: p.request.Pattern, PathName: words.PathOf(p.where.Asked), Files: p.Items,
		ExactNames: words.ExactNames(p.Items...), Count: int(p.Count),
		PageEnd: p.End(p.Next()), Hidden: tally.Hidden, Ignored: tally.Ignored, Blocked: tally.Blocked + p.blocked, Unread: p.Unread(tally),
		noun: map[string]string{"file": "file", "directory": "folder", "any": "path"}[p.request.Type], suffixes: p.Suffixes}
}

// hint says why nothing was found, as far as that can be told.
func (p *globPage) hint(ctx context.Context, r *GlobResult) string {
	late := p.OutOfTime("the pattern or path")
	switch {
	case late != "":
		return late
	case r.Count > 0 || r.Truncated || p.request.Cursor != "":
		return ""
	case p.other != "":
		return otherHint(p.other)
	case p.blocked > 0:
		return "the operator's policy leaves out what the pattern names; no request can change it"
	}
	return cmp.Or(p.nothingHint(ctx), p.placeHint(r.Ignored))
}

// placeHint says why nothing was found by where the pattern looks.
func (p *globPage) placeHint(ignored int64) string {
	switch {
	case strings.HasPrefix(p.pattern, "/"):
		return fmt.Sprintf("a pattern begins at path, a slash in front too: this looked for %q there; nothing outside of the root can be found",
			strings.TrimLeft(p.pattern, "/"))
	case p.inGit:
		return ".git is looked into only if path lies in it, or with include_hidden and no_ignore"
	case !strings.Contains(p.request.Pattern, "/") && p.request.Pattern != "**":
		return fmt.Sprintf("without a slash a pattern matches only what lies in the folder itself; %q matches at any depth",
			"**/"+p.request.Pattern)
	case ignored > 0:
		return "ignore rules left something out: set no_ignore to look there as well"
	}
	return ""
}

// otherHint says how to find what the pattern names, if it is of another type than was asked for.
func otherHint(kind string) string {
	switch kind {
	case "file", "directory":
		return fmt.Sprintf("type %q would find it; any finds everything", kind)
	case "symlink":
		return "it is a symbolic link: type \"any\" would find it"
	}
	return "it is neither a file nor a directory: type \"any\" would find it"
}

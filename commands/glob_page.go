package commands

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
	"fsbox/commands/words"
	"fsbox/sandbox/dir"
	"fsbox/search/walk"
)

// globPage collects one page.
type globPage struct {
	page[string]
	walker  timedWalk
	request *Glob
	env     *Env
	glob    *walk.Glob
	where   scope              // of path
	prefix  string             // the pattern's prefix without wildcards, relative to the root
	start   scope              // of that
	nowhere bool               // there is no folder at the prefix
	inGit   bool               // it lies in .git, and path doesn't
	pattern string             // relative to path
	named   []pageItem[string] // paths that the request names and that are not listed yet, in path order
	other   string             // type of what the pattern names, if it isn't the requested one
	blocked int64              // named paths that policy denies
}

func (g *Glob) page(env *Env) (*globPage, error) {
	p := &globPage{request: g, env: env, walker: timedWalk{abandoned: env.abandoned}}
	asked, err := env.Workspace.Clean(g.Path)
	if err != nil {
		return nil, err
	}
	if p.pattern, err = g.relative(env, asked); err != nil {
		return nil, err
	}
	if p.glob, err = env.glob(asked, p.pattern, g.IncludeHidden); err != nil {
		return nil, g.bad(err)
	}
	if p.where, err = env.scopeOf(g.Path); err != nil {
		return nil, err
	}
	p.pageState = env.newPage(g.Limit, "limit", func(all []walk.Skipped) []answer.SkippedPath { return p.start.skipped(all) })
	p.cursorKind, p.sort, p.exact, p.size = globCursor, g.Sort, true, answer.SizeOfText
	p.print = fingerprint(g.Pattern, p.where.asked, g.Sort, g.Type, fmt.Sprint(g.IncludeHidden, g.NoIgnore))
	if err := p.begin(g.Cursor); err != nil {
		p.where.close()
		return nil, err
	}
	p.start = p.where
	return p, nil
}

// close closes the folders that no walk has taken.
func (p *globPage) close() {
	p.where.close()
	p.start.close()
}

// walk goes through the folder that the prefix names.
func (p *globPage) walk(ctx context.Context) (walk.Tally, error) {
	if p.glob.Literal() || p.nowhere {
		return walk.Tally{}, ctx.Err()
	}
	folders, err := p.start.roots(p.env)
	if err != nil {
		return walk.Tally{}, err
	}
	tally, err := p.walker.run(ctx, folders, p.options(), p.visit)
	switch {
	case errors.Is(err, walk.ErrPassedBy):
		p.inGit = tally.Ignored == 0
		p.named = slices.DeleteFunc(p.named, func(n pageItem[string]) bool { return n.path == p.prefix })
		return tally, nil
	case err != nil && ctx.Err() == nil && p.prefix != p.where.asked:
		err = p.passOver(p.prefix, err)
	}
	return tally, err
}

func (p *globPage) options() walk.Options {
	o := walk.Options{Path: p.start.path, Recursive: true, IncludeHidden: p.request.IncludeHidden, NoIgnore: p.request.NoIgnore,
		Readers: readers(), Blocked: p.start.blocked(p.env.Workspace), Glob: p.glob.Folder(p.glob.Prefix()),
		Want: func(_ string, kind fs.FileMode) bool { return p.wants(kind) }, Inform: !p.byPath(), Long: p.env.collectLate,
	}
	if p.where.path == "." || strings.HasPrefix(p.start.path, p.where.path+"/") { // otherwise a link leads elsewhere
		o.From = p.where.path
	}
	if p.byPath() && p.after != "" {
		o.After = p.start.resolved(p.after)
	}
	if literal, ok := p.literal(); ok {
		o.Always = p.start.resolved(literal)
	}
	return o
}

// visit takes one entry of the walk.
func (p *globPage) visit(e walk.Entry) error {
	shown := p.start.shown(e.Path)
	named, err := p.takeNamed(shown)
	if err != nil {
		return err
	}
	if !e.Blocked && (e.Wanted || named && p.wants(e.Type)) {
		if err := p.takeEntry(e, shown); err != nil {
			return err
		}
	}
	p.note(shown, *e.Tally)
	return nil
}

func (p *globPage) takeEntry(e walk.Entry, shown string) error {
	suffix := answer.TypeSuffix(typeName(e.Type))
	if e.Type&fs.ModeSymlink != 0 {
		if stop := p.walker.ask(func() { suffix = answer.LinkSuffix(p.env.Workspace.LinkTarget(e.Path)) }); stop != nil {
			return stop
		}
	}
	if p.byPath() {
		item := p.item(shown, suffix, 0, time.Time{})
		return p.take(&item)
	}
	var info walk.Info
	var err error
	if stop := p.walker.ask(func() { info, err = e.Info() }); stop != nil {
		return stop
	}
	switch {
	case errors.Is(err, dir.ErrNotFound):
		return nil
	case err != nil:
		p.skipPath(shown, err)
		return nil
	}
	item := p.item(shown, suffix, info.Size, info.Modified)
	return p.take(&item)
}

func (p *globPage) item(shown, suffix string, size int64, modified time.Time) pageItem[string] {
	return pageItem[string]{path: shown, by: p.key(size, words.Seconds(modified)), entry: shown, suffix: suffix}
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
	tally := p.finish(whole, timedOut)
	return &GlobResult{Pattern: p.request.Pattern, PathName: words.PathOf(p.where.asked), Files: p.items,
		ExactNames: p.names, Count: int(p.count),
		PageEnd: p.end(p.next()), Hidden: tally.Hidden, Ignored: tally.Ignored, Blocked: tally.Blocked + p.blocked, Unread: p.unread(tally),
		noun: map[string]string{"file": "file", "directory": "folder", "any": "path"}[p.request.Type], suffixes: p.suffixes}
}

// hint says why nothing was found, as far as that can be told.
func (p *globPage) hint(ctx context.Context, r *GlobResult) string {
	late := p.outOfTime("the pattern or path")
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

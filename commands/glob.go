package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"fsbox/sandbox"
	"fsbox/search"
)

// Glob finds paths by their names.
type Glob struct {
	Pattern       string `arg:"" optional:"" need:"" json:"pattern" help:"Glob relative to path: *.go for its own files, **/*.go at any depth; {a,b} and [ab] as usual."`
	Path          string `arg:"" optional:"" json:"path" default:"." aliases:"file_path,filePath,dirPath,dir_path,filename" help:"Folder, relative to the root."`
	Limit         int64  `json:"limit" default:"100" cap:"results" placeholder:"N" help:"Most paths to list (${default})."`
	Sort          string `json:"sort" default:"path" oneof:"path,modified,size" placeholder:"WORD" help:"Order: path, modified (newest first) or size (largest first)."`
	Type          string `json:"type" default:"file" oneof:"file,directory,any" placeholder:"WORD" help:"What to list: file, directory, or any, symlinks included."`
	IncludeHidden bool   `json:"include_hidden" help:"Let wildcards match names that begin with a dot."`
	NoIgnore      bool   `json:"no_ignore" help:"Leave .gitignore, .ignore and .git/info/exclude aside."`
	Cursor        string `json:"cursor" placeholder:"CURSOR" help:"Go on behind the last answer: its next_cursor."`
}

// GlobResult is one page of paths.
type GlobResult struct {
	Pattern      string        `json:"pattern"`
	Path         string        `json:"path"`
	Files        []string      `json:"files"`
	ExactNames   []ExactName   `json:"exact_names,omitzero"` // of files that aren't UTF-8
	Count        int           `json:"count"`
	Truncated    bool          `json:"truncated"`             // there is more
	TruncatedBy  string        `json:"truncated_by,omitzero"` // limit, max_output_bytes or timeout
	NextCursor   string        `json:"next_cursor,omitzero"`
	Hidden       int64         `json:"hidden"`  // names left out for their dot
	Ignored      int64         `json:"ignored"` // names left out by ignore rules
	Blocked      int64         `json:"blocked"` // names left out by policy
	Skipped      []SkippedPath `json:"skipped"` // the first 50
	SkippedCount int64         `json:"skipped_count"`

	noun, nextStep string
}

const globCursor = "glob"

// Run looks for what the pattern names to the letter, and walks from the pattern's literal prefix on for the rest.
func (g *Glob) Run(ctx context.Context, env *Env) (Result, error) {
	p, err := g.page(env)
	if err != nil {
		return nil, err
	}
	if err := p.findStart(); err != nil {
		return nil, err
	}
	if err := p.findNamed(); err != nil {
		return nil, err
	}
	tally, err := p.walk(ctx)
	timedOut, err := endOfWalk(err)
	if err != nil {
		return nil, p.where.fail(err)
	}
	if p.by == "" && !timedOut {
		_, _ = p.takeNamed("") // that the page is full now is noted there
	}
	return p.result(tally, timedOut), nil
}

// globPage collects one page.
type globPage struct {
	page[string]
	request *Glob
	env     *Env
	glob    *search.Glob
	where   scope              // of path
	prefix  string             // the pattern's literal prefix, relative to the root
	start   scope              // of that
	nowhere bool               // there is no folder at the prefix
	inGit   bool               // it lies in .git, and path doesn't
	pattern string             // relative to path
	named   []pageItem[string] // what the request names, in path order, as far as it is still to come
	other   string             // type of what the pattern names, if it isn't the one asked for
	blocked int64              // named paths that policy denies
	skipped []SkippedPath
}

func (g *Glob) page(env *Env) (*globPage, error) {
	p := &globPage{request: g, env: env}
	asked, err := env.Workspace.Clean(g.Path)
	if err != nil {
		return nil, err
	}
	if p.pattern, err = g.relative(env, asked); err != nil {
		return nil, err
	}
	if p.glob, err = search.NewGlob(p.pattern, g.IncludeHidden); err != nil {
		return nil, g.bad(err)
	}
	if p.where, err = env.scopeOf(g.Path); err != nil {
		return nil, err
	}
	p.pageOptions = pageOptions{cursorKind: globCursor, sort: g.Sort, limit: g.Limit, limitName: "limit", maxBytes: env.Limits.MaxOutputBytes,
		print: fingerprint(g.Pattern, p.where.asked, g.Sort, g.Type, fmt.Sprint(g.IncludeHidden, g.NoIgnore))}
	return p, p.resume(g.Cursor)
}

// relative gives the pattern relative to path. An absolute one under the root is taken like an absolute path; another
// leading slash says nothing.
func (g *Glob) relative(env *Env, asked string) (string, error) {
	if strings.TrimSpace(g.Pattern) == "" {
		return "", failf(CodeInvalidInput, "%q is empty", "pattern").hint("** matches everything")
	}
	if !filepath.IsAbs(g.Pattern) {
		return g.Pattern, nil
	}
	rest, inside := env.Workspace.Inside(g.Pattern)
	if !inside || asked == "." {
		return rest, nil
	}
	rel, ok := strings.CutPrefix(strings.TrimLeft(rest, "/"), asked+"/")
	if !ok {
		return "", failf(CodeInvalidInput, "the pattern %q doesn't lie below %q", g.Pattern, asked).hint("leave path out, or give the pattern relative to it")
	}
	return rel, nil
}

// bad names the pattern as it was given.
func (g *Glob) bad(err error) error {
	if errors.Is(err, search.ErrGlobTraversal) {
		return &sandbox.PathError{Path: g.Pattern, Err: sandbox.ErrTraversal}
	}
	return &search.GlobError{Pattern: g.Pattern, Err: err}
}

// findStart opens the folder that the pattern's literal prefix names. One that isn't there is no mistake: nothing is found
// then. Only what the wall refuses is.
func (p *globPage) findStart() error {
	p.start, p.prefix = p.where, under(p.where.asked, p.glob.Prefix())
	if p.glob.Literal() || p.prefix == p.where.asked {
		return nil
	}
	var err error
	if p.start, err = p.env.scopeOf(p.prefix); err != nil {
		p.nowhere = true
		return p.passOver(p.prefix, err)
	}
	return nil
}

// findNamed looks for what the pattern says to the letter, and for the prefix where the pattern matches that.
func (p *globPage) findNamed() error {
	if path, ok := p.letter(); ok {
		if err := p.lookUp(path, true); err != nil {
			return err
		}
	}
	if p.glob.Literal() || p.prefix != p.where.asked && p.glob.Match(p.glob.Prefix(), true) {
		return p.lookUp(p.prefix, p.glob.Literal())
	}
	return nil
}

// letter is the pattern read as a path. With a wildcard in it, it has to lie where the walk goes.
func (p *globPage) letter() (path string, ok bool) {
	path, err := p.env.Workspace.Clean(under(p.where.asked, strings.TrimLeft(p.pattern, "/")))
	reached := p.glob.Literal() || p.prefix == "." || strings.HasPrefix(path, p.prefix+"/")
	return path, err == nil && path != p.prefix && reached
}

// lookUp takes a path that the request names, if it is there. In letters says that the whole pattern does.
func (p *globPage) lookUp(path string, inLetters bool) error {
	if p.byPath() && p.after != "" && comparePaths(path, p.after) <= 0 {
		return nil
	}
	info, err := p.env.Workspace.Lstat(path)
	switch {
	case err != nil && p.glob.Literal():
		return p.passOver(path, err)
	case err != nil: // what a wildcard could stand for, too, is the walk's to tell
		return nil
	case strings.HasSuffix(p.pattern, "/") && !info.Mode.IsDir():
		return nil
	case p.wants(info.Mode):
		p.named = append(p.named, p.item(path, info))
		slices.SortFunc(p.named, func(a, b pageItem[string]) int { return comparePaths(a.path, b.path) })
	case inLetters:
		p.other = info.Type()
	}
	return nil
}

// passOver deals with a path in the pattern that leads nowhere.
func (p *globPage) passOver(path string, err error) error {
	switch {
	case errors.Is(err, sandbox.ErrNotFound), errors.Is(err, sandbox.ErrNotFolder), errors.Is(err, sandbox.ErrInvalidPath):
	case errors.Is(err, sandbox.ErrBlocked):
		p.blocked++
	case errors.Is(err, sandbox.ErrPermission):
		p.skip(path, err)
	default:
		return err
	}
	return nil
}

func (p *globPage) skip(path string, err error) {
	p.skipped = append(p.skipped, SkippedPath{Path: path, PathBase64: base64Name(path), Error: failureOf(err).Code})
}

// walk goes through the folder that the prefix names.
func (p *globPage) walk(ctx context.Context) (search.Tally, error) {
	if p.glob.Literal() || p.nowhere {
		return search.Tally{}, ctx.Err()
	}
	root, err := p.env.root()
	if err != nil {
		return search.Tally{}, err
	}
	defer root.Close()
	tally, err := search.Walk(ctx, root, p.options(), p.visit)
	switch {
	case errors.Is(err, search.ErrPassedBy):
		p.inGit = tally.Ignored == 0
		p.named = slices.DeleteFunc(p.named, func(n pageItem[string]) bool { return n.path == p.prefix })
		return tally, nil
	case err != nil && ctx.Err() == nil && p.prefix != p.where.asked:
		err = p.passOver(p.prefix, err)
	}
	return tally, err
}

func (p *globPage) options() search.WalkOptions {
	o := search.WalkOptions{Path: p.start.path, Recursive: true, IncludeHidden: p.request.IncludeHidden, NoIgnore: p.request.NoIgnore,
		Blocked: p.start.blocked(p.env.Workspace.Policy()),
		Enter:   func(path string) bool { return p.glob.Enter(p.rel(path)) },
		Reveal:  func(path string) bool { return p.glob.Reveal(p.rel(path)) },
	}
	if p.where.path == "." || strings.HasPrefix(p.start.path, p.where.path+"/") { // else a link leads elsewhere
		o.From = p.where.path
	}
	if p.byPath() && p.after != "" {
		o.After = p.start.resolved(p.after)
	}
	if letter, ok := p.letter(); ok {
		o.Always = p.start.resolved(letter)
	}
	return o
}

// rel gives a path of the walk the way the pattern sees it.
func (p *globPage) rel(path string) string {
	return under(p.glob.Prefix(), below(p.start.path, path))
}

// visit takes one entry of the walk.
func (p *globPage) visit(e search.Entry) error {
	shown := p.start.shown(e.Path)
	named, err := p.takeNamed(shown)
	if err != nil {
		return err
	}
	if !e.Blocked && p.wants(e.Type) && (named || p.glob.Match(p.rel(e.Path), e.Type.IsDir())) {
		if err := p.takeEntry(e, shown); err != nil {
			return err
		}
	}
	p.note(shown, *e.Tally)
	return nil
}

func (p *globPage) takeEntry(e search.Entry, shown string) error {
	if p.byPath() {
		return p.take(p.item(shown, sandbox.Info{}))
	}
	info, err := e.Parent.(tree).dir.Lstat(e.Name)
	switch {
	case errors.Is(err, sandbox.ErrNotFound):
		return nil
	case err != nil:
		p.skip(shown, err)
		return nil
	}
	return p.take(p.item(shown, info))
}

// takeNamed takes the named paths that come before a path of the walk, all of them before "", and says whether the path is
// one itself.
func (p *globPage) takeNamed(before string) (named bool, err error) {
	for len(p.named) > 0 {
		next := p.named[0]
		switch {
		case next.path == before:
			p.named = p.named[1:]
			return true, nil
		case before != "" && comparePaths(next.path, before) > 0:
			return false, nil
		}
		if err := p.take(next); err != nil {
			return false, err
		}
		p.named, p.last = p.named[1:], next.path
	}
	return false, nil
}

func (p *globPage) item(shown string, info sandbox.Info) pageItem[string] {
	item := pageItem[string]{path: shown, bytes: int64(len(shown)), entry: shown}
	switch p.sort {
	case "modified":
		item.by = seconds(info.Modified)
	case "size":
		item.by = float64(info.Size)
	}
	return item
}

// wants judges a type. A symlink is neither file nor folder.
func (p *globPage) wants(mode fs.FileMode) bool {
	switch p.request.Type {
	case "file":
		return mode.IsRegular()
	case "directory":
		return mode.IsDir()
	}
	return true
}

func (p *globPage) result(whole search.Tally, timedOut bool) *GlobResult {
	tally := p.finish(whole, timedOut)
	skipped := append(p.start.skipped(tally.Skipped), p.skipped...)
	r := &GlobResult{Pattern: p.request.Pattern, Path: p.where.asked, Files: p.entries(), Count: len(p.items),
		Truncated: p.by != "", TruncatedBy: p.by, NextCursor: p.next(),
		Hidden: tally.Hidden, Ignored: tally.Ignored, Blocked: tally.Blocked + p.blocked,
		Skipped: skipped[:min(len(skipped), maxSkipped)], SkippedCount: tally.SkippedCount + int64(len(p.skipped))}
	for _, file := range r.Files {
		r.ExactNames = appendExact(r.ExactNames, file)
	}
	r.noun = map[string]string{"file": "file", "directory": "folder", "any": "path"}[p.request.Type]
	r.nextStep = p.hint(r)
	return r
}

// hint says why nothing was found, as far as that can be told.
func (p *globPage) hint(r *GlobResult) string {
	switch {
	case p.by == "timeout" && !p.byPath():
		return "an order by time or size needs the whole walk: narrow the pattern or path, or sort by path"
	case r.Count > 0 || r.Truncated || p.request.Cursor != "":
		return ""
	case p.other != "":
		return fmt.Sprintf("type %q would find it; any finds everything", p.other)
	case p.blocked > 0:
		return "the operator's policy leaves out what the pattern names; no request can change it"
	case p.inGit:
		return ".git is looked into only if path lies in it, or with include_hidden and no_ignore"
	case !strings.Contains(p.request.Pattern, "/") && p.request.Pattern != "**":
		return fmt.Sprintf("without a slash a pattern matches only what lies in the folder itself; %q matches at any depth", "**/"+p.request.Pattern)
	case r.Ignored > 0:
		return "ignore rules left something out: set no_ignore to look there as well"
	}
	return ""
}

// Summary says how much was found.
func (r *GlobResult) Summary() string {
	more := ""
	if r.Truncated {
		more = ", and there is more"
	}
	return fmt.Sprintf("found %s for %q%s", plural(int64(r.Count), r.noun), r.Pattern, more)
}

// NextStep is the hint of the answer.
func (r *GlobResult) NextStep() string { return r.nextStep }

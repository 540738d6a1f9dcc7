package glob

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/listing"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/pathname"
	"fsbox/search/walk"
)

var Command = command.Command{
	Name: "glob", Help: "Find paths by name.", Partial: true, New: func() command.Request { return new(Request) },
	Aliases: []string{"find", "find_files"},
	Idle:    []string{"respect_gemini_ignore", "explanation"},
	Title:   "Find files by name", Results: []answer.Result{(*Result)(nil)},
	Text:     "Find files or directories by name, with a pattern such as **/*.go.",
	Examples: []string{"fsbox glob '**/*.{ts,tsx}'", "fsbox glob '*_test.go' --path sandbox --sort modified"},
	Codes:    []answer.Code{answer.CodeInvalidGlob, answer.CodeInvalidCursor},
	Extra:    "quote the pattern, so that the shell doesn't expand it",
	Remedies: command.Remedies{AtFile: "a file has this name, and path is the directory to search: omit path",
		ForGlob: "path is the directory to search: omit it, or name one without wildcards; several globs are one pattern, such as *.{go,md}"},
	FlagHints: []string{"t files, directories or both: --type file|directory|any", "aH names that begin with a dot: --include-hidden",
		"Iu ignored names, too: --no-ignore", "i case counts in patterns: [aA] is either",
		"n the name is the argument: fsbox glob '**/*.go'", "l fsbox ls gives sizes and times",
		"r directories at any depth are **/ in the pattern"},
}

// Request finds paths by their names.
type Request struct {
	Pattern          string `arg:"" optional:"" need:"" json:"pattern" help:"*.go in path only, **/*.go at any depth; also ?, [ab], {ts,tsx}."`
	Path             string `arg:"" optional:"" json:"path" default:"." help:"Directory to start in."`
	Limit            int64  `json:"limit" default:"100" cap:"results" placeholder:"N" help:"Maximum paths per answer."`
	Sort             string `json:"sort" rare:"" default:"path" oneof:"path,modified,size" placeholder:"WORD" help:"Order: path, modified (newest first) or size (largest first)."`
	Type             string `json:"type" default:"file" oneof:"file,directory,any" placeholder:"WORD" help:"file (default), directory or any (links too)."`
	IncludeHidden    bool   `json:"include_hidden" help:"Include dotfiles."`
	NoIgnore         bool   `json:"no_ignore" help:"Include ignored files."`
	RespectGitIgnore *bool  `json:"respect_git_ignore" habit:"!no_ignore" hidden:"" help:"The opposite of no_ignore."`
	Cursor           string `json:"cursor" placeholder:"CURSOR" help:"Last page's next_cursor."`
	Print0           bool   `json:"-" name:"print0" help:"Print only the paths, each followed by a NUL byte (for xargs -0)."`
}

// PrintsNul reports whether the paths alone are asked for.
func (g *Request) PrintsNul() bool { return g.Print0 }

// Fingerprint is that of everything that decides which paths there are, and in which order.
func (g *Request) Fingerprint(asked string) string {
	return listing.Fingerprint(g.Pattern, asked, g.Sort, g.Type, fmt.Sprint(g.IncludeHidden, g.NoIgnore))
}

// Result is one page of paths.
type Result struct {
	Pattern string `json:"pattern"`
	words.PathName
	Files      listing.Files    `json:"files"`
	ExactNames []words.PathName `json:"exact_names,omitzero"` // of paths that aren't UTF-8
	Count      int              `json:"count"`
	listing.PageEnd
	Hidden  int64 `json:"hidden"`  // names that begin with a dot, not listed
	Ignored int64 `json:"ignored"` // names excluded by ignore rules
	Blocked int64 `json:"blocked"` // names blocked by policy
	listing.Unread

	noun string
}

// Run looks up what the pattern names literally. For everything else it walks the folder that is
// the pattern's prefix without wildcards.
func (g *Request) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	p, err := g.page(env)
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := p.findStart(); err != nil {
		return nil, err
	}
	if err := p.findNamed(); err != nil {
		return nil, err
	}
	tally, err := p.search(ctx)
	timedOut, err := p.EndOfWalk(tally, err)
	if err != nil {
		return nil, p.Where.Fail(err)
	}
	if p.CutBy == "" && !timedOut {
		_, _ = p.takeNamed("") // a full page is noted in p, so the error adds nothing
	}
	result := p.result(p.FinishWalk(tally, timedOut))
	result.Next = p.hint(ctx, result)
	return result, nil
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

// LongList is the list whose items are made one by one.
func (r *Result) LongList() answer.Items { return r.Files }

// Summary says how much was found.
func (r *Result) Summary() string {
	return fmt.Sprintf("found %s for %q%s", words.Plural(int64(r.Count), r.noun), r.Pattern, r.More())
}

func (r *Result) AddLogStats(m *command.LogStats) { m.AddList("entries", r.Count, r.Truncated) }

// Paths are the paths of the page, byte for byte.
func (r *Result) Paths() []string {
	return words.Mapped(r.Files, func(f listing.Found) string { return f.Path })
}

// WriteText writes one path a line, marked as in a listing.
func (r *Result) WriteText(t *answer.Text, a answer.Answer) {
	hint := t.PageOf(r.Count, r.noun, "", r.TruncatedBy, r.NextCursor, a.Hint)
	listing.WritePaths(t, r.Files, false)
	if r.Count == 0 && !r.Truncated {
		t.Note(fmt.Sprintf("no %s matches %q", r.noun, r.Pattern))
	}
	t.LeftOut(answer.LeftOut{Hidden: r.Hidden, Ignored: r.Ignored, Blocked: r.Blocked}, r.Count == 0)
	t.NotRead(r.Skipped, r.SkippedCount)
	t.Note(hint)
}

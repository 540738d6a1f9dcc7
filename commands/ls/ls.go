package ls

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/hint"
	"fsbox/commands/listing"
	"fsbox/commands/request"
	"fsbox/commands/words"
	"fsbox/search/walk"
)

var Command = command.Command{
	Name: "ls", Help: "List a directory.", Partial: true, New: func() command.Request { return new(Request) },
	Aliases: []string{"list_dir", "list_directory", "file_list", "list_files", "list"},
	Idle:    []string{"explanation"},
	Title:   "List a directory", Results: []answer.Result{(*Result)(nil)},
	Text: "List a directory (folder) or, with recursive, its whole tree except ignored files.",
	Examples: []string{"fsbox ls src", "fsbox ls --recursive --depth 2 --pattern '*.go'",
		"fsbox ls --sort modified --max-entries 20"},
	Codes: []answer.Code{answer.CodeInvalidGlob, answer.CodeInvalidCursor},
	Extra: request.OnePath,
	FlagHints: []string{"l every entry has its type, size and time anyway; as a table: --format pretty; names that begin with a dot: " +
		"--include-hidden",
		"t the newest first: --sort modified", "S the largest first: --sort size", "R all below the directory: --recursive",
		"aA names that begin with a dot: --include-hidden", "r the order can't be reversed; --sort is path, modified or size",
		"1 one path a line: --format text", "d to describe the directory itself: fsbox info",
		"niF ls has no such flag: it says type, size and time of each entry"},
}

// Request lists a folder.
type Request struct {
	Path             string `arg:"" optional:"" json:"path" default:"." help:"Directory to list."`
	Recursive        bool   `json:"recursive" help:"List the whole tree."`
	Depth            int64  `json:"depth" default:"0" placeholder:"N" help:"Maximum depth; over 1 implies recursive."`
	MaxEntries       int64  `json:"max_entries" default:"200" cap:"results" aliases:"limit" placeholder:"N" help:"Maximum entries per answer."`
	IncludeHidden    bool   `json:"include_hidden" help:"Include dotfiles."`
	NoIgnore         bool   `json:"no_ignore" help:"Include ignored files."`
	RespectGitIgnore *bool  `json:"respect_git_ignore" habit:"!no_ignore" hidden:"" help:"The opposite of no_ignore."`
	Pattern          string `json:"pattern" placeholder:"GLOB" help:"Only matching names: *.go at any depth, src/*.go."`
	Sort             string `json:"sort" rare:"" default:"path" oneof:"path,modified,size" placeholder:"WORD" help:"Order: path, modified (newest first) or size (largest first)."`
	Cursor           string `json:"cursor" placeholder:"CURSOR" help:"Last page's next_cursor."`
}

// Result is one page of a listing.
type Result struct {
	words.PathName
	Entries listing.Entries `json:"entries"`
	Count   int             `json:"count"`
	listing.PageEnd
	Hidden  int64 `json:"hidden"`  // names that begin with a dot, not listed
	Ignored int64 `json:"ignored"` // names excluded by ignore rules
	listing.Unread
	brief bool // it goes out beside the text form
	tree  bool // see isTree
}

// Run walks the folder. A listing by path stops at its limit; one by time or size has to see
// everything first.
func (l *Request) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	l.Recursive = l.Recursive || l.Depth > 1
	where, err := env.ScopeOf(l.Path)
	if err != nil {
		return nil, err
	}
	defer where.Close()
	p := &listing.WalkPage{PageState: listing.NewPage(env, l.MaxEntries, "max_entries"), Env: env, Sort: l.Sort,
		Whole: !env.TextOnly, SizeOf: listing.EntrySize}
	if env.BothForms {
		p.SizeOf = listing.BriefSize
	}
	p.Where = where
	if l.isTree() {
		p.Headed = &listing.Headings{Written: map[string]bool{}}
	}
	var pattern lsPattern
	o, err := l.options(p, &pattern)
	if err != nil {
		return nil, err
	}
	tally, err := p.Walk(ctx, o, func(e walk.Entry) error {
		if e.Wanted {
			if err := p.TakeEntry(e); err != nil {
				return err
			}
		}
		p.NoteEntry(where.Shown(e.Path), *e.Tally)
		return nil
	})
	timedOut, err := p.EndOfWalk(tally, err)
	if err != nil {
		return nil, where.Fail(err)
	}
	return l.result(p, p.FinishWalk(tally, timedOut), pattern), nil
}

// lsPattern is what a listing learns about its pattern.
type lsPattern struct {
	note string // which of its names are taken to the letter
	near string // the path that is nearest to what it finds

	distance int // of near, by hint.NearGlobs
}

// maxNear is how many names a listing without a match compares with what the pattern may mean.
const maxNear = 20_000

// isTree reports whether the text form lists each folder once, with the names in it after it.
func (l *Request) isTree() bool { return l.Recursive && l.Sort == "path" }

// Fingerprint is that of everything that decides which entries there are, and in which order.
func (l *Request) Fingerprint(asked string) string {
	return listing.Fingerprint(asked, fmt.Sprint(l.Recursive, l.Depth, l.IncludeHidden, l.NoIgnore), l.Pattern, l.Sort)
}

// options are what the walk needs to know.
func (l *Request) options(p *listing.WalkPage, pattern *lsPattern) (walk.Options, error) {
	err := p.Begin(listing.LsCursor, l.Cursor, l.Fingerprint(p.Where.Asked))
	o := p.Options(l.IncludeHidden, l.NoIgnore)
	o.Recursive, o.Depth = l.Recursive, int(l.Depth)
	if l.Pattern == "" || err != nil {
		return o, err
	}
	globs, err := p.Env.Globs(p.Where.Asked, []string{l.Pattern})
	if err != nil {
		return o, err
	}
	filter, err := walk.NewFilter(globs.Globs)
	pattern.note = globs.Note
	near := hint.NearGlobs(append([]string{l.Pattern}, hint.MeantGlobs(l.Pattern)...), func(glob string) func(string, bool) bool {
		f, err := walk.NewFilter([]string{glob})
		if err != nil {
			return nil
		}
		return func(path string, _ bool) bool { return f.Match(path) }
	})
	looked, found := 0, false
	o.Want = func(path string, _ fs.FileMode) bool {
		below := words.Below(p.Where.Path, path)
		wanted := filter.Match(below)
		if found = found || wanted; !found && looked < maxNear {
			looked++
			if d := near(below, false); d >= 0 && (pattern.near == "" || d < pattern.distance) {
				pattern.near, pattern.distance = p.Where.Shown(path), d
			}
		}
		return wanted
	}
	return o, err
}

func (l *Request) result(p *listing.WalkPage, tally walk.Tally, pattern lsPattern) *Result {
	r := &Result{PathName: words.PathOf(p.Where.Asked), Entries: p.Items, Count: int(p.Count), PageEnd: p.End(p.Next()),
		tree: l.isTree(), brief: p.Env.BothForms,
		Hidden: tally.Hidden, Ignored: tally.Ignored, Unread: p.Unread(tally)}
	r.Next = cmp.Or(p.OutOfTime("path"), l.nothingHint(r, pattern), pattern.note)
	return r
}

// nothingHint says what to do where nothing matches the pattern.
func (l *Request) nothingHint(r *Result, pattern lsPattern) string {
	switch {
	case l.Pattern == "" || r.Count > 0 || r.Truncated || l.Cursor != "":
		return ""
	case pattern.near != "":
		finds := words.Below(l.Path, pattern.near)
		if g := hint.NearGlobAt(pattern.distance); g.IsExact {
			finds = append([]string{l.Pattern}, hint.MeantGlobs(l.Pattern)...)[g.Index]
		}
		return hint.Quoted(pattern.near, words.Under(l.Path, l.Pattern)) + " exists: the pattern " + hint.Quoted(finds, l.Pattern) + " finds it"
	case !l.IncludeHidden && strings.HasPrefix(path.Base(l.Pattern), "."):
		return "names that begin with a dot are skipped: set include_hidden"
	case !l.Recursive:
		return "no name in the directory itself matches pattern: set recursive to look below; glob tells what nearly matches"
	}
	return "nothing matches pattern: glob tells what nearly matches"
}

// LongList is the list whose items are made one by one.
func (r *Result) LongList() answer.Items {
	if r.brief {
		return listing.BriefEntries{Entries: r.Entries}
	}
	return r.Entries
}

// Summary says how much is listed.
func (r *Result) Summary() string {
	return fmt.Sprintf("listed %s of %q%s", words.Plural(int64(r.Count), "entry"), path.Clean(r.Path), r.More())
}

func (r *Result) AddLogStats(m *command.LogStats) { m.AddList("entries", r.Count, r.Truncated) }

// WriteText writes one path a line: folders with "/", links with where they lead. Of a tree it
// writes each folder once, as "dir/:", and after it the names in it.
func (r *Result) WriteText(t *answer.Text, a answer.Answer) {
	hint := t.PageOf(r.Count, "entry", "", r.TruncatedBy, r.NextCursor, a.Hint)
	if r.tree && !t.People() {
		listing.WriteTree(t, r.Entries)
	} else {
		listing.WritePaths(t, r.Entries, true)
	}
	if r.Count == 0 && !r.Truncated {
		t.Note("nothing to list in " + words.Name(r.Path))
	}
	t.LeftOut(answer.LeftOut{Hidden: r.Hidden, Ignored: r.Ignored}, true)
	t.NotRead(r.Skipped, r.SkippedCount)
	t.Note(hint)
}

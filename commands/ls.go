package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"fsbox/sandbox"
	"fsbox/search"
)

// Ls lists a folder.
type Ls struct {
	Path          string `arg:"" optional:"" json:"path" default:"." aliases:"file_path,filePath,dirPath,dir_path,filename" help:"Folder, relative to the root."`
	Recursive     bool   `json:"recursive" help:"List what lies below, too; ignore rules hold then."`
	Depth         int64  `json:"depth" default:"0" placeholder:"N" help:"How far down a recursive listing goes: 1 is the folder's own, 0 no limit."`
	MaxEntries    int64  `json:"max_entries" default:"200" cap:"results" aliases:"limit" placeholder:"N" help:"Most entries to list (${default})."`
	IncludeHidden bool   `json:"include_hidden" help:"Include names that begin with a dot."`
	NoIgnore      bool   `json:"no_ignore" help:"Leave .gitignore, .ignore and .git/info/exclude aside."`
	Pattern       string `json:"pattern" placeholder:"GLOB" help:"List only what matches; without a slash, names at any depth."`
	Sort          string `json:"sort" default:"path" oneof:"path,modified,size" placeholder:"WORD" help:"Order: path, modified (newest first) or size (largest first)."`
	Cursor        string `json:"cursor" placeholder:"CURSOR" help:"Go on behind the last answer: its next_cursor."`
}

// LsResult is one page of a listing.
type LsResult struct {
	Path         string        `json:"path"`
	Entries      []LsEntry     `json:"entries"`
	Count        int           `json:"count"`
	Truncated    bool          `json:"truncated"`             // there is more
	TruncatedBy  string        `json:"truncated_by,omitzero"` // max_entries, max_output_bytes or timeout
	NextCursor   string        `json:"next_cursor,omitzero"`
	Hidden       int64         `json:"hidden"`  // names left out for their dot
	Ignored      int64         `json:"ignored"` // names left out by ignore rules
	Skipped      []SkippedPath `json:"skipped"` // the first 50
	SkippedCount int64         `json:"skipped_count"`
}

// LsEntry is one name. Symlinks are listed, never followed.
type LsEntry struct {
	Name       string  `json:"name"`
	Path       string  `json:"path"`
	PathBase64 string  `json:"path_base64,omitzero"` // the exact name, if it isn't UTF-8
	Type       string  `json:"type"`                 // file, directory, symlink, other
	Size       int64   `json:"size"`                 // bytes
	Modified   float64 `json:"modified"`             // seconds since 1970
	LinkTarget string  `json:"link_target,omitzero"` // relative to the root; absent if it leads outside
	Blocked    bool    `json:"blocked,omitzero"`     // policy allows no more than to see it
}

const lsCursor = "ls"

// Run walks the folder. A listing by path stops at its limit; one by time or size has to see everything first.
func (l *Ls) Run(ctx context.Context, env *Env) (Result, error) {
	where, err := env.scopeOf(l.Path)
	if err != nil {
		return nil, err
	}
	page, err := l.page(where, env)
	if err != nil {
		return nil, err
	}
	root, err := env.root()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	o := search.WalkOptions{Path: where.path, Recursive: l.Recursive, Depth: int(l.Depth), IncludeHidden: l.IncludeHidden,
		NoIgnore: l.NoIgnore, Blocked: where.blocked(env.Workspace.Policy())}
	if l.Sort == "path" && page.after != "" {
		o.After = where.resolved(page.after)
	}
	tally, err := search.Walk(ctx, root, o, page.visit)
	timedOut, err := endOfWalk(err)
	if err != nil {
		return nil, err
	}
	return page.result(where, tally, timedOut), nil
}

// lsPage collects one page.
type lsPage struct {
	request *Ls
	env     *Env
	where   scope
	filter  *search.Filter
	entries []LsEntry
	after   string // entries up to this one, in the order asked for, were on the pages before
	afterBy float64
	bytes   int64
	by      string // what cut the page
	lost    []search.Skipped
	print   string // fingerprint of the arguments
}

func (l *Ls) page(where scope, env *Env) (*lsPage, error) {
	p := &lsPage{request: l, env: env, where: where}
	p.print = fingerprint(where.path, fmt.Sprint(l.Recursive, l.Depth, l.IncludeHidden, l.NoIgnore), l.Pattern, l.Sort)
	if l.Pattern != "" {
		filter, err := search.NewFilter([]string{l.Pattern})
		if err != nil {
			return nil, err
		}
		p.filter = filter
	}
	return p, p.resume()
}

func (p *lsPage) resume() error {
	if p.request.Cursor == "" {
		return nil
	}
	parts, fail := decodeCursor(lsCursor, p.request.Cursor, 3)
	if fail != nil {
		return fail
	}
	by, err := strconv.ParseFloat(parts[1], 64)
	if err != nil || parts[0] != p.print {
		return badCursor("the cursor was given for other arguments")
	}
	p.after, p.afterBy = parts[2], by
	return nil
}

// visit takes one entry of the walk.
func (p *lsPage) visit(e search.Entry) error {
	if p.filter != nil && !p.filter.Match(below(p.where.path, e.Path)) {
		return nil
	}
	if p.request.Sort == "path" && p.full() {
		return search.ErrStop
	}
	info, err := e.Parent.(tree).dir.Lstat(e.Name)
	if err != nil {
		p.lose(e, err)
		return nil
	}
	entry := p.describe(e, info)
	if p.request.Sort == "path" || p.isBehind(entry) {
		p.add(entry)
	}
	return nil
}

// lose notes an entry that can't be described: its folder may be read but not entered. One that is gone by now is no loss,
// and a folder that the walk will try to enter is noted there.
func (p *lsPage) lose(e search.Entry, err error) {
	l := p.request
	enters := e.Type.IsDir() && !e.Blocked && l.Recursive && (l.Depth == 0 || int64(e.Depth) < l.Depth)
	if errors.Is(err, sandbox.ErrNotFound) || enters {
		return
	}
	p.lost = append(p.lost, search.Skipped{Path: e.Path, Err: err})
}

func (p *lsPage) add(entry LsEntry) {
	p.entries = append(p.entries, entry)
	p.bytes += int64(len(entry.Name) + len(entry.Path) + len(entry.LinkTarget))
}

// full reports that one more entry would be too many, and notes which limit says so.
func (p *lsPage) full() bool {
	switch {
	case int64(len(p.entries)) >= p.request.MaxEntries:
		p.by = "max_entries"
	case len(p.entries) > 0 && p.bytes >= p.env.Limits.MaxOutputBytes:
		p.by = "max_output_bytes"
	}
	return p.by != ""
}

func (p *lsPage) describe(e search.Entry, info sandbox.Info) LsEntry {
	shown := p.where.shown(e.Path)
	entry := LsEntry{Name: e.Name, Path: shown, PathBase64: base64Name(shown), Type: info.Type(), Size: info.Size,
		Modified: seconds(info.Modified), Blocked: e.Blocked}
	if entry.Type == "symlink" && !e.Blocked {
		entry.LinkTarget = p.env.Workspace.LinkTarget(e.Path)
	}
	return entry
}

// key is what a listing by time or size is ordered by, largest first.
func (p *lsPage) key(e LsEntry) float64 {
	if p.request.Sort == "size" {
		return float64(e.Size)
	}
	return e.Modified
}

// isBehind reports that an entry comes after those of the pages before.
func (p *lsPage) isBehind(e LsEntry) bool {
	return p.after == "" || p.compare(p.key(e), e.Path, p.afterBy, p.after) > 0
}

func (p *lsPage) compare(keyA float64, pathA string, keyB float64, pathB string) int {
	if c := cmp.Compare(keyB, keyA); c != 0 {
		return c
	}
	return comparePaths(pathA, pathB)
}

// comparePaths orders paths component by component, bytewise.
func comparePaths(a, b string) int {
	return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/"))
}

// cut puts a listing by time or size in order and keeps the first entries.
func (p *lsPage) cut() {
	slices.SortFunc(p.entries, func(a, b LsEntry) int { return p.compare(p.key(a), a.Path, p.key(b), b.Path) })
	all := p.entries
	p.entries, p.bytes = nil, 0
	for _, e := range all {
		if p.full() {
			return
		}
		p.add(e)
	}
}

func (p *lsPage) result(where scope, tally search.Tally, timedOut bool) *LsResult {
	if p.request.Sort != "path" {
		p.cut()
	}
	if timedOut {
		p.by = "timeout"
	}
	skipped := append(tally.Skipped, p.lost...)
	r := &LsResult{Path: where.asked, Entries: p.entries, Count: len(p.entries), Truncated: p.by != "", TruncatedBy: p.by,
		Hidden: tally.Hidden, Ignored: tally.Ignored, Skipped: where.skipped(skipped[:min(len(skipped), maxSkipped)]),
		SkippedCount: tally.SkippedCount + int64(len(p.lost))}
	if n := len(p.entries); r.Truncated && n > 0 {
		last := p.entries[n-1]
		r.NextCursor = encodeCursor(lsCursor, p.print, strconv.FormatFloat(p.key(last), 'g', -1, 64), last.Path)
	}
	return r
}

// Summary says how much is listed.
func (r *LsResult) Summary() string {
	more := ""
	if r.Truncated {
		more = ", and there is more"
	}
	return fmt.Sprintf("listed %s of %q%s", plural(int64(r.Count), "entry"), path.Clean(r.Path), more)
}

package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"

	"fsbox/sandbox/dir"
	"fsbox/search/walk"
)

// Ls lists a folder.
type Ls struct {
	Path          string `arg:"" optional:"" json:"path" default:"." aliases:"file_path,filePath,dirPath,dir_path,filename" help:"Folder, relative to the workspace root."`
	Recursive     bool   `json:"recursive" help:"List all that lies below, except what ignore files name."`
	Depth         int64  `json:"depth" default:"0" placeholder:"N" help:"Levels to list: 1 is the folder's own, more implies recursive, 0 is no limit."`
	MaxEntries    int64  `json:"max_entries" default:"200" cap:"results" aliases:"limit" placeholder:"N" help:"Most entries in one answer."`
	IncludeHidden bool   `json:"include_hidden" help:"Include names that begin with a dot."`
	NoIgnore      bool   `json:"no_ignore" help:"Include what .gitignore, .ignore and .git/info/exclude leave out."`
	Pattern       string `json:"pattern" placeholder:"GLOB" help:"List only what matches this glob, such as *.go: names at any depth, or paths below the folder if it has a slash."`
	Sort          string `json:"sort" default:"path" oneof:"path,modified,size" placeholder:"WORD" help:"Order: path, modified (newest first) or size (largest first)."`
	Cursor        string `json:"cursor" placeholder:"CURSOR" help:"next_cursor of an earlier answer, to go on after it; send the other fields as then."`
}

// LsResult is one page of a listing.
type LsResult struct {
	Path         string           `json:"path"`
	PathBase64   string           `json:"path_base64,omitzero"` // the exact name, if it isn't UTF-8
	Entries      listing[LsEntry] `json:"entries"`
	Count        int              `json:"count"`
	Truncated    bool             `json:"truncated"`             // there is more
	TruncatedBy  string           `json:"truncated_by,omitzero"` // max_entries, max_output_bytes or timeout
	NextCursor   string           `json:"next_cursor,omitzero"`
	Hidden       int64            `json:"hidden"`  // names left out for their dot
	Ignored      int64            `json:"ignored"` // names left out by ignore rules
	Skipped      []SkippedPath    `json:"skipped"` // the first 50
	SkippedCount int64            `json:"skipped_count"`

	nextStep string
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
	LinkBase64 string  `json:"link_target_base64,omitzero"`
	Blocked    bool    `json:"blocked,omitzero"` // policy lets its name be seen, nothing else
}

// appendJSON writes the members that the tags declare. A test compares the two.
func (e LsEntry) appendJSON(b []byte) []byte {
	b = appendText(append(b, `{"name":`...), e.Name)
	b = appendText(append(b, `,"path":`...), e.Path)
	if e.PathBase64 != "" {
		b = appendText(append(b, `,"path_base64":`...), e.PathBase64)
	}
	b = append(append(append(b, `,"type":"`...), e.Type...), '"')
	b = strconv.AppendInt(append(b, `,"size":`...), e.Size, 10)
	b = appendNumber(append(b, `,"modified":`...), e.Modified)
	if e.LinkTarget != "" {
		b = appendText(append(b, `,"link_target":`...), e.LinkTarget)
	}
	if e.LinkBase64 != "" {
		b = appendText(append(b, `,"link_target_base64":`...), e.LinkBase64)
	}
	if e.Blocked {
		b = append(b, `,"blocked":true`...)
	}
	return append(b, '}')
}

const lsCursor = "l"

// Run walks the folder. A listing by path stops at its limit; one by time or size has to see
// everything first.
func (l *Ls) Run(ctx context.Context, env *Env) (Result, error) {
	l.Recursive = l.Recursive || l.Depth > 1
	where, err := env.scopeOf(l.Path)
	if err != nil {
		return nil, err
	}
	defer where.close()
	page, err := l.page(where, env)
	if err != nil {
		return nil, err
	}
	folders, err := where.roots(env)
	if err != nil {
		return nil, err
	}
	o := walk.Options{Path: where.path, Recursive: l.Recursive, Depth: int(l.Depth), IncludeHidden: l.IncludeHidden,
		NoIgnore: l.NoIgnore, Readers: readers(), Blocked: where.blocked(env.Workspace), Inform: true, Long: env.collectLate}
	if page.filter != nil {
		o.Want = func(path string, _ fs.FileMode) bool { return page.filter.Match(below(where.path, path)) }
	}
	if page.byPath() && page.after != "" {
		o.After = where.resolved(page.after)
	}
	tally, err := page.walk.run(ctx, folders, o, page.visit)
	timedOut, err := endOfWalk(err)
	if err != nil {
		return nil, where.fail(err)
	}
	return page.result(where, tally, timedOut), nil
}

// lsPage collects one page.
type lsPage struct {
	page[LsEntry]
	walk    patientWalk
	request *Ls
	env     *Env
	where   scope
	filter  *walk.Filter
}

func (l *Ls) page(where scope, env *Env) (*lsPage, error) {
	p := &lsPage{request: l, env: env, where: where, walk: patientWalk{abandoned: env.abandoned}}
	p.pageState = env.newPage(l.MaxEntries, "max_entries", where.skipped)
	p.pageOptions = pageOptions{cursorKind: lsCursor, sort: l.Sort,
		print: fingerprint(where.asked, fmt.Sprint(l.Recursive, l.Depth, l.IncludeHidden, l.NoIgnore), l.Pattern, l.Sort)}
	if l.Pattern != "" {
		filter, err := env.filter(where.asked, []string{l.Pattern})
		if err != nil {
			return nil, err
		}
		p.filter = filter
	}
	return p, p.begin(l.Cursor)
}

// visit takes one entry of the walk.
func (p *lsPage) visit(e walk.Entry) error {
	if e.Wanted {
		if err := p.takeEntry(e); err != nil {
			return err
		}
	}
	p.note(p.where.shown(e.Path), *e.Tally)
	return nil
}

func (p *lsPage) takeEntry(e walk.Entry) error {
	if p.byPath() && p.full() {
		return walk.ErrStop
	}
	var entry LsEntry
	var err error
	if stop := p.walk.ask(func() { entry, err = p.describe(e) }); stop != nil {
		return stop
	}
	if err != nil {
		p.loseEntry(e, err)
		return nil
	}
	return p.take(pageItem[LsEntry]{path: entry.Path, by: p.key(entry), entry: entry})
}

// loseEntry notes an entry that can't be described: its folder may be read but not entered. An
// entry that is gone by now isn't noted; nor is a folder that the walk will try to enter, because
// the walk reports that itself.
func (p *lsPage) loseEntry(e walk.Entry, err error) {
	l := p.request
	enters := e.Type.IsDir() && !e.Blocked && l.Recursive && (l.Depth == 0 || int64(e.Depth) < l.Depth)
	if errors.Is(err, dir.ErrNotFound) || enters {
		return
	}
	p.lose(p.where.shown(e.Path), err)
}

// describe asks the system about an entry. It doesn't change the page.
func (p *lsPage) describe(e walk.Entry) (LsEntry, error) {
	info, err := e.Info()
	if err != nil {
		return LsEntry{}, err
	}
	shown := p.where.shown(e.Path)
	entry := LsEntry{Name: e.Name, Path: shown, PathBase64: base64Name(shown), Type: typeName(info.Type), Size: info.Size,
		Modified: seconds(info.Modified), Blocked: e.Blocked}
	if entry.Type == "symlink" && !e.Blocked {
		entry.LinkTarget = p.env.Workspace.LinkTarget(e.Path)
		entry.LinkBase64 = base64Name(entry.LinkTarget)
	}
	return entry, nil
}

// typeName is how answers name a type.
func typeName(kind fs.FileMode) string { return dir.Info{Mode: kind}.Type() }

// key is what the listing is ordered by, largest first.
func (p *lsPage) key(e LsEntry) float64 {
	switch p.sort {
	case "modified":
		return e.Modified
	case "size":
		return float64(e.Size)
	}
	return 0
}

func (p *lsPage) result(where scope, whole walk.Tally, timedOut bool) *LsResult {
	tally := p.finish(whole, timedOut)
	return &LsResult{Path: where.asked, PathBase64: base64Name(where.asked), Entries: p.items, Count: int(p.count), Truncated: p.by != "", TruncatedBy: p.by, NextCursor: p.next(),
		Hidden: tally.Hidden, Ignored: tally.Ignored, Skipped: p.skipped, SkippedCount: tally.SkippedCount + p.lost,
		nextStep: p.outOfTime("path")}
}

// NextStep is the hint of the answer.
func (r *LsResult) NextStep() string { return r.nextStep }

// Summary says how much is listed.
func (r *LsResult) Summary() string {
	more := ""
	if r.Truncated {
		more = ", and there is more"
	}
	return fmt.Sprintf("listed %s of %q%s", plural(int64(r.Count), "entry"), path.Clean(r.Path), more)
}

package commands

import (
	"errors"
	"fmt"
	"io/fs"

	"fsbox/commands/words"
	"fsbox/sandbox/dir"
	"fsbox/search/walk"
	"fsbox/textio"
)

// lsPage collects one page.
type lsPage struct {
	page[LsEntry]
	walk    timedWalk
	request *Ls
	env     *Env
	where   scope
	filter  *walk.Filter
}

func (l *Ls) page(where scope, env *Env) (*lsPage, error) {
	p := &lsPage{request: l, env: env, where: where, walk: timedWalk{abandoned: env.abandoned}}
	p.pageState = env.newPage(l.MaxEntries, "max_entries", where.skipped)
	p.cursorKind, p.sort, p.size = lsCursor, l.Sort, p.entrySize
	p.print = fingerprint(where.asked, fmt.Sprint(l.Recursive, l.Depth, l.IncludeHidden, l.NoIgnore), l.Pattern, l.Sort)
	if l.Pattern != "" {
		filter, err := env.filter(where.asked, []string{l.Pattern})
		if err != nil {
			return nil, err
		}
		p.filter = filter
	}
	return p, p.begin(l.Cursor)
}

// options are what the walk needs to know.
func (p *lsPage) options() walk.Options {
	o := walk.Options{Path: p.where.path, Recursive: p.request.Recursive, Depth: int(p.request.Depth), IncludeHidden: p.request.IncludeHidden,
		NoIgnore: p.request.NoIgnore, Readers: readers(), Blocked: p.where.blocked(p.env.Workspace), Inform: true, Long: p.env.collectLate}
	if p.filter != nil {
		o.Want = func(path string, _ fs.FileMode) bool { return p.filter.Match(words.Below(p.where.path, path)) }
	}
	if p.byPath() && p.after != "" {
		o.After = p.where.resolved(p.after)
	}
	return o
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
	var item pageItem[LsEntry]
	var err error
	if e.IsInformed() && e.Type&fs.ModeSymlink == 0 {
		item.entry, err = p.describe(e)
	} else if stop := p.walk.ask(func() { item.entry, err = p.describe(e) }); stop != nil {
		return stop
	}
	if err != nil {
		p.loseEntry(e, err)
		return nil
	}
	item.path, item.by = item.entry.Path, p.key(item.entry.Size, item.entry.Modified)
	return p.take(&item)
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
	p.skipPath(p.where.shown(e.Path), err)
}

// describe asks the system about an entry. It doesn't change the page.
func (p *lsPage) describe(e walk.Entry) (LsEntry, error) {
	info, err := e.Info()
	if err != nil {
		return LsEntry{}, err
	}
	shown := p.where.shown(e.Path)
	entry := LsEntry{Name: e.Name, PathName: words.PathOf(shown), Type: typeName(info.Type), Size: info.Size,
		Modified: words.Seconds(info.Modified), Blocked: e.Blocked}
	if entry.Type == "symlink" && !e.Blocked {
		entry.LinkTarget = p.env.Workspace.LinkTarget(e.Path)
		entry.LinkTargetBase64 = words.Base64(entry.LinkTarget)
	}
	return entry, nil
}

// entrySize is at least how many bytes an entry takes. Measuring it by writing it would make a long
// listing slower.
func (p *lsPage) entrySize(e LsEntry) int64 {
	if e.PathBase64 != "" || e.LinkTarget != "" || e.Blocked {
		return p.budget.Size(e)
	}
	const others = `{"name":"","path":"","type":"","size":,"modified":-1.7976931348623157e+308},`
	return int64(textio.EscapedLen(e.Name) + textio.EscapedLen(e.Path) + len(e.Type) + len(words.Int(e.Size)) + len(others))
}

func (p *lsPage) result(whole walk.Tally, timedOut bool) *LsResult {
	tally := p.finish(whole, timedOut)
	r := &LsResult{PathName: words.PathOf(p.where.asked), Entries: p.items, Count: int(p.count), PageEnd: p.end(p.next()),
		Hidden: tally.Hidden, Ignored: tally.Ignored, Unread: p.unread(tally)}
	r.nextStep = p.outOfTime("path")
	return r
}

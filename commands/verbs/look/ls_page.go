package look

import (
	"errors"
	"fmt"
	"io/fs"

	"fsbox/commands/verb"
	"fsbox/commands/words"
	"fsbox/sandbox/dir"
	"fsbox/search/walk"
	"fsbox/textio"
)

// LsPage collects one page.
type LsPage struct {
	verb.Page[found]
	walk    verb.TimedWalk
	request *Ls
	env     *verb.Env
	where   verb.Scope
	filter  *walk.Filter
}

func (l *Ls) page(where verb.Scope, env *verb.Env) (*LsPage, error) {
	p := &LsPage{request: l, env: env, where: where, walk: verb.TimedWalk{Abandoned: env.Abandoned}}
	p.PageState = env.NewPage(l.MaxEntries, "max_entries", where.Skipped)
	p.CursorKind, p.Sort, p.Size = verb.LsCursor, l.Sort, sizeOf
	p.Fingerprint = verb.Fingerprint(where.Asked, fmt.Sprint(l.Recursive, l.Depth, l.IncludeHidden, l.NoIgnore), l.Pattern, l.Sort)
	if l.Pattern != "" {
		filter, err := env.Filter(where.Asked, []string{l.Pattern})
		if err != nil {
			return nil, err
		}
		p.filter = filter
	}
	return p, p.Begin(l.Cursor)
}

// options are what the walk needs to know.
func (p *LsPage) options() walk.Options {
	o := walk.Options{Path: p.where.Path, Recursive: p.request.Recursive, Depth: int(p.request.Depth), IncludeHidden: p.request.IncludeHidden,
		NoIgnore: p.request.NoIgnore, Readers: verb.Readers(), Blocked: p.where.Blocked(p.env.Workspace), Inform: true, Long: p.env.CollectLate}
	if p.filter != nil {
		o.Want = func(path string, _ fs.FileMode) bool { return p.filter.Match(words.Below(p.where.Path, path)) }
	}
	if p.ByPath() && p.After != "" {
		o.After = p.where.Resolved(p.After)
	}
	return o
}

// visit takes one entry of the walk.
func (p *LsPage) visit(e walk.Entry) error {
	if e.Wanted {
		if err := p.takeEntry(e); err != nil {
			return err
		}
	}
	p.Note(p.where.Shown(e.Path), *e.Tally)
	return nil
}

func (p *LsPage) takeEntry(e walk.Entry) error {
	if p.ByPath() && p.Full() {
		return walk.ErrStop
	}
	var item verb.PageItem[found]
	var err error
	if e.IsInformed() && e.Type&fs.ModeSymlink == 0 {
		item.Entry, err = p.describe(e)
	} else if stop := p.walk.Ask(func() { item.Entry, err = p.describe(e) }); stop != nil {
		return stop
	}
	if err != nil {
		p.loseEntry(e, err)
		return nil
	}
	item.Path, item.Key = item.Entry.path, p.Key(item.Entry.size, item.Entry.modified)
	return p.Take(&item)
}

// loseEntry notes an entry that can't be described: its folder may be read but not entered. An
// entry that is gone by now isn't noted; nor is a folder that the walk will try to enter, because
// the walk reports that itself.
func (p *LsPage) loseEntry(e walk.Entry, err error) {
	l := p.request
	enters := e.Type.IsDir() && !e.Blocked && l.Recursive && (l.Depth == 0 || int64(e.Depth) < l.Depth)
	if errors.Is(err, dir.ErrNotFound) || enters {
		return
	}
	p.SkipPath(p.where.Shown(e.Path), err)
}

// describe asks the system about an entry. It doesn't change the page.
func (p *LsPage) describe(e walk.Entry) (found, error) {
	info, err := e.Info()
	if err != nil {
		return found{}, err
	}
	f := found{path: p.where.Shown(e.Path), kind: info.Type, size: info.Size, modified: words.Seconds(info.Modified), blocked: e.Blocked}
	if info.Type&fs.ModeSymlink != 0 && !e.Blocked {
		f.target = words.OrNull(p.env.Workspace.LinkTarget(e.Path))
	}
	return f, nil
}

// sizeOf is at least how many bytes an entry takes. Measuring it by writing it would make a long
// listing slower.
func sizeOf(f found) int64 {
	if f.target != nil || f.blocked || words.Base64(f.path) != "" {
		return int64(len(f.appendJSON(nil)) + len(","))
	}
	const others = `{"name":"","path":"","type":"","size":,"modified":-1.7976931348623157e+308},`
	return int64(textio.EscapedLen(f.name()) + textio.EscapedLen(f.path) + len(verb.TypeName(f.kind)) + len(words.Int(f.size)) + len(others))
}

func (p *LsPage) result(whole walk.Tally, timedOut bool) *LsResult {
	tally := p.Finish(whole, timedOut)
	r := &LsResult{PathName: words.PathOf(p.where.Asked), Entries: p.Items, Count: int(p.Count), PageEnd: p.End(p.Next()),
		Hidden: tally.Hidden, Ignored: tally.Ignored, Unread: p.Unread(tally)}
	r.Next = p.OutOfTime("path")
	return r
}

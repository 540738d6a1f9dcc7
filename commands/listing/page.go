package listing

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/pathname"
	"fsbox/search/walk"
)

// WalkPage collects what one answer lists of a walk, in path order or by time or size, and knows
// where the page before ended.
type WalkPage struct {
	PageState
	timed       command.TimedWalk
	Env         *command.Env
	Sort        string            // path, modified (newest first) or size (largest first)
	Whole       bool              // sizes and times are listed, or decide about the order
	SizeOf      func(Found) int64 // at least how many bytes an item takes
	kind        string            // of cursors
	fingerprint string            // of the request's arguments
	Items       []Found           // the page
	ranked      []Found           // in order of time or size: all candidates, until cut moves the first of them to items
	After       *Found            // items up to here, in the requested order, were on earlier pages; nil on the first page
	Headed      *Headings         // folders whose line the text of a tree has, nil where it has a path for each item
	Last        string            // in path order: everything up to here is listed or left out
}

// maxReady is for how many items memory is set aside at first. What isn't used costs nothing, and a
// list that grows is copied again and again.
const maxReady = 20_000

// Begin prepares the page after the one that gave the cursor; "" is for the first page. A
// cursor is good for a request with the same fingerprint.
func (p *WalkPage) Begin(kind, cursor, fingerprint string) error {
	p.Whole = p.Whole || !p.ByPath()
	p.Items = make([]Found, 0, min(p.Limit, maxReady))
	p.kind, p.fingerprint = kind, fingerprint
	parts, fail := OpenCursor(kind, cursor, p.fingerprint, 2)
	if fail != nil || parts == nil {
		return answer.AsError(fail)
	}
	key, err := strconv.ParseFloat(parts[0], 64)
	if err != nil {
		return ForeignCursor()
	}
	p.After, p.Last = &Found{Path: parts[1], Size: int64(key), Modified: key}, parts[1]
	return nil
}

// Options are what every walk of a page needs to know. Those of a tree also need Recursive. Begin
// comes before, unless there is but one page.
func (p *WalkPage) Options(hidden, noIgnore bool) walk.Options {
	o := walk.Options{Path: p.Where.Path, IncludeHidden: hidden, NoIgnore: noIgnore, Readers: command.Readers(),
		Blocked: p.Where.Blocked(p.Env.Workspace), Inform: p.Whole}
	if p.ByPath() && p.After != nil {
		o.After = p.Where.Resolved(p.After.Path)
	}
	return o
}

// Walk walks from Where on, and closes the folders. A visit that may wait for the disk does that by
// Info or Ask, so that the answer can go out when time is up. The page is locked during the rest of
// the visit, and in it alone the page may be changed while Walk runs.
func (p *WalkPage) Walk(ctx context.Context, o walk.Options, visit func(walk.Entry) error) (walk.Tally, error) {
	folders, err := p.Where.Roots(p.Env)
	if err != nil {
		return walk.Tally{}, err
	}
	p.timed.Abandoned = p.Env.Abandoned
	return p.timed.Run(ctx, folders, o, visit)
}

// Ask runs question, which may make system calls, such as to open and read the file of the entry,
// within a visit: what it finds out must be variables of the visit, since the page isn't locked.
// The error is for the visit to return.
func (p *WalkPage) Ask(question func()) error { return p.timed.Ask(question) }

// Info describes an entry within a visit, for what leaves out entries by size or time: that is
// asked before TakeEntry, which ends a full page. With Options.Inform it takes no system call. The
// error is walk.ErrStop, for the visit to return, or about the entry: that is for TakeEntry, which
// lists it as skipped.
func (p *WalkPage) Info(e walk.Entry) (info walk.Info, err error) {
	if e.IsInformed() {
		return e.Info()
	}
	if stop := p.Ask(func() { info, err = e.Info() }); stop != nil {
		return info, stop
	}
	return info, err
}

// ByPath reports whether the order is that of the walk, which can then stop when the page is full.
func (p *WalkPage) ByPath() bool { return p.Sort == "path" }

// key is what an item is ordered by, largest first. In path order it is 0.
func (p *WalkPage) key(f *Found) float64 {
	switch p.Sort {
	case "modified":
		return f.Modified
	case "size":
		return float64(f.Size)
	}
	return 0
}

// TakeEntry describes an entry of the walk and adds it. A full page ends before the entry is
// described: whoever omits entries by what they are has to do that before.
func (p *WalkPage) TakeEntry(e walk.Entry) error {
	if p.ByPath() && p.Full() {
		return walk.ErrStop
	}
	f, err := p.describe(e)
	switch {
	case err == nil:
		return p.Take(f)
	case errors.Is(err, walk.ErrStop):
		return err
	case !errors.Is(err, fserr.ErrNotFound) && !e.Enters: // it is not gone by now, nor a folder that the walk reports itself
		p.SkipPath(p.Where.Shown(e.Path), err)
	}
	return nil
}

// describe asks the system about an entry. It doesn't change the page.
func (p *WalkPage) describe(e walk.Entry) (Found, error) {
	f := Found{Path: p.Where.Shown(e.Path), Kind: e.Type, blocked: e.Blocked}
	if p.Whole {
		info, err := p.Info(e)
		if err != nil {
			return f, err
		}
		f.Kind, f.Size, f.Modified = info.Type, info.Size, words.Seconds(info.Modified)
	}
	if f.Kind&fs.ModeSymlink != 0 && !e.Blocked {
		follow := func() { f.Target = words.OrNull(p.Env.Workspace.LinkTarget(pathname.InRoot(e.Path))) }
		return f, p.Ask(follow)
	}
	return f, nil
}

// Take adds an item. In path order the error is walk.ErrStop if the item doesn't fit; in any other
// order cut drops what doesn't fit at the end.
func (p *WalkPage) Take(f Found) error {
	switch {
	case !p.ByPath():
		p.rank(f)
	case !p.add(f):
		return walk.ErrStop
	}
	return nil
}

// add lists an item if it fits.
func (p *WalkPage) add(f Found) bool {
	write := f.write
	if p.Headed != nil {
		write = func(t *answer.Text) { f.writeInTree(t, p.Headed) }
	}
	if !p.Fits(Item{JSON: func() int64 { return p.SizeOf(f) }, Text: write, Cursor: p.cursorSize(f.Path)}) {
		return false
	}
	if len(p.Items) == cap(p.Items) {
		p.Items = slices.Grow(p.Items, len(p.Items)) // append would copy a long list more often
	}
	p.Items = append(p.Items, f)
	return true
}

// cursorSize is how many bytes the cursor after a path takes at most: most of it is the path, in
// base64.
func (p *WalkPage) cursorSize(path string) int {
	return base64.RawURLEncoding.EncodedLen(len(path) + len("-1.7976931348623157e+308"))
}

// rank keeps an item of a listing by time or size if it may belong on the page. It needs the items
// of one page and one more, to know whether there is more, and never holds more than twice that
// number.
func (p *WalkPage) rank(f Found) {
	if p.After != nil && p.compare(f, *p.After) <= 0 {
		return
	}
	p.ranked = append(p.ranked, f)
	if keep := p.Limit + 1; int64(len(p.ranked)) >= 2*keep {
		slices.SortFunc(p.ranked, p.compare)
		clear(p.ranked[keep:])
		p.ranked = p.ranked[:keep]
	}
}

// compare puts larger or newer items first, and equal ones in path order.
func (p *WalkPage) compare(a, b Found) int {
	return cmp.Or(cmp.Compare(p.key(&b), p.key(&a)), words.ComparePaths(a.Path, b.Path))
}

// NoteEntry records how far the walk has come.
func (p *WalkPage) NoteEntry(path string, tally walk.Tally) {
	p.Last = path
	p.Note(tally)
}

// FinishWalk decides which items the page has, and gives the tally of the walk up to the end of the
// page. A listing by time or size needs all of the walk, and keeps the first items.
func (p *WalkPage) FinishWalk(whole walk.Tally, timedOut bool) walk.Tally {
	if !p.ByPath() {
		p.Note(whole)
		p.cut()
	}
	return p.Finish(whole, timedOut)
}

// cut puts a listing by time or size in order and keeps the first items.
func (p *WalkPage) cut() {
	slices.SortFunc(p.ranked, p.compare)
	for _, f := range p.ranked {
		if !p.add(f) {
			return
		}
	}
}

// Next is the cursor to continue with, "" if there is no more. A listing by time or size that ran
// out of time has none: items that it hasn't seen may belong before those it has.
func (p *WalkPage) Next() string {
	last := Found{Path: p.Last}
	switch {
	case p.CutBy == "", p.ByPath() && p.Last == "", !p.ByPath() && (p.CutBy == "timeout" || p.Count == 0):
		return ""
	case !p.ByPath():
		last = p.Items[len(p.Items)-1]
	}
	return EncodeCursor(p.kind, p.fingerprint, strconv.FormatFloat(p.key(&last), 'g', -1, 64), last.Path)
}

// OutOfTime is the hint for a page that ran out of time and has no cursor to continue with, else
// "".
func (p *WalkPage) OutOfTime(narrow string) string {
	switch {
	case p.CutBy != "timeout" || p.Next() != "":
		return ""
	case p.ByPath():
		return "time ran out before the first name was looked at: narrow " + narrow
	}
	return "time ran out, and an order by time or size needs the whole walk: narrow " + narrow + ", or sort by path"
}

// WritePaths writes a line for each item, at a terminal in a table if that is wanted.
func WritePaths(t *answer.Text, items []Found, table bool) {
	if table = table && t.People() && len(items) > 0; table {
		t.TableHead()
	}
	for i := range items {
		f := &items[i]
		if table {
			t.Add(f.columns())
		}
		f.write(t)
	}
}

// WriteTree writes each folder once, in the order in which the items come, and after it the names
// of the items in it.
func WriteTree(t *answer.Text, items []Found) {
	type group struct {
		folder string
		items  []int
	}
	var groups []group
	index := map[string]int{}
	last := -1
	for i := range items {
		folder := items[i].folder()
		if last < 0 || groups[last].folder != folder { // mostly it is that of the item before
			known, ok := index[folder]
			if last = known; !ok {
				last = len(groups)
				index[folder] = last
				groups = append(groups, group{folder: folder})
			}
		}
		groups[last].items = append(groups[last].items, i)
	}
	for _, g := range groups {
		writeHeading(t, g.folder)
		for _, i := range g.items {
			items[i].writeName(t)
		}
	}
}

// Headings are the folders whose line was written, for a page that is measured item by item.
type Headings struct {
	Written map[string]bool
	last    string
}

// writeInTree writes the name of an item, after the line of its folder unless that was written.
func (f *Found) writeInTree(t *answer.Text, h *Headings) {
	if folder := f.folder(); folder != h.last {
		if h.last = folder; !h.Written[folder] {
			h.Written[folder] = true
			writeHeading(t, folder)
		}
	}
	f.writeName(t)
}

func writeHeading(t *answer.Text, folder string) { t.Path(words.Exact(folder), "/:") }

func (f *Found) writeName(t *answer.Text) { t.Path(words.Exact(f.name()), f.suffix()) }

// folder is the path of the folder that an item is in.
func (f *Found) folder() string {
	if at := strings.LastIndexByte(f.Path, '/'); at >= 0 {
		return f.Path[:at]
	}
	return "."
}

// write writes the line of an item.
func (f *Found) write(t *answer.Text) { t.Path(words.Exact(f.Path), f.suffix()) }

// suffix is what follows the path in the text form.
func (f *Found) suffix() string {
	switch suffix := answer.TypeSuffix(command.TypeName(f.Kind)); {
	case f.blocked:
		return suffix + " (blocked)"
	case f.Kind&fs.ModeSymlink != 0:
		return answer.LinkSuffix(words.Deref(f.Target))
	default:
		return suffix
	}
}

// columns is what a table has before the path.
func (f *Found) columns() string {
	size := "-"
	if f.Kind.IsRegular() {
		size = words.Size(f.Size)
	}
	return fmt.Sprintf("%10s  %s  ", size, words.LocalTime(f.Modified, "2006-01-02 15:04"))
}

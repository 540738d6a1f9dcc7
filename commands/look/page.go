package look

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
	"fsbox/sandbox/dir"
	"fsbox/search/walk"
)

// page collects what one answer lists of a walk, in path order or by time or size, and knows where
// the page before ended.
type page struct {
	command.PageState
	walk        command.TimedWalk
	env         *command.Env
	sort        string            // path, modified (newest first) or size (largest first)
	whole       bool              // sizes and times are listed, or decide about the order
	sizeOf      func(found) int64 // at least how many bytes an item takes
	kind        string            // of cursors
	fingerprint string            // of the request's arguments
	items       []found           // the page
	ranked      []found           // in order of time or size: all candidates, until cut moves the first of them to items
	after       *found            // items up to here, in the requested order, were on earlier pages; nil on the first page
	headed      *headings         // folders whose line the text of a tree has, nil where it has a path for each item
	last        string            // in path order: everything up to here is listed or left out
}

// maxReady is for how many items memory is set aside at first. What isn't used costs nothing, and a
// list that grows is copied again and again.
const maxReady = 10_000

// begin prepares the page after the one that gave the cursor; "" is for the first page. by are the
// arguments of the request: a cursor is good for a request with the same ones.
func (p *page) begin(kind, cursor string, by ...string) error {
	p.walk.Abandoned, p.whole = p.env.Abandoned, p.whole || !p.byPath()
	p.items = make([]found, 0, min(p.Limit, maxReady))
	p.kind, p.fingerprint = kind, command.Fingerprint(by...)
	parts, fail := command.OpenCursor(kind, cursor, p.fingerprint, 2)
	if fail != nil || parts == nil {
		return answer.AsError(fail)
	}
	key, err := strconv.ParseFloat(parts[0], 64)
	if err != nil {
		return command.ForeignCursor()
	}
	p.after, p.last = &found{path: parts[1], size: int64(key), modified: key}, parts[1]
	return nil
}

// options are what every walk of a page needs to know.
func (p *page) options(hidden, noIgnore bool) walk.Options {
	o := walk.Options{Path: p.Where.Path, IncludeHidden: hidden, NoIgnore: noIgnore, Readers: command.Readers(),
		Blocked: p.Where.Blocked(p.env.Workspace), Inform: p.whole, Long: p.env.CollectLate}
	if p.byPath() && p.after != nil {
		o.After = p.Where.Resolved(p.after.path)
	}
	return o
}

// run walks and closes the folders.
func (p *page) run(ctx context.Context, o walk.Options, visit func(walk.Entry) error) (walk.Tally, error) {
	folders, err := p.Where.Roots(p.env)
	if err != nil {
		return walk.Tally{}, err
	}
	return p.walk.Run(ctx, folders, o, visit)
}

// byPath reports whether the order is that of the walk, which can then stop when the page is full.
func (p *page) byPath() bool { return p.sort == "path" }

// key is what an item is ordered by, largest first. In path order it is 0.
func (p *page) key(f *found) float64 {
	switch p.sort {
	case "modified":
		return f.modified
	case "size":
		return float64(f.size)
	}
	return 0
}

// takeEntry describes an entry of the walk and adds it.
func (p *page) takeEntry(e walk.Entry) error {
	if p.byPath() && p.Full() {
		return walk.ErrStop
	}
	var f found
	var err error
	describe := func() { f, err = p.describe(e) }
	if e.Type&fs.ModeSymlink == 0 && (!p.whole || e.IsInformed()) {
		describe()
	} else if stop := p.walk.Ask(describe); stop != nil {
		return stop
	}
	switch {
	case err == nil:
		return p.take(f)
	case !errors.Is(err, dir.ErrNotFound) && !e.Enters: // it is not gone by now, nor a folder that the walk reports itself
		p.SkipPath(p.Where.Shown(e.Path), err)
	}
	return nil
}

// describe asks the system about an entry. It doesn't change the page.
func (p *page) describe(e walk.Entry) (found, error) {
	f := found{path: p.Where.Shown(e.Path), kind: e.Type, blocked: e.Blocked}
	if p.whole {
		info, err := e.Info()
		if err != nil {
			return f, err
		}
		f.kind, f.size, f.modified = info.Type, info.Size, words.Seconds(info.Modified)
	}
	if f.kind&fs.ModeSymlink != 0 && !e.Blocked {
		f.target = words.OrNull(p.env.Workspace.LinkTarget(dir.InRoot(e.Path)))
	}
	return f, nil
}

// take adds an item. In path order the error is walk.ErrStop if the item doesn't fit; in any other
// order cut drops what doesn't fit at the end.
func (p *page) take(f found) error {
	switch {
	case !p.byPath():
		p.rank(f)
	case !p.add(f):
		return walk.ErrStop
	}
	return nil
}

// add lists an item if it fits.
func (p *page) add(f found) bool {
	write := f.write
	if p.headed != nil {
		write = func(t *answer.Text) { f.writeInTree(t, p.headed) }
	}
	if !p.Fits(command.Item{JSON: func() int64 { return p.sizeOf(f) }, Text: write, Cursor: p.cursorSize(f.path)}) {
		return false
	}
	if len(p.items) == cap(p.items) {
		p.items = slices.Grow(p.items, len(p.items)) // append would copy a long list more often
	}
	p.items = append(p.items, f)
	return true
}

// cursorSize is how many bytes the cursor after a path takes at most: most of it is the path, in
// base64.
func (p *page) cursorSize(path string) int {
	return base64.RawURLEncoding.EncodedLen(len(path) + len("-1.7976931348623157e+308"))
}

// rank keeps an item of a listing by time or size if it may belong on the page. It needs the items
// of one page and one more, to know whether there is more, and never holds more than twice that
// number.
func (p *page) rank(f found) {
	if p.after != nil && p.compare(f, *p.after) <= 0 {
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
func (p *page) compare(a, b found) int {
	return cmp.Or(cmp.Compare(p.key(&b), p.key(&a)), words.ComparePaths(a.path, b.path))
}

// note records how far the walk has come.
func (p *page) note(path string, tally walk.Tally) {
	p.last = path
	p.Note(tally)
}

// finish decides which items the page has, and gives the tally of the walk up to the end of the
// page. A listing by time or size needs all of the walk, and keeps the first items.
func (p *page) finish(whole walk.Tally, timedOut bool) walk.Tally {
	if !p.byPath() {
		p.Note(whole)
		p.cut()
	}
	return p.Finish(whole, timedOut)
}

// cut puts a listing by time or size in order and keeps the first items.
func (p *page) cut() {
	slices.SortFunc(p.ranked, p.compare)
	for _, f := range p.ranked {
		if !p.add(f) {
			return
		}
	}
}

// next is the cursor to continue with, "" if there is no more. A listing by time or size that ran
// out of time has none: items that it hasn't seen may belong before those it has.
func (p *page) next() string {
	last := found{path: p.last}
	switch {
	case p.CutBy == "", p.byPath() && p.last == "", !p.byPath() && (p.CutBy == "timeout" || p.Count == 0):
		return ""
	case !p.byPath():
		last = p.items[len(p.items)-1]
	}
	return command.EncodeCursor(p.kind, p.fingerprint, strconv.FormatFloat(p.key(&last), 'g', -1, 64), last.path)
}

// outOfTime is the hint for a page that ran out of time and has no cursor to continue with, else
// "".
func (p *page) outOfTime(narrow string) string {
	switch {
	case p.CutBy != "timeout" || p.next() != "":
		return ""
	case p.byPath():
		return "time ran out before the first name was looked at: narrow " + narrow
	}
	return "time ran out, and an order by time or size needs the whole walk: narrow " + narrow + ", or sort by path"
}

// writePaths writes a line for each item, at a terminal in a table if that is wanted.
func writePaths(t *answer.Text, items []found, table bool) {
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

// writeTree writes each folder once, in the order in which the items come, and after it the names
// of the items in it.
func writeTree(t *answer.Text, items []found) {
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

// headings are the folders whose line was written, for a page that is measured item by item.
type headings struct {
	written map[string]bool
	last    string
}

// writeInTree writes the name of an item, after the line of its folder unless that was written.
func (f *found) writeInTree(t *answer.Text, h *headings) {
	if folder := f.folder(); folder != h.last {
		if h.last = folder; !h.written[folder] {
			h.written[folder] = true
			writeHeading(t, folder)
		}
	}
	f.writeName(t)
}

func writeHeading(t *answer.Text, folder string) { t.Path(words.Exact(folder), "/:") }

func (f *found) writeName(t *answer.Text) { t.Path(words.Exact(f.name()), f.suffix()) }

// folder is the path of the folder that an item is in.
func (f *found) folder() string {
	if at := strings.LastIndexByte(f.path, '/'); at >= 0 {
		return f.path[:at]
	}
	return "."
}

// write writes the line of an item.
func (f *found) write(t *answer.Text) { t.Path(words.Exact(f.path), f.suffix()) }

// suffix is what follows the path in the text form.
func (f *found) suffix() string {
	switch suffix := answer.TypeSuffix(command.TypeName(f.kind)); {
	case f.blocked:
		return suffix + " (blocked)"
	case f.kind&fs.ModeSymlink != 0:
		return answer.LinkSuffix(words.Deref(f.target))
	default:
		return suffix
	}
}

// columns is what a table has before the path.
func (f *found) columns() string {
	size := "-"
	if f.kind.IsRegular() {
		size = words.Size(f.size)
	}
	return fmt.Sprintf("%10s  %s  ", size, words.LocalTime(f.modified, "2006-01-02 15:04"))
}

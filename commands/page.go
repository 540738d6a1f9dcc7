package commands

import (
	"cmp"
	"slices"
	"strconv"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/search/walk"
)

// page collects what one answer lists of a walk, in path order or by time or size, and knows where
// the page before ended.
type page[E any] struct {
	pageState
	cursorKind string
	print      string // fingerprint of the request's arguments
	sort       string // path, modified (newest first) or size (largest first)
	exact      bool   // the exact names of paths that aren't UTF-8 are listed as well

	size     func(E) int64 // at least how many bytes an item takes
	items    []E
	names    []words.PathName // exact names of items that aren't UTF-8
	suffixes []pathSuffix     // of items that have one
	ranked   []pageItem[E]    // in order of time or size: all candidates, until cut moves the first of them to items
	final    pageItem[E]      // the last of ranked that is on the page
	after    string           // items up to here, in the requested order, were on earlier pages
	afterBy  float64
	last     string // in path order: everything up to here is listed or left out
}

// pageItem is one line of a listing.
type pageItem[E any] struct {
	path   string  // as it is shown
	by     float64 // time or size, if the listing is ordered by it
	entry  E
	suffix string // what follows the path in the text form, if entry doesn't tell it
}

// pathSuffix is what follows the path of an item, counted from 0, in the text form.
type pathSuffix struct {
	item int
	text string
}

// maxReady is for how many items memory is set aside at first. What isn't used costs nothing, and a
// list that grows is copied again and again.
const maxReady = 10_000

// begin reads the position from a cursor; "" is the first page.
func (p *page[E]) begin(cursor string) error {
	p.items = make([]E, 0, min(p.limit, maxReady))
	parts, fail := openCursor(p.cursorKind, cursor, p.print, 2)
	if fail != nil || parts == nil {
		return answer.AsError(fail)
	}
	by, err := strconv.ParseFloat(parts[0], 64)
	if err != nil {
		return foreignCursor()
	}
	p.after, p.afterBy, p.last = parts[1], by, parts[1]
	return nil
}

// byPath reports whether the order is that of the walk, which can then stop when the page is full.
func (p *page[E]) byPath() bool { return p.sort == "path" }

// key is what an item is ordered by, largest first: its size, or its time in seconds since 1970. In
// path order it is 0.
func (p *page[E]) key(size int64, modified float64) float64 {
	switch p.sort {
	case "modified":
		return modified
	case "size":
		return float64(size)
	}
	return 0
}

// fits reserves space for an item.
func (p *page[E]) fits(item *pageItem[E]) bool {
	size := p.size(item.entry)
	for _, name := range p.exactNames(item) {
		size += p.budget.Size(name)
	}
	return p.reserve(size)
}

// exactNames is the exact name of an item, if it is to be listed.
func (p *page[E]) exactNames(item *pageItem[E]) []words.PathName {
	if !p.exact {
		return nil
	}
	return words.ExactNames(item.path)
}

// take adds an item. In path order the error is walk.ErrStop if the item doesn't fit; in any other
// order cut drops what doesn't fit at the end.
func (p *page[E]) take(item *pageItem[E]) error {
	switch {
	case !p.byPath():
		p.rank(*item)
	case p.full() || !p.fits(item):
		return walk.ErrStop
	default:
		p.add(item)
	}
	return nil
}

// add lists an item that fits.
func (p *page[E]) add(item *pageItem[E]) {
	if item.suffix != "" {
		p.suffixes = append(p.suffixes, pathSuffix{int(p.count), item.suffix})
	}
	p.items, p.names = append(p.items, item.entry), append(p.names, p.exactNames(item)...)
	p.count++
}

// rank keeps an item of a listing by time or size if it may belong on the page. It needs the items
// of one page and one more, to know whether there is more, and never holds more than twice that
// number.
func (p *page[E]) rank(item pageItem[E]) {
	if !p.isAfter(item) {
		return
	}
	p.ranked = append(p.ranked, item)
	if keep := p.limit + 1; int64(len(p.ranked)) >= 2*keep {
		slices.SortFunc(p.ranked, compareItems[E])
		clear(p.ranked[keep:])
		p.ranked = p.ranked[:keep]
	}
}

// note records how far the walk has come.
func (p *page[E]) note(path string, tally walk.Tally) {
	p.last, p.tally = path, tally
	p.noteSkipped(tally)
}

// isAfter reports whether an item comes after those of earlier pages.
func (p *page[E]) isAfter(item pageItem[E]) bool {
	return p.after == "" || compareItems(item, pageItem[E]{path: p.after, by: p.afterBy}) > 0
}

// compareItems puts larger or newer items first, and equal ones in path order.
func compareItems[E any](a, b pageItem[E]) int {
	return cmp.Or(cmp.Compare(b.by, a.by), words.ComparePaths(a.path, b.path))
}

// finish decides which items the page has, and gives the tally of the walk up to the end of the
// page.
func (p *page[E]) finish(whole walk.Tally, timedOut bool) walk.Tally {
	if !p.byPath() || p.by == "" {
		p.noteSkipped(whole)
	}
	if !p.byPath() {
		p.cut()
	}
	if timedOut {
		p.by = "timeout"
	}
	if p.byPath() && p.by != "" {
		return p.tally
	}
	return whole
}

// cut puts a listing by time or size in order and keeps the first items.
func (p *page[E]) cut() {
	slices.SortFunc(p.ranked, compareItems[E])
	for i := range p.ranked {
		if p.full() || !p.fits(&p.ranked[i]) {
			return
		}
		p.add(&p.ranked[i])
		p.final = p.ranked[i]
	}
}

// next is the cursor to go on with, "" if there is no more. A listing by time or size that ran out
// of time has none: items that it hasn't seen may belong before those it has.
func (p *page[E]) next() string {
	switch {
	case p.by == "", p.byPath() && p.last == "", !p.byPath() && (p.by == "timeout" || p.count == 0):
		return ""
	case p.byPath():
		return p.encode(pageItem[E]{path: p.last})
	default:
		return p.encode(p.final)
	}
}

// outOfTime is the hint for a page that ran out of time and has no cursor to go on with, else "".
func (p *page[E]) outOfTime(narrow string) string {
	switch {
	case p.by != "timeout" || p.next() != "":
		return ""
	case p.byPath():
		return "time ran out before the first name was looked at: narrow " + narrow
	}
	return "time ran out, and an order by time or size needs the whole walk: narrow " + narrow + ", or sort by path"
}

func (p *page[E]) encode(last pageItem[E]) string {
	return encodeCursor(p.cursorKind, p.print, strconv.FormatFloat(last.by, 'g', -1, 64), last.path)
}

package commands

import (
	"cmp"
	"slices"
	"strconv"

	"fsbox/search/walk"
)

// page collects what one answer lists of a walk, in path order or by time or size, and knows where the page before ended.
type page[E listed] struct {
	pageOptions
	items   listing[E]
	names   []ExactName // of items that aren't UTF-8, if asked for
	count   int64
	ranked  []pageItem[E] // by time or size, until cut puts the first of them into items
	final   pageItem[E]   // the last of them there
	after   string        // what comes up to here, in the order asked for, was on the pages before
	afterBy float64
	room    *room
	json    []byte        // of the item at hand
	skipped []SkippedPath // as far as there is room, the first 50
	seen    int           // of those in the tally
	lost    int64         // paths that could not be read, besides those in the tally
	by      string        // the limit that cut the page
	last    string        // in path order: up to here everything is dealt with
	tally   walk.Tally    // of the walk up to there
}

// pageOptions are what a page needs of the request.
type pageOptions struct {
	cursorKind string
	print      string // fingerprint of the arguments
	sort       string // path, modified (newest first) or size (largest first)
	limit      int64
	limitName  string
	maxBytes   int64                              // of the lists
	exact      bool                               // paths that aren't UTF-8 are listed a second time
	skips      func([]walk.Skipped) []SkippedPath // how they are shown
}

// pageItem is one line of a listing.
type pageItem[E listed] struct {
	path  string  // as it is shown
	by    float64 // time or size, if that is the order
	entry E
}

// begin takes the position out of a cursor, "" for none.
func (p *page[E]) begin(cursor string) error {
	p.room, p.skipped = newRoom(p.maxBytes), []SkippedPath{}
	if cursor == "" {
		return nil
	}
	parts, fail := decodeCursor(p.cursorKind, cursor, 3)
	if fail != nil {
		return fail
	}
	by, err := strconv.ParseFloat(parts[1], 64)
	if err != nil || parts[0] != p.print {
		return badCursor("the cursor was given for other arguments")
	}
	p.after, p.afterBy, p.last = parts[2], by, parts[2]
	return nil
}

// byPath reports that the order is that of the walk, which can stop when the page is full.
func (p *page[E]) byPath() bool { return p.sort == "path" }

// full reports that one more item would be too many, whichever it is, and notes which limit says so.
func (p *page[E]) full() bool {
	switch {
	case p.count >= p.limit:
		p.by = p.limitName
	case p.count > 0 && p.room.left <= 0:
		p.by = "max_output_bytes"
	}
	return p.by != ""
}

// fits makes room for an item, and notes if there is none. The first one always fits, so that every page goes on.
func (p *page[E]) fits(item pageItem[E]) bool {
	p.json = item.entry.appendJSON(p.json[:0])
	size := int64(len(p.json)) + int64(len(","))
	if base64 := base64Name(item.path); p.exact && base64 != "" {
		size += p.room.size(ExactName{Path: item.path, PathBase64: base64})
	}
	if !p.room.take(size) {
		if p.count > 0 {
			p.by = "max_output_bytes"
			return false
		}
		p.room.left = 0
	}
	return true
}

// take adds an item. In path order search.ErrStop says that there was no room for it; else cut makes room at the end.
func (p *page[E]) take(item pageItem[E]) error {
	switch {
	case !p.byPath():
		p.rank(item)
	case p.full() || !p.fits(item):
		return walk.ErrStop
	default:
		p.add(item)
	}
	return nil
}

// add lists an item that fits.
func (p *page[E]) add(item pageItem[E]) {
	p.items.add(p.json)
	p.count++
	if p.exact {
		p.names = appendExact(p.names, item.path)
	}
}

// rank keeps an item of a listing by time or size if it may belong on the page. Of those that do and one more, to know that
// there is more, it never holds more than twice as many.
func (p *page[E]) rank(item pageItem[E]) {
	if !p.isBehind(item) {
		return
	}
	p.ranked = append(p.ranked, item)
	if keep := p.limit + 1; int64(len(p.ranked)) >= 2*keep {
		slices.SortFunc(p.ranked, compareItems[E])
		clear(p.ranked[keep:])
		p.ranked = p.ranked[:keep]
	}
}

// note remembers how far the walk has come.
func (p *page[E]) note(path string, tally walk.Tally) {
	p.last, p.tally = path, tally
	p.noteSkipped(tally)
}

// noteSkipped lists what the walk could not read since the last time.
func (p *page[E]) noteSkipped(tally walk.Tally) {
	if p.seen < len(tally.Skipped) {
		p.skip(p.skips(tally.Skipped[p.seen:])...)
		p.seen = len(tally.Skipped)
	}
}

// skip lists paths that could not be read, as far as there is room.
func (p *page[E]) skip(paths ...SkippedPath) {
	free := max(0, maxSkipped-len(p.skipped))
	p.skipped = append(p.skipped, fitting(p.room, paths[:min(len(paths), free)])...)
}

// lose is skip for a path that the tally doesn't have.
func (p *page[E]) lose(path SkippedPath) {
	p.lost++
	p.skip(path)
}

// isBehind reports that an item comes after those of the pages before.
func (p *page[E]) isBehind(item pageItem[E]) bool {
	return p.after == "" || compareItems(item, pageItem[E]{path: p.after, by: p.afterBy}) > 0
}

// compareItems puts what is larger or newer first, and equal ones in path order.
func compareItems[E listed](a, b pageItem[E]) int {
	return cmp.Or(cmp.Compare(b.by, a.by), comparePaths(a.path, b.path))
}

// comparePaths orders paths component by component, bytewise: a slash comes before every other byte.
func comparePaths(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	switch {
	case i == n:
		return cmp.Compare(len(a), len(b))
	case a[i] == '/':
		return -1
	case b[i] == '/':
		return 1
	}
	return cmp.Compare(a[i], b[i])
}

// finish settles which items the page has, and what the walk has passed over up to its end.
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
	for _, item := range p.ranked {
		if p.full() || !p.fits(item) {
			return
		}
		p.add(item)
		p.final = item
	}
}

// next is the cursor to go on with, "" if there is no more. A listing by time or size that ran out of time has none: what
// it hasn't seen may belong in front.
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
	return "an order by time or size needs the whole walk: narrow " + narrow + ", or sort by path"
}

func (p *page[E]) encode(last pageItem[E]) string {
	return encodeCursor(p.cursorKind, p.print, strconv.FormatFloat(last.by, 'g', -1, 64), last.path)
}

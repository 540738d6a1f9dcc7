package verb

import (
	"cmp"
	"slices"
	"strconv"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/search/walk"
)

// Page collects what one answer lists of a walk, in path order or by time or size, and knows where
// the page before ended.
type Page[E any] struct {
	PageState
	CursorKind  string
	Fingerprint string // of the request's arguments
	Sort        string // path, modified (newest first) or size (largest first)

	Size     func(E) int64 // at least how many bytes an item takes
	Items    []E
	Suffixes []PathSuffix  // of items that have one
	ranked   []PageItem[E] // in order of time or size: all candidates, until cut moves the first of them to items
	final    PageItem[E]   // the last of ranked that is on the page
	After    string        // items up to here, in the requested order, were on earlier pages
	afterKey float64
	Last     string // in path order: everything up to here is listed or left out
}

// PageItem is one line of a listing.
type PageItem[E any] struct {
	Path   string  // as it is shown
	Key    float64 // time or size, if the listing is ordered by it
	Entry  E
	Suffix string // what follows the path in the text form, if entry doesn't tell it
}

// PathSuffix is what follows the path of an item, counted from 0, in the text form.
type PathSuffix struct {
	Item int
	Text string
}

// maxReady is for how many items memory is set aside at first. What isn't used costs nothing, and a
// list that grows is copied again and again.
const maxReady = 10_000

// Begin reads the position from a cursor; "" is the first page.
func (p *Page[E]) Begin(cursor string) error {
	p.Items = make([]E, 0, min(p.Limit, maxReady))
	parts, fail := OpenCursor(p.CursorKind, cursor, p.Fingerprint, 2)
	if fail != nil || parts == nil {
		return answer.AsError(fail)
	}
	by, err := strconv.ParseFloat(parts[0], 64)
	if err != nil {
		return ForeignCursor()
	}
	p.After, p.afterKey, p.Last = parts[1], by, parts[1]
	return nil
}

// ByPath reports whether the order is that of the walk, which can then stop when the page is full.
func (p *Page[E]) ByPath() bool { return p.Sort == "path" }

// Key is what an item is ordered by, largest first: its size, or its time in seconds since 1970. In
// path order it is 0.
func (p *Page[E]) Key(size int64, modified float64) float64 {
	switch p.Sort {
	case "modified":
		return modified
	case "size":
		return float64(size)
	}
	return 0
}

// Take adds an item. In path order the error is walk.ErrStop if the item doesn't fit; in any other
// order cut drops what doesn't fit at the end.
func (p *Page[E]) Take(item *PageItem[E]) error {
	switch {
	case !p.ByPath():
		p.rank(*item)
	case p.Full() || !p.Reserve(p.Size(item.Entry)):
		return walk.ErrStop
	default:
		p.add(item)
	}
	return nil
}

// add lists an item that fits.
func (p *Page[E]) add(item *PageItem[E]) {
	if item.Suffix != "" {
		p.Suffixes = append(p.Suffixes, PathSuffix{int(p.Count), item.Suffix})
	}
	if len(p.Items) == cap(p.Items) {
		p.Items = slices.Grow(p.Items, len(p.Items)) // append would copy a long list more often
	}
	p.Items = append(p.Items, item.Entry)
	p.Count++
}

// rank keeps an item of a listing by time or size if it may belong on the page. It needs the items
// of one page and one more, to know whether there is more, and never holds more than twice that
// number.
func (p *Page[E]) rank(item PageItem[E]) {
	if !p.isAfter(item) {
		return
	}
	p.ranked = append(p.ranked, item)
	if keep := p.Limit + 1; int64(len(p.ranked)) >= 2*keep {
		slices.SortFunc(p.ranked, compareItems[E])
		clear(p.ranked[keep:])
		p.ranked = p.ranked[:keep]
	}
}

// Note records how far the walk has come.
func (p *Page[E]) Note(path string, tally walk.Tally) {
	p.Last, p.Tally = path, tally
	p.NoteSkipped(tally)
}

// isAfter reports whether an item comes after those of earlier pages.
func (p *Page[E]) isAfter(item PageItem[E]) bool {
	return p.After == "" || compareItems(item, PageItem[E]{Path: p.After, Key: p.afterKey}) > 0
}

// compareItems puts larger or newer items first, and equal ones in path order.
func compareItems[E any](a, b PageItem[E]) int {
	return cmp.Or(cmp.Compare(b.Key, a.Key), words.ComparePaths(a.Path, b.Path))
}

// Finish decides which items the page has, and gives the tally of the walk up to the end of the
// page.
func (p *Page[E]) Finish(whole walk.Tally, timedOut bool) walk.Tally {
	if !p.ByPath() || p.CutBy == "" {
		p.NoteSkipped(whole)
	}
	if !p.ByPath() {
		p.cut()
	}
	if timedOut {
		p.CutBy = "timeout"
	}
	if p.ByPath() && p.CutBy != "" {
		return p.Tally
	}
	return whole
}

// cut puts a listing by time or size in order and keeps the first items.
func (p *Page[E]) cut() {
	slices.SortFunc(p.ranked, compareItems[E])
	for i := range p.ranked {
		if p.Full() || !p.Reserve(p.Size(p.ranked[i].Entry)) {
			return
		}
		p.add(&p.ranked[i])
		p.final = p.ranked[i]
	}
}

// Next is the cursor to go on with, "" if there is no more. A listing by time or size that ran out
// of time has none: items that it hasn't seen may belong before those it has.
func (p *Page[E]) Next() string {
	switch {
	case p.CutBy == "", p.ByPath() && p.Last == "", !p.ByPath() && (p.CutBy == "timeout" || p.Count == 0):
		return ""
	case p.ByPath():
		return p.encode(PageItem[E]{Path: p.Last})
	default:
		return p.encode(p.final)
	}
}

// OutOfTime is the hint for a page that ran out of time and has no cursor to go on with, else "".
func (p *Page[E]) OutOfTime(narrow string) string {
	switch {
	case p.CutBy != "timeout" || p.Next() != "":
		return ""
	case p.ByPath():
		return "time ran out before the first name was looked at: narrow " + narrow
	}
	return "time ran out, and an order by time or size needs the whole walk: narrow " + narrow + ", or sort by path"
}

func (p *Page[E]) encode(last PageItem[E]) string {
	return EncodeCursor(p.CursorKind, p.Fingerprint, strconv.FormatFloat(last.Key, 'g', -1, 64), last.Path)
}

// PageEnd says whether there is more than a page has, and how to get it.
type PageEnd struct {
	Truncated   bool   `json:"truncated"`             // there is more
	TruncatedBy string `json:"truncated_by,omitzero"` // what the request limits results by, max_output_bytes or timeout
	NextCursor  string `json:"next_cursor,omitzero"`
	Next        string `json:"-"` // step: the hint of the answer
}

// NextStep is the hint of the answer.
func (p *PageEnd) NextStep() string { return p.Next }

// More is what a summary adds if there is more.
func (p *PageEnd) More() string {
	if p.Truncated {
		return ", and there is more"
	}
	return ""
}

// Unread is what a walk could not read.
type Unread struct {
	Skipped      []answer.SkippedPath `json:"skipped"` // the first 50
	SkippedCount int64                `json:"skipped_count"`
}

// PageState is what every page of what a walk found has: how much it may hold, what cut it, and
// what could not be read.
type PageState struct {
	Limit     int64
	LimitName string
	Budget    *answer.Budget // for all lists of the answer
	Count     int64          // results on the page
	CutBy     string         // the limit that cut the page

	Tally   walk.Tally                                // tally of the walk up to the end of the page
	skips   func([]walk.Skipped) []answer.SkippedPath // turns skipped paths into what is shown
	skipped []answer.SkippedPath                      // the first 50, as far as they fit into the answer
	seen    int                                       // number of skipped paths in the tally that the page has seen
	lost    int64                                     // paths that could not be read, besides those in the tally
}

func (e *Env) NewPage(limit int64, name string, skips func([]walk.Skipped) []answer.SkippedPath) PageState {
	return PageState{Limit: limit, LimitName: name, Budget: answer.NewBudget(e.Limits.MaxOutputBytes), skips: skips,
		skipped: []answer.SkippedPath{}}
}

// Full reports whether no further result fits, however small, and records which limit was reached.
func (p *PageState) Full() bool {
	switch {
	case p.Count >= p.Limit:
		p.CutBy = p.LimitName
	case p.Count > 0 && p.Budget.Left <= 0:
		p.CutBy = "max_output_bytes"
	}
	return p.CutBy != ""
}

// Reserve takes space for one more result, and records if there is none. The first one always fits,
// so that every page makes progress.
func (p *PageState) Reserve(size int64) bool {
	switch {
	case p.Budget.Take(size):
	case p.Count > 0:
		p.CutBy = "max_output_bytes"
		return false
	default:
		p.Budget.Left = 0
	}
	return true
}

// NoteSkipped lists what the walk could not read since the last call.
func (p *PageState) NoteSkipped(tally walk.Tally) {
	if p.seen < len(tally.Skipped) {
		p.skip(p.skips(tally.Skipped[p.seen:])...)
		p.seen = len(tally.Skipped)
	}
}

func (p *PageState) End(cursor string) PageEnd {
	return PageEnd{Truncated: p.CutBy != "", TruncatedBy: p.CutBy, NextCursor: cursor}
}

func (p *PageState) Unread(tally walk.Tally) Unread {
	return Unread{Skipped: p.skipped, SkippedCount: tally.SkippedCount + p.lost}
}

// maxSkipped is how many unreadable paths an answer lists.
const maxSkipped = 50

// skip lists paths that could not be read, as far as they fit into the answer.
func (p *PageState) skip(paths ...answer.SkippedPath) {
	free := max(0, maxSkipped-len(p.skipped))
	p.skipped = append(p.skipped, answer.Fitting(p.Budget, paths[:min(len(paths), free)])...)
}

// SkipPath lists one path that could not be read and that the tally doesn't count.
func (p *PageState) SkipPath(path string, err error) {
	p.lost++
	p.skip(answer.SkippedPath{PathName: words.PathOf(path), Error: FailureOf(err).Code})
}

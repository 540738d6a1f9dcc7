package commands

import (
	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/search/walk"
)

// PageEnd says whether there is more than a page has, and how to get it.
type PageEnd struct {
	Truncated   bool   `json:"truncated"`             // there is more
	TruncatedBy string `json:"truncated_by,omitzero"` // what the request limits results by, max_output_bytes or timeout
	NextCursor  string `json:"next_cursor,omitzero"`
	nextStep    string
}

// NextStep is the hint of the answer.
func (p *PageEnd) NextStep() string { return p.nextStep }

// more is what a summary adds if there is more.
func (p *PageEnd) more() string {
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

// pageState is what every page of what a walk found has: how much it may hold, what cut it, and
// what could not be read.
type pageState struct {
	limit     int64
	limitName string
	budget    *answer.Budget // for all lists of the answer
	count     int64          // results on the page
	by        string         // the limit that cut the page

	tally   walk.Tally                                // tally of the walk up to the end of the page
	skips   func([]walk.Skipped) []answer.SkippedPath // turns skipped paths into what is shown
	skipped []answer.SkippedPath                      // the first 50, as far as they fit into the answer
	seen    int                                       // number of skipped paths in the tally that the page has seen
	lost    int64                                     // paths that could not be read, besides those in the tally
}

func (e *Env) newPage(limit int64, name string, skips func([]walk.Skipped) []answer.SkippedPath) pageState {
	return pageState{limit: limit, limitName: name, budget: answer.NewBudget(e.Limits.MaxOutputBytes), skips: skips,
		skipped: []answer.SkippedPath{}}
}

// full reports whether no further result fits, however small, and records which limit was reached.
func (p *pageState) full() bool {
	switch {
	case p.count >= p.limit:
		p.by = p.limitName
	case p.count > 0 && p.budget.Left <= 0:
		p.by = "max_output_bytes"
	}
	return p.by != ""
}

// reserve takes space for one more result, and records if there is none. The first one always fits,
// so that every page makes progress.
func (p *pageState) reserve(size int64) bool {
	switch {
	case p.budget.Take(size):
	case p.count > 0:
		p.by = "max_output_bytes"
		return false
	default:
		p.budget.Left = 0
	}
	return true
}

// noteSkipped lists what the walk could not read since the last call.
func (p *pageState) noteSkipped(tally walk.Tally) {
	if p.seen < len(tally.Skipped) {
		p.skip(p.skips(tally.Skipped[p.seen:])...)
		p.seen = len(tally.Skipped)
	}
}

func (p *pageState) end(cursor string) PageEnd {
	return PageEnd{Truncated: p.by != "", TruncatedBy: p.by, NextCursor: cursor}
}

func (p *pageState) unread(tally walk.Tally) Unread {
	return Unread{Skipped: p.skipped, SkippedCount: tally.SkippedCount + p.lost}
}

// maxSkipped is how many unreadable paths an answer lists.
const maxSkipped = 50

// skip lists paths that could not be read, as far as they fit into the answer.
func (p *pageState) skip(paths ...answer.SkippedPath) {
	free := max(0, maxSkipped-len(p.skipped))
	p.skipped = append(p.skipped, answer.Fitting(p.budget, paths[:min(len(paths), free)])...)
}

// skipPath lists one path that could not be read and that the tally doesn't count.
func (p *pageState) skipPath(path string, err error) {
	p.lost++
	p.skip(answer.SkippedPath{PathName: words.PathOf(path), Error: failureOf(err).Code})
}

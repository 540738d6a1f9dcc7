package listing

import (
	"cmp"
	"context"
	"errors"
	"syscall"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"
	"fsbox/search/walk"
)

// PageEnd says whether there is more than a page has, and how to get it.
type PageEnd struct {
	Truncated   bool   `json:"truncated"`             // there is more
	TruncatedBy string `json:"truncated_by,omitzero"` // what ended the list: a limit in the request, max_output_bytes or timeout
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
	Where     command.Scope // of the walk
	Limit     int64
	LimitName string
	Budget    *answer.Budget // for all lists of the answer as JSON
	Meter     *answer.Meter  // of the text form, nil if the answer has none
	jsonName  string         // the setting that Budget comes from
	bothForms bool
	json      int64      // bytes that the items take there, where the reader counts both forms together
	Count     int64      // results on the page
	CutBy     string     // the limit that cut the page
	tally     walk.Tally // of the walk up to the end of the page

	skipped []answer.SkippedPath // what could not be read: the first 50, as far as they fit into the answer
	seen    int                  // number of skipped paths in the tally that the page has seen
	lost    int64                // paths that could not be read, besides those in the tally
	short   error                // the process may open no more files: that is no matter of one path
}

// NewPage begins a page of at most limit results; name is the field that limits them.
func NewPage(e *command.Env, limit int64, name string) PageState {
	p := PageState{Limit: limit, LimitName: name, Budget: e.ListBudget(), Meter: answer.NewMeter(e.Room()), bothForms: e.BothForms,
		jsonName: "max_output_bytes", skipped: []answer.SkippedPath{}}
	if p.Budget.Left < e.Limits.MaxOutputBytes {
		p.jsonName = p.Meter.Name()
	}
	return p
}

// Item is what may go on a page. Only the forms in which the answer goes out are measured.
type Item struct {
	JSON   func() int64         // how many bytes it takes there
	Text   func(t *answer.Text) // writes it
	Cursor int                  // how many bytes the cursor after it takes at most
}

// Full reports whether no further result fits, however small, and records which limit was reached.
func (p *PageState) Full() bool {
	switch {
	case p.Count >= p.Limit:
		p.CutBy = p.LimitName
	case p.Count > 0 && p.Budget.Left <= 0:
		p.CutBy = p.jsonName
	case p.Count > 0 && p.Meter != nil && !p.Meter.Fits(0):
		p.CutBy = p.Meter.Name()
	}
	return p.CutBy != ""
}

// Left is about how much is left, in bytes of JSON, which are never less than those of the text
// form.
func (p *PageState) Left() int64 {
	if p.Meter == nil {
		return p.Budget.Left
	}
	return max(0, min(p.Budget.Left, p.Meter.Left()))
}

// Fill ends the page because something doesn't fit.
func (p *PageState) Fill() {
	switch {
	case p.CutBy != "":
	case p.Meter == nil:
		p.CutBy = "max_output_bytes"
	default:
		p.CutBy = p.Meter.Name()
	}
}

// Fits counts one more result and reserves its space, or records why it doesn't fit. The first one
// always fits, so that every page makes progress.
func (p *PageState) Fits(item Item) bool {
	if p.Full() {
		return false
	}
	size := int64(0)
	if p.Meter == nil || p.bothForms {
		size = item.JSON()
	}
	fits, by := p.Budget.Take(size), p.jsonName
	if p.Meter != nil {
		item.Text(&p.Meter.Text)
		if !p.Meter.Fits(int64(item.Cursor) + p.taken(size)) {
			fits, by = false, p.Meter.Name()
		}
	}
	if !fits && p.Count > 0 {
		p.CutBy = by
		return false
	}
	if !fits {
		p.Budget.Left = 0
	}
	p.Count++
	return true
}

// taken counts the JSON form of the page, where that goes to the same reader as the text form. It
// is how many bytes it takes so far.
func (p *PageState) taken(size int64) int64 {
	if !p.bothForms || !p.Meter.Both() {
		return 0
	}
	p.json += size
	return p.json + command.EnvelopeRoom
}

// Note records how far the walk has come, and lists what it could not read since the last call.
func (p *PageState) Note(tally walk.Tally) {
	p.tally = tally
	if p.seen < len(tally.Skipped) {
		p.noteShort(tally.Skipped[p.seen:]...)
		p.skip(p.Where.Skipped(tally.Skipped[p.seen:])...)
		p.seen = len(tally.Skipped)
	}
}

// EndOfWalk tells a walk that ran out of time, whose results so far are answered, from one that
// failed. One that could not open what it came to, for want of open files, has failed.
func (p *PageState) EndOfWalk(whole walk.Tally, err error) (timedOut bool, fail error) {
	if p.CutBy == "" { // else what comes after the page is no matter of this call
		p.noteShort(whole.Skipped...)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return true, p.short
	}
	return false, cmp.Or(err, p.short)
}

func (p *PageState) noteShort(skipped ...walk.Skipped) {
	for _, s := range skipped {
		if errors.Is(s.Err, fserr.ErrOpenFiles) || errors.Is(s.Err, syscall.EMFILE) {
			p.short = fserr.ErrOpenFiles
		}
	}
}

// Finish gives the tally up to the end of the page: for a page that isn't cut, that of the whole
// walk.
func (p *PageState) Finish(whole walk.Tally, timedOut bool) walk.Tally {
	if timedOut {
		p.CutBy = "timeout"
	}
	if p.CutBy == "" {
		p.Note(whole)
	}
	return p.tally
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
	p.noteShort(walk.Skipped{Path: path, Err: err})
	p.skip(answer.SkippedPath{PathName: words.PathOf(path), Error: command.FailureOf(err).Code})
}

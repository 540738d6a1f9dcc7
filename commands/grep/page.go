package grep

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/listing"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/pathname"
	"fsbox/search"
	"fsbox/search/match"
	"fsbox/search/walk"
	"fsbox/textio"
)

// grepPage collects one page.
type grepPage struct {
	listing.PageState
	request     *Request
	env         *command.Env
	fingerprint string       // of the request's arguments
	single      bool         // path is a file
	looks       string       // that file looks like text in an encoding that wasn't recognised, else ""
	edits       bool         // it is for an edit: see Files
	hangs       bool         // a part of the search has not come back
	filter      *walk.Filter // glob
	letter      string       // says which names of glob are taken to the letter
	both        string       // says which glob is taken to the letter as well
	types       *walk.Filter // file_type
	firstBinary string       // the first file that is left out since it is binary
	filtered    bool         // by one of them
	result      Result
	resume      *search.GrepPosition
	measured    measured
	also        alsoCounted
	last        search.GrepPosition // all results up to here are reported
	searched    map[string]bool     // files without a match; true if one may have a match of another query
	unseen      []string            // the first names that were passed by as hidden or ignored
	look        func(string) bool   // of a search that is repeated for a hint: whether to look into a file; nil for any
}

func (g *Request) page(env *command.Env) (*grepPage, error) {
	p := &grepPage{request: g, env: env, searched: map[string]bool{}, filtered: len(g.Glob)+len(g.FileType) > 0}
	p.PageState = listing.NewPage(env, g.MaxMatches, "max_matches")
	p.result = Result{Query: words.ShortName(g.Query), UseRegex: g.UseRegex, OutputMode: g.OutputMode,
		context: max(g.Before, g.After, g.Context) > 0, multiline: g.Multiline, brief: env.BothForms,
		readable: env.LongestLine()}
	p.result.begin()
	p.measured.list.apart = p.result.context
	asked, err := env.Workspace.Clean(g.Path)
	if err != nil {
		return nil, err
	}
	globs, err := env.Globs(asked, g.Glob)
	if err != nil {
		return nil, err
	}
	if p.filter, err = walk.NewFilter(globs.Globs); err != nil {
		return nil, err
	}
	p.letter, p.both = globs.Note, globs.Both
	if p.types, err = typeFilter(g.FileType); err != nil {
		return nil, err
	}
	p.fingerprint = g.Fingerprint(asked)
	return p, p.unpack()
}

// begin makes the list of the output mode present even if nothing is found.
func (r *Result) begin() {
	switch r.OutputMode {
	case "files":
		r.Files = []string{}
	case "counts":
		r.Counts = []Count{}
	default:
		r.Matches = Matches{}
	}
}

func typeFilter(types []string) (*walk.Filter, error) {
	var globs []string
	for _, name := range slices.Compact(slices.Sorted(slices.Values(types))) {
		of, ok := walk.FileTypeGlobs(name)
		if !ok {
			f := answer.Failf(answer.CodeInvalidInput, "unknown file type %q", name)
			if nearest := textio.Nearest(name, walk.FileTypes()); nearest != "" {
				return nil, f.WithHint("did you mean %q?", nearest)
			}
			return nil, f.WithHint("use glob instead; known types: %v", walk.FileTypes())
		}
		globs = append(globs, of...)
	}
	return walk.NewFilter(globs)
}

// Fingerprint is that of everything that decides which results there are. Two spellings of the same
// request have the same one.
func (g *Request) Fingerprint(asked string) string {
	return listing.Fingerprint(g.Query, asked, fmt.Sprintf("%q %q", g.Glob, g.FileType),
		fmt.Sprint(g.UseRegex, g.ignoresCase(), g.WholeWord, g.Multiline,
			g.MaxMatchesPerFile, g.IncludeHidden, g.NoIgnore), g.OutputMode)
}

func (p *grepPage) unpack() error {
	parts, fail := listing.OpenCursor(listing.GrepCursor, p.request.Cursor, p.fingerprint, 2)
	if fail != nil || parts == nil {
		return answer.AsError(fail)
	}
	at, ok := listing.Numbers(10, strings.SplitN(parts[1], nthSign, 2)...)
	if !ok {
		return listing.ForeignCursor()
	}
	p.resume = &search.GrepPosition{Path: parts[0], MatchPosition: search.MatchPosition{Line: at[0]}}
	if len(at) > 1 {
		p.resume.Nth = int(at[1])
	}
	p.last = *p.resume // if time runs out before there is a result, the next page starts at the same place
	return nil
}

// nthSign is between the line of a cursor and which of the matches that begin in it is the last one
// reported, if it isn't the first.
const nthSign = "_"

// positionText is where a page ended, as its cursor has it.
func positionText(p search.MatchPosition) string {
	if p.Nth == 0 {
		return words.Int(p.Line)
	}
	return words.Int(p.Line) + nthSign + words.Int(int64(p.Nth))
}

// lineOptions says how much to search of each file: one line more than fits on the page, to know
// whether there is more.
func lineOptions(p *grepPage) match.LineOptions {
	g := p.request
	o := match.LineOptions{MaxMultiline: p.env.Limits.MaxReadBytes, Also: p.also.counts}
	switch g.OutputMode {
	case "files":
		o.FirstOnly = true
	case "counts":
		o.CountOnly = true
	default:
		o.MaxLines = int(g.MaxMatches) + 1
		o.Anchors = g.Anchors
		o.Before, o.After = int(max(g.Before, g.Context)), int(max(g.After, g.Context))
	}
	return o
}

// perFile is the most lines to report of one file over all pages, 0 for no limit.
func perFile(p *grepPage) int {
	if p.request.OutputMode == "files" {
		return 0
	}
	return int(p.request.MaxMatchesPerFile)
}

// options are what a search of a folder and of a single file have in common.
func (p *grepPage) options(m *match.Matcher) search.GrepOptions {
	p.also.prepare(p, m)
	left := func(ended <-chan struct{}) {
		p.hangs = true
		if m.IsRunning() || p.also.counts.IsRunning() {
			freed := make(chan struct{})
			go func() {
				<-ended
				runtime.GC() // RE2 keeps what an expression took until its object is collected
				close(freed)
			}()
			p.env.Slow.Add(freed)
		}
		p.env.Abandoned.Add(ended)
	}
	return search.GrepOptions{Lines: lineOptions(p), PerFile: perFile(p), MaxBytes: p.env.Limits.MaxOutputBytes,
		MaxAnchored: p.env.Limits.MaxReadBytes, Left: left,
		Whole: p.request.Multiline}
}

// search goes through the folder, or the one file, that the request names.
func (p *grepPage) search(ctx context.Context, m *match.Matcher) (walk.Tally, error) {
	folder, file, err := p.env.Workspace.OpenStart(p.request.Path)
	switch {
	case err != nil:
		return walk.Tally{}, err
	case file != nil:
		return walk.Tally{}, p.searchFile(ctx, m, file)
	}
	return p.searchFolder(ctx, m, p.env.NewScope(folder))
}

func (p *grepPage) searchFolder(ctx context.Context, m *match.Matcher, where command.Scope) (walk.Tally, error) {
	p.Where = where
	defer where.Close()
	folders, err := where.Roots(p.env)
	if err != nil {
		return walk.Tally{}, err
	}
	defer func() {
		if !p.hangs { // else the memory is still in use
			folders.Close()
		}
	}()
	o := p.options(m)
	o.Walk = walk.Options{Path: p.Where.Path, Start: folders.Start, Recursive: true, IncludeHidden: p.request.IncludeHidden,
		NoIgnore: p.request.NoIgnore, Blocked: p.Where.Blocked(p.env.Workspace), LeftOut: p.passBy,
		Enter: func(path string) bool { return p.filter.Enter(words.Below(p.Where.Path, path)) },
		Count: func(path string) bool { return p.lets(words.Below(p.Where.Path, path)) }}
	o.Filter, o.Reopen, o.Resume, o.Take = p.wants, p.reopen, p.resume, p.take
	o.Again = func(err error) bool { return errors.Is(err, fserr.ErrCollision) }
	if p.look == nil && p.request.Cursor == "" {
		o.Else = p.elseQuery()
	}
	tally, err := search.Grep(ctx, folders.Top, m, o)
	if err != nil {
		err = p.Where.Fail(err)
	}
	return tally, err
}

// passBy keeps the name of something that is hidden or ignored, for a hint.
func (p *grepPage) passBy(path string) {
	if len(p.unseen) < maxUnseen && p.look == nil && !isLitter(path) {
		p.unseen = append(p.unseen, path)
	}
}

// reopen opens the file that a cursor names. Its path comes from the request, so it gets all the
// checks of a requested path.
func (p *grepPage) reopen(path string) (walk.File, error) {
	f, err := p.env.Workspace.OpenFile(pathname.InRoot(path))
	if err != nil {
		return nil, err
	}
	return f, nil
}

// wants says whether the filter lets a path of the walk through.
func (p *grepPage) wants(path string) bool {
	return p.lets(words.Below(p.Where.Path, path)) && (p.look == nil || p.look(path))
}

// lets says whether the filter lets a path through, relative to the folder that is searched.
func (p *grepPage) lets(rel string) bool { return p.filter.Match(rel) && p.types.Match(rel) }

// searchFile searches the file that the request names, whatever rules would hide it in a walk.
func (p *grepPage) searchFile(ctx context.Context, m *match.Matcher, f *openfile.File) error {
	p.Where, p.single = command.Scope{Asked: f.Path, Path: f.Path}, true
	f.Work = p.env.Work
	f.Work.AddFile()
	o := p.options(m)
	o.Lines.Force = f.Size() <= p.env.Limits.MaxReadBytes // a larger binary file is certainly not text with a stray NUL
	if head, err := command.HeadOf(f, nil); err == nil {
		p.looks = command.LooksWide(head)
	}
	skip := search.MatchPosition{}
	if p.resume != nil {
		skip = p.resume.MatchPosition
	}
	found, err := search.SearchFile(ctx, m, f, o, skip)
	if large, ok := errors.AsType[*match.TooLargeForMultilineError](err); ok {
		return command.MultilineFailure(f.Path, large)
	}
	found.Path, found.Partial = f.Path, errors.Is(err, context.DeadlineExceeded)
	if err != nil && !found.Partial {
		return p.Where.Fail(err)
	}
	p.take(found)
	return err
}

// take adds one file's results to the page. It says whether the search is to go on. The search ends
// only after one result too many, so that truncated is never wrong.
func (p *grepPage) take(f search.GrepFile) (more bool) {
	if p.CutBy != "" {
		return p.countLeft(f)
	}
	p.also.take(f, p.Where.Shown(f.Path))
	switch {
	case f.Partial: // time ran out in it: the next page starts after the lines found
		p.takeLines(f, p.Where.Shown(f.Path))
		return false
	case f.Err != nil:
		p.SkipPath(p.Where.Shown(f.Path), f.Err)
	case f.Result.Binary:
		if p.result.Binary++; p.firstBinary == "" {
			p.firstBinary = p.Where.Shown(f.Path)
		}
	case p.matched(f):
		return p.takeMatches(f)
	default:
		p.result.FilesSearched++
		if p.look == nil && p.result.FilesSearched <= maxProbed {
			p.searched[f.Path] = !f.Result.Lacks || p.also.has(f.Result.Also)
		}
	}
	p.note(f, search.MatchPosition{})
	return true
}

// matched reports whether a file has something to show. For a file that a cursor resumes, all of it
// may have been on the page before.
func (p *grepPage) matched(f search.GrepFile) bool {
	return f.Result.Count > 0 && (p.request.OutputMode != "matches" || len(f.Lines) > 0)
}

// takeMatches adds the results of a file that has matches.
func (p *grepPage) takeMatches(f search.GrepFile) (more bool) {
	shown := p.Where.Shown(f.Path)
	if p.request.OutputMode == "matches" {
		return p.takeLines(f, shown)
	}
	count := Count{File: shown, PathBase64: words.Base64(shown), Count: f.Result.Count}
	switch p.request.OutputMode {
	case "files":
		if !p.Fits(listing.Item{JSON: func() int64 { return p.Budget.SizeOfPath(shown) }, Text: func(t *answer.Text) { writeFile(t, shown) },
			Cursor: cursorSize(f.Path)}) {
			return false
		}
		p.result.Files = append(p.result.Files, shown)
		p.result.ExactNames = append(p.result.ExactNames, words.ExactNames(shown)...)
	default:
		if !p.Fits(listing.Item{JSON: func() int64 { return p.Budget.Size(&count) }, Text: func(t *answer.Text) { count.write(t) },
			Cursor: cursorSize(f.Path)}) {
			p.result.left.until = time.Now().Add(p.env.Limits.Timeout / command.ProbeShare)
			return p.countLeft(f)
		}
		p.result.Counts = append(p.result.Counts, count)
	}
	p.countFile(f)
	p.note(f, search.MatchPosition{})
	return true
}

// countLeft counts in a file after a page of counts, which is full: so its reader knows whether to
// continue or to ask for less.
func (p *grepPage) countLeft(f search.GrepFile) (more bool) {
	left := &p.result.left
	if f.Result.Count > 0 {
		left.files++
		left.matches += f.Result.Count
	}
	left.isPart = left.isPart || f.Partial || time.Now().After(left.until)
	return !left.isPart
}

// countFile counts a file that has matches on the page.
func (p *grepPage) countFile(f search.GrepFile) {
	p.result.FilesMatched++
	if f.Partial {
		return
	}
	p.result.FilesSearched++
	if f.Capped {
		p.result.FilesCapped++
	}
}

func (p *grepPage) takeLines(f search.GrepFile, shown string) (more bool) {
	for i := range f.Lines {
		match := grepMatch(shown, &f.Lines[i])
		if len(p.result.Matches) == 0 {
			p.cutTo(&match)
		}
		if f.Full && i == len(f.Lines)-1 && !p.Full() {
			p.CutBy = "max_output_bytes"
			return false
		}
		item := foundOf(&match)
		if !p.Fits(listing.Item{JSON: func() int64 { return p.sizeOf(&item) }, Text: func(t *answer.Text) { p.measure(t, item) },
			Cursor: cursorSize(f.Path)}) {
			return false
		}
		if i == 0 {
			p.countFile(f)
		}
		p.result.Matches = append(p.result.Matches, item)
		p.note(f, search.MatchPosition{Line: match.Line, Nth: f.Lines[i].Nth})
	}
	if !f.Partial {
		p.note(f, search.MatchPosition{})
	}
	return true
}

// sizeOf is how many bytes the next match takes.
func (p *grepPage) sizeOf(item *found) int64 {
	if p.result.brief {
		return p.result.Matches.briefSize(item)
	}
	return item.size(p.Budget)
}

// cursorSize is how many bytes the cursor after a line of a file takes at most.
func cursorSize(path string) int {
	return base64.RawURLEncoding.EncodedLen(len(path) + len("-9223372036854775808"+nthSign+"9223372036854775807"))
}

// note records how far the search has come. The zero position is the whole file.
func (p *grepPage) note(f search.GrepFile, at search.MatchPosition) {
	p.last = search.GrepPosition{Path: f.Path, MatchPosition: at}
	p.Note(f.Tally)
}

func (p *grepPage) finish(whole walk.Tally, timedOut bool) *Result {
	r, tally, next := &p.result, p.Finish(whole, timedOut), ""
	if p.CutBy != "" && p.last.Path != "" {
		next = listing.EncodeCursor(listing.GrepCursor, p.fingerprint, p.last.Path, positionText(p.last.MatchPosition))
	}
	r.PageEnd, r.Unread = p.End(next), p.Unread(tally)
	r.Hidden, r.Ignored, r.Blocked = tally.Hidden, tally.Ignored, tally.Blocked
	return r
}

// maxSlow is how many searches that ran out of time may still be running. Each is inside a regular
// expression and holds some memory.
const maxSlow = 1

// slowInterval is how often a new search checks whether they have ended.
const slowInterval = 10 * time.Millisecond

// awaitSlow waits for searches that ran out of time and are still at work.
func awaitSlow(ctx context.Context, e *command.Env) error {
	for e.Slow.Hanging.Load() >= maxSlow {
		select {
		case <-ctx.Done():
			return answer.Failf(answer.CodeBusy, "an earlier search that ran out of time is still running").
				WithHint("try again later, search for plain text, or start a new process")
		case <-time.After(slowInterval):
		}
	}
	return nil
}

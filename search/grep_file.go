package search

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"fsbox/search/match"
	"fsbox/search/walk"
	"fsbox/textio/anchor"
)

// SearchFile searches one file for its matches after skip, as Grep does with each file
// of a walk, and closes it. Of o it uses Lines, PerFile, MaxBytes, Workers and Left. When ctx ends,
// SearchFile returns ctx.Err() and the lines found by then. Like Grep it doesn't wait for the end
// of a match under way, and calls o.Left; the file is closed when the match has ended. It raises a
// panic of the search again.
func SearchFile(ctx context.Context, m *match.Matcher, file walk.File, o GrepOptions,
	skip MatchPosition) (GrepFile, error) {
	job := &grepJob{files: make([]GrepFile, 1), done: make(chan struct{})}
	if o.Lines.Workers = o.Workers; o.Workers <= 0 {
		o.Lines.Workers = runtime.GOMAXPROCS(0)
	}
	one := fileSearch{ctx: ctx, m: m, o: &o, skip: skip, mutex: &job.mutex}
	go func() {
		defer close(job.done)
		defer file.Close()
		var buf match.Buffers
		job.files[0].Err = one.run(file, &job.files[0], &buf)
	}()
	if !awaits(ctx, job.done, o.Left) {
		return job.sofar(ctx)[0], ctx.Err()
	}
	if p, ok := errors.AsType[*walk.Panic](job.files[0].Err); ok {
		panic(p)
	}
	return job.files[0], job.files[0].Err
}

// fileSearch searches one file after the other.
type fileSearch struct {
	ctx   context.Context
	m     *match.Matcher
	o     *GrepOptions
	skip  MatchPosition         // matches up to this one have been reported already
	hold  func() bool           // waits until more lines may be held; false ends the search; may be nil
	other func() *match.Matcher // for match.LineOptions.Else; may be nil
	mutex *sync.Mutex           // guards found.Lines, which grepJob.sofar reads when time runs out

	found *GrepFile       // result of the current file
	lines []*anchor.Lines // of each of its lines, with LineOptions.Anchors
	size  int64           // bytes of text in its lines so far
	most  int             // how many lines to find in it, after skip; 0 for all
}

// run searches a file and adds the matches that it finds to f. PerFile limits those of the whole
// file, including those up to s.skip.
//
// After a panic the error is a *walk.Panic, so that the other files are searched all the same.
func (s *fileSearch) run(file walk.File, f *GrepFile, buf *match.Buffers) (err error) {
	defer func() {
		if p := walk.Recovered(recover()); p != nil {
			err, *buf = p, match.Buffers{}
		}
	}()
	o, perFile := s.o.Lines, s.o.PerFile
	s.found, s.lines, s.size, s.most = f, nil, 0, o.MaxLines
	if s.skip.Line > 0 || (perFile > 0 && perFile < s.most) || s.most == 0 {
		o.MaxLines = perFile // MaxLines would count skipped lines too: add stops at s.most instead
	}
	if s.other != nil {
		o.Else = s.other()
	}
	f.Result, err = s.m.Search(s.ctx, file, file.Size(), o, buf, s.add)
	if err == nil {
		err = s.ctx.Err() // the lines found may not be all
	}
	if err == nil && len(s.lines) > 0 {
		err = s.addIDs(file)
	}
	f.Capped = perFile > 0 && f.Result.Truncated && o.MaxLines == perFile
	return err
}

// addIDs adds the lines with their IDs to the matches.
func (s *fileSearch) addIDs(file walk.File) error {
	if err := giveIDs(s.ctx, file, s.o.MaxAnchored, s.found.Lines, s.lines); err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for i := range s.found.Lines {
		s.found.Lines[i].Anchored = s.lines[i]
	}
	return nil
}

// add takes a matching line, and says whether to search for more in the file.
func (s *fileSearch) add(line match.LineMatch) bool {
	if !s.skip.isBefore(&line) {
		return true
	}
	if line.Anchored != nil {
		s.lines, line.Anchored = append(s.lines, line.Anchored), nil
	}
	s.mutex.Lock()
	s.found.Lines = append(s.found.Lines, line)
	s.mutex.Unlock()
	s.found.Full = s.o.MaxBytes > 0 && s.size > s.o.MaxBytes
	s.size += line.TextSize()
	enough := s.found.Full || s.most > 0 && len(s.found.Lines) == s.most
	return !enough && (s.hold == nil || s.hold())
}

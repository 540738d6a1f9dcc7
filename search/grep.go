package search

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
)

// GrepOptions say where to search and how much of it to report.
type GrepOptions struct {
	Walk    WalkOptions
	Filter  func(path string) bool          // files to search; nil for all
	Open    func(path string) (File, error) // opens a file the walk has named, without following links
	Lines   LineOptions                     // MaxLines is the most per file
	PerFile int                             // most lines of one file, over all pages; 0 for no limit
	Resume  *GrepPosition                   // go on behind this line
	Take    func(GrepFile) (more bool)      // gets every file in path order; false ends the search
	Workers int                             // 0 for one per core
}

// GrepPosition is a line of a file: the last one that has been reported. With Line 0 the file as a whole has been.
type GrepPosition struct {
	Path string
	Line int64
}

// GrepFile is what one file gave.
type GrepFile struct {
	Path   string
	Result LineResult
	Lines  []LineMatch
	Capped bool  // it has more matching lines than PerFile
	Err    error // the file could not be searched
	Tally  Tally // of the walk up to this file
}

// Grep searches files below a folder, in parallel, and hands the results over in path order: the same on every run and for
// any number of workers. The tally is that of the whole walk; when Take or ctx ends it sooner, the last GrepFile has the
// one to go by. When ctx ends, Grep returns its error and doesn't wait for a worker that is inside a match, which can't be
// interrupted and ends by itself.
func Grep(ctx context.Context, root Folder, m *Matcher, o GrepOptions) (Tally, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	g := &grep{m: m, o: o, work: make(chan *grepJob, grepAhead), order: make(chan *grepJob, grepAhead)}
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var searching sync.WaitGroup
	for range workers {
		searching.Go(func() { g.worker(ctx) })
	}
	go g.walk(ctx, root)
	end := g.collect(ctx)
	err := ctx.Err() // the caller's: nothing is canceled here yet
	cancel()
	for range g.order { // the walk uses the caller's folder: it has to end first
	}
	if end == grepInterrupted {
		return Tally{}, err
	}
	searching.Wait()
	switch {
	case g.panicked != nil:
		panic(g.panicked)
	case end == grepEnough:
		return Tally{}, nil
	}
	return g.tally, g.err
}

// grepAhead is how many files the walk may be ahead of the results: enough to keep all cores busy past one large file.
const grepAhead = 256

// grepJob is one file on its way. It becomes readable when done is closed.
type grepJob struct {
	file GrepFile
	skip int64 // lines up to this one have been reported already
	done chan struct{}
}

type grep struct {
	m     *Matcher
	o     GrepOptions
	work  chan *grepJob // to the workers, in any order
	order chan *grepJob // to the collector, in path order
	tally Tally         // of the whole walk, valid once order is closed
	err   error

	mutex    sync.Mutex
	panicked any
}

// catch keeps a panic of a worker for the goroutine that called Grep, where the caller's own handler can see it.
func (g *grep) catch() {
	if reason := recover(); reason != nil {
		g.mutex.Lock()
		g.panicked = reason
		g.mutex.Unlock()
	}
}

// walk makes a job of every file to be searched.
func (g *grep) walk(ctx context.Context, root Folder) {
	defer close(g.order)
	defer close(g.work)
	defer g.catch()
	o := g.o.Walk
	if g.o.Resume != nil {
		o.After = g.o.Resume.Path
		if g.o.Resume.Line > 0 {
			g.send(ctx, &grepJob{file: GrepFile{Path: g.o.Resume.Path}, skip: g.o.Resume.Line})
		}
	}
	g.tally, g.err = Walk(ctx, root, o, func(e Entry) error {
		if e.Type&fs.ModeType != 0 || e.Blocked || (g.o.Filter != nil && !g.o.Filter(e.Path)) {
			return nil
		}
		return g.send(ctx, &grepJob{file: GrepFile{Path: e.Path, Tally: *e.Tally}})
	})
}

func (g *grep) send(ctx context.Context, job *grepJob) error {
	job.done = make(chan struct{})
	for _, to := range [...]chan *grepJob{g.order, g.work} {
		select {
		case to <- job:
		case <-ctx.Done():
			if to == g.work { // the collector has it and must not wait for ever
				job.file.Err = ctx.Err()
				close(job.done)
			}
			return ctx.Err()
		}
	}
	return nil
}

func (g *grep) worker(ctx context.Context) {
	var buf Buffers
	for job := range g.work {
		g.search(ctx, job, &buf)
	}
}

func (g *grep) search(ctx context.Context, job *grepJob, buf *Buffers) {
	defer close(job.done)
	defer func() {
		if reason := recover(); reason != nil {
			job.file.Err = fmt.Errorf("panic: %v", reason)
			g.mutex.Lock()
			g.panicked = reason
			g.mutex.Unlock()
		}
	}()
	if err := ctx.Err(); err != nil {
		job.file.Err = err
		return
	}
	f, err := g.o.Open(job.file.Path)
	if err != nil {
		job.file.Err = err
		return
	}
	defer f.Close()
	found, err := SearchFile(ctx, g.m, f, g.o.Lines, g.o.PerFile, job.skip, buf)
	found.Path, found.Tally, found.Err = job.file.Path, job.file.Tally, err
	job.file = found
}

// SearchFile searches one file for its matching lines behind line skip. Of all lines of the file at most perFile count,
// those skipped included; 0 for no limit.
func SearchFile(ctx context.Context, m *Matcher, f File, o LineOptions, perFile int, skip int64, buf *Buffers) (GrepFile, error) {
	file := GrepFile{}
	wanted := o.MaxLines
	if o.MaxLines == 0 || (perFile > 0 && perFile < o.MaxLines) {
		o.MaxLines = perFile
	}
	if skip > 0 && perFile == 0 {
		o.MaxLines = 0 // lines to be skipped don't count
	}
	var err error
	file.Result, err = m.Search(ctx, f, f.Size(), o, buf, func(line LineMatch) bool {
		if line.Line <= skip {
			return true
		}
		file.Lines = append(file.Lines, line)
		return wanted == 0 || len(file.Lines) < wanted
	})
	file.Capped = perFile > 0 && file.Result.Truncated && o.MaxLines == perFile
	return file, err
}

// grepEnd says why the collector has no more results to hand over.
type grepEnd int

const (
	grepAll         grepEnd = iota // there are no more
	grepEnough                     // Take said so
	grepInterrupted                // the context ended
)

// collect hands the results over in order.
func (g *grep) collect(ctx context.Context) grepEnd {
	for job := range g.order {
		select {
		case <-job.done:
		case <-ctx.Done():
			return grepInterrupted
		}
		if errors.Is(job.file.Err, context.Canceled) || errors.Is(job.file.Err, context.DeadlineExceeded) {
			return grepInterrupted
		}
		if !g.o.Take(job.file) {
			return grepEnough
		}
	}
	if ctx.Err() != nil {
		return grepInterrupted
	}
	return grepAll
}

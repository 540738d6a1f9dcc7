package search

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// GrepOptions say where to search and how much of it to report.
type GrepOptions struct {
	Walk     WalkOptions
	Filter   func(path string) bool          // files to search; nil for all
	Open     func(path string) (File, error) // opens a file the walk has named, without following links
	Lines    LineOptions                     // MaxLines is the most that is needed of one file
	PerFile  int                             // most lines of one file, over all pages; 0 for no limit
	MaxBytes int64                           // no file needs to give much more text than this; 0 for no limit
	Resume   *GrepPosition                   // go on behind this line
	Take     func(GrepFile) (more bool)      // gets every file in path order; false ends the search
	Workers  int                             // 0 for one per core
}

// GrepPosition is a line of a file: the last one that has been reported. With Line 0 the file as a whole has been.
type GrepPosition struct {
	Path string
	Line int64
}

// GrepFile is what one file gave.
type GrepFile struct {
	Path    string
	Result  LineResult
	Lines   []LineMatch
	Capped  bool  // it has more matching lines than PerFile
	Partial bool  // time ran out: Lines are the first ones, the result is not that of the whole file
	Err     error // the file could not be searched
	Tally   Tally // of the walk up to this file
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

const (
	// grepAhead is how many jobs the walk may be ahead of the results: enough to keep all cores busy past one large file.
	grepAhead = 32
	// grepBatch is the most files in a job: handing a job over costs about as much as reading a small file. The first
	// jobs are smaller, for searches that end soon.
	grepBatch = 32
	// grepHeld is how many matching lines a job may hold before it is its turn to be taken. It bounds the memory of a
	// search for something that stands on every line.
	grepHeld = 256
)

// grepJob is some files on their way, neighbours in path order.
type grepJob struct {
	files []GrepFile
	skip  int64         // of the first file, lines up to this one have been reported already
	turn  chan struct{} // closed when all jobs before have been taken
	done  chan struct{} // closed when the files have been searched
}

type grep struct {
	m     *Matcher
	o     GrepOptions
	work  chan *grepJob // to the workers
	order chan *grepJob // to the collector, in path order
	tally Tally         // of the whole walk, valid once order is closed
	err   error

	mutex    sync.Mutex
	panicked *Panic
}

// Panic is what Grep panics with when one of its goroutines did: the reason, and the stack where it came up.
type Panic struct {
	Reason any
	Stack  []byte
}

// catch keeps a panic for the goroutine that called Grep, where the caller's own handler can see it.
func (g *grep) catch() {
	if reason := recover(); reason != nil {
		g.mutex.Lock()
		g.panicked = &Panic{Reason: reason, Stack: debug.Stack()}
		g.mutex.Unlock()
	}
}

// walk makes jobs of the files to be searched.
func (g *grep) walk(ctx context.Context, root Folder) {
	defer close(g.order)
	defer close(g.work)
	defer g.catch()
	o := g.o.Walk
	if g.o.Resume != nil {
		o.After = g.o.Resume.Path
		if g.o.Resume.Line > 0 {
			_ = g.send(ctx, &grepJob{files: []GrepFile{{Path: g.o.Resume.Path}}, skip: g.o.Resume.Line}) // an error comes again
		}
	}
	job, size := &grepJob{}, 1
	g.tally, g.err = Walk(ctx, root, o, func(e Entry) error {
		if e.Type&fs.ModeType != 0 || e.Blocked || (g.o.Filter != nil && !g.o.Filter(e.Path)) {
			return nil
		}
		job.files = append(job.files, GrepFile{Path: e.Path, Tally: *e.Tally})
		if len(job.files) < size {
			return nil
		}
		full := job
		size = min(size*2, grepBatch)
		job = &grepJob{files: make([]GrepFile, 0, size)}
		return g.send(ctx, full)
	})
	if len(job.files) > 0 {
		_ = g.send(ctx, job) // an error is the context's, which the collector sees as well
	}
}

// send hands a job to the collector first: it must know of every job that a worker can get.
func (g *grep) send(ctx context.Context, job *grepJob) error {
	job.turn, job.done = make(chan struct{}), make(chan struct{})
	for _, to := range [...]chan *grepJob{g.order, g.work} {
		select {
		case to <- job:
		case <-ctx.Done():
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
	defer g.catch()
	held := 0
	hold := func() bool {
		if held++; held < grepHeld {
			return true
		}
		select {
		case <-job.turn:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for i := range job.files {
		f := &job.files[i]
		if f.Err = ctx.Err(); f.Err != nil {
			return
		}
		one := fileSearch{ctx: ctx, m: g.m, o: g.o.Lines, perFile: g.o.PerFile, maxBytes: g.o.MaxBytes, hold: hold}
		if i == 0 {
			one.skip = job.skip
		}
		g.searchOne(f, one, buf)
	}
}

func (g *grep) searchOne(f *GrepFile, one fileSearch, buf *Buffers) {
	file, err := g.o.Open(f.Path)
	if err != nil {
		f.Err = err
		return
	}
	defer file.Close()
	f.Err = one.run(file, f, buf)
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
		close(job.turn)
		if !job.wait(ctx) {
			return grepInterrupted
		}
		for _, f := range job.files {
			if errors.Is(f.Err, context.Canceled) || errors.Is(f.Err, context.DeadlineExceeded) {
				f.Partial, f.Err = true, nil
				g.o.Take(f)
				return grepInterrupted
			}
			if !g.o.Take(f) {
				return grepEnough
			}
		}
	}
	if ctx.Err() != nil {
		return grepInterrupted
	}
	return grepAll
}

// grepGrace is how long a search that is out of time waits for the file at hand, whose first results are worth having. A
// worker notices between two blocks, within a fraction of this; inside a match it may not.
const grepGrace = 50 * time.Millisecond

// wait reports whether the job's files have been searched, wholly or as far as time allowed.
func (j *grepJob) wait(ctx context.Context) bool {
	select {
	case <-j.done:
		return true
	case <-ctx.Done():
	}
	select {
	case <-j.done:
		return true
	case <-time.After(grepGrace):
		return false
	}
}

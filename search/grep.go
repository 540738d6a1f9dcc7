package search

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"fsbox/search/match"
	"fsbox/search/walk"
)

// GrepOptions say where to search and how much of it to report.
type GrepOptions struct {
	Walk     walk.Options
	Filter   func(path string) bool // files to search; nil for all
	Lines    match.LineOptions      // MaxLines is the most lines that the caller needs of one file
	PerFile  int                    // like MaxLines, but over all pages; 0 for no limit
	MaxBytes int64                  // a file is left one line after the lines found in it are longer; 0 for no limit
	// MaxAnchored is the largest file whose lines have IDs that tell blocks apart, in bytes: no
	// larger one can be edited
	MaxAnchored int64
	Resume      *GrepPosition                        // start after this line
	Reopen      func(path string) (walk.File, error) // opens the file of Resume, which the walk doesn't find
	Again       func(err error) bool                 // whether a file with this error is to be reopened and searched once more; may be nil
	Take        func(GrepFile) (more bool)           // gets every file in path order; false ends the search
	Workers     int                                  // 0 for one per core
	Whole       bool                                 // files are loaded whole, since matches may span lines
	// Else, if not nil, gives a query for match.LineOptions.Else. It is asked for once many files
	// were searched in vain, maybe several times at once, and not any more once one has a match
	Else func() *match.Matcher
	// Left, if not nil, is called when Grep returns while goroutines that it started still run;
	// ended is closed when all of them have ended
	Left func(ended <-chan struct{})
}

// GrepPosition is where an earlier search ended: the last match of the file that was reported. With
// Line 0 all of the file was, and the search resumes at the next file.
type GrepPosition struct {
	Path string
	MatchPosition
}

// MatchPosition says which match of a file: LineMatch.Line and Nth.
type MatchPosition struct {
	Line int64
	Nth  int
}

// isBefore reports whether a match comes after the position.
func (p MatchPosition) isBefore(m *match.LineMatch) bool {
	return p.Line < m.Line || p.Line == m.Line && p.Nth < m.Nth
}

// GrepFile is the result of searching one file.
type GrepFile struct {
	Path    string
	Result  match.LineResult
	Lines   []match.LineMatch
	Capped  bool       // it has more matching lines than PerFile
	Full    bool       // it was left because of MaxBytes: the last of Lines shows that there are more
	Partial bool       // time ran out: Lines are the first ones, and the rest of the file was not searched
	Err     error      // the file could not be searched
	Tally   walk.Tally // of the walk up to this file
}

// Grep searches files below a folder, in parallel, and hands the results over in path order: the
// same on every run and for any number of workers. The tally returned is that of the whole walk; if
// Take or ctx ends the search sooner, it is empty: use that of the last GrepFile. When ctx ends,
// Grep returns ctx.Err(). It doesn't wait for a worker that is inside a match, which can't be
// interrupted but ends by itself, nor for a worker or a walk that hangs in a system call. If there
// are such goroutines, they still use root, and Grep calls o.Left.
func Grep(ctx context.Context, root walk.Folder, m *match.Matcher, o GrepOptions) (walk.Tally, error) {
	caller := ctx
	ctx, cancel := context.WithCancel(caller)
	defer cancel()
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	g := &grep{m: m, o: o, work: make(chan *grepJob, grepAhead), order: make(chan *grepJob, grepAhead),
		mayMake: make(chan struct{}, grepAhead), folders: newFolders(workers), large: make(chan struct{}, 1)}
	g.widen(min(2*workers, grepAhead))
	var searching sync.WaitGroup
	for range workers {
		searching.Go(func() { g.worker(ctx) })
	}
	go g.walk(ctx, root)
	end := g.collect(ctx)
	cancel()
	ended := g.end(caller, &searching)
	if end == grepInterrupted {
		return walk.Tally{}, caller.Err()
	}
	switch {
	case ended && g.panicked != nil:
		panic(g.panicked)
	case end == grepEnough:
		return walk.Tally{}, nil
	}
	return g.tally, g.err
}

const (
	// grepAhead is the most jobs that the walk may be ahead of the results taken: enough to keep
	// all cores busy while one of them searches a job of large files. The walk may first be only a
	// few jobs ahead, so that a search that ends soon does little work in vain.
	grepAhead = 256
	// grepBatch is the most files in a job. With one file in each, a search of many small files takes
	// 15 % more processor time (2026-11-29). The first jobs are smaller, for searches that end soon.
	grepBatch = 32
	// grepHeld is how many matching lines all jobs together may hold whose results can't be taken
	// yet, because jobs before them aren't done. It bounds the memory of a search for something
	// that is on every line.
	grepHeld = 8192
)

type grep struct {
	m       *match.Matcher
	o       GrepOptions
	work    chan *grepJob // to the workers
	order   chan *grepJob // to the collector, in path order
	mayMake chan struct{} // holds one token for each further job that the walk may make now
	folders *folders
	large   chan struct{} // holds a token while a worker searches a large file
	ahead   int           // how many jobs the walk may be ahead now, at most grepAhead
	held    atomic.Int64  // lines of jobs whose turn has not come
	inVain  atomic.Int64  // files searched; below 0 if one has a match
	tally   walk.Tally    // of the whole walk, valid once order is closed
	err     error

	mutex    sync.Mutex
	panicked *walk.Panic
}

// catch keeps a panic, so that Grep can raise it again in the goroutine of its caller, which may
// have a handler.
func (g *grep) catch() {
	if p := walk.Recovered(recover()); p != nil {
		g.mutex.Lock()
		g.panicked = p
		g.mutex.Unlock()
	}
}

// walk makes jobs of the files to be searched.
func (g *grep) walk(ctx context.Context, root walk.Folder) {
	defer close(g.order)
	defer close(g.work)
	defer g.catch()
	o := g.o.Walk
	if g.o.Resume != nil {
		o.After = g.o.Resume.Path
		if g.o.Resume.Line > 0 {
			// an error is the context's, which ends the walk as well
			_ = g.send(ctx, &grepJob{files: []GrepFile{{Path: g.o.Resume.Path}}, skip: g.o.Resume.MatchPosition})
		}
	}
	jobs := jobMaker{grep: g, job: &grepJob{}, size: 1}
	defer func() { jobs.job.release(g.folders) }()
	g.tally, g.err = walk.Walk(ctx, root, o, func(e walk.Entry) error {
		if e.Type&fs.ModeType != 0 || e.Blocked || (g.o.Filter != nil && !g.o.Filter(e.Path)) {
			return nil
		}
		return jobs.add(ctx, e)
	})
	_ = jobs.flush(ctx) // an error is the context's, which the collector sees as well
}

// widen raises by how many jobs the walk may be ahead of the results, to grepAhead at most.
func (g *grep) widen(by int) {
	for ; by > 0 && g.ahead < grepAhead; by-- {
		g.ahead++
		g.mayMake <- struct{}{}
	}
}

func (g *grep) worker(ctx context.Context) {
	var buf match.Buffers
	for job := range g.work {
		g.search(ctx, job, &buf)
	}
}

func (g *grep) search(ctx context.Context, job *grepJob, buf *match.Buffers) {
	defer close(job.done)
	defer job.release(g.folders)
	defer g.catch()
	hold := func() bool { return g.hold(ctx, job) }
	s := fileSearch{ctx: ctx, m: g.m, o: &g.o, other: g.other, hold: hold, mutex: &job.mutex, skip: job.skip}
	for i := range job.files {
		f := &job.files[i]
		if f.Err = ctx.Err(); f.Err != nil {
			return
		}
		g.searchOne(job, i, &s, buf)
		s.skip = MatchPosition{}
		job.mutex.Lock()
		job.at++
		job.mutex.Unlock()
	}
}

// manyInVain is after how many files without a match GrepOptions.Else is asked for.
const manyInVain = 100

// other gives the query of GrepOptions.Else, if it is time for that.
func (g *grep) other() *match.Matcher {
	if g.o.Else == nil || g.inVain.Add(1) <= manyInVain {
		return nil
	}
	return g.o.Else()
}

// hold waits until a job may hold one more line; false says that ctx has ended.
func (g *grep) hold(ctx context.Context, job *grepJob) bool {
	if g.held.Load() < grepHeld {
		g.held.Add(1)
		job.held++
		return true
	}
	select {
	case <-job.turn:
		return true
	case <-ctx.Done():
		return false
	}
}

// grepEnd says why collect or take returned.
type grepEnd int

const (
	grepAll         grepEnd = iota // all results have been handed over
	grepEnough                     // Take returned false
	grepInterrupted                // the context ended
)

// collect hands the results over to Take, in order.
func (g *grep) collect(ctx context.Context) grepEnd {
	for {
		job, ok, _ := receive(ctx, g.order)
		if !ok {
			break
		}
		close(job.turn)
		if !awaits(ctx, job.done, nil) { // Grep then calls end, which calls o.Left
			g.take(job.sofar(ctx))
			return grepInterrupted
		}
		g.held.Add(-job.held)
		g.mayMake <- struct{}{}
		g.widen(1)
		if end := g.take(job.files); end != grepAll {
			return end
		}
	}
	if ctx.Err() != nil {
		return grepInterrupted
	}
	return grepAll
}

// end waits for the walk and the workers, whose context has been canceled. It reports whether they
// end before ctx, the context of the caller, or within grepGrace after it. If not, it calls o.Left.
func (g *grep) end(ctx context.Context, searching *sync.WaitGroup) bool {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range g.order {
		}
		searching.Wait()
	}()
	return awaits(ctx, ended, g.o.Left)
}

// awaits waits for the channel ended to be closed, as long as receive waits, and reports whether it
// has been. If not, it calls left, which may be nil.
func awaits(ctx context.Context, ended <-chan struct{}, left func(<-chan struct{})) bool {
	_, _, inTime := receive(ctx, ended)
	if !inTime && left != nil {
		left(ended)
	}
	return inTime
}

// receive waits for a value, or for the channel to be closed (then ok is false), until ctx ends and
// for grepGrace after that. Then inTime is false: the worker or the walk that should send is inside
// a match or a system call.
func receive[T any](ctx context.Context, from <-chan T) (value T, ok, inTime bool) {
	select {
	case value, ok = <-from:
		return value, ok, true
	case <-ctx.Done():
	}
	select {
	case value, ok = <-from:
		return value, ok, true
	case <-time.After(grepGrace):
		return value, false, false
	}
}

func (g *grep) take(files []GrepFile) grepEnd {
	for _, f := range files {
		if errors.Is(f.Err, context.Canceled) || errors.Is(f.Err, context.DeadlineExceeded) {
			f.Partial, f.Err = true, nil
			g.o.Take(f)
			return grepInterrupted
		}
		if !g.o.Take(f) {
			return grepEnough
		}
	}
	return grepAll
}

// grepGrace is how long a search whose time is up waits for workers to end. A worker checks the
// context before each block of a file, so it usually ends within a fraction of this; a match may
// take longer.
const grepGrace = 50 * time.Millisecond

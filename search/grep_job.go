package search

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"fsbox/search/match"
	"fsbox/search/walk"
)

// grepJob is a group of files to be searched, neighbours in path order.
type grepJob struct {
	files []GrepFile
	names []heldName    // of the files still to be opened, in the same order; none for a file that is resumed
	skip  MatchPosition // matches of the first file up to this one have been reported already
	turn  chan struct{} // closed when the results of all jobs before this one have been taken
	done  chan struct{} // closed when the files have been searched

	held  int64 // lines found before its turn, which grep.held counts
	mutex sync.Mutex
	at    int // files[:at] have been searched; guards the lines of files[at] too
}

// heldName is the name of a file to be opened, and its folder, which is held open for that.
// Consecutive names in the same folder share one *walk.Held; the worker releases it after opening
// the last of them.
type heldName struct {
	name   string
	folder *walk.Held
}

// open opens the next file, and releases its folder if no other file of the job is in it.
func (j *grepJob) open(f *folders) (walk.File, error) {
	next := j.names[0]
	file, err := next.folder.File(next.name)
	if j.names = j.names[1:]; len(j.names) == 0 || j.names[0].folder != next.folder {
		f.release(next.folder)
	}
	return file, err
}

// release releases the folders of the files that have not been opened.
func (j *grepJob) release(f *folders) {
	for i, n := range j.names {
		if i == len(j.names)-1 || j.names[i+1].folder != n.folder {
			f.release(n.folder)
		}
	}
	j.names = nil
}

// sofar gives the results so far of a job whose worker is still inside a match. The last file has
// only its first lines, and the error of ctx.
func (j *grepJob) sofar(ctx context.Context) []GrepFile {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	files := j.files[:j.at:j.at]
	if j.at < len(j.files) {
		f := &j.files[j.at]
		files = append(files, GrepFile{Path: f.Path, Lines: f.Lines, Err: ctx.Err(), Tally: f.Tally})
	}
	return files
}

func (g *grep) searchOne(job *grepJob, i int, s *fileSearch, buf *match.Buffers) {
	f := &job.files[i]
	var file walk.File
	if len(job.names) == 0 {
		file, f.Err = g.o.Reopen(f.Path)
	} else {
		file, f.Err = job.open(g.folders)
	}
	for tries := 1; f.Err == nil; tries++ {
		f.Err = g.searchOpen(job, file, f, s, buf)
		if f.Err == nil || len(f.Lines) > 0 || tries == maxSearches || g.o.Again == nil || !g.o.Again(f.Err) {
			break
		}
		file, f.Err = g.o.Reopen(f.Path)
	}
	if f.Result.Count > 0 {
		g.inVain.Store(math.MinInt64)
	}
}

// maxSearches is how often a file is searched that is replaced meanwhile.
const maxSearches = 8

// searchOpen searches an open file, and closes it.
func (g *grep) searchOpen(job *grepJob, file walk.File, f *GrepFile, s *fileSearch, buf *match.Buffers) error {
	defer file.Close()
	if g.o.Whole && file.Size() > largeFile {
		buf = new(match.Buffers)
		defer g.awaitLarge(s.ctx, job)()
	}
	return s.run(file, f, buf)
}

// largeFile is the size, in bytes, above which a file that is loaded whole is searched by one
// worker at a time, in memory that is freed afterwards.
const largeFile = 5 << 20

// awaitLarge waits until no other worker searches a large file. When it is the job's turn it
// doesn't wait: the other may be waiting for this job. The worker calls ended after the search.
func (g *grep) awaitLarge(ctx context.Context, job *grepJob) (ended func()) {
	ended = func() { runtime.GC(); <-g.large } // at the memory limit, Go would collect again and again
	select {
	case g.large <- struct{}{}:
		return ended
	default:
	}
	select {
	case g.large <- struct{}{}:
		return ended
	case <-job.turn:
	case <-ctx.Done():
	}
	return runtime.GC
}

// send gives a job to the collector and then to the workers, as soon as one more job may be made.
// The collector comes first: it must know of every job that a worker can get.
func (g *grep) send(ctx context.Context, job *grepJob) error {
	job.turn, job.done = make(chan struct{}), make(chan struct{})
	select {
	case <-g.mayMake:
	case <-ctx.Done():
		return ctx.Err()
	}
	for _, to := range [...]chan *grepJob{g.order, g.work} {
		select {
		case to <- job:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// folders bounds how many folders are held open for files that are still to be opened, and with
// them the descriptors of a search: on 16 cores, a process that may open 64 has enough. The walk is
// granted half of them at a time: with only a few, the next jobs would be small.
type folders struct {
	half     int64
	released atomic.Int64
	grants   chan struct{} // one for each half that is free
}

// minFolders is the least number of folders that may be held: with so many, even a few workers
// rarely wait for the walk.
const minFolders = 20

func newFolders(workers int) *folders {
	f := &folders{half: int64(max(minFolders, workers) / 2), grants: make(chan struct{}, 2)}
	f.grants <- struct{}{}
	f.grants <- struct{}{}
	return f
}

// release releases a folder. If the walk may continue with that, release lets it run first: else it
// would wait until a worker has no more jobs, and then the workers would wait for the walk.
func (f *folders) release(h *walk.Held) {
	h.Release()
	if f.released.Add(1)%f.half == 0 {
		f.grants <- struct{}{}
		runtime.Gosched()
	}
}

// jobMaker makes jobs of the files that a walk visits.
type jobMaker struct {
	*grep
	job  *grepJob
	size int        // how many files the job is to have
	last *walk.Held // the folder of the job's last file
	free int64      // how many more folders it may hold
}

// hold keeps the folder of an entry open, as the last one. If it can't be opened any more, last is
// nil: the walk's tally lists it. An error is the context's.
func (m *jobMaker) hold(ctx context.Context, e walk.Entry) error {
	if m.free == 0 {
		if err := m.flush(ctx); err != nil { // workers release only folders of jobs sent to them
			return err
		}
		select {
		case <-m.folders.grants:
			m.free = m.folders.half
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	var err error
	if m.last, err = e.Hold(); err == nil {
		m.free--
	}
	return nil
}

// add adds a file to the job, and sends it if it is full.
func (m *jobMaker) add(ctx context.Context, e walk.Entry) error {
	if !e.IsIn(m.last) {
		if err := m.hold(ctx, e); m.last == nil || err != nil {
			return err
		}
	}
	m.job.files = append(m.job.files, GrepFile{Path: e.Path, Tally: *e.Tally})
	m.job.names = append(m.job.names, heldName{e.Name, m.last})
	if len(m.job.files) < m.size {
		return nil
	}
	m.size = min(m.size*2, grepBatch)
	return m.flush(ctx)
}

// flush sends the job as it is. The next job holds its first folder anew, even if it is the same
// one.
func (m *jobMaker) flush(ctx context.Context) error {
	full := m.job
	if len(full.files) == 0 {
		return nil
	}
	m.job, m.last = &grepJob{files: make([]GrepFile, 0, m.size), names: make([]heldName, 0, m.size)}, nil
	err := m.send(ctx, full)
	if err != nil {
		full.release(m.folders)
	}
	return err
}

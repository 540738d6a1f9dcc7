package search

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"fsbox/search/match"
	"fsbox/search/walk"
)

// grepJob is a group of files to be searched, neighbours in path order.
type grepJob struct {
	files []GrepFile
	names []heldName    // of the files, in the same order; none for a file that is resumed
	skip  int64         // lines of the first file up to this one have been reported already
	turn  chan struct{} // closed when all jobs before have been taken
	done  chan struct{} // closed when the files have been searched

	held  int64 // lines found before its turn
	mutex sync.Mutex
	at    int // files[:at] have been searched; guards the lines of files[at] too
}

// heldName is a name in a folder that the walk has found, and that is held open for it. Names in
// the same folder one after the other have one *walk.Held; the worker releases it after the last.
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
		file, f.Err = job.open(&g.folders)
	}
	if f.Err != nil {
		return
	}
	defer file.Close()
	f.Err = s.run(file, f, buf)
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

// folders counts the folders that are held open for files that are still to be opened. It bounds
// the descriptors of a search: 64 are enough on 16 cores.
type folders struct {
	most   int
	mutex  sync.Mutex
	free   int           // how many more may be held
	wanted int           // the walk waits until so many are free; 0 if it doesn't wait
	enough chan struct{} // has an element when they are
	called atomic.Bool   // the walk may go on, and perhaps has no core to run on: see yieldToWalk
}

// minFolders is the fewest that may be held: so many that workers rarely wait for the walk.
const minFolders = 20

func (f *folders) init(workers int) {
	f.most = max(minFolders, workers)
	f.free, f.enough = f.most, make(chan struct{}, 1)
}

func (f *folders) release(h *walk.Held) {
	h.Release()
	f.add(1)
}

// add allows n more, and wakes the walk if that is what it waits for.
func (f *folders) add(n int) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.free += n
	if f.wanted > 0 && f.free >= f.wanted {
		f.wanted = 0
		f.enough <- struct{}{}
		f.called.Store(true)
	}
}

// yieldToWalk lets the walk run if it has been woken, before a worker goes on: else the walk would
// wait until a worker has no more jobs, and then the workers would wait for the walk.
func (f *folders) yieldToWalk() {
	if f.called.Load() && f.called.Swap(false) {
		runtime.Gosched()
	}
}

// take takes one, without waiting.
func (f *folders) take() bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.free == 0 {
		f.wanted = f.most / 2
		return false
	}
	f.free--
	return true
}

// hold holds the folder of an entry; nil if it can't be opened any more, which the walk's tally
// says. If no more may be held it first waits until half of them are released, so that jobs don't
// get smaller and smaller. The error is the context's.
func (f *folders) hold(ctx context.Context, e walk.Entry) (*walk.Held, error) {
	for !f.take() {
		select {
		case <-f.enough:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	held, err := e.Hold()
	if err != nil {
		f.add(1)
	}
	return held, nil
}

// areHeld reports whether no more may be held.
func (f *folders) areHeld() bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.free == 0
}

// jobMaker makes jobs of the files that a walk visits.
type jobMaker struct {
	*grep
	job  *grepJob
	size int        // of the job, in files
	last *walk.Held // the folder of the job's last file
}

// add adds a file to the job, and sends it if it is full.
func (m *jobMaker) add(ctx context.Context, e walk.Entry) error {
	if !e.IsIn(m.last) {
		if m.folders.areHeld() { // workers can release only what they have
			if err := m.flush(ctx); err != nil {
				return err
			}
		}
		held, err := m.folders.hold(ctx, e)
		if held == nil {
			return err
		}
		m.last = held
	}
	m.job.files = append(m.job.files, GrepFile{Path: e.Path, Tally: *e.Tally})
	m.job.names = append(m.job.names, heldName{e.Name, m.last})
	if len(m.job.files) < m.size {
		return nil
	}
	m.size = min(m.size*2, grepBatch)
	return m.flush(ctx)
}

// flush sends the job as it is. The next one begins with a folder of its own.
func (m *jobMaker) flush(ctx context.Context) error {
	full := m.job
	if len(full.files) == 0 {
		return nil
	}
	m.job, m.last = &grepJob{files: make([]GrepFile, 0, m.size), names: make([]heldName, 0, m.size)}, nil
	err := m.send(ctx, full)
	if err != nil {
		full.release(&m.folders)
	}
	return err
}

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
	names []heldName    // of the files still to be opened, in the same order; none for a file that is resumed
	skip  int64         // lines of the first file up to this one have been reported already
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
// the descriptors of a search: on 16 cores, a process that may open 64 has enough.
type folders struct {
	most   int
	mutex  sync.Mutex
	free   int           // how many more may be held
	wanted int           // the walk waits until free is at least this; 0 if it doesn't wait
	enough chan struct{} // gets an element when free is that high
	called atomic.Bool   // the walk has been woken, and perhaps has no core to run on: see yieldToWalk
}

// minFolders is the least value of folders.most: with so many, even a few workers rarely wait for
// the walk.
const minFolders = 20

func (f *folders) init(workers int) {
	f.most = max(minFolders, workers)
	f.free, f.enough = f.most, make(chan struct{}, 1)
}

func (f *folders) release(h *walk.Held) {
	h.Release()
	f.add(1)
}

// add lets n more folders be held, and wakes the walk if it waits for them.
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

// take counts one more folder as held. If no more may be held, it returns false and notes that the
// walk waits until half of them are free.
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

// hold keeps the folder of an entry open. It returns nil if the folder can't be opened any more;
// the walk's tally lists it then. If no more folders may be held, it first waits until half of them
// are released: with only a few free, the next jobs would be small. An error is the context's.
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

// areHeld reports whether no more folders may be held.
func (f *folders) areHeld() bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.free == 0
}

// jobMaker makes jobs of the files that a walk visits.
type jobMaker struct {
	*grep
	job  *grepJob
	size int        // how many files the job is to have
	last *walk.Held // the folder of the job's last file
}

// add adds a file to the job, and sends it if it is full.
func (m *jobMaker) add(ctx context.Context, e walk.Entry) error {
	if !e.IsIn(m.last) {
		if m.folders.areHeld() { // hold would wait for workers, which release only folders of jobs sent to them
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
		full.release(&m.folders)
	}
	return err
}

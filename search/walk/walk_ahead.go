package walk

import (
	"context"
	"sync"
)

const (
	// readAheadFrom is how many folders a walk enters before it starts its readers: most walks end
	// before that.
	readAheadFrom = 64

	// aheadShare: for every aheadShare folders that the walk has entered, one may be read ahead, so
	// that a walk that stops early has read little in vain.
	aheadShare = 4

	// maxReaders, maxAheadOpen and maxOpen keep a walk within some 48 descriptors, so that it works
	// in a process that may open 64: each reader may open two more on the way to .git/info/exclude.
	maxReaders   = 7
	maxAheadOpen = 12

	// maxAhead and maxAheadNames bound what is read ahead, in folders and in names.
	maxAhead      = 64
	maxAheadNames = 16 << 10
)

// ahead coordinates the readers: goroutines that read the folders that a walk will enter next, in
// the same order. The walk doesn't depend on them: it reads a folder itself if no reader has begun
// to, and while it waits for a reader, it reads other folders ahead.
type ahead struct {
	mutex   sync.Mutex
	work    sync.Cond // for readers
	done    sync.Cond // for the walk
	ctx     context.Context
	cancel  context.CancelFunc
	readers sync.WaitGroup

	idle    int         // readers without work
	awaited *walkFolder // the folder that the walk waits for
	limit   int         // the most folders that may be read ahead
	folders int         // ahead
	names   int         // names in the folders that have been read ahead
	open    int         // how many of folders are open, or about to be opened
	spent   spent       // folders to be closed
	ended   bool
}

func (a *ahead) init(ctx context.Context) {
	a.ctx, a.cancel = ctx, func() {}
	a.work.L, a.done.L = &a.mutex, &a.mutex
}

// unlock releases the lock, and closes the folders that are no longer needed.
func (a *ahead) unlock() {
	folders := a.spent
	a.spent = nil
	a.mutex.Unlock()
	folders.close()
}

// wait waits for news; the caller holds the lock. If there are folders to be closed, it closes them
// instead and returns: there may be news by then.
func (a *ahead) wait(news *sync.Cond) {
	if len(a.spent) == 0 {
		news.Wait()
		return
	}
	a.unlock()
	a.mutex.Lock()
}

// wake sends a reader to work, unless there is still plenty ahead.
func (a *ahead) wake() {
	if a.idle > 0 && a.folders <= a.limit/2 && a.names <= maxAheadNames/2 {
		a.work.Signal()
	}
}

// release closes a folder that the walk doesn't enter, and gives up what has been read ahead inside
// it.
func (a *ahead) release(f *walkFolder) {
	a.mutex.Lock()
	defer a.unlock()
	a.abandon(f)
	f.close()
}

// abandon gives up what has been read ahead inside a folder.
func (a *ahead) abandon(f *walkFolder) {
	for _, c := range f.claimed {
		if c.dropped = true; c.read {
			a.takeOut(c)
			c.close()
			a.abandon(c)
		}
	}
	f.claimed = nil
}

// takeOut stops counting a folder in the limits of what is read ahead.
func (a *ahead) takeOut(f *walkFolder) {
	a.folders--
	a.names -= len(f.batch) + len(f.names)
	if f.handle != nil {
		a.open--
	}
}

// finish hands a folder that has been read over to the walk. The caller holds the lock.
func (a *ahead) finish(f *walkFolder) {
	f.via.release()
	f.via, f.read = nil, true
	a.names += len(f.batch) + len(f.names)
	if !f.leadsOn() {
		f.close()
		a.open--
	}
	if f.dropped {
		a.takeOut(f)
		f.close()
		return
	}
	if a.awaited == f {
		a.done.Signal()
	}
	a.wake()
}

// startReaders is called when the walk enters a folder. It sets how far readers may read ahead, and
// starts the readers when the walk has entered enough folders.
func (w *walker) startReaders() {
	a, o := &w.ahead, &w.decider.o
	from, limit := readAheadFrom, min(maxAhead, w.entered/aheadShare)
	if o.eager {
		from, limit = 1, maxAhead
	}
	a.limit = limit
	if w.entered != from || o.Readers <= 0 {
		return
	}
	a.ctx, a.cancel = context.WithCancel(w.ctx)
	for range min(o.Readers, maxReaders) {
		a.readers.Go(w.reader)
	}
}

// end stops the readers and closes what is open.
func (w *walker) end() {
	a := &w.ahead
	a.mutex.Lock()
	a.ended = true
	a.cancel()
	a.work.Broadcast()
	a.mutex.Unlock()
	a.readers.Wait()
	if w.entering != nil {
		a.release(w.entering)
	}
	a.mutex.Lock()
	defer a.unlock()
	for _, f := range w.stack.frames {
		a.abandon(f)
		f.close()
	}
}

// reader reads folders until the walk ends.
func (w *walker) reader() {
	a := &w.ahead
	a.mutex.Lock()
	defer a.unlock()
	for !a.ended {
		if f := w.claim(); f != nil {
			w.readAhead(f)
			continue
		}
		a.idle++
		a.wait(&a.work)
		a.idle--
	}
}

// takeAhead gives the folder for a name in parent's batch if a reader has read it or is reading it;
// else nil.
func (w *walker) takeAhead(parent *walkFolder, at int) *walkFolder {
	a := &w.ahead
	a.mutex.Lock()
	defer a.unlock()
	parent.scan = max(parent.scan, at+1)
	if len(parent.claimed) == 0 || parent.claimed[0].at != at {
		return nil
	}
	f := parent.claimed[0]
	for a.awaited = f; !f.read; {
		if other := w.claim(); other != nil {
			w.readAhead(other)
			continue
		}
		a.wait(&a.done)
	}
	parent.claimed = parent.claimed[1:]
	a.takeOut(f)
	a.wake()
	return f
}

// claim takes the next folder to be read ahead, nil if there is none or enough has been read.
func (w *walker) claim() *walkFolder {
	a := &w.ahead
	if a.folders >= a.limit || a.names >= maxAheadNames || a.open >= maxAheadOpen {
		return nil
	}
	for i := len(w.stack.frames) - 1; i >= 0 && i >= len(w.stack.frames)-maxOpen; i-- {
		if f := a.claimIn(w.stack.frames[i]); f != nil {
			a.folders++
			a.open++
			return f
		}
	}
	return nil
}

// claimIn takes the next folder inside f: first one inside the folders of f that have been read
// ahead, in order, then one in f itself.
func (a *ahead) claimIn(f *walkFolder) *walkFolder {
	for _, c := range f.claimed {
		if !c.read {
			continue
		}
		if next := a.claimIn(c); next != nil {
			return next
		}
		if c.handle != nil && len(c.names) == 0 && c.rest == "" { // all folders in it have been claimed
			c.close()
			a.open--
		}
	}
	if f.handle == nil {
		return nil
	}
	for ; f.scan < len(f.batch); f.scan++ {
		if f.batch[f.scan].enters {
			c := f.child(f.scan)
			c.via = f.handle
			c.via.users++
			f.claimed = append(f.claimed, c)
			f.scan++
			return c
		}
	}
	return nil
}

// readAhead reads a claimed folder. The lock is held before and after, not meanwhile.
func (w *walker) readAhead(f *walkFolder) {
	a := &w.ahead
	a.unlock()
	defer func() {
		a.mutex.Lock()
		a.finish(f)
	}()
	defer func() { f.panicked = Recovered(recover()) }() // the walk panics with it in turn, so that its caller can recover
	f.open(f.via)
	f.scratch = w.scratch()
	f.load(a.ctx, &w.decider, "")
	if w.decider.o.Inform && f.err == nil {
		f.inform(a.ctx)
	}
}

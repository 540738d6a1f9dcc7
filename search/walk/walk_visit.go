package walk

import (
	"context"
	"sync"
)

// walker is one walk under way: the part that visits, in order.
type walker struct {
	ctx       context.Context
	visit     func(Entry) error
	tally     Tally
	decider   decider
	stack     folderStack
	ahead     ahead
	entering  *walkFolder // being read, and not yet on the stack; nil for none
	taken     int         // entries so far
	entered   int         // folders so far
	scratches sync.Pool   // memory of finished folders, for reuse
}

func (w *walker) scratch() *scratch {
	if r, ok := w.scratches.Get().(*scratch); ok {
		return r
	}
	return &scratch{}
}

// contextEvery is how many entries pass between two checks of the context.
const contextEvery = 256

// run visits the tree depth first. It returns when the start folder and all below it are done, or
// with the first error.
func (w *walker) run() error {
	for {
		f := w.stack.top()
		if f == nil {
			return nil
		}
		if f.next == len(f.batch) {
			more, err := w.nextBatch(f)
			if err != nil {
				return err
			}
			if !more {
				w.leave()
			}
			continue
		}
		at := f.next
		f.next++
		if err := w.take(f, at); err != nil {
			return err
		}
	}
}

// take handles one name of the top folder: counts or visits it, and enters it.
func (w *walker) take(f *walkFolder, at int) error {
	if w.taken++; w.taken%contextEvery == 0 && w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	after, seen, enters := f.after, f.resumed, f.batch[at].enters
	f.after, f.resumed = "", false
	if !seen {
		if err := w.show(f, at); err != nil {
			return err
		}
	}
	if !enters {
		return nil
	}
	return w.enter(f, at, after)
}

// show visits an entry, or counts it if it is hidden or ignored. A blocked entry is visited and
// counted.
func (w *walker) show(f *walkFolder, at int) error {
	n := &f.batch[at]
	switch n.verdict {
	case verdictHidden, verdictIgnored:
		w.leaveOut(n)
		return nil
	case verdictBlocked:
		w.tally.Blocked++
	}
	return w.visit(Entry{
		Path: n.path, Name: f.nameOf(n), Type: n.kind, Blocked: n.verdict == verdictBlocked, Wanted: n.wanted, Enters: n.enters,
		Depth: f.depth, Tally: &w.tally, walk: w, at: at,
	})
}

// leaveOut is for an entry that is hidden or ignored: it is counted, if it would be wanted else.
func (w *walker) leaveOut(n *walkName) {
	switch {
	case !n.wanted:
	case n.verdict == verdictHidden:
		w.tally.Hidden++
	default:
		w.tally.Ignored++
	}
	if w.decider.o.LeftOut != nil {
		w.decider.o.LeftOut(n.path)
	}
}

// info describes an entry of the top folder. If a reader has looked at it already, info gives what
// the reader got.
func (w *walker) info(e Entry) (Info, error) {
	f := w.stack.top()
	if e.IsInformed() {
		return f.infos[e.at].info, f.infos[e.at].err
	}
	if err := w.reopen(); err != nil {
		return Info{}, err
	}
	return f.handle.folder.Lstat(e.Name)
}

// reopen makes sure that the top folder is open. If a folder can't be opened any more, the rest of
// it is skipped, and so are the folders after it on the stack.
func (w *walker) reopen() error {
	f := w.stack.top()
	if f.handle != nil || f.err != nil {
		return f.err
	}
	w.ahead.mutex.Lock()
	defer w.ahead.unlock()
	lost, err := w.stack.reopen()
	if err == nil {
		return nil
	}
	w.tally.skip(shownPath(w.stack.frames[lost].path), err)
	for _, f := range w.stack.frames[lost:] {
		w.ahead.abandon(f)
		f.names, f.rest, f.batch, f.next, f.scan, f.err = nil, "", nil, 0, 0, err
	}
	return err
}

// enter puts the folder with index at in parent's batch on the stack; unless a reader has read it,
// enter reads it first. after is where to resume in it, "" for its start.
func (w *walker) enter(parent *walkFolder, at int, after string) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	f := w.takeAhead(parent, at)
	w.entering = f
	if f == nil {
		if w.reopen() != nil {
			return nil
		}
		f = parent.child(at)
		w.entering = f
		f.open(parent.handle)
		f.scratch = w.scratch()
		f.load(w.ctx, &w.decider, after)
	}
	switch {
	case f.panicked != nil:
		panic(f.panicked)
	case w.ctx.Err() != nil:
		return w.ctx.Err()
	}
	w.push(f)
	return nil
}

// push puts a folder that has been read on the stack. One that couldn't be read is listed in the
// tally.
func (w *walker) push(f *walkFolder) {
	for _, s := range f.skipped {
		w.tally.skip(s.Path, s.Err)
	}
	if f.err != nil {
		w.tally.skip(f.path, f.err)
		w.ahead.release(f)
		return
	}
	w.ahead.mutex.Lock()
	defer w.ahead.unlock()
	w.stack.push(f)
	w.entering = nil
	w.entered++
	w.startReaders()
	w.ahead.wake()
}

// leave takes the top folder off the stack.
func (w *walker) leave() {
	if r := w.stack.top().scratch; r != nil {
		defer w.scratches.Put(r)
	}
	w.ahead.mutex.Lock()
	defer w.ahead.unlock()
	w.stack.pop()
}

// nextBatch decides about the next names of the top folder; false if there are no more. An error is
// the context's.
func (w *walker) nextBatch(f *walkFolder) (more bool, err error) {
	for len(f.names) == 0 && f.rest != "" {
		if w.reopen() != nil {
			return false, nil
		}
		if err := f.readOn(w.ctx); err != nil && w.ctx.Err() == nil {
			w.tally.skip(shownPath(f.path), err)
		}
		if w.ctx.Err() != nil {
			return false, w.ctx.Err()
		}
	}
	batch := f.nextNames(&w.decider)
	if len(batch) == 0 {
		return false, nil
	}
	w.ahead.mutex.Lock()
	defer w.ahead.unlock()
	f.batch, f.infos, f.next, f.scan = batch, nil, 0, 0
	w.ahead.wake()
	return true, nil
}

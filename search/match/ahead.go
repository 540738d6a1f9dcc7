package match

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"sync"
)

const (
	// aheadAfter is how much of a file is read before scouts begin: most searches end sooner.
	aheadAfter = 4 << 20

	// sectionSize is what a scout reads at a time. In 1 MiB, half of the calls of 512 KiB and a
	// quarter less of processor time are spent on reading; more doesn't stay in a second-level
	// cache.
	sectionSize = 1 << 20

	// Where so many sections in a row have a match, scouts only cost time: the search then goes on
	// alone for some more.
	aheadInVain, aheadPause = 8, 64

	// maxScouts bounds the memory for one file: each takes up to three sections.
	maxScouts = 4
)

// ahead is a search of a large file by several goroutines, the scouts. Each reads a section of the
// file, ahead of the search, and looks whether lines in it may match. Where none does, the search
// gets the lines at both ends, to go on across them, and the number of the lines in between. So it
// stays in order, and finds what it would find alone; only dense matches don't gain from it.
//
// What the scouts don't tell, because of an error, the search reads by itself.
type ahead struct {
	b             *blocks
	m             *Matcher
	also          *Also // may be nil
	before, after int   // lines of context
	number        bool  // lines are counted
	foldCR        bool  // see report

	next   int64 // where the next section begins
	inVain int   // of how many sections in a row nothing was left out
	asked  []*section
	work   chan *section
	scouts sync.WaitGroup
}

// section is what a scout tells about a part of the file. If read is set, text is what the file has
// there, except that cut bytes after text[:head] were left out: whole lines without a match.
type section struct {
	from, to int64
	done     chan struct{} // gets one value once the scout is done
	isDone   bool          // that value was taken

	read  bool
	text  []byte
	head  int
	cut   int
	lines int64 // in the part left out
}

// startAhead starts scouts if so much was read of a large file that they are worth it.
func (r *report) startAhead(src *blocks) {
	size := src.sizes
	if r.o.Workers < 2 || r.o.Anchors || r.o.Else != nil || src.ahead != nil || src.decoder != nil || src.stated == 0 ||
		src.at < size.alone || src.end-src.at < size.alone {
		return
	}
	n := min(r.o.Workers, maxScouts)
	a := &ahead{b: src, m: r.m, also: r.o.Also, before: max(r.o.Before, 0), after: max(r.o.After, 0),
		number: r.lineNumbersMatter() || r.o.Also != nil, foldCR: r.foldCR, next: src.at, work: make(chan *section, 2*n)}
	src.ahead = a
	for range n {
		a.scouts.Go(a.scout)
	}
	for range cap(a.work) {
		a.ask(&section{done: make(chan struct{}, 1)})
	}
}

// stop waits for the scouts to end.
func (a *ahead) stop() {
	if a != nil {
		close(a.work)
		a.scouts.Wait()
	}
}

// ask lets the scouts read the next section, unless the file is over.
func (a *ahead) ask(s *section) {
	if a.inVain == aheadInVain {
		a.inVain, a.next = 0, a.next+aheadPause*int64(a.b.sizes.section)
	}
	if a.next >= a.b.end {
		return
	}
	s.from, s.to, s.isDone = a.next, min(a.next+int64(a.b.sizes.section), a.b.end), false
	a.next = s.to
	a.asked = append(a.asked, s)
	a.work <- s
}

// at gives the section that has an offset, once a scout is done with it; nil if none was asked for.
func (a *ahead) at(at int64) *section {
	for len(a.asked) > 0 {
		s := a.asked[0]
		if at < s.from {
			return nil
		}
		if !s.isDone {
			a.await(s)
		}
		if at < s.to {
			return s
		}
		a.asked = a.asked[:copy(a.asked, a.asked[1:])]
		a.ask(s)
	}
	return nil
}

// await waits until a scout is done with a section.
func (a *ahead) await(s *section) {
	<-s.done
	s.isDone = true
	if a.inVain++; s.cut > 0 || !s.read {
		a.inVain = 0
	}
}

// step is how many of the n bytes of a step are left to be read. So pieces of a long line are the
// same as without scouts, though a part left out may end within a step.
func (a *ahead) step(n int) int {
	step := int64(a.b.sizes.step)
	return min(n, int(step-(a.b.at-a.b.base)%step))
}

// ReadAt is as in io.ReaderAt, but stops at a part left out, without an error.
func (a *ahead) ReadAt(p []byte, from int64) (n int, err error) {
	for n < len(p) && err == nil {
		at := from + int64(n)
		s := a.at(at)
		text, ok := s.textAt(at)
		switch {
		case ok && len(text) == 0:
			return n, nil
		case ok:
			n += copy(p[n:], text)
		default:
			end := len(p)
			if s != nil {
				end = min(end, n+int(s.to-at))
			}
			var got int
			got, err = a.b.r.ReadAt(p[n:end], at)
			n += got
		}
	}
	return n, err
}

// textAt gives what a scout has read from an offset on: nothing at a part left out. ok is false if
// the scout has nothing to tell about that place.
func (s *section) textAt(at int64) (text []byte, ok bool) {
	if s == nil || !s.read {
		return nil, false
	}
	switch rel := int(at - s.from); {
	case s.cut == 0:
		return s.text[rel:], true
	case rel <= s.head:
		return s.text[rel:s.head], true
	case rel >= s.head+s.cut:
		return s.text[rel-s.cut:], true
	}
	return nil, false
}

// skip gives how many bytes, and lines, at an offset needn't be searched.
func (a *ahead) skip(at int64) (size int, lines int64) {
	if s := a.at(at); s != nil && s.read && at == s.from+int64(s.head) {
		return s.cut, s.lines
	}
	return 0, 0
}

func (a *ahead) scout() {
	s := scout{ahead: a}
	for next := range a.work {
		s.look(a.b.ctx, next)
		next.done <- struct{}{}
		runtime.Gosched() // lets the search go on, which would else wait until the scouts have no work
	}
}

// scout has the memory of one scout.
type scout struct {
	*ahead
	text []byte
	buf  Buffers
	from int64 // where text begins
}

// look reads a section and looks what is in it. After an error or a panic it tells nothing: the
// search then comes to the same place by itself.
func (s *scout) look(ctx context.Context, next *section) {
	next.read = false
	defer func() {
		if recover() != nil {
			next.read = false
		}
	}()
	s.from = next.from
	size := int(next.to - next.from)
	if ctx.Err() != nil {
		return
	}
	s.text = withRoom(s.text[:0], size, size)[:size]
	if n, err := s.b.r.ReadAt(s.text, next.from); n < size || err != nil && err != io.EOF {
		return
	}
	head, tail := s.middle()
	if head == tail || !s.lacks() {
		s.text, next.text = next.text, s.text
		next.head, next.cut, next.lines = 0, 0, 0
	} else {
		next.text = append(append(next.text[:0], s.text[:head]...), s.text[tail:]...)
		next.head, next.cut, next.lines = head, tail-head, 0
		if s.number {
			next.lines = int64(bytes.Count(s.text[head:tail], []byte("\n")))
		}
	}
	next.read = true
}

// middle gives the part of the text that the search needn't have if nothing in it matches: whole
// lines, after those that may be context of matches before the text, and before those that may be
// context of matches after it.
func (s *scout) middle() (head, tail int) {
	for range 1 + s.after {
		i := bytes.IndexByte(s.text[head:], '\n')
		if i < 0 {
			return 0, 0
		}
		head += i + 1
	}
	tail = lineStart(s.text, len(s.text))
	for range s.before {
		if tail <= head {
			return 0, 0
		}
		tail = lineStart(s.text, tail-1)
	}
	return head, max(head, tail)
}

// lacks reports whether certainly none of the text's whole lines matches.
func (s *scout) lacks() bool {
	lines := s.text[bytes.IndexByte(s.text, '\n')+1 : lineStart(s.text, len(s.text))]
	if s.foldCR && bytes.IndexByte(lines, '\r') >= 0 {
		return false
	}
	c := newCursor(s.m, lines, &s.buf)
	return c.find(0) < 0 && c.err == nil && !s.also.mayMatch(lines, s.from, &s.buf.regex)
}

package diff

import (
	"bytes"
	"hash/maphash"

	"fsbox/textio/lines"
)

// change says that bytes OldStart to OldEnd of an old text became bytes NewStart to NewEnd of a new
// one: whole lines of both; ends are exclusive.
type change struct{ OldStart, OldEnd, NewStart, NewEnd int }

// How many lines of each text are matched at a time. A window grows until it has syncLines lines in
// a row that both texts share: what comes after them is matched by itself. So far-off changes of a
// long text cost little, and no text takes more memory than the largest window does.
const (
	firstWindow = 1 << 10
	maxWindow   = 32 << 10
	syncLines   = 100
)

// comparison goes through two texts and finds what differs.
type comparison struct {
	old, new []byte
	at       change // so far compared, up to OldEnd and NewEnd; the last change that was found, not reported yet
	effort   int
	report   func(change)
	matcher  matcher
}

// compare reports the changes between two texts, in order, with equal lines between them.
func compare(old, new []byte, report func(change)) {
	head := equalHead(old, new)
	tail := equalTail(old[head:], new[head:])
	c := comparison{old: old[:len(old)-tail], new: new[:len(new)-tail], effort: maxEffort, report: report}
	c.matcher.ids.seed = maphash.MakeSeed()
	c.at = change{head, head, head, head}
	for window := firstWindow; c.skipEqual(); {
		if !c.window(window) {
			window = min(4*window, maxWindow)
		}
	}
	c.flush()
}

// skipEqual passes over the lines that are equal in both texts, and reports whether others follow.
func (c *comparison) skipEqual() bool {
	old, new := c.old[c.at.OldEnd:], c.new[c.at.NewEnd:]
	if head := equalHead(old, new); head > 0 {
		c.pass(head)
	}
	return c.at.OldEnd < len(c.old) || c.at.NewEnd < len(c.new)
}

// pass passes over bytes that are equal in both texts.
func (c *comparison) pass(equal int) {
	c.flush()
	old, new := c.at.OldEnd+equal, c.at.NewEnd+equal
	c.at = change{old, old, new, new}
}

func (c *comparison) flush() {
	if c.at.OldStart < c.at.OldEnd || c.at.NewStart < c.at.NewEnd {
		c.report(c.at)
	}
}

// take makes the next bytes of both texts a part of the change that is not reported yet.
func (c *comparison) take(old, new int) { c.at.OldEnd, c.at.NewEnd = c.at.OldEnd+old, c.at.NewEnd+new }

// window matches the next lines of both texts. It is false if it needs to see more of them.
func (c *comparison) window(size int) bool {
	old, new := c.old[c.at.OldEnd:], c.new[c.at.NewEnd:]
	if len(old) == 0 || len(new) == 0 {
		c.take(len(old), len(new))
		return true
	}
	a, b := linesAhead(old, 0, size), linesAhead(new, 0, size)
	c.matcher.load(old[:a], new[:b], c.effort)
	found := c.matcher.changes()
	c.effort = c.matcher.left()
	end := len(found) - 1
	if a < len(old) || b < len(new) {
		if end = syncBefore(found, size); size < maxWindow && gapBefore(found, end) < syncLines {
			return false
		}
	}
	c.accept(found[:end+1])
	return true
}

// accept takes the changes of a window as they are, up to where the last one begins.
func (c *comparison) accept(found []lineRange) {
	a, b := c.matcher.a.starts, c.matcher.b.starts
	at := lineRange{}
	for i, r := range found {
		if r.a > at.aEnd {
			c.pass(a[r.a] - a[at.aEnd])
		}
		if i < len(found)-1 {
			c.take(a[r.aEnd]-a[r.a], b[r.bEnd]-b[r.b])
		}
		at = r
	}
}

// syncBefore returns the change in a window before which most lines are equal, of those in its
// second half.
func syncBefore(found []lineRange, size int) int {
	best := len(found) - 1
	for i, r := range found {
		if int(r.a+r.b) >= size && gapBefore(found, i) > gapBefore(found, best) {
			best = i
		}
	}
	return best
}

// gapBefore counts the equal lines between a change and the one before.
func gapBefore(found []lineRange, i int) int {
	if i == 0 {
		return 0
	}
	return int(found[i].a - found[i-1].aEnd)
}

// equalHead returns the length of the whole lines that both texts begin with.
func equalHead(a, b []byte) int {
	head := equalBytes(a, b)
	if head == max(len(a), len(b)) {
		return head
	}
	return bytes.LastIndexByte(a[:head], '\n') + 1
}

// equalTail returns the length of the whole lines that both texts end with.
func equalTail(a, b []byte) int {
	tail := equalBytesBack(a, b)
	if lines.AtStart(a, len(a)-tail) && lines.AtStart(b, len(b)-tail) {
		return tail
	}
	_, whole, _ := bytes.Cut(a[len(a)-tail:], lines.LF)
	return len(whole)
}

// equalStep is how many bytes are compared at a time, as long as they are equal. The rest is
// compared byte by byte.
const equalStep = 64

// equalBytes returns how many bytes at the start of both texts are the same.
func equalBytes(a, b []byte) int {
	n, most := 0, min(len(a), len(b))
	for n+equalStep <= most && bytes.Equal(a[n:n+equalStep], b[n:n+equalStep]) {
		n += equalStep
	}
	return n + Head(a[n:], b[n:])
}

// equalBytesBack returns how many bytes at the end of both texts are the same.
func equalBytesBack(a, b []byte) int {
	n, most := 0, min(len(a), len(b))
	a, b = a[len(a)-most:], b[len(b)-most:]
	for n+equalStep <= most && bytes.Equal(a[most-n-equalStep:most-n], b[most-n-equalStep:most-n]) {
		n += equalStep
	}
	return n + Tail(a[:most-n], b[:most-n])
}

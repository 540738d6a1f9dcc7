package diff

import (
	"bytes"

	"fsbox/textio/lines"
)

// lineChanges widens ranges to whole lines of both texts, joins those that then share a line, and
// takes equal lines off both ends of each. A range that is empty then is dropped.
func lineChanges(old, new []byte, ranges []Range) []Range {
	var changes []Range
	for len(ranges) > 0 {
		var r Range
		r, ranges = widenRange(old, new, ranges)
		if r = trimEqualLines(old, new, r); r.OldStart < r.OldEnd || r.NewStart < r.NewEnd {
			changes = append(changes, r)
		}
	}
	return changes
}

// widenRange widens the first range to whole lines, swallowing those after it that begin on its
// last line, and returns the ranges left.
func widenRange(old, new []byte, ranges []Range) (Range, []Range) {
	r := ranges[0]
	back := r.OldStart - (bytes.LastIndexByte(old[:r.OldStart], '\n') + 1)
	r.OldStart -= back
	r.NewStart -= back // the bytes before a range are the same in both texts
	for ranges = ranges[1:]; !lines.AtStart(old, r.OldEnd) || !lines.AtStart(new, r.NewEnd); ranges = ranges[1:] {
		limit := len(old)
		if len(ranges) > 0 {
			limit = ranges[0].OldStart
		}
		if i := bytes.IndexByte(old[r.OldEnd:limit], '\n'); i >= 0 {
			r.OldEnd += i + 1
			r.NewEnd += i + 1
			break
		}
		if len(ranges) == 0 {
			r.OldEnd, r.NewEnd = len(old), len(new)
			break
		}
		r.OldEnd, r.NewEnd, r.same = ranges[0].OldEnd, ranges[0].NewEnd, r.same+ranges[0].same
	}
	return r, ranges
}

// trimEqualLines takes lines that are equal in both texts off both ends of r.
func trimEqualLines(old, new []byte, r Range) Range {
	a, b := old[r.OldStart:r.OldEnd], new[r.NewStart:r.NewEnd]
	head := equalBytes(a, b)
	if head < max(len(a), len(b)) { // only whole lines
		head = bytes.LastIndexByte(a[:head], '\n') + 1
	}
	a, b = a[head:], b[head:]
	tail := equalBytesBack(a, b)
	if !lines.AtStart(a, len(a)-tail) || !lines.AtStart(b, len(b)-tail) {
		_, whole, _ := bytes.Cut(a[len(a)-tail:], lines.LF)
		tail = len(whole)
	}
	return Range{r.OldStart + head, r.OldEnd - tail, r.NewStart + head, r.NewEnd - tail, r.same}
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

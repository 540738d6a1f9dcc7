package textio

import "bytes"

// lineChanges widens ranges to whole lines of both texts, joins those that meet,
// and takes equal lines off both ends of each; what then is empty is dropped.
func lineChanges(old, new []byte, ranges []DiffRange) []DiffRange {
	var changes []DiffRange
	for len(ranges) > 0 {
		var r DiffRange
		r, ranges = widenRange(old, new, ranges)
		if r = trimEqualLines(old, new, r); r.OldStart < r.OldEnd || r.NewStart < r.NewEnd {
			changes = append(changes, r)
		}
	}
	return changes
}

// widenRange widens the first range to whole lines, swallowing those behind it
// that begin on its last line, and returns the ranges left.
func widenRange(old, new []byte, ranges []DiffRange) (DiffRange, []DiffRange) {
	r := ranges[0]
	back := r.OldStart - (bytes.LastIndexByte(old[:r.OldStart], '\n') + 1)
	r.OldStart -= back
	r.NewStart -= back // the bytes before a range are the same in both texts
	for ranges = ranges[1:]; !atLineStart(old, r.OldEnd) || !atLineStart(new, r.NewEnd); ranges = ranges[1:] {
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
		r.OldEnd, r.NewEnd = ranges[0].OldEnd, ranges[0].NewEnd
	}
	return r, ranges
}

func atLineStart(text []byte, at int) bool { return at == 0 || text[at-1] == '\n' }

// trimEqualLines takes lines that are equal in both texts off both ends of r.
func trimEqualLines(old, new []byte, r DiffRange) DiffRange {
	a, b := old[r.OldStart:r.OldEnd], new[r.NewStart:r.NewEnd]
	head := 0
	for head < min(len(a), len(b)) {
		n := lineLength(a[head:])
		if !bytes.Equal(a[head:head+n], firstLine(b[head:])) {
			break
		}
		head += n
	}
	a, b = a[head:], b[head:]
	r.OldStart += head
	r.NewStart += head
	for len(a) > 0 && len(b) > 0 {
		line := lastLine(a)
		if !bytes.Equal(line, lastLine(b)) {
			break
		}
		a, b = a[:len(a)-len(line)], b[:len(b)-len(line)]
	}
	r.OldEnd, r.NewEnd = r.OldStart+len(a), r.NewStart+len(b)
	return r
}

// lineLength returns the length of text's first line with its ending.
func lineLength(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

func firstLine(text []byte) []byte { return text[:lineLength(text)] }

// lastLine returns the last line of a text that isn't empty, with its ending.
func lastLine(text []byte) []byte {
	return text[bytes.LastIndexByte(text[:len(text)-1], '\n')+1:]
}

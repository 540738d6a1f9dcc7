package diff

import (
	"bytes"
	"slices"

	"fsbox/textio/lines"
)

// MaxRanges is how many changes of a text are kept apart: far more than a diff shows. Later ones
// are joined to the last, with the lines between them.
const MaxRanges = 10_000

// Append appends a change between two texts. After MaxRanges changes, it becomes part of the last
// one.
func Append(ranges []Range, old, new []byte, r Range) []Range {
	if len(ranges) < MaxRanges-1 {
		return append(ranges, r)
	}
	if r = r.trimmed(old, new); len(ranges) < MaxRanges {
		return append(ranges, r)
	}
	last := &ranges[len(ranges)-1]
	same := bytes.Count(old[last.OldEnd:r.OldStart], lines.LF)
	if same > 0 && !(lines.AtStart(old, last.OldEnd) && lines.AtStart(new, last.NewEnd)) {
		same-- // the first line feed ends a changed line
	}
	last.OldEnd, last.NewEnd, last.same = r.OldEnd, r.NewEnd, last.same+same
	return ranges
}

// trimmed takes equal bytes off both ends of a range.
func (r Range) trimmed(old, new []byte) Range {
	head := equalBytes(old[r.OldStart:r.OldEnd], new[r.NewStart:r.NewEnd])
	r.OldStart, r.NewStart = r.OldStart+head, r.NewStart+head
	tail := equalBytesBack(old[r.OldStart:r.OldEnd], new[r.NewStart:r.NewEnd])
	r.OldEnd, r.NewEnd = r.OldEnd-tail, r.NewEnd-tail
	return r
}

// Compose joins the differences old→mid and mid→new into old→new. Ranges that overlap or touch in
// mid become one.
func Compose(first, second []Range) []Range {
	var joined []Range
	toOld, toNew := 0, 0 // added to an offset in mid, between ranges, they give the one in old or new
	for len(first) > 0 || len(second) > 0 {
		at := nextInMiddle(first, second)
		r := Range{OldStart: at + toOld, NewStart: at + toNew}
		end := at
		for {
			if len(first) > 0 && first[0].NewStart <= end {
				r.same += first[0].same
				end = max(end, first[0].NewEnd)
				toOld = first[0].OldEnd - first[0].NewEnd
				first = first[1:]
			} else if len(second) > 0 && second[0].OldStart <= end {
				r.same += second[0].same
				end = max(end, second[0].OldEnd)
				toNew = second[0].NewEnd - second[0].OldEnd
				second = second[1:]
			} else {
				break
			}
		}
		r.OldEnd, r.NewEnd = end+toOld, end+toNew
		joined = append(joined, r)
	}
	return joined
}

// nextInMiddle returns where in mid the next range of either list begins.
func nextInMiddle(first, second []Range) int {
	switch {
	case len(first) == 0:
		return second[0].OldStart
	case len(second) == 0:
		return first[0].NewStart
	}
	return min(first[0].NewStart, second[0].OldStart)
}

// Changed drops the ranges whose bytes are the same in both texts.
func Changed(old, new []byte, ranges []Range) []Range {
	return slices.DeleteFunc(ranges, func(r Range) bool {
		return bytes.Equal(old[r.OldStart:r.OldEnd], new[r.NewStart:r.NewEnd])
	})
}

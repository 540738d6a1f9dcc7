package textio

import (
	"bytes"
	"slices"
)

// composeRanges joins the differences old→mid and mid→new into old→new. Ranges
// that overlap or touch in mid become one.
func composeRanges(first, second []DiffRange) []DiffRange {
	var joined []DiffRange
	toOld, toNew := 0, 0 // from an offset in mid to the other texts, between ranges
	for len(first) > 0 || len(second) > 0 {
		at := nextInMiddle(first, second)
		r := DiffRange{OldStart: at + toOld, NewStart: at + toNew}
		end := at
		for {
			if len(first) > 0 && first[0].NewStart <= end {
				end = max(end, first[0].NewEnd)
				toOld = first[0].OldEnd - first[0].NewEnd
				first = first[1:]
			} else if len(second) > 0 && second[0].OldStart <= end {
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
func nextInMiddle(first, second []DiffRange) int {
	switch {
	case len(first) == 0:
		return second[0].OldStart
	case len(second) == 0:
		return first[0].NewStart
	}
	return min(first[0].NewStart, second[0].OldStart)
}

// changedRanges drops the ranges whose bytes came out the same in the end.
func changedRanges(old, new []byte, ranges []DiffRange) []DiffRange {
	return slices.DeleteFunc(ranges, func(r DiffRange) bool {
		return bytes.Equal(old[r.OldStart:r.OldEnd], new[r.NewStart:r.NewEnd])
	})
}

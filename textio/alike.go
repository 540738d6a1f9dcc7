package textio

import (
	"slices"
	"strings"
)

// Nearest gives the known name most like a mistyped one, or "" if none is close: with a third of
// its length wrong it is a word of its own.
func Nearest(name string, known []string) string {
	best, distance := "", len(name)/3+1
	lower := strings.ToLower(name)
	for _, k := range known {
		if d := Distance(lower, strings.ToLower(k), distance); d < distance {
			best, distance = k, d
		}
	}
	return best
}

// Distance is how many bytes have to be put in, left out, replaced, or exchanged with the next one
// to make b of a, if that is less than limit; else any number from limit on.
func Distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	a, b = withoutSharedEnds(a, b)
	n := len(b) + 1
	rows := make([]int, 3*n)
	before, row, next := rows[:n], rows[n:2*n], rows[2*n:]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		if slices.Min(row) >= limit {
			return limit
		}
		next[0] = i + 1
		for j := range len(b) {
			switch {
			case a[i] == b[j]:
				next[j+1] = row[j]
			case i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j]:
				next[j+1] = 1 + min(row[j], row[j+1], next[j], before[j-1])
			default:
				next[j+1] = 1 + min(row[j], row[j+1], next[j])
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}

// withoutSharedEnds takes off what two texts have in common at both ends.
func withoutSharedEnds(a, b string) (string, string) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

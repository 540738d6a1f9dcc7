package textio

import (
	"slices"
	"strings"
)

// Nearest gives the known name most like a mistyped one, or "" if none is close. Close is a
// distance of at most two bytes, or a third of the name's length if that is more, and always less
// than its length.
func Nearest(name string, known []string) string {
	best, distance := "", min(max(2, len(name)/3)+1, len(name))
	lower := strings.ToLower(name)
	for _, k := range known {
		if d := Distance(lower, strings.ToLower(k), distance); d < distance {
			best, distance = k, d
		}
	}
	return best
}

// Distance is the Levenshtein distance in bytes, if that is less than limit; else any number from
// limit on.
func Distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	a, b = withoutSharedEnds(a, b)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		if slices.Min(row) >= limit {
			return limit
		}
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := diagonal
			if a[i] != b[j] {
				next = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], next
		}
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

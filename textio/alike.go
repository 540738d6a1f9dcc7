package textio

import (
	"bytes"
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

// ScanNames counts the members of all objects in a JSON text by their colons, and stops at one more
// than most. It returns the first name longer than longest bytes, as written in the text. It is for
// a check before a JSON parser runs: parsers keep all names in memory, to find duplicates, and
// quote them in errors.
func ScanNames(text []byte, most, longest int) (members int, long []byte) {
	start, end := 0, 0
	for i := 0; i < len(text) && members <= most; i++ {
		switch text[i] {
		case '"':
			start = i + 1
			if end = start + endOfString(text[start:]); end == len(text) {
				return members, long
			}
			i = end
		case ':':
			members++
			if long == nil && end-start > longest {
				long = text[start:end]
			}
		}
	}
	return members, long
}

// endOfString returns the index of the quote that ends a JSON string, or the length of the text if
// none does. It searches for quotes instead of looking at each byte: a string may be a whole file.
func endOfString(text []byte) int {
	for from := 0; ; {
		n := bytes.IndexByte(text[from:], '"')
		if n < 0 {
			return len(text)
		}
		quote := from + n
		slash := quote
		for slash > from && text[slash-1] == '\\' {
			slash--
		}
		if (quote-slash)%2 == 0 {
			return quote
		}
		from = quote + 1
	}
}

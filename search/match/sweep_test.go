package match

import (
	"flag"
	"testing"
)

var sweep = flag.Bool("sweep", false, "try all random texts, as .ci/sweep does; without it a quarter of the most costly, with -short less")

// share is how many of n random texts, or how long a text of n pieces, a test takes.
func share(n int) int {
	switch {
	case *sweep:
		return n
	case testing.Short():
		return max(n/12, 1)
	}
	return n / 4
}

// few is how many of n random texts -short takes.
func few(n int) int {
	if testing.Short() {
		return max(n/12, 1)
	}
	return n
}

package match

import "flag"

var sweep = flag.Bool("sweep", false, "try all random texts, as .ci/sweep does; without it a quarter of the most costly")

// share is how many of n random texts, or how long a text of n pieces, a test takes.
func share(n int) int {
	if *sweep {
		return n
	}
	return n / 4
}

package sandbox

import "flag"

var sweep = flag.Bool("sweep", false, "run every case, as .ci/sweep does; without it a sample that takes seconds")

// every is the distance between the points that a test looks at, of many in a row: 1 with -sweep,
// which takes all.
func every(n int) int {
	if *sweep {
		return 1
	}
	return n
}

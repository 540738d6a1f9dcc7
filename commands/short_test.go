package commands

import (
	"flag"
	"testing"
)

var everyCase = flag.Bool("sweep", false, "run every case, as .ci/sweep does; without it a third, with -short a tenth")

// sized is how many of n random cases a test tries.
func sized(n int) int {
	switch {
	case testing.Short():
		return (n + 9) / 10
	case *everyCase:
		return n
	}
	return (n + 2) / 3
}

package cmdline_test

import "testing"

// sized is how many of n random cases a test tries: with -short a tenth.
func sized(n int) int {
	if testing.Short() {
		return (n + 9) / 10
	}
	return n
}

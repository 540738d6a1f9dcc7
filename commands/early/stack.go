// Package early enlarges the stack of the main goroutine before nearly all other packages are
// initialized: it imports nothing, so that it is among the first.
//
// A stack begins with 2 KiB, and is copied to one of twice the size each time that it is full.
// Growing to 16 KiB at once takes 5 % off a short read (2026-11-29).
package early

var _ = grow(0)

// grow never uses the array, but its frame has space for it.
//
//go:noinline
func grow(n int) (last byte) {
	if n != 0 {
		var space [11 << 10]byte
		last = space[n]
	}
	return last
}

//go:build linux || darwin

package literal

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// guarded gives a page twice, with memory on either side that can't be read: to be used from its
// start, and from its end.
func guarded(t *testing.T) (low, high []byte) {
	page := os.Getpagesize()
	all, err := unix.Mmap(-1, 0, 3*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(all) })
	for _, outside := range [][]byte{all[:page], all[2*page:]} {
		if err := unix.Mprotect(outside, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return all[page : 2*page], all[page : 2*page]
}

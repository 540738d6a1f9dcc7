package system

import (
	"errors"

	"golang.org/x/sys/unix"
)

// MaxRaceRetries is how often a call is tried again when the kernel answers EAGAIN because
// something on the path was renamed meanwhile. Container runtimes use the same number for openat2.
const MaxRaceRetries = 128

func Retry(call func() (int, error)) (int, error) {
	for tries := 0; ; tries++ {
		n, err := call()
		again := errors.Is(err, unix.EAGAIN) && tries < MaxRaceRetries
		if !again && !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

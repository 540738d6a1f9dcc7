package system

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// MaxRaceRetries is how often a call is tried again when the kernel answers EAGAIN because
// something on the path was renamed meanwhile. Container runtimes use the same number for openat2.
const MaxRaceRetries = 128

// RetryStale tries a call about a name again while the system answers ESTALE: another machine has
// given another file the name, between two questions to the server. If that stays so, the folder
// itself is gone.
func RetryStale(call func() error) error {
	const tries = 8
	err := call()
	for i, pause := 0, time.Millisecond; errors.Is(err, unix.ESTALE) && i < tries; i, pause = i+1, 2*pause {
		time.Sleep(pause)
		err = call()
	}
	return err
}

func Retry(call func() (int, error)) (int, error) {
	for tries := 0; ; tries++ {
		n, err := call()
		again := errors.Is(err, unix.EAGAIN) && tries < MaxRaceRetries
		if !again && !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

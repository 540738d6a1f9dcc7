package dir

import (
	"errors"
	"math"

	"golang.org/x/sys/unix"
)

// NextData gives the first offset, at from or after it, where the file may hold anything but NUL
// bytes; math.MaxInt64 if there is none. Everything between is a hole. It returns from itself if
// the file system can't tell.
func (f *File) NextData(from int64) int64 {
	fd, ok := f.Handle.(fdHandle)
	if !ok {
		return from
	}
	at, err := unix.Seek(int(fd), from, unix.SEEK_DATA)
	switch {
	case errors.Is(err, unix.ENXIO): // a hole up to the end
		return math.MaxInt64
	case err != nil:
		return from
	}
	return at
}

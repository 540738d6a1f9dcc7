package openfile

import (
	"io"

	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/disk/system"

	"golang.org/x/sys/unix"
)

// descriptor is an open file without an os.File, with which a grep of 9,000 small files takes 9 to
// 17 % more processor time (2026-11-29).
type descriptor struct{ rights.Descriptor }

// OfDescriptor is the open file of a descriptor.
func OfDescriptor(fd int) Handle { return descriptor{rights.Descriptor{FD: fd}} }

func (h descriptor) ReadAt(b []byte, off int64) (done int, err error) {
	for done < len(b) && err == nil {
		var n int
		n, err = h.ReadSome(b[done:], off+int64(done))
		done += n
	}
	return done, err
}

func (h descriptor) ReadSome(b []byte, off int64) (int, error) {
	n, err := system.Retry(func() (int, error) { return unix.Pread(h.FD, b, off) })
	switch {
	case err != nil:
		return 0, err
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

func (h descriptor) Write(b []byte) (int, error) {
	done := 0
	for done < len(b) {
		n, err := system.Retry(func() (int, error) { return unix.Write(h.FD, b[done:]) })
		if err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}

func (h descriptor) Close() error { return unix.Close(h.FD) }

func (h descriptor) Stat() (stat.Info, error) {
	var st unix.Stat_t
	if err := system.IgnoreInterrupts(func() error { return unix.Fstat(h.FD, &st) }); err != nil {
		return stat.Info{}, err
	}
	return stat.OfStat(&st), nil
}

func (h descriptor) Sync() error {
	return system.SyncFailed(system.IgnoreInterrupts(func() error { return unix.Fsync(h.FD) }))
}

func (h descriptor) StartSync() { _ = unix.SyncFileRange(h.FD, 0, 0, unix.SYNC_FILE_RANGE_WRITE) }

func (h descriptor) Truncate(size int64) error {
	return system.IgnoreInterrupts(func() error { return unix.Ftruncate(h.FD, size) })
}

func (h descriptor) TryLock() error { return system.Flock(h.FD) }

// TellsWriters says that the system can tell whether a file is settled: see Handle.
const TellsWriters = true

// IsSettled asks for a read lease, which the kernel refuses while anybody has the file open for
// writing, and returns the lease.
func (h descriptor) IsSettled() (isSettled, hasWriter bool) {
	if _, err := unix.FcntlInt(uintptr(h.FD), unix.F_SETLEASE, unix.F_RDLCK); err != nil {
		return false, err == unix.EAGAIN
	}
	_, err := unix.FcntlInt(uintptr(h.FD), unix.F_SETLEASE, unix.F_UNLCK)
	return err == nil, false
}

package dir

import (
	"io"

	"golang.org/x/sys/unix"
)

// fdHandle is an open file as a bare descriptor: an os.File would cost five more system calls for
// each file opened.
type fdHandle struct{ fdNode }

// handleOf is the open file that a descriptor stands for.
func handleOf(fd int) Handle { return fdHandle{fdNode{fd: fd}} }

func (h fdHandle) ReadAt(b []byte, off int64) (done int, err error) {
	for done < len(b) && err == nil {
		var n int
		n, err = h.ReadSome(b[done:], off+int64(done))
		done += n
	}
	return done, err
}

func (h fdHandle) ReadSome(b []byte, off int64) (int, error) {
	n, err := retry(func() (int, error) { return unix.Pread(h.fd, b, off) })
	switch {
	case err != nil:
		return 0, err
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

func (h fdHandle) Write(b []byte) (int, error) {
	done := 0
	for done < len(b) {
		n, err := retry(func() (int, error) { return unix.Write(h.fd, b[done:]) })
		if err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}

func (h fdHandle) Close() error { return unix.Close(h.fd) }

func (h fdHandle) Stat() (Info, error) {
	var st unix.Stat_t
	if err := ignoreInterrupts(func() error { return unix.Fstat(h.fd, &st) }); err != nil {
		return Info{}, err
	}
	return infoOf(&st), nil
}

func (h fdHandle) Sync() error {
	return syncFailed(ignoreInterrupts(func() error { return unix.Fsync(h.fd) }))
}

func (h fdHandle) StartSync() { _ = unix.SyncFileRange(h.fd, 0, 0, unix.SYNC_FILE_RANGE_WRITE) }

func (h fdHandle) Truncate(size int64) error {
	return ignoreInterrupts(func() error { return unix.Ftruncate(h.fd, size) })
}

func (h fdHandle) TryLock() error { return flock(h.fd) }

// TellsWriters says that the system can tell whether a file is settled: see Handle.
const TellsWriters = true

// IsSettled asks for a read lease, which the kernel refuses while anybody has the file open for
// writing, and returns the lease.
func (h fdHandle) IsSettled() (isSettled, hasWriter bool) {
	if _, err := unix.FcntlInt(uintptr(h.fd), unix.F_SETLEASE, unix.F_RDLCK); err != nil {
		return false, err == unix.EAGAIN
	}
	_, err := unix.FcntlInt(uintptr(h.fd), unix.F_SETLEASE, unix.F_UNLCK)
	return err == nil, false
}

package dir

import (
	"io"
	"io/fs"

	"golang.org/x/sys/unix"
)

// fdHandle is an open file as a bare descriptor: an os.File would cost five more system calls for
// each file opened.
type fdHandle int

func (h fdHandle) ReadAt(b []byte, off int64) (done int, err error) {
	for done < len(b) && err == nil {
		var n int
		n, err = h.ReadSome(b[done:], off+int64(done))
		done += n
	}
	return done, err
}

func (h fdHandle) ReadSome(b []byte, off int64) (int, error) {
	n, err := retry(func() (int, error) { return unix.Pread(int(h), b, off) })
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
		n, err := retry(func() (int, error) { return unix.Write(int(h), b[done:]) })
		if err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}

func (h fdHandle) Close() error { return unix.Close(int(h)) }

func (h fdHandle) Stat() (Info, error) {
	var st unix.Stat_t
	if err := ignoreInterrupts(func() error { return unix.Fstat(int(h), &st) }); err != nil {
		return Info{}, err
	}
	return infoOf(&st), nil
}

func (h fdHandle) Sync() error {
	return syncFailed(ignoreInterrupts(func() error { return unix.Fsync(int(h)) }))
}

func (h fdHandle) Truncate(size int64) error {
	return ignoreInterrupts(func() error { return unix.Ftruncate(int(h), size) })
}

func (h fdHandle) Chmod(mode fs.FileMode) error { return unix.Fchmod(int(h), UnixBits(mode)) }

func (h fdHandle) Chown(owner Info) error { return unix.Fchown(int(h), int(owner.UID), int(owner.GID)) }

func (h fdHandle) Attributes() (Attributes, error) { return readAttributes(int(h)) }

func (h fdHandle) SetAttributes(a Attributes) (lost Attributes, err error) {
	return writeAttributes(int(h), a)
}

func (h fdHandle) TryLock() error { return flock(int(h)) }

// TellsWriters says that the system can tell whether a file is settled: see Handle.
const TellsWriters = true

// IsSettled asks for a read lease, which the kernel refuses while anybody has the file open for
// writing, and returns the lease.
func (h fdHandle) IsSettled() (isSettled, hasWriter bool) {
	if _, err := unix.FcntlInt(uintptr(h), unix.F_SETLEASE, unix.F_RDLCK); err != nil {
		return false, err == unix.EAGAIN
	}
	_, err := unix.FcntlInt(uintptr(h), unix.F_SETLEASE, unix.F_UNLCK)
	return err == nil, false
}

package systems

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"
)

// deadMount is a file system that answers nothing, like a network mount whose server is gone.
type deadMount struct {
	dir    string
	device int // /dev/fuse
}

// mountDead mounts one. With takes it takes requests from the kernel and never answers: a process
// that waits for one can't be killed. Otherwise it doesn't look at them.
func mountDead(dir string, takes bool) (*deadMount, error) {
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	m := &deadMount{dir, fd}
	err = unix.Mount("dead", dir, "fuse", unix.MS_NOSUID|unix.MS_NODEV, fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", fd))
	if err != nil {
		unix.Close(fd)
		return nil, err
	}
	if err := m.greet(); err != nil {
		m.end()
		return nil, err
	}
	if takes {
		go m.swallow()
	}
	return m, nil
}

// Sizes and offsets of struct fuse_in_header, fuse_out_header and fuse_init_out in linux/fuse.h.
const (
	fuseInHeader  = 40
	fuseOutHeader = 16
	fuseInitOut   = 64
	fuseUnique    = 8
	fuseLargest   = 1 << 20
)

// greet answers FUSE_INIT, which the kernel sends first.
func (m *deadMount) greet() error {
	request := make([]byte, fuseLargest)
	n, err := unix.Read(m.device, request)
	if err != nil || n < fuseInHeader+8 {
		return fmt.Errorf("read FUSE_INIT: %d bytes, %w", n, err)
	}
	e := binary.NativeEndian
	answer := make([]byte, fuseOutHeader+fuseInitOut)
	e.PutUint32(answer, uint32(len(answer)))
	copy(answer[8:16], request[fuseUnique:fuseUnique+8])
	copy(answer[16:24], request[fuseInHeader:fuseInHeader+8]) // the version that the kernel has
	e.PutUint32(answer[16+20:], 64<<10)                       // max_write
	_, err = unix.Write(m.device, answer)
	return err
}

func (m *deadMount) swallow() {
	request := make([]byte, fuseLargest)
	for {
		if _, err := unix.Read(m.device, request); err != nil && err != unix.EINTR {
			return
		}
	}
}

// end lets go of everybody who waits.
func (m *deadMount) end() {
	_ = unix.Unmount(m.dir, unix.MNT_FORCE|unix.MNT_DETACH) // by force: requests end with an error
	unix.Close(m.device)
}

package filesystem

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"fsbox/sandbox/disk/system"
)

// MountOf finds out how the file system of an open folder is mounted, by the list of the system. It
// is for shared ones: on others it isn't worth the time.
func MountOf(folder int) MountFacts {
	if m, all := mountAt(folder, "", unix.AT_EMPTY_PATH); m != nil {
		return m.facts(all)
	}
	return MountFacts{Between: BetweenUnknown}
}

// mountAt finds the mount of a file in the list of all, and gives the list as well. It is nil if
// the system doesn't tell.
func mountAt(folder int, path string, flags int) (m *Mount, all []Mount) {
	id, ok := mountID(folder, path, flags)
	if !ok {
		return nil, nil
	}
	all = mounts()
	for i := range all {
		if all[i].ID == id {
			return &all[i], all
		}
	}
	return nil, all
}

// MountList is the file that lists all mounts that this process can see.
const MountList = "/proc/self/mountinfo"

// mounts is the list of all mounts that can be seen; none if the system doesn't tell.
func mounts() []Mount {
	text, _ := os.ReadFile(MountList)
	return parseMounts(string(text))
}

// Mounts is the list of mounts, kept open because a confined process can't open it.
type Mounts struct {
	mu sync.Mutex // two reads at once would move each other's place in the list
	fd int
}

// OpenMounts opens a list; nil if the system doesn't let it. It isn't an os.File, since Go would
// then wake up at each change.
func OpenMounts(path string) *Mounts {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	return &Mounts{fd: fd}
}

// Close closes the list.
func (m *Mounts) Close() {
	if m != nil {
		_ = unix.Close(m.fd)
	}
}

// HasServerNumbers reports whether the list says that the inode numbers on a mount of SMB are those
// of the server. dev is the device of a file there. Linux stops using them, without being asked,
// when another machine has renamed a directory whose old name this one remembers (Linux 6.1): the
// mount then has no serverino.
func (m *Mounts) HasServerNumbers(dev uint64) bool {
	device := fmt.Sprintf("%d:%d", unix.Major(dev), unix.Minor(dev))
	for line := range strings.Lines(m.read()) {
		if strings.Contains(line, " "+device+" ") { // the others needn't be parsed
			if all := parseMounts(line); len(all) > 0 && all[0].Device == device {
				return all[0].hasServerNumbers()
			}
		}
	}
	return false
}

func (m *Mounts) read() string {
	if m == nil {
		return ""
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var text []byte
	for {
		text = slices.Grow(text, 1<<14)
		n, err := system.Retry(func() (int, error) { return unix.Pread(m.fd, text[len(text):cap(text)], int64(len(text))) })
		if err != nil || n == 0 {
			return string(text)
		}
		text = text[:len(text)+n]
	}
}

func mountID(folder int, path string, flags int) (id uint64, ok bool) {
	var st unix.Statx_t
	err := unix.Statx(folder, path, flags|unix.AT_STATX_DONT_SYNC, unix.STATX_BASIC_STATS|unix.STATX_MNT_ID, &st)
	return st.Mnt_id, err == nil && st.Mask&unix.STATX_MNT_ID != 0
}

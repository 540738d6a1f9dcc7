package filesystem

import (
	"io"
	"math"
	"os"
	"slices"

	"golang.org/x/sys/unix"
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

const mountList = "/proc/self/mountinfo"

// mounts is the list of all mounts that can be seen; none if the system doesn't tell.
func mounts() []Mount {
	text, _ := os.ReadFile(mountList)
	return parseMounts(string(text))
}

// Mounts is the list of mounts, which a process keeps open that may not open it later. One that is
// nil is opened each time.
type Mounts struct{ list *os.File }

// OpenMounts opens the list; nil if the system doesn't let it.
func OpenMounts() *Mounts {
	list, err := os.Open(mountList)
	if err != nil {
		return nil
	}
	return &Mounts{list}
}

// Close closes the list.
func (m *Mounts) Close() {
	if m != nil {
		m.list.Close()
	}
}

// HasNumbers reports whether the inode numbers on a mount of SMB are the server's, as far as that
// can be told. Linux stops using them, without being asked, when another machine has renamed a
// directory whose old name this one remembers (Linux 6.1): the mount then has no serverino.
func (m *Mounts) HasNumbers(mount uint64) bool {
	if m == nil {
		m = OpenMounts()
		defer m.Close()
	}
	if m == nil {
		return true
	}
	text, _ := io.ReadAll(io.NewSectionReader(m.list, 0, math.MaxInt64))
	all := parseMounts(string(text))
	at := slices.IndexFunc(all, func(o Mount) bool { return o.ID == mount })
	return at < 0 || all[at].hasNumbers()
}

// MountID is the ID of the mount of an open folder in the list of mounts, 0 if the system doesn't
// tell.
func MountID(folder int) uint64 {
	id, _ := mountID(folder, "", unix.AT_EMPTY_PATH)
	return id
}

func mountID(folder int, path string, flags int) (id uint64, ok bool) {
	var st unix.Statx_t
	err := unix.Statx(folder, path, flags|unix.AT_STATX_DONT_SYNC, unix.STATX_BASIC_STATS|unix.STATX_MNT_ID, &st)
	return st.Mnt_id, err == nil && st.Mask&unix.STATX_MNT_ID != 0
}

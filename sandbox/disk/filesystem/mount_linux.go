package filesystem

import (
	"os"

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
	var st unix.Statx_t
	err := unix.Statx(folder, path, flags|unix.AT_STATX_DONT_SYNC, unix.STATX_BASIC_STATS|unix.STATX_MNT_ID, &st)
	if err != nil || st.Mask&unix.STATX_MNT_ID == 0 {
		return nil, nil
	}
	all = mounts()
	for i := range all {
		if all[i].ID == st.Mnt_id {
			return &all[i], all
		}
	}
	return nil, all
}

// mounts is the list of all mounts that can be seen; none if the system doesn't tell.
func mounts() []Mount {
	text, _ := os.ReadFile("/proc/self/mountinfo")
	return parseMounts(string(text))
}

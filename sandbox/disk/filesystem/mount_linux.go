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
	err := unix.Statx(folder, path, flags, unix.STATX_BASIC_STATS|unix.STATX_MNT_ID, &st)
	if err != nil || st.Mask&unix.STATX_MNT_ID == 0 {
		return nil, nil
	}
	text, _ := os.ReadFile("/proc/self/mountinfo")
	all = parseMounts(string(text))
	for i := range all {
		if all[i].ID == st.Mnt_id {
			return &all[i], all
		}
	}
	return nil, all
}

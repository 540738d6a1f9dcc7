package dir

import (
	"os"

	"golang.org/x/sys/unix"
)

// MountOf finds out how the file system of a folder is mounted, by the list of the system. It is
// for shared ones: on others it isn't worth the time.
func MountOf(in Folder) MountFacts {
	text, _ := os.ReadFile("/proc/self/mountinfo")
	all := parseMounts(string(text))
	var st unix.Statx_t
	err := unix.Statx(in.Number(), "", unix.AT_EMPTY_PATH, unix.STATX_BASIC_STATS|unix.STATX_MNT_ID, &st)
	if err == nil && st.Mask&unix.STATX_MNT_ID != 0 {
		for i := range all {
			if all[i].ID == st.Mnt_id {
				return all[i].facts(all)
			}
		}
	}
	return MountFacts{Between: BetweenUnknown}
}

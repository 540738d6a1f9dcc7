package stat

import (
	"io/fs"
	"time"

	"golang.org/x/sys/unix"
)

func OfStat(st *unix.Stat_t) Info {
	return Info{
		Mode:     ModeOf(st.Mode),
		Size:     st.Size,
		Modified: time.Unix(st.Mtim.Unix()),
		Links:    uint64(st.Nlink),
		Identity: Identity{Dev: uint64(st.Dev), Ino: st.Ino, UID: st.Uid, GID: st.Gid, Changed: st.Ctim.Nano()},
	}
}

func OfStatx(st *unix.Statx_t) Info {
	var born int64
	if st.Mask&unix.STATX_BTIME != 0 {
		born = st.Btime.Sec*int64(time.Second) + int64(st.Btime.Nsec)
	}
	return Info{
		Mode:     ModeOf(uint32(st.Mode)),
		Size:     int64(st.Size),
		Modified: time.Unix(st.Mtime.Sec, int64(st.Mtime.Nsec)),
		Links:    uint64(st.Nlink),
		Identity: Identity{Dev: unix.Mkdev(st.Dev_major, st.Dev_minor), Ino: st.Ino, UID: st.Uid, GID: st.Gid,
			Changed: st.Ctime.Sec*int64(time.Second) + int64(st.Ctime.Nsec), Born: born},
	}
}

func ModeOf(raw uint32) fs.FileMode {
	return FileBits(raw&0o7777) | typeBits[raw&unix.S_IFMT>>12]
}

// typeBits are the type bits for each type in stat's mode; none for a regular file.
var typeBits = [16]fs.FileMode{
	unix.S_IFDIR >> 12:  fs.ModeDir,
	unix.S_IFLNK >> 12:  fs.ModeSymlink,
	unix.S_IFIFO >> 12:  fs.ModeNamedPipe,
	unix.S_IFSOCK >> 12: fs.ModeSocket,
	unix.S_IFCHR >> 12:  fs.ModeDevice | fs.ModeCharDevice,
	unix.S_IFBLK >> 12:  fs.ModeDevice,
}

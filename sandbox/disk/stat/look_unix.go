//go:build unix

package stat

import (
	"io/fs"
	"os"
	"syscall"
)

// LookIn describes a name in a folder, a link itself.
func LookIn(root *os.Root, name string) (Info, error) { return fromStat(root.Lstat(name)) }

// LookAt describes an open file.
func LookAt(file *os.File) (Info, error) { return fromStat(file.Stat()) }

// Look describes what is at a path of the host, a link itself.
func Look(path string) (Info, error) { return fromStat(os.Lstat(path)) }

// LookThrough is Look with links followed.
func LookThrough(path string) (Info, error) { return fromStat(os.Stat(path)) }

func fromStat(st fs.FileInfo, err error) (Info, error) {
	if err != nil {
		return Info{}, err
	}
	info := Info{Mode: st.Mode(), Size: st.Size(), Modified: st.ModTime(), Links: 1}
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		info.Links = uint64(sys.Nlink)
		info.Identity = Identity{Dev: uint64(sys.Dev), Ino: uint64(sys.Ino), UID: sys.Uid, GID: sys.Gid, Changed: changeTime(sys)}
	}
	return info, nil
}

// LosesIDs reports whether a file gets another ID when it is renamed: never, on Unix.
func LosesIDs(*os.File) (bool, error) { return false, nil }

package stat

import (
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// lookOnly opens a file, folder or link to look at it: neither to read nor to write it, which works
// also where another program keeps both for itself. What the numbers mean is up to os.OpenFile.
const (
	lookThrough = os.O_WRONLY | os.O_RDWR // neither of them, for package syscall
	lookOnly    = lookThrough | windows.FILE_FLAG_OPEN_REPARSE_POINT
)

// LookIn describes a name in a folder, a link itself.
func LookIn(root *os.Root, name string) (Info, error) {
	file, err := root.OpenFile(name, lookOnly, 0)
	return lookOnce(file, err)
}

// Look describes what is at a path of the host, a link itself.
func Look(path string) (Info, error) {
	file, err := os.OpenFile(path, lookOnly, 0)
	return lookOnce(file, err)
}

// LookThrough is Look with links followed.
func LookThrough(path string) (Info, error) {
	file, err := os.OpenFile(path, lookThrough, 0)
	return lookOnce(file, err)
}

func lookOnce(file *os.File, err error) (Info, error) {
	if err != nil {
		return Info{}, err
	}
	defer file.Close()
	return LookAt(file)
}

// LookAt describes an open file. Package os keeps to itself what tells files apart, so the system
// is asked once more.
func LookAt(file *os.File) (Info, error) {
	st, err := file.Stat()
	if err != nil {
		return Info{}, err
	}
	handle := windows.Handle(file.Fd())
	var more windows.ByHandleFileInformation
	var times basicInfo
	err = windows.GetFileInformationByHandle(handle, &more)
	if err == nil {
		err = windows.GetFileInformationByHandleEx(handle, windows.FileBasicInfo, (*byte)(unsafe.Pointer(&times)), uint32(unsafe.Sizeof(times)))
	}
	if err != nil {
		return Info{}, &os.PathError{Op: "GetFileInformationByHandle", Path: file.Name(), Err: err}
	}
	index := uint64(more.FileIndexHigh)<<32 | uint64(more.FileIndexLow)
	id := Identity{Dev: uint64(more.VolumeSerialNumber), Ino: index, Changed: times.changed()}
	return Info{Mode: st.Mode(), Size: st.Size(), Modified: st.ModTime(), Links: uint64(more.NumberOfLinks), Identity: id}, nil
}

// basicInfo is FILE_BASIC_INFO. Times are in units of 100 ns since 1601.
type basicInfo struct {
	_, _, _    int64 // created, read, written
	change     int64 // what was changed: content, name or attributes; 0 where it isn't kept
	attributes uint32
}

func (i basicInfo) changed() int64 {
	const unixEpoch = 116_444_736_000_000_000
	if i.change == 0 {
		return 0
	}
	return (i.change - unixEpoch) * 100
}

// LosesIDs reports whether a file gets another ID when it is renamed: FAT and exFAT make the ID
// from the position of the name in its folder.
func LosesIDs(folder *os.File) (bool, error) {
	var kind [windows.MAX_PATH + 1]uint16
	err := windows.GetVolumeInformationByHandle(windows.Handle(folder.Fd()), nil, 0, nil, nil, nil, &kind[0], uint32(len(kind)))
	return strings.Contains(windows.UTF16ToString(kind[:]), "FAT"), err
}

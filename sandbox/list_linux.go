package sandbox

import (
	"context"
	"encoding/binary"
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"
)

// direntBytes is the buffer for one getdents64 call: some 1,000 names of usual length.
const direntBytes = 32 << 10

// Offsets in struct linux_dirent64 (getdents64(2)): ino 8, off 8, reclen 2, type 1, name.
const (
	direntReclen = 16
	direntType   = 18
	direntName   = 19
)

func (f fdFolder) list(ctx context.Context) ([]Dirent, error) {
	_, err := unix.Seek(f.fd, 0, 0)
	switch {
	case errors.Is(err, unix.EBADF): // opened only to go through: see openFolder
		return nil, unix.EACCES
	case err != nil:
		return nil, err
	}
	var all []Dirent
	buf := make([]byte, direntBytes)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := retry(func() (int, error) { return unix.Getdents(f.fd, buf) })
		if err != nil {
			return nil, err
		}
		if n <= 0 {
			return all, nil
		}
		for b := buf[:n]; len(b) > direntName; {
			size := binary.NativeEndian.Uint16(b[direntReclen:])
			all = f.appendDirent(all, b[direntName:size], b[direntType])
			b = b[size:]
		}
	}
}

func (f fdFolder) appendDirent(all []Dirent, padded []byte, kind byte) []Dirent {
	name := unix.ByteSliceToString(padded)
	if name == "." || name == ".." {
		return all
	}
	mode, known := direntMode(kind)
	if !known { // some file systems don't say; a name that is gone by now isn't listed
		info, err := f.lstat(name)
		if err != nil {
			return all
		}
		mode = info.Mode.Type()
	}
	return append(all, Dirent{Name: name, Type: mode})
}

func direntMode(kind byte) (mode fs.FileMode, known bool) {
	switch kind {
	case unix.DT_REG:
		return 0, true
	case unix.DT_DIR:
		return fs.ModeDir, true
	case unix.DT_LNK:
		return fs.ModeSymlink, true
	case unix.DT_FIFO:
		return fs.ModeNamedPipe, true
	case unix.DT_SOCK:
		return fs.ModeSocket, true
	case unix.DT_CHR:
		return fs.ModeDevice | fs.ModeCharDevice, true
	case unix.DT_BLK:
		return fs.ModeDevice, true
	}
	return 0, false
}

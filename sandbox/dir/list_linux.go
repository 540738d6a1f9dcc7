package dir

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Sizes of the buffer for one getdents64 call. The first holds about 100 names of usual length,
// enough for most folders; clearing a larger buffer would take longer than the call.
const (
	firstDirentBytes = 4 << 10
	direntBytes      = 32 << 10
)

// Offsets in struct linux_dirent64 (getdents64(2)): ino 8, off 8, reclen 2, type 1, name.
const (
	direntReclen = 16
	direntType   = 18
	direntName   = 19
)

func (f Descriptor) List(ctx context.Context) ([]Dirent, error) {
	l := FirstNames{whole: true}
	err := f.ListFirst(ctx, &l)
	return l.Names, err
}

func (f Descriptor) ListFirst(ctx context.Context, l *FirstNames) error {
	_, err := unix.Seek(f.fd, 0, 0)
	switch {
	case errors.Is(err, unix.EBADF): // opened only to reach what is below: see openFolder
		return unix.EACCES
	case err != nil:
		return err
	}
	var buf [firstDirentBytes]byte
	more := false
	l.Names, more, err = f.appendDirents(ctx, l, nil, buf[:])
	l.weigh(0)
	if more && err == nil {
		err = f.listRest(ctx, l)
	}
	if err != nil {
		l.Names = nil
	}
	return err
}

// listRest goes on with a long list.
func (f Descriptor) listRest(ctx context.Context, l *FirstNames) error {
	var buf [direntBytes]byte
	for more := true; more; {
		var err error
		n := len(l.Names)
		if l.Names, more, err = f.appendDirents(ctx, l, l.Names, buf[:]); err != nil {
			return err
		}
		l.weigh(n)
	}
	return nil
}

// appendDirents adds names until the folder ends, or until a call has filled more than half of buf.
func (f Descriptor) appendDirents(ctx context.Context, l *FirstNames, all []Dirent, buf []byte) (_ []Dirent, more bool, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		n, err := retry(func() (int, error) { return unix.Getdents(f.fd, buf) })
		if err != nil || n <= 0 {
			return all, false, err
		}
		if l.filters() {
			all = f.parseWanted(all, buf[:n], l)
		} else {
			all = f.parseDirents(all, string(buf[:n]))
		}
		if n > len(buf)/2 {
			return all, true, nil
		}
	}
}

// parseDirents adds the names in a buffer. They are substrings of it: one allocation for all of
// them.
func (f Descriptor) parseDirents(all []Dirent, b string) []Dirent {
	all = slices.Grow(all, len(b)/32) // bytes that a usual entry takes
	for len(b) > direntName {
		size := int(binary.NativeEndian.Uint16([]byte{b[direntReclen], b[direntReclen+1]}))
		if size <= direntName || size > len(b) {
			break
		}
		padded := b[direntName:size]
		if end := strings.IndexByte(padded, 0); end >= 0 {
			padded = padded[:end]
		}
		all = f.appendDirent(all, padded, b[direntType])
		b = b[size:]
	}
	return all
}

// parseWanted adds those names in a buffer that are wanted. The others take no memory.
func (f Descriptor) parseWanted(all []Dirent, b []byte, l *FirstNames) []Dirent {
	for len(b) > direntName {
		size := int(binary.NativeEndian.Uint16(b[direntReclen:]))
		if size <= direntName || size > len(b) {
			break
		}
		name, _, _ := bytes.Cut(b[direntName:size], []byte{0})
		if l.wants(name) {
			all = f.appendDirent(all, string(name), b[direntType])
		}
		b = b[size:]
	}
	return all
}

func (f Descriptor) appendDirent(all []Dirent, name string, kind byte) []Dirent {
	if name == "." || name == ".." {
		return all
	}
	mode, known := direntMode(kind)
	if !known { // some file systems don't say; a name that is gone by now isn't listed
		info, err := f.Lstat(name)
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

package dir

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"slices"

	"golang.org/x/sys/unix"
)

// firstDirentBytes is the size of the buffer for one getdents64 call. It holds about 100 names of
// usual length, enough for most folders; clearing a larger buffer would take longer than the call.
// For a folder with more names there is one that is longerDirents as long.
const (
	firstDirentBytes = 4 << 10
	longerDirents    = 8
)

// Offsets in struct linux_dirent64 (getdents64(2)): ino 8, off 8, reclen 2, type 1, name.
const (
	direntReclen = 16
	direntType   = 18
	direntName   = 19
)

func (f Descriptor) ListFirst(ctx context.Context, l *FirstNames) error {
	_, err := unix.Seek(f.fd, 0, 0)
	if errors.Is(err, unix.EBADF) {
		err = unix.EACCES // opened only to reach what is below: see openFolder
	}
	var first [firstDirentBytes]byte
	buf := first[:]
	for n := 1; n > 0 && err == nil; {
		if err = ctx.Err(); err != nil {
			break
		}
		if n, err = retry(func() (int, error) { return unix.Getdents(f.fd, buf) }); err != nil {
			break
		}
		before := len(l.Names)
		l.Names = f.parseDirents(l.Names, buf[:n], l)
		l.weigh(before)
		if n > firstDirentBytes/2 && len(buf) == firstDirentBytes {
			buf = make([]byte, longerDirents*len(buf)) // on the heap, since its length isn't constant: a short list needs little stack
		}
	}
	if err != nil {
		l.Names = nil
	}
	return err
}

// parseDirents adds the wanted names in a buffer. If all are wanted they are substrings of it, so
// that it takes one allocation for all of them; else those that aren't wanted take no memory.
func (f Descriptor) parseDirents(all []Dirent, b []byte, l *FirstNames) []Dirent {
	text := ""
	if !l.filters() {
		text, all = string(b), slices.Grow(all, len(b)/32) // bytes that a usual entry takes
	}
	for at := 0; len(b)-at > direntName; {
		size := int(binary.NativeEndian.Uint16(b[at+direntReclen:]))
		if size <= direntName || size > len(b)-at {
			break
		}
		name, _, _ := bytes.Cut(b[at+direntName:at+size], []byte{0})
		switch start := at + direntName; {
		case text != "":
			all = f.appendDirent(all, text[start:start+len(name)], b[at+direntType])
		case l.wants(name):
			all = f.appendDirent(all, string(name), b[at+direntType])
		}
		at += size
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

// direntMode gives the type bits for a type of getdents64, which is numbered as in stat's mode.
func direntMode(kind byte) (mode fs.FileMode, known bool) {
	mode = modeOf(uint32(kind) << 12)
	return mode, mode != 0 || kind == unix.DT_REG
}

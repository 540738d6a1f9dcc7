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
		all = f.parseDirents(all, buf[:n], l)
		if n > len(buf)/2 {
			return all, true, nil
		}
	}
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

package dir

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/disk/system"

	"golang.org/x/sys/unix"
)

// Sizes of the buffer for one getdents64 call, in bytes. The first one holds about 100 names of
// usual length, enough for most folders; clearing a larger one would take longer than the call.
const (
	firstDirentBytes  = 4 << 10
	longerDirentBytes = 32 << 10
)

// Offsets in struct linux_dirent64 (getdents64(2)): ino 8, off 8, reclen 2, type 1, name.
const (
	direntReclen = 16
	direntType   = 18
	direntName   = 19
)

func (f Descriptor) ListFirst(ctx context.Context, l *FirstNames) error {
	err := f.listFirst(ctx, l)
	if err != nil {
		l.Names = nil
	}
	if errors.Is(err, unix.EBADF) {
		return unix.EACCES // opened only to reach what is below: see openFolder
	}
	return err
}

func (f Descriptor) listFirst(ctx context.Context, l *FirstNames) error {
	if !l.Fresh {
		if _, err := unix.Seek(f.FD, 0, 0); err != nil {
			return err
		}
	}
	var buf [firstDirentBytes]byte
	n, err := f.addDirents(ctx, l, buf[:])
	if err != nil || n == 0 {
		return err
	}
	if n > len(buf)/2 {
		return f.listLonger(ctx, l)
	}
	return f.listRest(ctx, l, buf[:])
}

// listLonger continues with a larger buffer. It is a function of its own, since only those who call
// it need that much stack.
//
//go:noinline
func (f Descriptor) listLonger(ctx context.Context, l *FirstNames) error {
	var buf [longerDirentBytes]byte
	return f.listRest(ctx, l, buf[:])
}

func (f Descriptor) listRest(ctx context.Context, l *FirstNames, buf []byte) error {
	for {
		if n, err := f.addDirents(ctx, l, buf); err != nil || n == 0 {
			return err
		}
	}
}

// addDirents adds what one call gives; n is 0 at the end of the list.
func (f Descriptor) addDirents(ctx context.Context, l *FirstNames, buf []byte) (n int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	n, err = system.Retry(func() (int, error) { return unix.Getdents(f.FD, buf) })
	if err != nil || n == 0 {
		return 0, err
	}
	before := len(l.Names)
	l.Names = f.parseDirents(l.Names, buf[:n], l)
	l.weigh(before)
	return n, nil
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
		name := b[at+direntName : at+size]
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
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
	mode := stat.ModeOf(uint32(kind) << 12) // numbered as in stat's mode
	if mode == 0 && kind != unix.DT_REG {   // some file systems don't say; a name that is gone by now isn't listed
		info, err := f.Lstat(name)
		if err != nil {
			return all
		}
		mode = info.Mode.Type()
	}
	return append(all, Dirent{Name: name, Type: mode})
}

package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"sync"

	"golang.org/x/sys/unix"
)

// visitor is the work that the goroutines share.
type visitor struct {
	infos, reads bool

	mutex   sync.Mutex
	news    sync.Cond
	folders []string // to be visited
	busy    int      // goroutines that may still find folders
	count   int
	failed  error
}

// buffers are what one goroutine reads into: as much at a time as fsbox does.
type buffers struct {
	list [32 << 10]byte
	text [256 << 10]byte
}

func visit(what, path string) (int, error) {
	v := &visitor{infos: what == "info", reads: what == "read", folders: []string{path}}
	v.news.L = &v.mutex
	var info unix.Stat_t
	if err := unix.Stat(path, &info); err != nil {
		return 0, err
	}
	if v.reads && info.Mode&unix.S_IFMT == unix.S_IFREG {
		return 1, new(buffers).read(unix.AT_FDCWD, path)
	}
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(v.work)
	}
	group.Wait()
	return v.count, v.failed
}

// work visits folders until there are no more.
func (v *visitor) work() {
	b := new(buffers)
	v.mutex.Lock()
	defer v.mutex.Unlock()
	for {
		for len(v.folders) == 0 && v.busy > 0 {
			v.news.Wait()
		}
		if len(v.folders) == 0 {
			return
		}
		last := len(v.folders) - 1
		path := v.folders[last]
		v.folders = v.folders[:last]
		v.busy++
		v.mutex.Unlock()
		found, count, err := v.folder(b, path)
		v.mutex.Lock()
		v.busy--
		v.folders, v.count, v.failed = append(v.folders, found...), v.count+count, errors.Join(v.failed, err)
		v.news.Broadcast()
	}
}

// folder visits the names in one folder, and gives the folders among them.
func (v *visitor) folder(b *buffers, path string) (found []string, count int, err error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, 0, err
	}
	defer unix.Close(fd)
	for {
		n, err := unix.Getdents(fd, b.list[:])
		if err != nil || n == 0 {
			return found, count, err
		}
		for at := 0; at < n; {
			name, kind, size := dirent(b.list[at:n])
			if at += size; name[0] == '.' {
				continue
			}
			if kind == unix.DT_DIR {
				found = append(found, path+"/"+string(name))
			}
			counts, err := v.name(b, fd, name, kind)
			if err != nil {
				return found, count, err
			}
			if counts {
				count++
			}
		}
	}
}

// name asks what is to be asked about one name.
func (v *visitor) name(b *buffers, folder int, name []byte, kind byte) (counts bool, err error) {
	switch {
	case v.reads && kind == unix.DT_REG:
		return true, b.read(folder, string(name))
	case v.infos:
		var info unix.Stat_t
		return true, unix.Fstatat(folder, string(name), &info, unix.AT_SYMLINK_NOFOLLOW)
	}
	return !v.reads, nil
}

// read opens, reads and closes a file.
func (b *buffers) read(folder int, name string) error {
	fd, err := unix.Openat(folder, name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	for {
		if n, err := unix.Read(fd, b.text[:]); err != nil || n < len(b.text) {
			return err // a regular file gives less only at its end
		}
	}
}

// dirent reads one entry of getdents64(2).
func dirent(b []byte) (name []byte, kind byte, size int) {
	const reclen, typ, start = 16, 18, 19
	size = int(binary.NativeEndian.Uint16(b[reclen:]))
	name, _, _ = bytes.Cut(b[start:size], []byte{0})
	return name, b[typ], size
}

// Package host takes paths of the host. It is for what the operator names: the root, the config
// file, the log, the state folder. No path of a request is passed to it.
package host

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/disk/system"
)

// Exists reports whether something is at a path: also a link that leads nowhere, or what can't be
// looked at.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// Stat describes what is at a path, links followed.
func Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// MayWrite reports whether this user may write a folder of the host, or make it: then the first
// folder above it that is there decides. Only the attempt tells for certain.
func MayWrite(path string) bool {
	err := system.Writable(path)
	for above := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) && above != path; above = filepath.Dir(above) {
		path, err = above, system.Writable(above)
	}
	return err == nil
}

// Readlink tells where a link leads.
func Readlink(path string) (string, error) { return os.Readlink(path) }

// MkdirAll makes a folder and its parents.
func MkdirAll(path string, perm fs.FileMode) error { return os.MkdirAll(path, perm) }

// MakePrivate makes a folder and its parents, for this user alone, whatever the umask.
func MakePrivate(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	err := os.Mkdir(path, 0o700)
	if above := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) && above != path {
		if err := MakePrivate(above); err != nil {
			return err
		}
		err = os.Mkdir(path, 0o700)
	}
	if errors.Is(err, fs.ErrExist) {
		return os.MkdirAll(path, 0o700) // no error if somebody else made it meanwhile
	}
	if err != nil {
		return err
	}
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Perm() == 0o700 {
		return err
	}
	if err := os.Chmod(path, 0o700); !fserr.IsRefused(err) {
		return err
	}
	return nil // the mode is what the mount gives
}

// ReadFile reads a whole file.
func ReadFile(path string) ([]byte, error) { return os.ReadFile(path) }

// Append opens a file so that each write adds to its end, whoever else writes to it. A missing
// one is made, for this user alone. It doesn't wait for a reader of a FIFO. Where the user may read
// the file, EndsLine can look at it. It follows no link of another user's.
func Append(path string) (*os.File, error) {
	if err := checkLinks(path); err != nil {
		return nil, err
	}
	flags := os.O_APPEND | os.O_CREATE | syscall.O_NONBLOCK
	if info, err := stat.Look(path); err != nil || !info.IsLink() {
		flags |= system.NoFollow // who puts a link there now is too late
	}
	f, err := os.OpenFile(path, flags|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrPermission) {
		return os.OpenFile(path, flags|os.O_WRONLY, 0o600)
	}
	return f, err
}

// checkLinks refuses a path with a link that another user made, or could have put there since the
// folder is that user's: it could lead to any file of the user who runs this. Links of root's hold.
func checkLinks(path string) error {
	for at, above := path, filepath.Dir(path); at != above; at, above = above, filepath.Dir(above) {
		link, err := stat.Look(at)
		if err != nil || !link.IsLink() {
			continue // what can't be looked at can't be opened either
		}
		folder, err := stat.LookThrough(above)
		if err != nil || !(link.IsOperators() && folder.IsOperators() || isOfTop(link, folder, above)) {
			return fmt.Errorf("the link %q or its directory %w", at, fserr.ErrOtherUser)
		}
	}
	return nil
}

// isOfTop reports whether a link lies in the top folder, and nobody but that folder's owner can
// have put it there. That is root, also in a user namespace that shows root's files as others'.
func isOfTop(link, folder stat.Info, path string) bool {
	return path == filepath.Dir(path) && link.UID == folder.UID && folder.Mode&0o022 == 0
}

// EndsLine tells whether a file of Append ends with a line end. One that can't be read does, as
// far as anybody can tell.
func EndsLine(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return true
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], info.Size()-1)
	return err != nil || last[0] == '\n'
}

// ReadSecret reads a regular file that nobody but its owner may read or write. The owner must
// be this process's user or root. A file over limit bytes is ErrTooLarge.
func ReadSecret(path string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a FIFO must not block
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := stat.LookAt(f)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode.IsRegular():
		return nil, errors.New("it is not a regular file")
	case os.PathSeparator == '/' && info.Mode.Perm()&0o077 != 0:
		return nil, fmt.Errorf("others than its owner may use it (mode %04o)", info.Mode.Perm())
	case os.PathSeparator == '/' && !info.IsOperators():
		return nil, fmt.Errorf("it %w", fserr.ErrOtherUser)
	}
	content, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(content)) > limit {
		err = fserr.ErrTooLarge
	}
	return content, err
}

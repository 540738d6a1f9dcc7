package dir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// The functions in this file take paths of the host. They are for what the operator names: the
// root, the config file, the state folder. No path of a request is passed to them.

// HostStat describes what is at a path, links followed.
func HostStat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// HostMayWrite reports whether this user may write a folder of the host, or make it: then the first
// folder above it that is there decides. Only the attempt tells for certain.
func HostMayWrite(path string) bool {
	err := hostWritable(path)
	for above := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) && above != path; above = filepath.Dir(above) {
		path, err = above, hostWritable(above)
	}
	return err == nil
}

// HostReadlink tells where a link leads.
func HostReadlink(path string) (string, error) { return os.Readlink(path) }

// HostMkdirAll makes a folder and its parents.
func HostMkdirAll(path string, perm fs.FileMode) error { return os.MkdirAll(path, perm) }

// HostMakePrivate makes a folder and its parents, for this user alone, whatever the umask.
func HostMakePrivate(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	err := os.Mkdir(path, 0o700)
	if above := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) && above != path {
		if err := HostMakePrivate(above); err != nil {
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
	if err := os.Chmod(path, 0o700); !IsRefused(err) {
		return err
	}
	return nil // the mode is what the mount gives
}

// HostReadFile reads a whole file.
func HostReadFile(path string) ([]byte, error) { return os.ReadFile(path) }

// HostAppend opens a file so that each write adds to its end, whoever else writes to it. A missing
// one is made, for this user alone. It doesn't wait for a reader of a FIFO. Where the user may read
// the file, EndsLine can look at it. It follows no link of another user's.
func HostAppend(path string) (*os.File, error) {
	if err := checkLinks(path); err != nil {
		return nil, err
	}
	flags := os.O_APPEND | os.O_CREATE | syscall.O_NONBLOCK
	if info, err := HostLook(path); err != nil || !info.IsLink() {
		flags |= noFollow // who puts a link there now is too late
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
		link, err := HostLook(at)
		if err != nil || !link.IsLink() {
			continue // what can't be looked at can't be opened either
		}
		folder, err := HostLookThrough(above)
		if err != nil || !(link.IsOperators() && folder.IsOperators() || isOfTop(link, folder, above)) {
			return fmt.Errorf("the link %q or its folder %w", at, ErrOtherUser)
		}
	}
	return nil
}

// isOfTop reports whether a link lies in the top folder, and nobody but that folder's owner can
// have put it there. That is root, also in a user namespace that shows root's files as others'.
func isOfTop(link, folder Info, path string) bool {
	return path == filepath.Dir(path) && link.UID == folder.UID && folder.Mode&0o022 == 0
}

// EndsLine tells whether a file of HostAppend ends with a line end. One that can't be read does, as
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

// HostReadSecret reads a regular file that nobody but its owner may read or write. The owner must
// be this process's user or root. A file over limit bytes is ErrTooLarge.
func HostReadSecret(path string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a FIFO must not block
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := lookAt(f)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode.IsRegular():
		return nil, errors.New("it is not a regular file")
	case os.PathSeparator == '/' && info.Mode.Perm()&0o077 != 0:
		return nil, fmt.Errorf("others than its owner may use it (mode %04o)", info.Mode.Perm())
	case os.PathSeparator == '/' && !info.IsOperators():
		return nil, fmt.Errorf("it %w", ErrOtherUser)
	}
	content, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(content)) > limit {
		err = ErrTooLarge
	}
	return content, err
}

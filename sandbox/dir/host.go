package dir

import (
	"io/fs"
	"os"
)

// The functions in this file take paths of the host. They are for what the operator names: the
// root, the config file, the state folder. No path of a request is passed to them.

// HostStat describes what is at a path, links followed.
func HostStat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// HostLstat describes what is at a path, the link itself if it is one.
func HostLstat(path string) (fs.FileInfo, error) { return os.Lstat(path) }

// HostReadlink tells where a link leads.
func HostReadlink(path string) (string, error) { return os.Readlink(path) }

// HostMkdirAll makes a folder and its parents.
func HostMkdirAll(path string, perm fs.FileMode) error { return os.MkdirAll(path, perm) }

// HostReadFile reads a whole file.
func HostReadFile(path string) ([]byte, error) { return os.ReadFile(path) }

// HostAppend opens a file so that each write adds to its end, whoever else writes to it. A missing
// one is made, for this user alone.
func HostAppend(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
}

package testscript

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"fsbox/sandbox/confine"

	"github.com/creack/pty"
)

func condition(name string) (bool, error) {
	if strings.HasPrefix(name, "calls:") { // the system call isn't taken away: see RunLacking
		return true, nil
	}
	if file, ok := strings.CutPrefix(name, "exists:"); ok {
		_, err := os.Stat(file)
		return err == nil, nil
	}
	switch name {
	case "sweep":
		return *sweep, nil
	case "hangup": // nohup ignores it, for all programs that it starts
		return !signal.Ignored(syscall.SIGHUP), nil
	case "wide":
		return *wide, nil
	case "emulated":
		return Emulated(), nil
	case "cover":
		return testing.CoverMode() != "", nil
	case "can-ask":
		return runtime.GOOS == "linux" && canAsk(), nil
	case "root":
		return os.Geteuid() == 0, nil
	case "can-mount":
		return os.Geteuid() == 0 && exec.Command("unshare", "-m", "true").Run() == nil, nil
	case "can-userns":
		return exec.Command("unshare", "-U", "-r", "true").Run() == nil, nil
	case "landlock":
		return confine.Available() == nil && confine.ABI() >= 2, nil // the first version can't serve what writes
	case "tells-folders":
		return tellsFolders()
	case "can-seal":
		return os.Geteuid() == 0 && exec.Command("sh", "-c", `f=$(mktemp) && trap 'chattr -i "$f"; rm "$f"' EXIT && chattr +i "$f"`).Run() == nil, nil
	case "can-overlay":
		return os.Geteuid() == 0 && exec.Command("unshare", "-m", "sh", "-c", mountOverlay).Run() == nil, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// canAsk reports whether a terminal can be made for a program.
func canAsk() bool {
	keyboard, screen, err := pty.Open()
	if err == nil {
		keyboard.Close()
		screen.Close()
	}
	return err == nil
}

// tellsFolders reports whether a folder that is made again can be told from the one before it.
// Linux has times of creation for that, and NTFS gives another ID. Under Wine the ID is the inode
// number of the system below, and ext4 gives the number of a removed folder to the next one that is
// made.
func tellsFolders() (bool, error) {
	if runtime.GOOS == "linux" {
		return true, nil
	}
	parent, err := os.MkdirTemp("", "tells-folders")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(parent)
	var before fs.FileInfo
	for range 10 { // others make folders meanwhile
		now, err := passingFolder(filepath.Join(parent, "directory"))
		if err != nil || os.SameFile(before, now) {
			return false, err
		}
		before = now
	}
	return true, nil
}

// passingFolder makes a folder, looks at it, and removes it.
func passingFolder(path string) (fs.FileInfo, error) {
	if err := os.Mkdir(path, 0o700); err != nil {
		return nil, err
	}
	defer os.Remove(path)
	folder, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return folder.Stat()
}

// mountOverlay tries an overlay of folders on a file system that takes part in one.
const mountOverlay = `d=$(mktemp -d) && trap 'umount -l "$d"; rmdir "$d"' EXIT && mount -t tmpfs none "$d" && cd "$d" && mkdir l u w m &&
	mount -t overlay none -o lowerdir=l,upperdir=u,workdir=w m`

// Holds reports whether a condition holds, such as can-mount.
func Holds(name string) bool {
	holds, err := condition(name)
	return holds && err == nil
}

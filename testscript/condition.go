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
	if name == "tells-folders" {
		return tellsFolders()
	}
	holds, known := conditions[name]
	if !known {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	return holds(), nil
}

var conditions = map[string]func() bool{
	"sweep":       Sweep,
	"hangup":      func() bool { return !signal.Ignored(syscall.SIGHUP) }, // nohup ignores it, for all programs that it starts
	"wide":        func() bool { return *wide },
	"emulated":    Emulated,
	"cover":       func() bool { return testing.CoverMode() != "" },
	"can-ask":     func() bool { return runtime.GOOS == "linux" && canAsk() },
	"root":        isRoot,
	"can-mount":   func() bool { return isRoot() && works("unshare", "-m", "true") },
	"can-userns":  func() bool { return works("unshare", "-U", "-r", "true") },
	"landlock":    func() bool { return confine.Available() == nil && confine.ABI() >= 2 }, // the first version can't serve what writes
	"can-seal":    func() bool { return isRoot() && works("sh", "-c", sealFile) },
	"can-overlay": func() bool { return isRoot() && works("unshare", "-m", "sh", "-c", mountOverlay) },
}

func isRoot() bool { return os.Geteuid() == 0 }

func works(program string, args ...string) bool { return exec.Command(program, args...).Run() == nil }

// sealFile makes a file that nobody can change, and removes it again.
const sealFile = `f=$(mktemp) && trap 'chattr -i "$f"; rm "$f"' EXIT && chattr +i "$f"`

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

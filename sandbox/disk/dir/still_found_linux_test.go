package dir

import (
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/fserr"

	"golang.org/x/sys/unix"
)

// remembersRemoved is what a client of GlusterFS may remember.
var remembersRemoved = filesystem.Caches{Synced: true, Listed: true, Removed: true}

// TestStillFound: a name that is found and not listed is refused after a while, on the way to a file
// and at its end. The thread of this test is such a name: /proc lists processes only.
func TestStillFound(t *testing.T) {
	proc, err := Open("/proc", false)
	disktest.Must(t, err)
	defer proc.Close()
	threads, end := make(chan int, 2), make(chan bool)
	defer close(end)
	for range 2 { // the first thread of the process is listed
		go func() {
			runtime.LockOSThread()
			threads <- unix.Gettid()
			<-end
		}()
	}
	id := <-threads
	if id == os.Getpid() {
		id = <-threads
	}
	name := strconv.Itoa(id)
	synctest.Test(t, func(t *testing.T) {
		seen := Listing{}
		for _, err := range []error{proc.Refresh(name, remembersRemoved, nil), proc.Refresh(name, remembersRemoved, &seen),
			proc.RenewPath([]string{name, "task"}, remembersRemoved)} {
			if !errors.Is(err, ErrStillFound) {
				t.Errorf("%v", err)
			}
		}
	})
}

// TestNotStillFound: what was made after the listing, isn't there, or can't be there, isn't refused,
// and nothing waits for it.
func TestNotStillFound(t *testing.T) {
	root := disktest.Grow(t, "d/old")
	in, err := Open(root+"/d", false)
	disktest.Must(t, err)
	defer in.Close()
	var seen Listing
	disktest.Must(t, in.Refresh("old", remembersRemoved, &seen))
	if _, isListed := seen["old"]; !isListed {
		t.Errorf("seen: %v", seen)
	}
	disktest.MakeEntry(t, root, "d/new")
	disktest.MakeEntry(t, root, "d/sub/")
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		for _, name := range []string{"old", "new", "sub", "none", ".", strings.Repeat("n", 300)} {
			disktest.Must(t, in.Refresh(name, remembersRemoved, &seen))
			disktest.Must(t, in.RenewPath([]string{name, "none"}, remembersRemoved))
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("waited for %v", took)
		}
	})
}

// TestHeldWithoutDirect: on SMB, a regular file that can't be opened past the system's cache isn't opened
// with it.
func TestHeldWithoutDirect(t *testing.T) {
	for _, onSMB := range []bool{true, false} {
		in, err := Open("/proc/self", false) // its files have no other way than the cache
		disktest.Must(t, err)
		defer in.Close()
		in.(Descriptor).own.Store(&filesystem.System{LosesTarget: onSMB, AsksOnOpen: true})
		fd, err := in.(Descriptor).open("status", os.O_RDONLY, false)
		if errors.Is(err, fserr.ErrHeld) != onSMB {
			t.Errorf("on SMB %v: %v", onSMB, err)
		}
		unix.Close(fd)
	}
}

// TestCacheMounted: a file of another device, which is mounted in a folder on NFS, isn't read past the
// system's cache.
func TestCacheMounted(t *testing.T) {
	at, err := os.MkdirTemp("/dev/shm", "")
	if err != nil {
		t.Skip(err)
	}
	defer os.RemoveAll(at)
	from := disktest.Grow(t, "a")
	disktest.Must(t, os.WriteFile(at+"/a", nil, 0o600))
	if err := unix.Mount(from+"/a", at+"/a", "", unix.MS_BIND, ""); err != nil {
		t.Skip(err)
	}
	defer unix.Unmount(at+"/a", unix.MNT_DETACH)
	read := func(folder string) (string, error) {
		in, err := Open(folder, false)
		disktest.Must(t, err)
		defer in.Close()
		in.(Descriptor).own.Store(&filesystem.System{AsksForFile: true, AsksOnOpen: true, Shared: true})
		file, err := in.Open("a", os.O_RDONLY)
		disktest.Must(t, err)
		defer file.Close()
		content, err := file.ReadAll(t.Context(), 100)
		return string(content), err
	}
	if _, err := read(from); !errors.Is(err, unix.EINVAL) {
		t.Skip("the file system reads any part with O_DIRECT")
	}
	if content, err := read(at); content != "a" || err != nil {
		t.Errorf("%q, %v", content, err)
	}
}

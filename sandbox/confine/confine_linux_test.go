package confine

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

var tries = flag.Int("tries", 5_000,
	"how often a naive reader opens a path whose directory is swapped for a link all the time; .ci/sweep takes 10,000")

// childVariable tells the test binary to be the process that is confined, since that can't be
// undone.
const childVariable = "CONFINE_TEST_CHILD"

func TestMain(m *testing.M) {
	flag.Parse()
	if child := os.Getenv(childVariable); child != "" {
		if err := children[child](flag.Args()); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// children are what the test binary does as another process.
var children = map[string]func(args []string) error{
	"touch": touch,
	"read":  readNaively,
	"swap":  swap,
	"count": countInherited,
}

// start makes the command for a child.
func start(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{fmt.Sprintf("-tries=%d", *tries)}, args...)...)
	cmd.Env = append(os.Environ(), childVariable+"="+name)
	return cmd
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := start(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

func needLandlock(t *testing.T) {
	t.Helper()
	if err := Available(); err != nil || ABI() < abiRefer {
		t.Skipf("the kernel's Landlock has version %d, %v", ABI(), err)
	}
}

// tree makes a folder with "in" (the one to be allowed, with a file and a folder) and "out".
func tree(t *testing.T) string {
	t.Helper()
	top := t.TempDir()
	for _, name := range []string{"in/d", "out/d"} {
		check(t, os.MkdirAll(filepath.Join(top, name), 0o755))
	}
	for _, name := range []string{"in/f", "in/d/f", "out/f", "out/d/f"} {
		check(t, os.WriteFile(filepath.Join(top, name), []byte(name[:strings.IndexByte(name, '/')]), 0o644))
	}
	check(t, os.Symlink("../out/d", filepath.Join(top, "in/l")))
	return top
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// confineTo confines this process to one folder.
func confineTo(folder string, write bool) error {
	fd, err := unix.Open(folder, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	folders := []Folder{{Descriptor: fd, Write: write}}
	if counters := os.Getenv("GOCOVERDIR"); counters != "" { // go test -cover: they are written when the process ends
		fd, err := unix.Open(counters, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		folders, write = append(folders, Folder{Descriptor: fd, Write: true}), true
	}
	level, err := Apply(folders)
	if err == nil && (level.ABI == 0 || level.Writes != write) {
		return fmt.Errorf("the level is %+v", level)
	}
	return err
}

// TestRights lists what a confined process can still do, inside and outside, with and without the
// right to write.
func TestRights(t *testing.T) {
	needLandlock(t)
	for _, c := range []struct{ mode, want string }{
		{"read", "read in/f, read in/d, descriptor out/d/f"},
		{"write",
			"read in/f, read in/d, write in/f, make in/new, mkdir in/newd, rename in/f in/d/g, exchange in/d/g in/new, link in/new in/h, remove in/h, truncate in/new, descriptor out/d/f"},
	} {
		if got := strings.TrimSpace(run(t, "touch", tree(t), c.mode)); got != c.want {
			t.Errorf("a process that may %s can\n%s\nwant\n%s", c.mode, got, c.want)
		}
	}
}

// touch confines itself to "in" and tries what it can.
func touch(args []string) error {
	top := args[0]
	before, err := os.Open(filepath.Join(top, "out/d/f"))
	if err != nil {
		return err
	}
	folder, err := os.Open(filepath.Join(top, "out/d"))
	if err != nil {
		return err
	}
	if err := confineTo(filepath.Join(top, "in"), args[1] == "write"); err != nil {
		return err
	}
	if err := os.Chdir(top); err != nil {
		return err
	}
	var can []string
	try := func(what string, err error) {
		if err == nil {
			can = append(can, what)
		} else if !errors.Is(err, unix.EACCES) && !errors.Is(err, unix.EXDEV) && !errors.Is(err, unix.ENOENT) {
			can = append(can, what+": "+err.Error())
		}
	}
	read := func(name string) error { return close(os.Open(name)) }
	write := func(name string, flag int) error { return close(os.OpenFile(name, os.O_WRONLY|flag, 0o644)) }
	try("read in/f", read("in/f"))
	try("read in/d", read("in/d"))
	try("read out/f", read("out/f"))
	try("read out", read("out"))
	try("read in/l/f", read("in/l/f"))
	try("read /", read("/"))
	try("write in/f", write("in/f", 0))
	try("write out/f", write("out/f", 0))
	try("make in/new", write("in/new", os.O_CREATE|os.O_EXCL))
	try("make out/new", write("out/new", os.O_CREATE|os.O_EXCL))
	try("mkdir in/newd", unix.Mkdir("in/newd", 0o755))
	try("mkdir out/newd", unix.Mkdir("out/newd", 0o755))
	try("rename in/f in/d/g", unix.Rename("in/f", "in/d/g"))
	try("rename in/d/g out/g", unix.Rename("in/d/g", "out/g"))
	try("rename out/f in/o", unix.Rename("out/f", "in/o"))
	try("exchange in/d/g in/new", unix.Renameat2(unix.AT_FDCWD, "in/d/g", unix.AT_FDCWD, "in/new", unix.RENAME_EXCHANGE))
	try("link in/new in/h", unix.Link("in/new", "in/h"))
	try("link in/new out/h", unix.Link("in/new", "out/h"))
	try("link out/f in/h2", unix.Link("out/f", "in/h2"))
	try("remove in/h", unix.Unlink("in/h"))
	try("remove out/f", unix.Unlink("out/f"))
	try("truncate in/new", unix.Truncate("in/new", 1))
	try("truncate out/f", unix.Truncate("out/f", 1))
	try("run", exec.Command("/proc/self/exe").Run())
	_, err = before.Read(make([]byte, 1)) // what was open stays so
	try("descriptor out/d/f", err)
	_, err = unix.Openat(int(folder.Fd()), "f", unix.O_RDONLY, 0) // a folder that was open is no way out
	try("below descriptor out/d", err)
	fmt.Println(strings.Join(can, ", "))
	return nil
}

func close(f *os.File, err error) error {
	if err != nil {
		return err
	}
	return f.Close()
}

// TestThreads: every thread is confined, the old ones and new ones.
func TestThreads(t *testing.T) {
	needLandlock(t)
	top := tree(t)
	if got := run(t, "read", top, "threads"); got != "read 0 outside\n" {
		t.Error(got)
	}
}

// TestNaiveReader has a reader that resolves links, checks the text of what it got, and then opens
// the path, while another process swaps the folder for a link that leads outside. Confined it gets
// nothing from there; not confined it must, or the test proves nothing.
func TestNaiveReader(t *testing.T) {
	needLandlock(t)
	top := tree(t)
	swapper := start("swap", top)
	in, err := swapper.StdinPipe()
	check(t, err)
	check(t, swapper.Start())
	defer func() {
		in.Close()
		check(t, swapper.Wait())
	}()
	if got := run(t, "read", top, "open"); got == "read 0 outside\n" {
		t.Errorf("the control: a reader that is not confined %s", got)
	} else {
		t.Logf("not confined, of %d tries: %s", *tries, strings.TrimSpace(got))
	}
	if got := run(t, "read", top, "confined"); got != "read 0 outside\n" {
		t.Errorf("confined: %s", got)
	}
}

// readNaively counts how often it reads what is outside.
func readNaively(args []string) error {
	top, mode := args[0], args[1]
	root := filepath.Join(top, "in")
	if mode != "open" {
		if err := confineTo(root, false); err != nil {
			return err
		}
	}
	outside := 0
	if mode == "threads" {
		outside = readInThreads(filepath.Join(top, "out/f"))
	} else {
		for range *tries {
			outside += readOnce(root)
		}
	}
	fmt.Printf("read %d outside\n", outside)
	return nil
}

func readOnce(root string) (outside int) {
	path, err := filepath.EvalSymlinks(filepath.Join(root, "d/f"))
	if err != nil || !strings.HasPrefix(path, root+"/") {
		return 0
	}
	if content, err := os.ReadFile(path); err == nil && bytes.Equal(content, []byte("out")) {
		return 1
	}
	return 0
}

// readInThreads reads a file in many threads at once.
func readInThreads(path string) (read int) {
	var wait sync.WaitGroup
	var lock sync.Mutex
	for range 32 {
		wait.Go(func() {
			for range 20 {
				if _, err := os.ReadFile(path); err == nil {
					lock.Lock()
					read++
					lock.Unlock()
				}
			}
		})
	}
	wait.Wait()
	return read
}

// swap exchanges the folder and the link until its stdin ends.
func swap(args []string) error {
	ended := make(chan struct{})
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1))
		ended <- struct{}{}
	}()
	a, b := filepath.Join(args[0], "in/d"), filepath.Join(args[0], "in/l")
	for {
		select {
		case <-ended:
			return nil
		default:
		}
		if err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE); err != nil {
			return err
		}
	}
}

// TestCloseInherited: what the parent left open is closed, what the process opened itself is not.
func TestCloseInherited(t *testing.T) {
	cmd := start("count", t.TempDir())
	folder, err := os.Open(t.TempDir())
	check(t, err)
	defer folder.Close()
	cmd.ExtraFiles = make([]*os.File, 1500) // the rest is closed
	for _, n := range [...]int{0, 1, 2, 40, 90, 1023, 1499} {
		cmd.ExtraFiles[n] = folder
	}
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "7 inherited, then 0; own 1\n" {
		t.Errorf("%v: %s", err, out)
	}
}

func countInherited(args []string) error {
	inherited := func() (n int) {
		for fd := 3; fd < 2000; fd++ {
			if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
				n++
			}
		}
		return n
	}
	own, err := os.Open(args[0])
	if err != nil {
		return err
	}
	before := inherited()
	CloseInherited()
	after, stays := inherited(), 0
	if _, err := own.Stat(); err == nil {
		stays = 1
	}
	fmt.Printf("%d inherited, then %d; own %d\n", before, after, stays)
	return nil
}

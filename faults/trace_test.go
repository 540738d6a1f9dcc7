//go:build linux && amd64

package faults

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// command is one run of a program: its arguments, without its name, and what is in its place on
// standard input.
type command struct {
	program string
	args    []string
	stdin   string
	base    string // folder of the run; the program starts in base/ws
	env     []string
}

// call is a system call that the program is about to make and that has to do with files.
type call struct {
	n      int // position among the calls of the run, all threads together, from the opening of the workspace on
	nr     uint64
	nth    int // position among the calls with this number
	name   string
	object string // the path argument, or what the descriptor stands for; ws/... is the workspace
	flags  uint64 // of a rename
}

// isSame reports whether a call is the one that another run has made. It counts calls of one kind
// only: some looks are repeated or not, depending on how much time has passed.
func (c call) isSame(other call) bool { return c.nr == other.nr && c.nth == other.nth }

func (c call) String() string { return fmt.Sprintf("call %d, %s(%s)", c.n, c.name, c.object) }

// verdict says what becomes of a call. The zero value lets it run.
type verdict struct {
	kill  bool          // SIGKILL before it runs
	errno syscall.Errno // it doesn't run and fails with this
	made  bool          // with errno: it runs all the same, and its answer is lost
}

// outcome is what is known of a run after its end.
type outcome struct {
	calls          []call
	status         syscall.WaitStatus
	stdout, stderr string
}

// errHung says that a run had to be ended from outside.
var errHung = errors.New("the program did not end")

// hangs is how long a run may take: far more than any limit of the program itself.
const hangs = 10 * time.Minute

// trace runs a command and asks decide about each of its calls, before it is made. The thread that
// makes the call stands still meanwhile, so decide may change files as well.
//
// It is a tracer of our own, where strace would count calls per thread: Go moves its work between
// threads as it likes, and only a count over all of them says the same in every run.
func trace(c command, decide func(call) verdict) (*outcome, error) {
	type result struct {
		o   *outcome
		err error
	}
	done := make(chan result)
	go func() {
		runtime.LockOSThread() // a traced process knows one thread as its tracer
		defer runtime.UnlockOSThread()
		o, err := traceHere(c, decide)
		done <- result{o, err}
	}()
	r := <-done
	return r.o, r.err
}

// follow is trace for tests: where nothing can be traced, they are skipped.
func follow(t *testing.T, c command, decide func(call) verdict) *outcome {
	t.Helper()
	o, err := trace(c, decide)
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSYS) {
		t.Skipf("no process can be traced here: %v", err)
	}
	check(t, err)
	return o
}

// undisturbed lets every call run.
func undisturbed(call) verdict { return verdict{} }

func traceHere(c command, decide func(call) verdict) (*outcome, error) {
	t, err := start(c)
	if err != nil {
		return nil, err
	}
	watchdog := time.AfterFunc(hangs, func() { t.hung.Store(true); _ = unix.Kill(t.pid, unix.SIGKILL) })
	defer watchdog.Stop()
	t.decide = decide
	if err := t.loop(); err != nil {
		_ = unix.Kill(t.pid, unix.SIGKILL)
		return nil, err
	}
	if t.hung.Load() {
		return nil, errHung
	}
	return t.outcome, t.collect(c)
}

func (t *tracer) collect(c command) error {
	stdout, err := os.ReadFile(c.stream("stdout"))
	if err != nil {
		return err
	}
	stderr, err := os.ReadFile(c.stream("stderr"))
	t.stdout, t.stderr = string(stdout), string(stderr)
	return err
}

// stream is the file in the place of a standard stream.
func (c command) stream(name string) string { return filepath.Join(c.base, name) }

// openStreams opens the files in the place of the standard streams.
func (c command) openStreams() (files []*os.File, err error) {
	if err := os.WriteFile(c.stream("stdin"), []byte(c.stdin), 0o600); err != nil {
		return nil, err
	}
	for _, name := range []string{"stdin", "stdout", "stderr"} {
		flag := os.O_RDONLY
		if name != "stdin" {
			flag = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
		}
		f, err := os.OpenFile(c.stream(name), flag, 0o600)
		if err != nil {
			return files, err
		}
		files = append(files, f)
	}
	return files, nil
}

// start begins the command. It stands still at its first instruction.
func start(c command) (*tracer, error) {
	files, err := c.openStreams()
	var fds []uintptr
	for _, f := range files {
		defer f.Close()
		fds = append(fds, f.Fd())
	}
	if err != nil {
		return nil, err
	}
	pid, err := syscall.ForkExec(c.program, append([]string{c.program}, c.args...), &syscall.ProcAttr{
		Dir: filepath.Join(c.base, "ws"), Env: c.env, Files: fds, Sys: &syscall.SysProcAttr{Ptrace: true, Setpgid: true},
	})
	if err != nil {
		return nil, err
	}
	t := &tracer{outcome: new(outcome), pid: pid, base: c.base, failing: map[int]syscall.Errno{}, made: map[uint64]int{}}
	if _, err := unix.Wait4(pid, nil, unix.WALL, nil); err != nil {
		return nil, err
	}
	const options = unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACESECCOMP | unix.PTRACE_O_EXITKILL
	if err := unix.PtraceSetOptions(pid, options); err != nil {
		return nil, err
	}
	if err := install(pid, filter()); err != nil {
		return nil, err
	}
	return t, unix.PtraceCont(pid, 0)
}

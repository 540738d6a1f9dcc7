package sandbox

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsbox/sandbox/dir"

	"golang.org/x/sys/unix"
)

var raceAttempts = flag.Int("race-attempts", 10, "attempts of each call against each swapper; the gate takes 150, a soak 1000000")

func init() {
	children["swap"] = swapForever
}

// child starts the test binary as another process, and waits until it says "ready". stop ends it by
// closing its stdin.
func child(t testing.TB, name string, args ...string) (stop func()) {
	t.Helper()
	_, stop = startChild(t, name, args...)
	return stop
}

func startChild(t testing.TB, name string, args ...string) (pid int, stop func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), childVariable+"="+name)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	check(t, err)
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	if line != "ready\n" {
		t.Fatalf("the process %s said %q: %v", name, line, err)
	}
	return cmd.Process.Pid, func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the process %s: %v", name, err)
		}
	}
}

// ready tells the parent that a child is set up. The channel it returns is closed when the parent
// wants the child to end.
func ready() <-chan struct{} {
	fmt.Println("ready")
	done := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(done)
	}()
	return done
}

// swapForever exchanges two names in a loop. If a write has replaced the link by a file, it makes a
// new link.
func swapForever(args []string) error {
	a, b, target := args[0], args[1], args[2]
	done := ready()
	for n := 0; ; n++ {
		for range rand.IntN(1 << rand.IntN(12)) { // pauses of 0 to about 500 microseconds, so that every moment of a call is met
			unix.Getppid()
		}
		select {
		case <-done:
			return nil
		default:
		}
		if err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE); err != nil {
			return fmt.Errorf("exchange: %w", err)
		}
		if target != "" && n%16 == 0 && !isLink(a) && !isLink(b) {
			temp := b + ".new"
			if err := errors.Join(os.Symlink(target, temp), os.Rename(temp, b)); err != nil {
				return fmt.Errorf("new link: %w", err)
			}
		}
	}
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// swaps are the names that are exchanged while calls are made for path. Beside the root is "out"
// with the same names, and in the root "vault", which the policy denies.
var swaps = []struct {
	name, path, a, b string
	link             string // target of the link among the two
	leads            bool   // a resolver that first checks and then opens can be led outside
}{
	{"folder and link", "d/f", "d", "l", "../out/d", true},
	{"folder and absolute link", "d/f", "d", "l", "$OUT/d", true},
	{"parent of the parent", "p/d/f", "p", "l", "../out", true},
	{"file and link", "d/f", "d/f", "l", "../out/secret", true},
	{"file and dangling link", "d/f", "d/f", "l", "../out/nothing", false},
	{"folder and dangling link", "d/f", "d", "l", "../out/nothing", false},
	{"folder and file", "d/f", "d", "x", "", false},
	{"folder and link inside", "d/f", "d", "l", "p/d", false},
	{"folder and link to what is denied", "d/f", "d", "l", "vault/d", false},
	{"file and link to what is denied", "d/f", "d/f", "l", "vault/d/f", false},
}

func swapTree(t testing.TB) string {
	return makefs(t, []string{"d/f = inside", "p/d/f = inside", "x = inside", "vault/d/f = " + secret})
}

// TestRaceControl shows that the exchanges happen at the right moments: code that compares path
// strings gets outside.
func TestRaceControl(t *testing.T) {
	for _, s := range swaps {
		if !s.leads {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			root := swapTree(t)
			_, stop := startSwap(t, root, s.a, s.b, s.link)
			defer stop()
			const most = 1_000_000
			for range most {
				if naiveRead(root, s.path) == secret {
					return
				}
			}
			t.Errorf("the test is invalid: a naive resolver read nothing outside in %d attempts", most)
		})
	}
}

func naiveRead(root, path string) string {
	resolved, err := filepath.EvalSymlinks(filepath.Join(root, path))
	if err != nil || !strings.HasPrefix(resolved, root+"/") {
		return ""
	}
	content, _ := os.ReadFile(filepath.Join(root, path))
	return string(content)
}

func startSwap(t testing.TB, root, a, b, link string) (pid int, stop func()) {
	t.Helper()
	link = expanded(root, link)
	if link != "" {
		target := link
		if !filepath.IsAbs(link) && filepath.Dir(a) != "." { // it is used in two folders of different depth: make it absolute
			target = filepath.Join(root, link)
		}
		link = target
		check(t, os.Symlink(link, filepath.Join(root, b)))
	}
	return startChild(t, "swap", filepath.Join(root, a), filepath.Join(root, b), link)
}

// raceCalls are the calls during which names are exchanged. Each returns what it read, if anything.
var raceCalls = []struct {
	name string
	call func(t *testing.T, w *Workspace, path string, n int) (string, error)
}{
	{"OpenFile", func(t *testing.T, w *Workspace, path string, _ int) (string, error) {
		f, err := w.OpenFile(path)
		return slurp(f, err)
	}},
	{"walk", func(t *testing.T, w *Workspace, path string, _ int) (string, error) {
		first, rest, _ := strings.Cut(path, "/")
		dir, err := w.OpenFolder(first)
		if err != nil {
			return "", err
		}
		return walkDown(dir, strings.Split(rest, "/"))
	}},
	{"Rewrite", func(t *testing.T, w *Workspace, path string, n int) (string, error) {
		re, err := w.Rewrite(context.Background(), Target{Path: path, Creation: MayCreate, Parents: true}, content(fmt.Sprint("inside ", n)))
		if err != nil {
			return "", err
		}
		return string(re.Old), nil
	}},
	{"Append", func(t *testing.T, w *Workspace, path string, n int) (string, error) {
		var seen string
		_, err := w.Append(context.Background(), Target{Path: path, Creation: MayCreate, Parents: true}, func(e dir.Edges) ([]byte, error) {
			seen = string(e.Head)
			return []byte("inside"), nil
		})
		return seen, err
	}},
	{"Mkdir", func(t *testing.T, w *Workspace, path string, n int) (string, error) {
		_, err := w.Mkdir(context.Background(), fmt.Sprintf("%s/new%d/x", filepath.Dir(path), n), true)
		return "", err
	}},
	{"Delete", func(t *testing.T, w *Workspace, path string, n int) (string, error) {
		sub := fmt.Sprintf("%s/new%d", filepath.Dir(path), n)
		if _, err := w.Mkdir(context.Background(), sub+"/x", true); err != nil {
			return "", err
		}
		_, err := w.Delete(context.Background(), Target{Path: sub, Recursive: true})
		return "", err
	}},
	{"Move", func(t *testing.T, w *Workspace, path string, n int) (string, error) {
		from, to := fmt.Sprintf("%s/new%d", filepath.Dir(path), n), filepath.Dir(path)+"/moved"
		if _, err := w.Rewrite(context.Background(), Target{Path: from, Creation: MayCreate}, content("inside")); err != nil {
			return "", err
		}
		_, err := w.Move(context.Background(), Transfer{From: from, To: to, Overwrite: true})
		return "", err
	}},
	{"Copy", func(t *testing.T, w *Workspace, path string, n int) (string, error) {
		to := fmt.Sprintf("copy%d", n)
		if _, err := w.Copy(context.Background(), Transfer{From: path, To: to}); err != nil {
			return "", err
		}
		defer func() { _, _ = w.Delete(context.Background(), Target{Path: to}) }()
		return slurp(w.OpenFile(to))
	}},
	{"Copy folder", func(t *testing.T, w *Workspace, path string, n int) (string, error) {
		to := fmt.Sprintf("copy%d", n)
		if _, err := w.Copy(context.Background(), Transfer{From: filepath.Dir(path), To: to}); err != nil {
			return "", err
		}
		defer func() { _, _ = w.Delete(context.Background(), Target{Path: to, Recursive: true}) }()
		return slurp(w.OpenFile(to + "/f"))
	}},
	{"Stat", func(t *testing.T, w *Workspace, path string, n int) (string, error) {
		s, err := w.Stat(path)
		if err == nil && s.Exists && s.Size == int64(len(secret)) {
			return secret, nil
		}
		return "", err
	}},
}

func slurp(f *dir.File, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer f.Close()
	content, err := f.ReadAll(context.Background(), 1<<20)
	return string(content), err
}

func walkDown(dir *Folder, names []string) (string, error) {
	defer dir.Close()
	if _, _, err := dir.List(context.Background(), ""); err != nil {
		return "", err
	}
	if len(names) == 1 {
		return slurp(dir.File(names[0]))
	}
	sub, err := dir.Folder(names[0])
	if err != nil {
		return "", err
	}
	return walkDown(sub, names[1:])
}

// raceErrors are the errors that a call may return meanwhile: about what it found, or that a second
// try may succeed.
var raceErrors = []error{dir.ErrLinkOutside, dir.ErrBlocked, dir.ErrBusy, dir.ErrNotFolder, dir.ErrNotFound, dir.ErrNotFile}

func TestRace(t *testing.T) {
	attempts := *raceAttempts
	forBoth(t, func(t *testing.T, o Options) {
		o.Policy = rulesOf(t, []string{"vault"}, nil)
		for _, s := range swaps {
			for _, c := range raceCalls {
				t.Run(s.name+"/"+c.name, func(t *testing.T) {
					root := swapTree(t)
					w := open(t, root, o)
					forbidden := func() string { return snapshot(t, outside(root)) + snapshot(t, filepath.Join(root, "vault")) }
					before := forbidden()
					pid, stop := startSwap(t, root, s.a, s.b, s.link)
					landed, failed, odd := 0, map[error]int{}, map[string]bool{}
					enough := attempts / 20 // so many must succeed inside: if they don't, then in pauses of the swapper
					for n := 0; n < attempts || (landed < enough && n < 100*attempts); n++ {
						if n >= attempts {
							check(t, unix.Kill(pid, unix.SIGCONT))
							_, _, _ = unix.Syscall(unix.SYS_SCHED_YIELD, 0, 0, 0)
							check(t, unix.Kill(pid, unix.SIGSTOP))
						}
						seen, err := c.call(t, w, s.path, n)
						if strings.Contains(seen, secret) {
							t.Errorf("attempt %d read what is outside or denied", n)
						}
						if err == nil {
							landed++
							continue
						}
						failed[kind(t, err)]++
						if cause := fmt.Sprint(chainOf(err)); !slices.Contains(raceErrors, kind(t, err)) && !odd[cause] {
							odd[cause] = true
							t.Errorf("error %v: %s", err, cause)
						}
					}
					check(t, unix.Kill(pid, unix.SIGCONT))
					stop()
					if after := forbidden(); after != before {
						t.Errorf("outside and in the vault there is now:\n%s\nbefore:\n%s", after, before)
					}
					if landed < enough {
						t.Errorf("only %d attempts landed inside, and %v", landed, failed)
					}
				})
			}
		}
	})
}

// chainOf lists the errors that an error wraps, down to the system's.
func chainOf(err error) []string {
	var known *dir.KindError
	if errors.As(err, &known) {
		return []string{known.Kind.Error(), known.Cause.Error()}
	}
	return []string{err.Error()}
}

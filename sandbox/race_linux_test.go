package sandbox

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsbox/sandbox/confine"
	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"

	"golang.org/x/sys/unix"
)

var raceAttempts = flag.Int("race-attempts", 2, "attempts of each call against each swapper, in each of four ways; below raceSample in one of them")

// raceSample is from how many attempts on all four ways are taken: to set them up takes longer than a
// few attempts.
const raceSample = 10

func init() {
	children["race"] = race
}

// child starts the test binary as another process, and waits until it says "ready". stop ends it by
// closing its stdin.
func child(t testing.TB, name string, args ...string) (stop func()) {
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
	return func() {
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

// raceJob is what a process does that makes all calls during one kind of exchange. There is a root
// for each call, and one for the control.
type raceJob struct {
	Swap               int // of swaps
	Portable, Confined bool
	Attempts           int
	Roots              []string
}

// raceCount is what became of the attempts of a call, or of several.
type raceCount struct {
	Attempts, Landed int
	Escapes          int      // contents that were read outside, or that the policy denies
	Strayed          int      // names that were made in a folder while it was outside
	Odd              []string // errors that no caller expects
}

func (c *raceCount) add(d raceCount) {
	c.Attempts, c.Landed = c.Attempts+d.Attempts, c.Landed+d.Landed
	c.Escapes, c.Strayed = c.Escapes+d.Escapes, c.Strayed+d.Strayed
}

// TestRace makes every call while another process exchanges names on its way: by openat2 and by
// os.Root, with Landlock and without. Nothing outside is read or changed, and what the policy denies
// isn't either. The control, a program that compares path strings, gets outside; with Landlock it
// doesn't.
func TestRace(t *testing.T) {
	for _, confined := range []bool{false, true} {
		t.Run(map[bool]string{false: "without Landlock", true: "with Landlock"}[confined], func(t *testing.T) {
			if err := confine.Available(); confined && err != nil {
				t.Skip(err)
			}
			var all, control raceCount
			forBoth(t, func(t *testing.T, o Options) {
				for i, s := range swaps {
					if *raceAttempts < raceSample && (confined != (i%2 == 1) || o.Portable != (i/2%2 == 1)) {
						continue
					}
					t.Run(s.name, func(t *testing.T) {
						calls, naive := raceSwap(t, raceJob{Swap: i, Portable: o.Portable, Confined: confined, Attempts: *raceAttempts})
						all.add(calls)
						control.add(naive)
					})
				}
			})
			t.Logf("%s: %d attempts, %d made what they were to make, %d escapes, %d names made in a folder outside; the control: %d attempts, %d escapes",
				kernel(t), all.Attempts, all.Landed, all.Escapes, all.Strayed, control.Attempts, control.Escapes)
		})
	}
}

func kernel(t *testing.T) string {
	var name unix.Utsname
	check(t, unix.Uname(&name))
	return "Linux " + unix.ByteSliceToString(name.Release[:])
}

// raceSwap has another process make all calls during one kind of exchange.
func raceSwap(t *testing.T, job raceJob) (all, control raceCount) {
	s := swaps[job.Swap]
	var before []string
	forbidden := func(root string) string {
		return snapshot(t, outside(root)) + snapshot(t, filepath.Join(root, "vault"))
	}
	for range len(raceCalls) + 1 {
		root := swapTree(t, s)
		job.Roots, before = append(job.Roots, root), append(before, forbidden(root))
	}
	text, err := json.Marshal(job)
	check(t, err)
	cmd := exec.Command(os.Args[0], string(text))
	cmd.Env, cmd.Stderr = append(os.Environ(), childVariable+"=race"), os.Stderr
	out, err := cmd.Output()
	check(t, err)
	var counts []raceCount
	check(t, json.Unmarshal(out, &counts))
	for i, root := range job.Roots {
		if after := forbidden(root); after != before[i] {
			t.Errorf("call %d: outside and in the vault there is now:\n%s\nbefore:\n%s", i, after, before[i])
		}
	}
	control = counts[len(raceCalls)]
	if s.leads && control.Escapes == 0 != job.Confined {
		t.Errorf("a naive resolver read what is outside %d times in %d attempts", control.Escapes, control.Attempts)
	}
	for i, c := range raceCalls {
		judge(t, c.name, counts[i], job)
		all.add(counts[i])
	}
	return all, control
}

func judge(t *testing.T, call string, c raceCount, job raceJob) {
	t.Helper()
	if c.Escapes > 0 || (c.Strayed > 0 && job.Confined) {
		t.Errorf("%s: %d attempts read what is outside or denied, and %d names were made outside", call, c.Escapes, c.Strayed)
	}
	for _, odd := range c.Odd {
		t.Errorf("%s: %s", call, odd)
	}
	if c.Landed < job.Attempts/20 {
		t.Errorf("%s: only %d of %d attempts landed inside", call, c.Landed, c.Attempts)
	}
}

// race is the process that makes the calls.
func race(args []string) error {
	var job raceJob
	if err := json.Unmarshal([]byte(args[0]), &job); err != nil {
		return err
	}
	swapper, err := startSwapper(job)
	if err != nil {
		return err
	}
	spaces, err := job.open()
	if err != nil {
		return err
	}
	counts := make([]raceCount, len(job.Roots))
	for i, root := range job.Roots {
		if err := swapper.begin(i); err != nil {
			return err
		}
		if i < len(raceCalls) {
			counts[i], err = job.attempt(raceCalls[i], spaces[i], swapper)
		} else {
			counts[i] = job.control(root)
		}
		strayed, errEnd := swapper.end()
		if err := errors.Join(err, errEnd); err != nil {
			return err
		}
		counts[i].Strayed = strayed
	}
	return errors.Join(swapper.close(), json.NewEncoder(os.Stdout).Encode(counts))
}

// open opens the roots, and confines the process to them and to their state folders.
func (j raceJob) open() (spaces []*Workspace, err error) {
	rules, err := policy.New([]string{"vault"}, nil)
	var allowed []confine.Folder
	allow := func(path string) {
		fd, openErr := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		allowed, err = append(allowed, confine.Folder{Descriptor: fd, Write: true}), errors.Join(err, openErr)
	}
	for i, root := range j.Roots {
		o := Options{Portable: j.Portable, NoSync: true, Whole: 1 << 20, Policy: rules}
		if i < len(raceCalls) && raceCalls[i].keeps {
			o.State, o.Backups = filepath.Join(root, "../state"), true
		}
		w, openErr := Open(root, o)
		if err = errors.Join(err, openErr); err != nil {
			return nil, err
		}
		spaces = append(spaces, w)
		allow(root)
		if base := w.history.Prepare(o.Backups); base != "" {
			allow(base)
		}
	}
	if j.Confined && err == nil {
		_, err = confine.Apply(allowed)
	}
	return spaces, err
}

// raceErrors are the errors that a call may return meanwhile: about what it found, or that a second
// try may succeed. ErrStale is about what an undo found.
var raceErrors = []error{dir.ErrLinkOutside, dir.ErrBlocked, dir.ErrBusy, dir.ErrNotFolder, dir.ErrNotFound, dir.ErrNotFile, dir.ErrStale}

// attempt makes a call again and again. One in twenty must succeed inside: if they don't, then in
// pauses of the swapper.
func (j raceJob) attempt(c raceCall, w *Workspace, s *swapper) (count raceCount, err error) {
	for n := 0; n < j.Attempts || (count.Landed < j.Attempts/20 && n < 100*j.Attempts); n++ {
		if n >= j.Attempts {
			if err := s.rest(); err != nil {
				return count, err
			}
		}
		seen, err := c.call(w, swaps[j.Swap].path, n)
		count.Attempts++
		if strings.Contains(seen, secret) {
			count.Escapes++
		}
		if err == nil {
			count.Landed++
		} else if odd := j.odd(err); odd != "" && !slices.Contains(count.Odd, odd) {
			count.Odd = append(count.Odd, odd)
		}
	}
	return count, nil
}

// odd describes an error that no caller expects; "" for the others.
func (j raceJob) odd(err error) string {
	kinds := kindsOf(err)
	switch {
	case len(kinds) == 1 && slices.Contains(raceErrors, kinds[0]):
		return ""
	case j.Confined && swaps[j.Swap].moves && slices.Contains(kinds, dir.ErrPermission):
		return "" // Landlock refuses everything in the folder that moved out, also to take a change back
	}
	var known *dir.KindError
	if errors.As(err, &known) {
		return fmt.Sprintf("%v: %v", err, known.Cause)
	}
	return err.Error()
}

// control is the naive resolver. It goes on until it has got outside, or without Landlock would
// have.
func (j raceJob) control(root string) (count raceCount) {
	const most, confined = 1_000_000, 2000
	for n := range most {
		if !swaps[j.Swap].leads || n >= j.Attempts && (count.Escapes > 0 || j.Confined && n >= confined) {
			break
		}
		count.Attempts++
		if naiveRead(root, swaps[j.Swap].path) == secret {
			count.Escapes++
		}
	}
	return count
}

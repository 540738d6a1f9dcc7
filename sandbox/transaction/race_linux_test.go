package transaction_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fsbox/sandbox"
	"fsbox/sandbox/confine"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/undo"

	"golang.org/x/sys/unix"
)

// raceSlice is how long a call is made against a swapper at a time, of a run by -race-for. All
// calls get the same time, so the fast ones get more attempts.
const raceSlice = 100 * time.Millisecond

func init() {
	fixture.Children["race"] = race
}

// raceJob is what a process does that makes all calls during one kind of exchange. There is a root
// for each call, and one for the control.
type raceJob struct {
	Swap               int // of swaps
	Portable, Confined bool
	Attempts           int
	Slice              time.Duration // instead of Attempts, if it isn't 0
	Roots              []string
}

// raceCount is what became of the attempts of a call, or of several.
type raceCount struct {
	Attempts, Landed int
	Paused, Calm     int      // attempts while the swapper was stopped, not among Attempts, and how many of them landed
	Exchanges        int      // made by the swapper meanwhile
	Escapes          int      // contents that were read outside, or that the policy denies
	Strayed          int      // names that were made in a folder while it was outside
	Odd              []string // errors that no caller expects
}

func (c *raceCount) add(d raceCount) {
	c.Attempts, c.Landed, c.Exchanges = c.Attempts+d.Attempts, c.Landed+d.Landed, c.Exchanges+d.Exchanges
	c.Paused, c.Calm = c.Paused+d.Paused, c.Calm+d.Calm
	c.Escapes, c.Strayed = c.Escapes+d.Escapes, c.Strayed+d.Strayed
}

// raceTotals are the counts of each call, and of the control after them.
type raceTotals []raceCount

func (r raceTotals) tell(t *testing.T, each bool) {
	control := len(r) - 1
	var all raceCount
	for i, c := range r[:control] {
		all.add(c)
		if each {
			t.Logf("  %s: %d attempts, %d landed", raceCalls[i].name, c.Attempts, c.Landed)
		}
	}
	t.Logf("%s: %d attempts, %d made what they were to make, %d escapes, %d names made in a directory outside, %d exchanges; "+
		"%d more attempts in pauses, %d landed; the control: %d attempts, %d escapes",
		fixture.Kernel(t), all.Attempts, all.Landed, all.Escapes, all.Strayed, all.Exchanges, all.Paused, all.Calm, r[control].Attempts,
		r[control].Escapes)
}

// TestRace makes every call while another process exchanges names on its way: by openat2 and by
// os.Root, with Landlock and without. Nothing outside is read or changed, and what the policy
// denies isn't either. The control, a program that compares path strings, gets outside; with
// Landlock it doesn't.
func TestRace(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	totals := map[bool]raceTotals{false: make(raceTotals, len(raceCalls)+1), true: make(raceTotals, len(raceCalls)+1)}
	for start, round := time.Now(), 1; round == 1 || time.Since(start) < *fixture.RaceFor; round++ {
		for _, confined := range []bool{false, true} {
			name := map[bool]string{false: "without Landlock", true: "with Landlock"}[confined]
			t.Run(name, func(t *testing.T) {
				if err := confine.Available(); confined && err != nil {
					t.Skip(err)
				}
				raceRound(t, confined, totals[confined])
			})
			t.Logf("%s, %s, after %d rounds:", time.Now().Format(time.DateTime), name, round)
			totals[confined].tell(t, *fixture.RaceFor > 0 && round%10 == 0)
		}
	}
}

// raceRound is one run against every swapper, by both implementations of a folder.
func raceRound(t *testing.T, confined bool, totals raceTotals) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		for i, s := range swaps {
			if *fixture.RaceFor == 0 && *fixture.RaceAttempts < fixture.RaceSample && (confined != (i%2 == 1) || o.Portable != (i/2%2 == 1)) {
				continue
			}
			t.Run(s.name, func(t *testing.T) {
				job := raceJob{Swap: i, Portable: o.Portable, Confined: confined, Attempts: *fixture.RaceAttempts}
				if *fixture.RaceFor > 0 {
					job.Slice = raceSlice
				}
				for i, c := range raceSwap(t, job) {
					totals[i].add(c)
				}
			})
		}
	})
}

// raceSwap has another process make all calls during one kind of exchange.
func raceSwap(t *testing.T, job raceJob) raceTotals {
	s := swaps[job.Swap]
	var before []string
	forbidden := func(root string) string {
		return fixture.Snapshot(t, fixture.Outside(root)) + fixture.Snapshot(t, filepath.Join(root, "vault"))
	}
	for range len(raceCalls) + 1 {
		root := swapTree(t, s)
		job.Roots, before = append(job.Roots, root), append(before, forbidden(root))
	}
	counts := raceInChild(t, job)
	for i, root := range job.Roots {
		if after := forbidden(root); after != before[i] {
			t.Errorf("call %d: outside and in the vault there is now:\n%s\nbefore:\n%s", i, after, before[i])
		}
	}
	control := counts[len(raceCalls)]
	if s.leads && control.Escapes == 0 != job.Confined {
		t.Errorf("a naive resolver read what is outside %d times in %d attempts", control.Escapes, control.Attempts)
	}
	for i, c := range raceCalls {
		judge(t, c.name, counts[i], job)
	}
	return counts
}

func raceInChild(t *testing.T, job raceJob) (counts raceTotals) {
	text, err := json.Marshal(job)
	disktest.Must(t, err)
	cmd := exec.Command(os.Args[0], string(text))
	cmd.Env, cmd.Stderr = append(os.Environ(), fixture.ChildVariable+"=race"), os.Stderr
	out, err := cmd.Output()
	disktest.Must(t, err)
	disktest.Must(t, json.Unmarshal(out, &counts))
	return counts
}

func judge(t *testing.T, call string, c raceCount, job raceJob) {
	t.Helper()
	if c.Escapes > 0 || (c.Strayed > 0 && job.Confined) {
		t.Errorf("%s: %d attempts read what is outside or denied, and %d names were made outside", call, c.Escapes, c.Strayed)
	}
	for _, odd := range c.Odd {
		t.Errorf("%s: %s", call, odd)
	}
	if c.short() && job.Slice == 0 {
		t.Errorf("%s: only %d of %d attempts landed inside, and %d of %d in pauses", call, c.Landed, c.Attempts, c.Calm, c.Paused)
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
		var errEnd error
		counts[i].Strayed, counts[i].Exchanges, errEnd = swapper.end()
		if err := errors.Join(err, errEnd); err != nil {
			return err
		}
	}
	return errors.Join(swapper.close(), json.NewEncoder(os.Stdout).Encode(counts))
}

// open opens the roots, and confines the process to them and to their state folders.
func (j raceJob) open() (spaces []*sandbox.Workspace, err error) {
	rules, err := policy.New([]string{"vault"}, nil)
	var allowed []confine.Folder
	allow := func(path string) {
		fd, openErr := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		allowed, err = append(allowed, confine.Folder{Descriptor: fd, Write: true}), errors.Join(err, openErr)
	}
	for i, root := range j.Roots {
		o := sandbox.Options{Portable: j.Portable, NoSync: true, Whole: 1 << 20, Policy: rules}
		if i < len(raceCalls) && raceCalls[i].keeps {
			o.State, o.Backups = filepath.Join(root, "../state"), true
		}
		w, openErr := sandbox.Open(root, o)
		if err = errors.Join(err, openErr); err != nil {
			return nil, err
		}
		spaces = append(spaces, w)
		allow(root)
		if base := w.History().Prepare(o.Backups); base != "" {
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
var raceErrors = []error{fserr.ErrLinkOutside, fserr.ErrBlocked, fserr.ErrBusy, fserr.ErrNotFolder, fserr.ErrNotFound, fserr.ErrNotFile, fserr.ErrStale}

// short tells that fewer than one in twenty did what they were to do: then the call hasn't been
// tried at all.
func (c *raceCount) short() bool { return c.Landed+c.Calm < c.Attempts/20 }

// attempt makes a call again and again. When too few succeed inside, it makes some in pauses of the
// swapper.
func (j raceJob) attempt(c raceCall, w *sandbox.Workspace, s *swapper) (count raceCount, err error) {
	until := time.Now().Add(j.Slice)
	for n := 0; n < j.Attempts && j.Slice == 0 || time.Now().Before(until); n++ {
		j.once(c, w, n, &count, &count.Attempts, &count.Landed)
	}
	for n := count.Attempts; count.short() && count.Paused < 100*j.Attempts; n++ {
		if err := s.rest(); err != nil {
			return count, err
		}
		j.once(c, w, n, &count, &count.Paused, &count.Calm)
	}
	return count, nil
}

func (j raceJob) once(c raceCall, w *sandbox.Workspace, n int, count *raceCount, attempts, landed *int) {
	seen, err := c.call(w, swaps[j.Swap].path, n)
	*attempts++
	if strings.Contains(seen, fixture.Secret) {
		count.Escapes++
	}
	if err == nil {
		*landed++
	} else if odd := j.odd(err); odd != "" && !slices.Contains(count.Odd, odd) {
		count.Odd = append(count.Odd, odd)
	}
}

// odd describes an error that no caller expects; "" for the others.
func (j raceJob) odd(err error) string {
	kinds := fixture.KindsOf(err)
	switch {
	case len(kinds) == 1 && slices.Contains(raceErrors, kinds[0]):
		return ""
	case j.Confined && swaps[j.Swap].moves && slices.Contains(kinds, error(fserr.ErrPermission)):
		return "" // Landlock refuses everything in the folder that moved out, also to take a change back
	}
	var known *fserr.KindError
	var unmergeable *undo.UnmergeableError
	if errors.As(err, &unmergeable) {
		return "" // of several calls, each found something else
	}
	if errors.As(err, &known) {
		return fmt.Sprintf("%v: %v", err, known.Cause)
	}
	return err.Error()
}

// control is the naive resolver. It tries until it has got outside. Under Landlock it can't, so
// there it ends after 2,000 tries.
func (j raceJob) control(root string) (count raceCount) {
	const most, confined = 1_000_000, 2000
	for n := range most {
		if !swaps[j.Swap].leads || n >= j.Attempts && (count.Escapes > 0 || j.Confined && n >= confined) {
			break
		}
		count.Attempts++
		if naiveRead(root, swaps[j.Swap].path) == fixture.Secret {
			count.Escapes++
		}
	}
	return count
}

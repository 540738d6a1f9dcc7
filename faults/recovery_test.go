//go:build linux && amd64

package faults

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// plainWrite has nothing to do with what any scenario changes: all else that it does is recovery.
var plainWrite = [...]string{"write", plainName, "--mode", "overwrite", "--content", "x"}

const plainName = "plain.txt"

// How far apart the points are at which a recovery is killed when the run isn't the long one: with
// -sweep, and without.
const (
	sweepStep = 29
	shortStep = 87
)

// TestKillRecovery kills every call at each of its points, and then a plain write in the same
// workspace, which has to repair what the call left, at each of its own. After that a plain write
// must succeed, and the tree must be old or new as a whole. Recoveries are killed once for each
// state that a call can leave on the disk.
func TestKillRecovery(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	all := newTotal(t)
	for nth, s := range swept(4) {
		t.Run(s.name, func(t *testing.T) { killRecoveries(t, all, &s, nth, undisturbed) })
		if strings.HasSuffix(s.name, "patch") {
			t.Run(s.name+"-without-flags", func(t *testing.T) { killRecoveries(t, all, &s, nth, withoutFlags) })
		}
	}
}

// withoutFlags is a file system that can't refuse a taken name in a rename, nor exchange two: a
// move within a folder is a link and an unlink there.
func withoutFlags(c call) verdict {
	if c.flags != 0 {
		return verdict{errno: unix.EINVAL}
	}
	return verdict{}
}

func killRecoveries(t *testing.T, all *total, s *scenario, nth int, on func(call) verdict) {
	s.need(t)
	t.Parallel()
	var y tally
	r := s.begin(t)
	seen := map[string]bool{}
	for i, c := range sample(follow(t, r.command, on).calls, nth) {
		y.killTwice(t, s, c, i, on, seen)
	}
	y.verify(t, all)
}

// killed is a decision to kill a call at a point, on a system that is as on says.
func killed(at int, on func(call) verdict) func(call) verdict {
	return func(c call) verdict {
		if c.n == at {
			return verdict{kill: true}
		}
		return on(c)
	}
}

// killTwice kills a call, and the next one at each of some points, and at last at none.
func (y *tally) killTwice(t *testing.T, s *scenario, first call, nth int, on func(call) verdict, seen map[string]bool) {
	t.Helper()
	step := shortStep
	switch {
	case *longRun:
		step = *recoveryStep
	case *sweep:
		step = sweepStep
	}
	at := nth % step
	for more := true; more; at += step {
		r := s.begin(t)
		follow(t, r.command, killed(first.n, on))
		if left, err := leftOnDisk(r.base); err != nil {
			t.Fatal(err)
		} else if more = !seen[left] || at >= step; !more { // another point has left the same
			at = -1
		} else {
			seen[left] = true
		}
		plain := r.command
		plain.args, plain.stdin = commandLine(r.base, plainWrite[:]), ""
		where := fmt.Sprintf("a kill at %v", first)
		o := &outcome{}
		if at >= 0 {
			if o = follow(t, plain, killed(at, on)); o.status.Signaled() {
				where += fmt.Sprintf(", and at %v", o.calls[at])
			} else {
				more = false
			}
		}
		y.judged(where, o.stdout, y.recovered(t, r, plain, on))
	}
}

// leftOnDisk is a sum of what is there, without what is different in every run: names, times and
// identities.
func leftOnDisk(base string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Dir(path) == base {
			return err
		}
		var st unix.Stat_t
		if err := unix.Lstat(path, &st); err != nil {
			return err
		}
		name := strings.TrimPrefix(path, base)
		var content []byte
		if strings.HasPrefix(name, "/home/") {
			name = filepath.Base(filepath.Dir(name)) // what is kept, and how much: IDs are in the names
		} else if st.Mode&unix.S_IFMT == unix.S_IFREG {
			content, err = os.ReadFile(path)
		}
		fmt.Fprintf(sum, "%s %o %d %d %q\n", randomName.ReplaceAllString(name, "*"), st.Mode, st.Nlink, st.Size, content)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// recovered makes the plain write to its end, and looks whether it did, and what became of the
// rest.
func (y *tally) recovered(t *testing.T, r *run, plain command, on func(call) verdict) (complaints []string) {
	t.Helper()
	a, err := parseAnswer(follow(t, plain, on).stdout)
	if err != nil {
		return []string{err.Error()}
	}
	now, err := look(r.base)
	if err != nil {
		return []string{err.Error()}
	}
	at, complaints := r.judgeRecovered(a, now)
	y.count(at)
	return complaints
}

//go:build linux && amd64

package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// naiveVariable makes this test binary one of the programs that the sweeps must convict.
const naiveVariable = "FSBOX_FAULTS_NAIVE"

// naive programs understand only: -C DIR ... write NAME --mode overwrite --content TEXT.
func naive(how string, args []string) {
	root, name, text := args[1], args[len(args)-5], args[len(args)-1]
	dir, err := os.Open(root)
	if err != nil {
		fmt.Println(`{"success":false,"error":"io_error"}`)
		os.Exit(1)
	}
	defer dir.Close()
	path := filepath.Join(root, name)
	switch how {
	case "in-place": // as an editor of old does
		err = os.WriteFile(path, []byte(text), 0o644)
	case "careless": // a good algorithm, and nobody looks whether it worked
		_ = os.WriteFile(path+".new", []byte(text), 0o644)
		_ = os.Rename(path+".new", path)
	case "unguarded": // adds to what it reads, and replaces what may be another file by now
		var old []byte
		if old, err = os.ReadFile(path); err == nil {
			err = os.WriteFile(path+".new", append(old, text...), 0o644)
		}
		if err == nil {
			err = os.Rename(path+".new", path)
		}
	}
	if err != nil {
		fmt.Println(`{"success":false,"error":"io_error"}`)
		os.Exit(1)
	}
	fmt.Println(`{"success":true}`)
}

// convict has the program of that name struck at each of its calls, and counts what the harness
// complains of.
func convict(t *testing.T, how string, strike func(*run, call) verdict, judge func(*run, *outcome) []string) {
	t.Helper()
	s := &scenario{name: how, setup: around(plain), args: overwrite, after: []entry{plain.with(newText)}}
	struck := func(at int) (*run, *outcome) {
		r := s.begin(t)
		r.program, r.env = os.Args[0], append(r.env, naiveVariable+"="+how)
		return r, follow(t, r.command, func(c call) verdict {
			if c.n != at {
				return verdict{}
			}
			return strike(r, c)
		})
	}
	_, o := struck(-1)
	convicted := 0
	for i := range o.calls {
		convicted += min(1, len(judge(struck(i))))
	}
	t.Logf("%s: convicted at %d calls of %d", how, convicted, len(o.calls))
	if convicted == 0 {
		t.Errorf("the program %q is naive, and nothing was found: the harness is blind", how)
	}
}

// TestControls runs programs that are known to be wrong, each of which must be caught.
func TestControls(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	t.Run("torn when killed", convictTorn)
	t.Run("success that is none", convictCareless)
	t.Run("someone else's change lost", convictUnguarded)
}

func convictTorn(t *testing.T) {
	kill := func(*run, call) verdict { return verdict{kill: true} }
	convict(t, "in-place", kill, func(r *run, o *outcome) []string {
		now, err := look(r.base)
		check(t, err)
		_, complaints := r.judge(now)
		return complaints
	})
}

func convictCareless(t *testing.T) {
	codes := documentedCodes(t)
	fail := func(_ *run, c call) (v verdict) {
		if c.object != "stdout" && mayFail(c, unix.EIO) {
			v.errno = unix.EIO
		}
		return v
	}
	convict(t, "careless", fail, func(r *run, o *outcome) []string {
		now, err := look(r.base)
		check(t, err)
		at, _ := r.judge(now)
		a, err := parseAnswer(o.stdout)
		if err != nil {
			return nil // its start went wrong
		}
		return r.judgeAnswer(a, o.status.ExitStatus(), at, codes)
	})
}

func convictUnguarded(t *testing.T) {
	intrude := func(r *run, _ call) verdict {
		check(t, appendAs(filepath.Join(r.base, "ws"), "ann"))
		return verdict{}
	}
	convict(t, "unguarded", intrude, func(r *run, _ *outcome) []string {
		if now, err := look(r.base); err != nil || !strings.Contains(now["a.txt"].text, "ann +") {
			return []string{"the change by ann is lost"}
		}
		return nil
	})
}

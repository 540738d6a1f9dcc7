//go:build linux && amd64

package faults

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// errnos are the ways in which a call is made to fail.
var errnos = [...]syscall.Errno{
	unix.EIO, unix.ENOSPC, unix.EDQUOT, unix.EACCES, unix.EPERM, unix.EROFS, unix.EINTR, unix.EAGAIN, unix.EMFILE,
	unix.ENOMEM, unix.ELOOP, unix.ENOENT, unix.EEXIST, unix.ENOSYS, unix.EXDEV, unix.EINVAL, unix.EOPNOTSUPP, unix.ESTALE,
}

// failure is a call of a run and how it fails.
type failure struct {
	call
	errno syscall.Errno
}

func (f failure) String() string { return unix.ErrnoName(f.errno) + " at " + f.call.String() }

// TestErrno lets every call of every scenario fail, once in a run. The program may fail then, but
// not lie.
func TestErrno(t *testing.T) {
	codes := documentedCodes(t)
	overScenarios(t, 0, func(t *testing.T, y *tally, s *scenario, nth int) {
		planned := failures(baseline(t, s))
		chosen := sample(planned, nth)
		if !*longRun {
			chosen = append(chosen, atCommit(planned)...)
			chosen = append(chosen, sample(ofReplaced(planned), nth)...)
		}
		for _, f := range chosen {
			y.aim(func() bool { return y.failAt(t, s, f, codes) })
		}
	})
}

func failures(calls []call) (all []failure) {
	for _, c := range calls {
		for _, errno := range errnos {
			if mayFail(c, errno) {
				all = append(all, failure{c, errno})
			}
		}
	}
	return all
}

// atCommit are the failures with an error about names of the call that notes that a change is
// complete. The program must not take one for the state of a file that it changed, and begin again.
func atCommit(all []failure) (few []failure) {
	for _, f := range all {
		if strings.HasSuffix(f.object, ".done") && (f.errno == unix.EEXIST || f.errno == unix.ENOENT || f.errno == unix.EXDEV) {
			few = append(few, f)
		}
	}
	return few
}

// ofReplaced are the failures of calls about an open file that another machine has replaced.
func ofReplaced(all []failure) (few []failure) {
	for _, f := range all {
		if f.isReplacement() {
			few = append(few, f)
		}
	}
	return few
}

// isReplacement reports whether the failure says that another machine has replaced an open file of
// the workspace. The program begins again then, or is refused as busy.
func (f failure) isReplacement() bool {
	return f.errno == unix.ESTALE && (f.nr == unix.SYS_FLISTXATTR || f.nr == unix.SYS_WRITE) &&
		strings.HasPrefix(f.object, "ws/") && strings.HasSuffix(f.object, ".txt")
}

// mayFail leaves out what can't fail, and what the program may take for an answer: that a file
// can't be given to its owner, and that a file system has no extended attributes.
func mayFail(c call, errno syscall.Errno) bool {
	switch c.nr {
	case unix.SYS_EXIT_GROUP:
		return false
	case unix.SYS_FCHOWN:
		return !slices.Contains([]syscall.Errno{unix.EPERM, unix.EACCES, unix.EINVAL, unix.ENOSYS, unix.EOPNOTSUPP}, errno)
	case unix.SYS_FLISTXATTR, unix.SYS_FSETXATTR:
		return errno != unix.EOPNOTSUPP && errno != unix.ENOSYS
	}
	return true
}

// documentedCodes reads the table of error codes.
func documentedCodes(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../docs/codes.md")
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[a-z_]+`[^|]*)\\|").FindAllStringSubmatch(string(text), -1) {
		for _, code := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(row[1], -1) {
			codes = append(codes, code[1])
		}
	}
	if !slices.Contains(codes, "io_error") {
		t.Fatalf("docs/codes.md has no table of codes that could be read: %q", codes)
	}
	return codes
}

// failAt runs a scenario and lets the planned call fail. It reports whether that was the one.
func (y *tally) failAt(t *testing.T, s *scenario, planned failure, codes []string) (asPlanned bool) {
	t.Helper()
	r := s.begin(t)
	struck := planned
	o := follow(t, r.command, func(c call) (v verdict) {
		if c.isSame(planned.call) {
			struck.call, v.errno, asPlanned = c, planned.errno, true // perhaps about another file than in the first run
		}
		return v
	})
	r.misled = struck.saysAway() && r.goes(struck.object)
	complaints := r.afterErrno(o, y, struck.object == "stdout", codes)
	if a, err := parseAnswer(o.stdout); err == nil && a.Success && struck.losesData() {
		complaints = append(complaints, "success, though it isn't on the disk")
	}
	if a, err := parseAnswer(o.stdout); err == nil && a.Error == "io_error" && struck.isReplacement() {
		complaints = append(complaints, "io_error, though the file was replaced")
	}
	y.judged(struck.String(), o.stdout, complaints)
	return asPlanned
}

// saysAway reports whether the failure says that there is no such name, or a link in its place.
func (f failure) saysAway() bool { return f.errno == unix.ENOENT || f.errno == unix.ELOOP }

// goes reports whether a folder of this name is to go.
func (r *run) goes(name string) bool {
	done := r.done()
	for at, n := range r.before() {
		if _, stays := done[at]; !stays && n.kind == isFolder && path.Base(at) == name {
			return true
		}
	}
	return false
}

// losesData reports whether a sync fails, other than by an interruption or for want of such a
// thing: of a file, of a folder, or of what is kept for undo.
func (f failure) losesData() bool {
	switch f.errno {
	case unix.EINTR, unix.EINVAL, unix.EOPNOTSUPP, unix.ENOSYS:
		return false
	}
	return f.nr == unix.SYS_FSYNC || f.nr == unix.SYS_FDATASYNC || f.nr == unix.SYS_SYNCFS
}

func (r *run) afterErrno(o *outcome, y *tally, muted bool, codes []string) (complaints []string) {
	now, err := look(r.base)
	if err != nil {
		return []string{err.Error()}
	}
	now.sweep()
	at, complaints := r.judge(now)
	y.count(at)
	if a, err := parseAnswer(o.stdout); err == nil {
		r.told = a.Success && a.Result.SkippedCount > 0
		complaints = append(complaints, r.judgeAnswer(a, o.status.ExitStatus(), at, codes)...)
		if a.Success {
			y.acknowledged++
		}
	} else if !muted {
		complaints = append(complaints, err.Error())
	}
	if o.stderr != "" {
		complaints = append(complaints, fmt.Sprintf("it writes to stderr: %.2000s", o.stderr))
	}
	if o.status.Signaled() {
		complaints = append(complaints, fmt.Sprintf("it dies of %v", o.status.Signal()))
	}
	return append(complaints, r.judgeNext(at, now)...)
}

// judgeAnswer holds an answer against the tree.
func (r *run) judgeAnswer(a answer, exit int, at standing, codes []string) (complaints []string) {
	complain := func(wrong bool, format string, args ...any) {
		if wrong {
			complaints = append(complaints, fmt.Sprintf(format, args...))
		}
	}
	complain(a.Success != (exit == 0), "exit status %d", exit)
	complain(a.Success && !at.done && !r.told, "success, and the tree is %v", at)
	complain(!a.Success && a.Error == "internal", "an internal error")
	complain(!a.Success && !slices.Contains(codes, a.Error), "the code isn't documented")
	committed := a.Details.Committed
	complain(!a.Success && !committed && !at.old, "failed without a word of a commit, and the tree is %v", at)
	complain(a.Error == "durability_unknown" && !(committed && at.done), "durability_unknown, and the tree is %v", at)
	complain(committed && a.Error != "durability_unknown" && !r.partial, "committed, and the code is not durability_unknown")
	return complaints
}

// TestTwoErrors lets the way back fail as well. A temporary file that can't be removed is no change
// that is left, but a step that can't be undone is one, and then nothing is tried in another
// way.
func TestTwoErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	for _, c := range []struct {
		scenario  string
		errors    []syscall.Errno // of the renames of temporary names, in turn; 0 lets one through
		litter    bool            // no temporary file can be removed
		committed bool
	}{
		{"overwrite", []syscall.Errno{0, unix.EIO}, true, false},
		{"move-overwrite", []syscall.Errno{0, unix.EXDEV, unix.EIO}, false, true},
		{"move-overwrite", []syscall.Errno{0, unix.EEXIST, unix.EIO}, false, true},
	} {
		t.Run(fmt.Sprint(c.scenario, c.errors), func(t *testing.T) {
			s := named(t, c.scenario)
			r := s.begin(t)
			left := c.errors
			o := follow(t, r.command, func(at call) (v verdict) {
				switch {
				case !strings.Contains(at.object, litterPrefix):
				case at.nr == unix.SYS_RENAMEAT2 || at.nr == unix.SYS_RENAMEAT:
					if len(left) > 0 {
						v.errno, left = left[0], left[1:]
					}
				case at.nr == unix.SYS_UNLINKAT && c.litter:
					v.errno = unix.EIO
				}
				return v
			})
			a, err := parseAnswer(o.stdout)
			if check(t, err); a.Success || a.Details.Committed != c.committed {
				t.Errorf("it answers %s", o.stdout)
			}
			if at := r.standing(t); at.old == c.committed {
				t.Errorf("the tree is %v, and it answers %s", at, o.stdout)
			}
		})
	}
}

func named(t *testing.T, name string) *scenario {
	all := scenarios()
	i := slices.IndexFunc(all, func(s scenario) bool { return s.name == name })
	if i < 0 {
		t.Fatalf("no scenario %q", name)
	}
	return &all[i]
}

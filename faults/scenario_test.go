//go:build linux && amd64

package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// scenario is one call as data: the tree it finds, the command line, and the tree it leaves.
type scenario struct {
	name  string
	setup []entry
	args  []string
	stdin string
	after []entry  // what is new or other afterwards
	gone  []string // what is no more

	partial  bool       // old content plus a first part of the new is whole, too: append
	several  bool       // changes several files, side by side: killed, it may leave some old and some new, until the next call
	lasting  bool       // undo leaves something of it: folders that were made stay
	reverse  bool       // the call is made first, and undo is what is tested
	since    [][]string // of a reversed one: more calls after that, which the undo undoes as well
	next     []string   // the next call, if it isn't the same again
	twice    bool       // of a reversed one: the call is undone first, and the undo of that is what is tested
	settings []string   // of the environment
	disk     string     // a directory with another disk mounted on it, from that of the run

	unmount func() // the disk of the last run
}

// command is the command that is tested.
func (s *scenario) tested() string {
	if s.reverse {
		return "undo"
	}
	return s.args[0]
}

// before and done are the trees at the start and at the end.
func (s *scenario) before() tree {
	if s.reverse && !s.twice {
		return s.changed()
	}
	return model(s.setup)
}

func (s *scenario) done() tree {
	if s.reverse && !s.twice {
		return model(s.setup)
	}
	return s.changed()
}

func (s *scenario) changed() tree {
	t := model(s.setup)
	for path, n := range model(s.after) {
		t[path] = n
	}
	for _, path := range s.gone {
		delete(t, path)
	}
	return t
}

// touched are the paths that the call may change.
func (s *scenario) touched() []string {
	paths := slices.Clone(s.gone)
	for _, e := range s.after {
		paths = append(paths, e.path)
	}
	return paths
}

// run is one scenario in a folder of its own.
type run struct {
	*scenario
	command
	start tree // as found on the disk before the call
	told  bool // the call succeeded and told of a folder that it could not read: files in it are old

	powerCut bool // directories that the call made stay: what notes them isn't synced

	misled bool // the system said of a folder that is to go that it is away: it may stay
}

// begin prepares a run in a new folder.
func (s *scenario) begin(t *testing.T) *run {
	t.Helper()
	base := t.TempDir()
	s.mountDisk(t, base)
	r, err := s.prepare(base)
	check(t, err)
	return r
}

// mountDisk mounts the other disk. There is one at a time, however many runs a test makes.
func (s *scenario) mountDisk(t *testing.T, base string) {
	t.Helper()
	if s.unmount != nil {
		s.unmount()
	}
	if s.disk == "" {
		return
	}
	at := filepath.Join(base, s.disk)
	check(t, os.MkdirAll(at, 0o755))
	if err := unix.Mount("none", at, "tmpfs", 0, "mode=755"); err != nil {
		t.Skipf("nothing can be mounted here: %v", err)
	}
	s.unmount = sync.OnceFunc(func() { check(t, unix.Unmount(at, unix.MNT_DETACH)) })
	t.Cleanup(s.unmount)
}

// prepare makes the tree of a scenario below a new folder.
func (s *scenario) prepare(base string) (*run, error) {
	r := &run{scenario: s, command: command{program: program, base: base, stdin: s.stdin, env: append(environment(base), s.settings...)}}
	for _, dir := range []string{"ws", "out", "home"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			return nil, err
		}
	}
	for _, e := range s.setup {
		if err := e.make(filepath.Join(base, "ws")); err != nil {
			return nil, fmt.Errorf("setup of %q: %w", e.path, err)
		}
	}
	r.command.args = commandLine(base, s.args)
	if err := r.fillInETag(); err != nil {
		return nil, err
	}
	if s.reverse {
		if err := r.callFirst(); err != nil {
			return nil, err
		}
	}
	return r, r.recordStart()
}

// etagHere is replaced by the etag of a.txt in a command line.
const etagHere = "ETAG"

// fillInETag puts the etag of a.txt where the command line wants it.
func (r *run) fillInETag() error {
	i := slices.Index(r.command.args, etagHere)
	if i < 0 {
		return nil
	}
	ask := r.command
	ask.args = commandLine(r.base, []string{"info", "a.txt"})
	a, err := ask.again()
	if err == nil && a.Result.ETag == "" {
		err = fmt.Errorf("info gives no etag: %+v", a)
	}
	r.command.args[i] = a.Result.ETag
	return err
}

// callFirst makes the calls that the undo undoes.
func (r *run) callFirst() error {
	undo := []string{"undo"}
	for i, args := range append([][]string{nil}, r.since...) {
		if args != nil {
			r.command.args = commandLine(r.base, args)
		}
		a, err := r.again()
		if err != nil || !a.Success {
			return fmt.Errorf("the call to undo: %+v, %w", a, err)
		}
		if i == 0 && len(r.since) > 0 {
			undo = append(undo, "--since", a.Result.BackupID)
		}
	}
	r.command.args, r.command.stdin = commandLine(r.base, undo), ""
	if !r.twice {
		return nil
	}
	if a, err := r.again(); err != nil || !a.Success {
		return fmt.Errorf("the first undo: %+v, %w", a, err)
	}
	return nil
}

// recordStart looks at the tree once more: the setup must be what the scenario says.
func (r *run) recordStart() (err error) {
	if r.start, err = look(r.base); err != nil {
		return err
	}
	for path, want := range r.before() {
		if got, ok := r.start[path]; !ok || !got.equal(want) {
			return fmt.Errorf("the setup of %q is %v, want %v", path, got, want)
		}
	}
	return nil
}

// environment is that of a person without settings. The state folder is the default one, below
// HOME.
func environment(base string) []string {
	// The timeout is for busy machines.
	return []string{"HOME=" + filepath.Join(base, "home"), "PATH=/usr/bin:/bin", "FSBOX_TIMEOUT=1m"}
}

func commandLine(base string, args []string) []string {
	return append([]string{"-C", filepath.Join(base, "ws"), "--allow-write", "--allow-delete"}, args...)
}

// again runs the command to its end, undisturbed.
func (c command) again() (answer, error) {
	cmd := exec.Command(c.program, c.args...)
	cmd.Dir, cmd.Env, cmd.Stdin = filepath.Join(c.base, "ws"), c.env, strings.NewReader(c.stdin)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return answer{}, err
	}
	return parseAnswer(string(out))
}

// answer is what the harness reads of an answer.
type answer struct {
	Success bool   `json:"success"`
	Error   string `json:"error"`
	Message string `json:"message"`
	Result  struct {
		ETag         string `json:"etag"`
		BackupID     string `json:"backup_id"`
		SkippedCount int    `json:"skipped_count"`
	} `json:"result"`
	Details struct {
		Committed bool `json:"committed"`
	} `json:"details"`
	Warnings []string `json:"warnings"`
}

// errNoAnswer says that standard output holds anything but one whole line of JSON.
var errNoAnswer = errors.New("not one line of JSON")

func parseAnswer(stdout string) (a answer, err error) {
	line, ok := strings.CutSuffix(stdout, "\n")
	if !ok || strings.Contains(line, "\n") {
		return a, fmt.Errorf("%w: %q", errNoAnswer, stdout)
	}
	if err := json.Unmarshal([]byte(line), &a); err != nil {
		return a, fmt.Errorf("%w: %q: %v", errNoAnswer, stdout, err)
	}
	return a, nil
}

// standing says how far a call has come, by the tree it left. Both are set if there was nothing to
// do.
// done is new, but that folders may be left which are to go.
type standing struct{ old, new, done bool }

func (s standing) String() string {
	switch {
	case s.old && s.new:
		return "unchanged"
	case s.old:
		return "old"
	case s.new:
		return "new"
	}
	return "between"
}

// judge compares a tree with what the scenario allows at any moment of the call. Folders may be
// made one after the other.
func (r *run) judge(now tree) (at standing, complaints []string) {
	before, done := r.before(), r.done()
	at = standing{old: true, new: true, done: true}
	files := at
	for _, path := range r.touched() {
		old, new := now.agrees(path, before), now.agrees(path, done)
		old = old || r.powerCut && done[path].kind == isFolder && now.agrees(path, done)
		at.old, at.new = at.old && old, at.new && new
		_, stays := done[path]
		at.done = at.done && (new || !stays && now[path].kind == isFolder)
		if before[path].kind != isFolder && done[path].kind != isFolder {
			files.old, files.new = files.old && old, files.new && new
		}
		if !old && !new && !r.isPart(path, now) {
			complaints = append(complaints, fmt.Sprintf("%q is neither old nor new: %v", path, now[path]))
		}
	}
	if !files.old && !files.new && !r.several && !r.partial && len(complaints) == 0 {
		complaints = append(complaints, "some files are old, some new")
	}
	return at, append(complaints, r.others(now)...)
}

// agrees reports whether the same is at a path in two trees.
func (t tree) agrees(path string, other tree) bool {
	n, here := t[path]
	o, there := other[path]
	return here == there && n.equal(o)
}

// isPart reports the old content with a first part of what is appended.
func (r *run) isPart(path string, now tree) bool {
	n, was, will := now[path], r.before()[path], r.done()[path]
	return r.partial && n.kind == isFile && n.attrs == was.attrs && strings.HasPrefix(n.text, was.text) && strings.HasPrefix(will.text, n.text)
}

// others complains of every change to what the call has no business with.
func (r *run) others(now tree) (complaints []string) {
	touched := r.touched()
	for path, n := range now {
		if _, ok := r.start[path]; !ok && !slices.Contains(touched, path) {
			complaints = append(complaints, fmt.Sprintf("%q came up: %v", path, n))
		}
	}
	for path, was := range r.start {
		n, ok := now[path]
		switch {
		case slices.Contains(touched, path):
		case !ok:
			complaints = append(complaints, fmt.Sprintf("%q is lost", path))
		case !n.equal(was):
			complaints = append(complaints, fmt.Sprintf("%q changed from %v to %v", path, was, n))
		case was.kind != isFolder && (n.inode != was.inode || n.modified != was.modified):
			complaints = append(complaints, fmt.Sprintf("%q was touched", path))
		}
	}
	return complaints
}

// judgeNext makes one more normal call and looks what it left: no litter, and a whole tree again.
func (r *run) judgeNext(at standing, now tree) (complaints []string) {
	command := r.command
	if len(r.next) > 0 {
		command.args, command.stdin = commandLine(r.base, r.next), ""
	}
	a, err := command.again()
	if err != nil {
		return []string{fmt.Sprintf("the next call: %v", err)}
	}
	next, err := look(r.base)
	if err != nil {
		return []string{err.Error()}
	}
	if litter := next.sweep(); len(litter) > 0 {
		complaints = append(complaints, "after the next call there is litter: "+randomName.ReplaceAllString(fmt.Sprint(litter), "*"))
	}
	if kept := next.kept(); len(kept) > 0 && len(r.next) == 0 { // another command doesn't look at the file
		complaints = append(complaints, fmt.Sprintf("after the next call %q have names in the state directory", kept))
	}
	if r.tested() == "append" {
		return append(complaints, r.judgeNextAppend(a, now, next)...)
	}
	then, more := r.judge(next)
	if a.Success && len(r.next) == 0 && !at.new && !then.new {
		more = append(more, "the next call says success, and the tree isn't new")
	}
	if !then.old && !then.new && !r.told && !(r.misled && then.done) {
		more = append(more, fmt.Sprintf("the next call left the tree half way: it answered %+v", a))
	}
	return append(complaints, more...)
}

// randomName is the part of a name that no two runs have in common.
var randomName = regexp.MustCompile("[0-9a-f]{16}")

// judgeNextAppend: the next append adds all of it once more, whatever is there.
func (r *run) judgeNextAppend(a answer, now, next tree) (complaints []string) {
	for _, path := range r.touched() {
		want := now[path].text
		if a.Success {
			want += strings.TrimPrefix(r.done()[path].text, r.before()[path].text)
		}
		if got := next[path]; got.text != want {
			complaints = append(complaints, fmt.Sprintf("after the next call %q is %v, want %q", path, got, want))
		}
	}
	return append(complaints, r.others(next)...)
}

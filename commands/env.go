package commands

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/sandbox"
	"fsbox/sandbox/confine"
	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"

	"github.com/go-json-experiment/json/jsontext"
)

// Env is what requests run in: the workspace, the limits and the operator's settings. It is built
// once; each call gets a copy, from forCall.
type Env struct {
	Workspace      *sandbox.Workspace
	Limits         Limits
	settings       Settings
	stdin          io.Reader         // for --content-file -
	configFile     string            // "" for none
	stateDir       string            // "" for none
	deny           []string          // rules in force, in order
	denyWrite      []string          // rules in force, in order
	commonWarnings []string          // warnings for every answer
	warnings       []string          // of the current call
	id             jsontext.Value    // of the current call, nil for none
	collector      *sync.Once        // see collectLate
	abandoned      *abandoned        // calls that hang
	level          confine.Level     // how far the kernel confines the process
	log            *callLog          // nil for none
	looked         *atomic.Int64     // counts folders and files that walks have opened, nil if nobody asks
	progress       *terminalProgress // nil if nobody sees it
	files          []operatorFile    // the log and the key
	now            func() time.Time  // the clock that tokens are checked by
	key            []byte            // of the operator, for tokens
	approver       Approver          // nil if nobody can be asked
	consent        consent           // of the current call: why it may change files, "" if that isn't asked
	slow           *abandoned        // abandoned searches that are still inside a regular expression
}

// close closes the workspace, unless a call that hangs still uses it: the system could give the
// numbers of closed descriptors to other files while that call runs. The process is about to end
// anyway.
func (e *Env) close() {
	if e.abandoned.count.Load() == 0 {
		e.log.close()
		e.Workspace.Close()
	}
}

// forCall gives the Env of one call.
func (e *Env) forCall(id jsontext.Value) *Env {
	c := *e
	c.id = id
	c.warnings = append([]string(nil), e.commonWarnings...)
	return &c
}

// maxWarnings is how many warnings an answer has: a patch may have one for each of its files.
const maxWarnings = 50

// Warn adds a warning to the answer of the current call.
func (e *Env) Warn(format string, args ...any) {
	switch text := words.Phrase(format, args...); {
	case len(e.warnings) < maxWarnings-1:
		e.warnings = append(e.warnings, text)
	case len(e.warnings) < maxWarnings:
		e.warnings = append(e.warnings, "there are more warnings than are listed")
	}
}

// newEnv completes the settings and opens the workspace.
func newEnv(s Settings, given map[string]bool, system environment) (*Env, *answer.Failure) {
	configFile, err := s.complete(given, system)
	if err == nil {
		err = s.check()
	}
	if err != nil {
		return nil, err
	}
	asGiven, err := expandHome(s.Root, system)
	if err != nil {
		return nil, err
	}
	root, absErr := filepath.Abs(asGiven) // called once, since it asks the system for the current folder
	if absErr != nil {
		return nil, rootFailure(asGiven, absErr)
	}
	env := &Env{Limits: s.limits(), settings: s, configFile: configFile, collector: new(sync.Once), abandoned: new(abandoned),
		slow: new(abandoned)}
	guards, err := env.protect(root, system)
	if err != nil {
		return nil, err
	}
	if err := env.open(asGiven, root, guards); err != nil {
		return nil, err
	}
	return env, nil
}

// open opens the workspace.
func (e *Env) open(asGiven, root string, guards []sandbox.Guard) *answer.Failure {
	rules, err := policy.New(e.deny, e.denyWrite)
	if err != nil {
		return answer.Failf(answer.CodeInvalidInput, "a deny rule is no valid glob: %v", err)
	}
	s := &e.settings
	if _, err := policy.New(s.ApproveAllow, nil); err != nil {
		return answer.Failf(answer.CodeInvalidInput, "\"approve_allow\" has no valid glob: %v", err)
	}
	e.Workspace, err = sandbox.Open(root, sandbox.Options{Create: s.CreateRoot, Policy: rules, NoSync: s.NoFsync,
		Whole: int64(s.MaxReadBytes), State: e.stateDir, Backups: !s.NoBackup, Guards: guards})
	if err != nil {
		return rootFailure(asGiven, err)
	}
	return nil
}

// protect finds the rules in force, and what else keeps requests from the operator's own files: the
// config file, the state folder, the log and the key. It opens the log, and gets approval ready.
func (e *Env) protect(root string, system environment) (guards []sandbox.Guard, err *answer.Failure) {
	s := &e.settings
	own := operatorRules{root: root, wide: e.warnWideRoot(root, system)}
	if e.deny, e.denyWrite, err = s.denyRules(root, system); err != nil {
		return nil, err
	}
	if s.AllowWrite || e.configFile != "" { // else no request can write a config file, and to look for one costs system calls
		if err := own.addAll(s.configFiles(system, e.configFile)); err != nil {
			return nil, err
		}
	}
	stateDir, stateRules, stateGuards, err := s.findState(system, root)
	if err != nil {
		return nil, err
	}
	files, err := s.operatorFiles(system)
	if err = own.addAll(files, err); err != nil {
		return nil, err
	}
	e.stateDir, e.deny, e.denyWrite = stateDir, slices.Concat(e.deny, stateRules, own.deny), append(e.denyWrite, own.denyWrite...)
	if e.log, err = s.openLog(files, system); err != nil {
		return nil, err
	}
	return append(own.guards, stateGuards...), e.openApproval(files, stateDir, system)
}

func rootFailure(root string, err error) *answer.Failure {
	f := failureOf(err)
	f.Message = fmt.Sprintf("the root %q can't be used: %s", root, f.Message)
	if f.Code == answer.CodeNotFound {
		return f.WithHint("name an existing folder with --root, or create it with --create-root")
	}
	return f.WithHint("name a folder with --root")
}

// expandHome replaces a ~ at the beginning by the home folder.
func expandHome(root string, system environment) (string, *answer.Failure) {
	if root != "~" && !strings.HasPrefix(root, "~/") {
		if strings.TrimSpace(root) == "" {
			return "", answer.Failf(answer.CodeInvalidInput, "%q is empty", "root").
				WithHint("name a folder, or for the current one leave --root and FSBOX_ROOT out")
		}
		return root, nil
	}
	home, err := system.home()
	if err != nil {
		return "", answer.Failf(answer.CodeInvalidInput, "%q begins with ~, and there is no home folder", root)
	}
	return filepath.Join(home, root[1:]), nil
}

// warnWideRoot warns of a root, an absolute path, that holds far more than one project.
func (e *Env) warnWideRoot(root string, system environment) (wide bool) {
	home, err := system.home()
	switch {
	case isSystemRoot(root):
		e.commonWarnings = append(e.commonWarnings, "the root is the whole file system")
	case err == nil && sameFolder(root, home):
		e.commonWarnings = append(e.commonWarnings, "the root is the home folder")
	default:
		return false
	}
	return true
}

// isSystemRoot reports whether an absolute path leads to "/", or on Windows to the root of a
// volume.
func isSystemRoot(path string) bool {
	return sameFolder(path, filepath.VolumeName(path)+string(filepath.Separator))
}

// sameFolder reports whether two absolute paths lead to the same folder.
func sameFolder(a, b string) bool {
	if a == filepath.Clean(b) {
		return true
	}
	infoA, errA := dir.HostStat(a)
	infoB, errB := dir.HostStat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

func absolute(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}

// realPath resolves the links in the part of a path that exists.
func realPath(path string) string {
	path = absolute(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(realPath(parent), filepath.Base(path))
}

// globQuote escapes the characters that have a meaning in a glob. It is called at every start: a
// strings.Replacer would take a third of all memory that a short call takes.
func globQuote(path string) string {
	quoted := make([]byte, 0, len(path))
	for i := range len(path) {
		if strings.IndexByte(`\*?[{}`, path[i]) >= 0 {
			quoted = append(quoted, '\\')
		}
		quoted = append(quoted, path[i])
	}
	return string(quoted)
}

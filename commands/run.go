package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"fsbox/sandbox"
	"fsbox/search"

	"github.com/go-json-experiment/json/jsontext"
)

const description = "File tools for AI agents inside one workspace folder. Every call answers one JSON object on one line."

// Main runs one command line and returns the exit status. SIGINT and SIGTERM cancel what it does.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, watch, stop := interruptible(ctx)
	defer stop()
	p := Program{Stdin: stdin, Stdout: stdout, Stderr: stderr, Tools: Tools(), watch: watch}
	return p.Run(ctx, args)
}

// Program is the binary as a value, so that tests can run one with tools of their own.
type Program struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Tools          []Tool
	watch          func() // begins to listen to signals
}

// listen makes signals cancel the work: at once where it changes files or goes on for long, else after a moment.
func (p Program) listen(inv *invocation) {
	switch {
	case p.watch == nil:
	case inv.call == nil, inv.stdin, inv.call.tool.Writes:
		p.watch()
	default:
		time.AfterFunc(watchDelay, p.watch)
	}
}

// Run carries out one command line: parse, build the Env, then every request through perform.
func (p Program) Run(ctx context.Context, args []string) int {
	inv, err := parseArgs(args, p.Tools, p.Stdout)
	switch {
	case err != nil:
		return p.print(failed(nil, err, nil))
	case inv.done:
		return 0
	}
	p.listen(inv)
	env, err := newEnv(inv.settings, inv.given, systemEnvironment())
	if err != nil {
		return p.print(failed(nil, err, nil))
	}
	defer env.Workspace.Close()
	env.stdin = p.Stdin
	switch {
	case inv.batch != nil:
		return p.serveBatch(ctx, env, *inv.batch)
	case inv.json != nil:
		return p.print(p.answerJSON(ctx, env, inv.call.tool, []byte(*inv.json)))
	case inv.stdin, len(inv.call.given) == 0 && inv.call.lacksArgument() && !isInteractive(p.Stdin):
		return p.serveObjects(ctx, env, inv.call.tool)
	}
	return p.print(perform(ctx, env, nil, inv.call))
}

// lacksArgument reports that a field which must be given wasn't.
func (c *call) lacksArgument() bool {
	for _, f := range c.fields {
		if f.need && !c.given[f.name] {
			return true
		}
	}
	return false
}

// isInteractive reports that nobody sends requests on stdin: it is a terminal or another character device.
func isInteractive(stdin io.Reader) bool {
	file, ok := stdin.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err != nil || info.Mode()&os.ModeCharDevice != 0
}

// print writes one answer and gives the exit status. When nobody reads any more there is nothing left to do.
func (p Program) print(a answer) int {
	if err := a.encode(p.Stdout); err != nil {
		return 1
	}
	return a.exitStatus()
}

// answerJSON carries out one request object.
func (p Program) answerJSON(ctx context.Context, env *Env, t Tool, raw []byte) answer {
	o, err := parseObject(raw)
	if err != nil {
		return failed(o.id, err, nil)
	}
	c := newCall(t)
	if err := c.decode(o); err != nil {
		return failed(o.id, err, nil)
	}
	return perform(ctx, env, o.id, c)
}

// perform is the one door: every request, however it came in, is checked and run here.
func perform(ctx context.Context, env *Env, id jsontext.Value, c *call) (a answer) {
	env = env.forCall()
	defer func() {
		if reason := recover(); reason != nil {
			a = failed(id, crash(reason), nil)
		}
	}()
	if err := checkFields(c.value, c.fields, c.given, &env.Limits); err != nil {
		return failed(id, err, nil)
	}
	if c.tool.Writes && !env.settings.AllowWrite {
		return failed(id, failf(CodeWritesDisabled, "%s changes files, and changes are switched off", c.tool.Name).
			hint("the operator can switch them on with --allow-write"), nil)
	}
	if err := ctx.Err(); err != nil {
		return failed(id, failureOf(err), env.warnings)
	}
	ctx, cancel := context.WithTimeout(ctx, env.Limits.Timeout)
	defer cancel()
	result, err := c.request.Run(ctx, env)
	if err != nil {
		return failed(id, env.suggest(ctx, failureOf(err)), env.warnings)
	}
	return succeeded(id, result, env.warnings)
}

// CrashDetails say where the program went wrong.
type CrashDetails struct {
	Where string `json:"where"` // file:line
}

// crash turns a panic into an answer. Its text is left out unless it is the runtime's own: it could hold file contents.
func crash(reason any) *Failure {
	f := failf(CodeInternal, "internal error").hint("this is a bug in fsbox: please report it with the details")
	stack := debug.Stack()
	if p, ok := reason.(*search.Panic); ok {
		reason, stack = p.Reason, p.Stack
	}
	var fault runtime.Error
	if err, ok := reason.(error); ok && errors.As(err, &fault) {
		f.Message = "internal error: " + fault.Error()
	}
	f.Details = &CrashDetails{Where: panicSite(string(stack))}
	return f
}

// panicSite finds the line of this module nearest to the panic in a stack trace.
func panicSite(stack string) string {
	_, below, _ := strings.Cut(stack, "\npanic(")
	for line := range strings.Lines(below) {
		line = strings.TrimSpace(line)
		if file, _, ok := strings.Cut(line, " +0x"); ok && !strings.Contains(file, "/runtime/") {
			return filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file)
		}
	}
	return "unknown"
}

// Env is what requests run in: the workspace, the limits and the operator's settings. It is built once.
type Env struct {
	Workspace  *sandbox.Workspace
	Limits     Limits
	settings   Settings
	stdin      io.Reader // for --content-file -
	configFile string    // "" for none
	deny       []string  // rules in force, in order
	denyWrite  []string  // rules in force, in order
	standing   []string  // warnings that every answer carries
	warnings   []string  // of the call at hand
}

// forCall gives the Env of one call.
func (e *Env) forCall() *Env {
	c := *e
	c.warnings = append([]string(nil), e.standing...)
	return &c
}

// Warn adds a warning to the answer of the call at hand.
func (e *Env) Warn(format string, args ...any) {
	e.warnings = append(e.warnings, fmt.Sprintf(format, args...))
}

// newEnv settles the settings and opens the workspace.
func newEnv(s Settings, given map[string]bool, system environment) (*Env, *Failure) {
	configFile, err := s.settle(given, system)
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
	root, absErr := filepath.Abs(asGiven) // once: it asks the system where it is
	if absErr != nil {
		return nil, rootFailure(asGiven, absErr)
	}
	env := &Env{Limits: s.limits(), settings: s, configFile: configFile}
	wide := env.warnWideRoot(root, system)
	deny, denyWrite := s.denyRules()
	if s.AllowWrite || configFile != "" { // else nothing can write it, and finding it costs system calls
		rules, err := guardConfig(s.configPath(system), configFile != "", root, wide)
		if err != nil {
			return nil, err
		}
		denyWrite = append(denyWrite, rules...)
	}
	env.deny, env.denyWrite = deny, denyWrite
	policy, policyErr := sandbox.NewPolicy(deny, denyWrite)
	if policyErr != nil {
		return nil, failf(CodeInvalidInput, "a deny rule is no valid glob: %v", policyErr)
	}
	var openErr error
	env.Workspace, openErr = sandbox.Open(root, sandbox.Options{Create: s.CreateRoot, Policy: policy, NoSync: s.NoFsync,
		Whole: int64(s.MaxReadBytes)})
	if openErr != nil {
		return nil, rootFailure(asGiven, openErr)
	}
	return env, nil
}

func rootFailure(root string, err error) *Failure {
	f := failureOf(err)
	f.Message = fmt.Sprintf("the root %q can't be used: %s", root, f.Message)
	if f.Code == CodeNotFound {
		return f.hint("name an existing folder with --root, or create it with --create-root")
	}
	return f.hint("name a folder with --root")
}

func expandHome(root string, system environment) (string, *Failure) {
	if root != "~" && !strings.HasPrefix(root, "~/") {
		if strings.TrimSpace(root) == "" {
			return "", failf(CodeInvalidInput, "%q is empty", "root")
		}
		return root, nil
	}
	home, err := system.home()
	if err != nil {
		return "", failf(CodeInvalidInput, "the root begins with ~, and there is no home folder")
	}
	return filepath.Join(home, root[1:]), nil
}

// warnWideRoot warns of a root, an absolute path, that holds far more than one project.
func (e *Env) warnWideRoot(root string, system environment) (wide bool) {
	home, err := system.home()
	switch {
	case sameFolder(root, filepath.VolumeName(root)+string(filepath.Separator)):
		e.standing = append(e.standing, "the root is the whole file system")
	case err == nil && sameFolder(root, home):
		e.standing = append(e.standing, "the root is the home folder")
	default:
		return false
	}
	return true
}

// sameFolder reports that two absolute paths lead to one folder, by whatever names.
func sameFolder(a, b string) bool {
	if a == filepath.Clean(b) {
		return true
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// guardConfig keeps a config file from being written by those it binds. One inside an ordinary workspace is refused, by
// whatever links it is reached. Where the root is so wide that it can't but hold it, and where the file could be made that a
// later run would take, rules protect it.
func guardConfig(file string, exists bool, root string, wide bool) (denyWrite []string, fail *Failure) {
	for _, path := range [...]struct{ root, file string }{{root, absolute(file)}, {realPath(root), realPath(file)}} {
		rel, err := filepath.Rel(path.root, path.file)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			continue
		}
		if exists && !wide {
			return nil, failf(CodeInvalidInput, "the config file %q lies inside the workspace", file).
				hint("move it out: nothing inside the workspace may set the rules for it")
		}
		if rule := "/" + globQuote(filepath.ToSlash(rel)); !slices.Contains(denyWrite, rule) {
			denyWrite = append(denyWrite, rule)
		}
	}
	return denyWrite, nil
}

func absolute(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}

// realPath resolves the links of a path as far as it exists.
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

func globQuote(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`).Replace(path)
}

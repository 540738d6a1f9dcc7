// Package testscript holds the behaviour of the binary as scripts: one .txtar file per command or
// topic, in a package for each subject, which runs those of its folder: a new file there is all
// that a new script needs. This package has what the others share. A script is phases, and files
// that are there before:
//
//	# what was changed long ago is not listed
//	exec touch -d 2001-02-03T04:05:06Z old
//	fsbox ls --newer-than 24h
//	json .result.count 1
//	json .result.entries.0.name new
//	interfaces ls '{"newer_than":"24h"}' --newer-than 24h
//	! fsbox ls --newer-than=0s
//	status 2
//	json .error invalid_input
//
//	# one that changes files is refused without the permission
//	! fsbox append new --content x
//	status 1
//	json .error writes_disabled
//	env FSBOX_ALLOW_WRITE=1
//	make quoted 'it''s\n'
//	fsbox append quoted --content 'for $5'
//	holds quoted 'it''s\nfor $5'
//	-- old --
//	-- new --
//
// Words are separated by blanks. In single quotes blanks and $ are plain, and a quote is written
// twice. Double quotes and backslashes are always plain: only make and holds read escapes. To move
// and delete takes env FSBOX_ALLOW_DELETE=1 besides.
//
// Besides testscript's own commands (exec, stdin, cmp, exists, ...) a script has:
//
//	fsbox ARGS...            the program; "! fsbox" expects exit status 1 or 2, see status
//	status N                 the exit status of the last fsbox: 2 for the codes invalid_input and
//	                         unknown_tool, 1 for any other code, 0 for none
//	json PATH VALUE          the member PATH of the last answer equals the JSON VALUE; a bare
//	                         word is a string, and one with escapes needs its quotes. In PATH,
//	                         tools.read is the element of tools whose name is read
//	json -line N PATH VALUE  the same of answer N, counted from 1
//	! json PATH              the answer has no such member
//	keep NAME PATH           sets the variable NAME to the member PATH of the last answer
//	interfaces TOOL OBJECT ARGS
//	                         the request gives the same answer through flags, -, --json and batch,
//	                         each in a copy of the folder. The last answer stays that of the fsbox
//	                         before. MCP isn't asked: commands/mcp_equal_test.go compares that
//	make FILE TEXT           writes a file; TEXT has Go's escapes: "a\r\n\xff"
//	holds FILE TEXT          the file has exactly these bytes
//	fifo, socket FILE; sparse FILE SIZE
//	fsbox-frugal ARGS...     the program, which fails if it ever took more than 64 MiB of memory
//	                         (known on Linux only); with -mib=N in front of ARGS more than N MiB
//	fsbox-peaks ARGS...      in limits/, each request of stdin in three ways, with the peaks of
//	                         memory: see peaks_test.go
//	fsbox-mcp ARGS...        fsbox mcp with the messages on stdin, each sent after the answer to
//	                         the one before; -faulty in front of ARGS adds a tool with a bug
//	fsbox-asked ANSWER ARGS...
//	                         in approval/, the program at a terminal, where ANSWER is typed when
//	                         it asks; what the terminal shows is in stderr. With RUN:COMMAND as
//	                         ANSWER, a shell command is run before "y" is typed.
//	fsbox-shown ARGS...      in requests/, the program, whose stdout and stderr are a terminal of
//	                         60 columns; what is sent to it is in stdout, a colour as {red}, its
//	                         end as {}, other control characters as <1b>. With -stderr in front of
//	                         ARGS only stderr is the terminal, and what is sent to it is in stderr.
//
// In VALUE and TEXT, ${NAME} is a variable as everywhere; STATE is the state folder. Conditions are
// [sweep] and [wide] (go test was given -sweep, -wide), [hangup], [cover] (-cover), [root],
// [can-ask], [can-mount], [can-overlay], [can-userns], [landlock], [tells-folders], [calls:NAME],
// [exists:FILE], [exec:NAME] and testscript's own.
//
// -short runs the scripts whose name is one word, or those that -run names. What "env" sets holds
// to the end of a script. If one fails, its log has the two ends of a long line; with -v all of it.
//
// With -update, for a single package as well, a file of a script that "cmp stdout FILE" or "cmp
// stderr FILE" compares becomes what was printed, right or wrong: read git diff after it. What
// json, stdout and holds expect is changed by hand, and so are scripts with an [exec:NAME]. No
// other test is run, unless -run names one.
package testscript

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var (
	sweep  = flag.Bool("sweep", false, "run every case, as .ci/sweep does; without it a sample that takes seconds")
	wide   = flag.Bool("wide", false, "make a directory of 300,000 long names, which takes minutes")
	bare   = flag.Bool("bare", false, "run all scripts without HOME and XDG_*, as services and cron jobs run")
	update = flag.Bool("update", false, "write what commands print into pages and scripts that compare it, and do nothing else")
)

// Sweep reports whether every case is to be run, and Update whether pages are to be written.
func Sweep() bool  { return *sweep }
func Update() bool { return *update }

// Sized is how many of n random cases a test tries: with -short a tenth.
func Sized(n int) int {
	if testing.Short() {
		return (n + 9) / 10
	}
	return n
}

// Run runs the scripts of the package's folder.
func Run(t *testing.T) {
	p := scripts()
	switch {
	case runtime.GOOS == "windows":
		onlyPortable(t, &p)
	case *update:
		if p.Files = comparing(t); len(p.Files) == 0 {
			t.Skip("no script compares a text")
		}
	case testing.Short() && !strings.Contains(flag.Lookup("test.run").Value.String(), "/"): // which names a script
		p.Files = overviews(t)
	default:
		p.Dir = "."
	}
	if *bare {
		p.Setup = setupBare
	}
	if *schemas {
		checkSchemas(t, &p)
	}
	p.UpdateScripts = *update
	run(t, p)
}

// comparing are the scripts that -update can change: not those in which a program of the system
// has a part that it may play wrongly here.
func comparing(t *testing.T) (files []string) {
	all, err := filepath.Glob("*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "cmp std") && !strings.Contains(string(text), "[exec:") {
			files = append(files, file)
		}
	}
	return files
}

// overviews are the scripts whose names are one word, such as edit.txtar: what is told there,
// edit_glob.txtar and the like go into. Where there is none, it is the first script.
func overviews(t *testing.T) (files []string) {
	all, err := filepath.Glob("*.txtar")
	if err != nil || len(all) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	files = slices.DeleteFunc(slices.Clone(all), func(file string) bool { return strings.Contains(file, "_") })
	if len(files) == 0 {
		files = all[:1]
	}
	t.Logf("-short runs %d scripts of %d", len(files), len(all))
	return files
}

// RunBare runs scripts without a home folder. See the flag -bare.
func RunBare(t *testing.T, files ...string) {
	p := scripts()
	p.Setup, p.Files = setupBare, files
	run(t, p)
}

// RunLacking runs scripts while the program lacks system calls: see Lack.
func RunLacking(t *testing.T, list string, files ...string) {
	if err := lackable(list); err != nil {
		t.Fatal(err)
	}
	p := scripts()
	p.Files = files
	p.Setup = func(env *testscript.Env) error {
		env.Setenv(LackVariable, list)
		return setup(env)
	}
	p.Condition = func(name string) (bool, error) {
		if call, found := strings.CutPrefix(name, "calls:"); found {
			return !strings.Contains(list, call), nil
		}
		return condition(name)
	}
	run(t, p)
}

// brief is a test that logs what a script did without the middle of long lines: an answer can be
// one line of a megabyte. With -v lines are whole.
type brief struct{ *testing.T }

func (b brief) Verbose() bool { return testing.Verbose() }

func (b brief) Run(name string, do func(testscript.T)) {
	b.T.Run(name, func(t *testing.T) { do(brief{t}) })
}

func (b brief) Log(args ...any) {
	b.Helper()
	b.T.Log(shortLines(fmt.Sprint(args...), b.Verbose()))
}

// longestLine is how many bytes of a line are logged.
const longestLine = 1000

func shortLines(text string, whole bool) string {
	if whole {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if n := len(line); n > longestLine {
			lines[i] = fmt.Sprintf("%s [... %d bytes, see -v ...] %s", line[:longestLine/2], n-longestLine, line[n-longestLine/2:])
		}
	}
	return strings.Join(lines, "\n")
}

// run is testscript.Run with a brief log.
func run(t *testing.T, p testscript.Params) {
	if deadline, ok := t.Deadline(); ok {
		p.Deadline = deadline
	}
	testscript.RunT(brief{t}, p)
}

func scripts() testscript.Params {
	return testscript.Params{Setup: setup, Condition: condition, Cmds: map[string]func(*testscript.TestScript, bool, []string){
		"status": takes("status N", status), "json": checkJSON, "keep": takes("keep NAME PATH", keep),
		"make": takes("make FILE TEXT", makeFile), "holds": holds, "interfaces": interfaces,
		"fifo": takes("fifo FILE", fifo), "socket": takes("socket FILE", socket), "sparse": takes("sparse FILE SIZE", sparse),
	}}
}

// LackVariable tells the program of the scripts which system calls it is to lack: see Lack.
const LackVariable = "TESTSCRIPT_WITHOUT"

// emulatedVariable is set where an emulator of another processor runs the tests: it has no seccomp,
// and takes memory itself.
const emulatedVariable = "TESTSCRIPT_EMULATED"

// Emulated reports whether one does.
func Emulated() bool { return os.Getenv(emulatedVariable) != "" }

// patientTimeout is the timeout of calls in scripts that don't name one: on a busy machine the
// default may be too short for what a script is about.
const patientTimeout = "5m"

// setup gives scripts an environment without settings of the person who runs them.
func setup(env *testscript.Env) error {
	env.Setenv("FSBOX_TIMEOUT", patientTimeout)
	env.Setenv("HOME", filepath.Join(env.WorkDir, ".home"))
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, ".home", ".config"))
	// Beside the workspace: nothing that is kept may lie in it.
	env.Setenv("XDG_STATE_HOME", env.WorkDir+".state")
	env.Setenv(emulatedVariable, os.Getenv(emulatedVariable))
	env.Setenv("STATE", filepath.Join(env.WorkDir+".state", "fsbox"))
	if runtime.GOOS == "windows" {
		env.Setenv("USERPROFILE", env.Getenv("HOME"))
		env.Setenv("AppData", env.Getenv("XDG_CONFIG_HOME"))
		env.Setenv("LocalAppData", env.Getenv("XDG_STATE_HOME"))
	}
	//lint:ignore SA1019 Wine has no go command to ask
	env.Setenv("GOROOT", runtime.GOROOT())
	if testing.CoverMode() != "" {
		env.Setenv("FSBOX_CONFINE", "off") // counters are written when the process ends
	}
	return nil
}

// setupBare takes away what a service has not: a home folder. The operator names the state folder.
func setupBare(env *testscript.Env) error {
	err := setup(env)
	env.Setenv("FSBOX_STATE_DIR", env.Getenv("STATE"))
	env.Vars = slices.DeleteFunc(env.Vars, func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return name == "HOME" || name == "XDG_CONFIG_HOME" || name == "XDG_STATE_HOME"
	})
	return err
}

// Expression gives a regular expression, which it compiles when it is first asked for it.
type Expression func() *regexp.Regexp

// WhenUsed is for the expressions of package variables. Compiled at once, they would cost every
// process of a script, of which there are thousands, more time than a call of the program.
func WhenUsed(text string) Expression {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// Package testscript holds the behaviour of the binary as scripts: one .txtar file per verb or
// topic, run by this file.
//
// Besides testscript's own commands (exec, stdin, cmp, exists, ...) a script has:
//
//	fsbox ARGS...            the program; "! fsbox" expects exit status 1 or 2, see status
//	status N                 the exit status of the last fsbox
//	json PATH VALUE          the member PATH of the last answer equals the JSON VALUE; a bare
//	                         word is a string
//	json -line N PATH VALUE  the same of answer N, counted from 1
//	! json PATH              the answer has no such member
//	keep NAME PATH           sets the variable NAME to the member PATH of the last answer
//	doors TOOL OBJECT ARGS   the request gives the same answer through flags, -, --json and batch
//	make FILE TEXT           writes a file; TEXT has Go's escapes: "a\r\n\xff"
//	holds FILE TEXT          the file has exactly these bytes
//	fifo, socket FILE; sparse FILE SIZE
//	fsbox-frugal ARGS...     the program, which fails if it ever took more than 64 MiB of memory
//	                         (known on Linux only); with -mib=N in front of ARGS more than N MiB
//	fsbox-peaks ARGS...      each request of stdin, a line {"name":…,"tool":…,"input":…}, alone, four
//	                         times in a batch and 24 times at once by mcp, each in a process with
//	                         ARGS; a "#" in the input is the number of the time. With -few in
//	                         front of ARGS it is twice and eight times. It prints the
//	                         peaks of memory in KiB and the code of the answers. It fails if one is
//	                         more than 56 MiB, or if an answer isn't the same as the one alone.
//	fsbox-mcp ARGS...        fsbox mcp with the messages on stdin, each sent after the answer to
//	                         the one before; -faulty in front of ARGS adds a tool with a bug
//	fsbox-asked ANSWER ARGS...
//	                         the program at a terminal, where ANSWER is typed when it asks; what
//	                         the terminal shows is in stderr. With RUN:COMMAND as ANSWER, a shell
//	                         command is run before "y" is typed.
//	fsbox-shown ARGS...      the program, whose stdout and stderr are a terminal of 60 columns;
//	                         what is sent to it is in stdout, a colour as {red}, its end as {},
//	                         other control characters as <1b>. With -stderr in front of ARGS only
//	                         stderr is the terminal, and what is sent to it is in stderr.
//
// In VALUE and TEXT, ${NAME} is a variable as everywhere; STATE is the state folder. Conditions are
// [sweep] and [wide] (go test was given -sweep, -wide), [hangup], [cover] (-cover), [root],
// [can-ask], [can-mount], [can-overlay], [can-userns], [landlock], [tells-folders], [calls:NAME],
// [exists:FILE], [exec:NAME] and testscript's own.
package testscript

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"fsbox/commands"
	"fsbox/commands/answer"
	"fsbox/commands/verb"
	"fsbox/sandbox/confine"

	"github.com/rogpeppe/go-internal/testscript"
)

var (
	sweep = flag.Bool("sweep", false, "run every case, as the gate does; without it a sample that takes seconds")
	wide  = flag.Bool("wide", false, "make a folder of 300,000 long names, which takes minutes")
)

func TestMain(m *testing.M) {
	if strings.Contains(filepath.Base(os.Args[0]), ".test") { // by its other names this is the program
		os.Setenv("FSBOX_TIMEOUT", patientTimeout)
		flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))) // scripts wait half of their time; -parallel says otherwise
	}
	testscript.Main(m, map[string]func(){
		"fsbox": func() {
			lack()
			os.Exit(runProgram(os.Args[1:]))
		},
		"fsbox-frugal": func() {
			lack()
			limit, args := frugalLimit(os.Args[1:])
			peak := memoryWatch()
			code := commands.Main(context.Background(), args, os.Stdin, os.Stdout, os.Stderr)
			kib := peak()
			if os.Getenv(peakVariable) != "" {
				fmt.Fprintf(os.Stderr, "peak %d\n", kib)
			} else if kib > limit {
				took := fmt.Sprintf("took %d KiB of memory, more than %d\n", kib, limit)
				fmt.Print(took)             // no JSON: fails what looks at the answer
				fmt.Fprint(os.Stderr, took) // a stream that leaves calls behind closes its output
				code = 3
			}
			os.Exit(code)
		},
		"fsbox-mcp":   func() { os.Exit(converse(os.Args[1:])) },
		"fsbox-peaks": func() { os.Exit(peaks(os.Args[1:])) },
		"fsbox-asked": asked,
		"fsbox-probe": probe,
		"fsbox-shown": shown,
		"fsbox-faulty": func() {
			p := commands.Program{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Tools: append(commands.Tools(), faulty())}
			os.Exit(p.Run(context.Background(), os.Args[1:]))
		},
	})
}

// expression gives a regular expression, which it compiles when it is first asked for it.
type expression func() *regexp.Regexp

// whenUsed is for the expressions of package variables. Compiled at once, they would cost every
// process of a script, of which there are thousands, more time than a call of the program.
func whenUsed(text string) expression {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// runHere runs the program in the process of the tests, where commands.Main would confine that.
func runHere(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := commands.Program{Stdin: stdin, Stdout: stdout, Stderr: stderr, Tools: commands.Tools()}
	return p.Run(context.Background(), args)
}

// peakVariable makes fsbox-frugal tell its peak on stderr, instead of failing.
const peakVariable = "TESTSCRIPT_PEAK"

// frugalLimit is what fsbox-frugal may take, in KiB.
func frugalLimit(args []string) (kib int, rest []string) {
	mib := 64
	if len(args) > 0 && strings.HasPrefix(args[0], "-mib=") {
		fmt.Sscanf(args[0], "-mib=%d", &mib)
		args = args[1:]
	}
	return mib << 10, args
}

// memoryWatch gives the most memory that this process ever had, in KiB; 0 where that isn't known.
// It must be made before the program runs, since that confines itself.
func memoryWatch() (peak func() int) {
	status, err := os.Open("/proc/self/status")
	return func() (kib int) {
		if err != nil || os.Getenv(emulatedVariable) != "" { // what an emulator takes is not known
			return 0
		}
		text, err := io.ReadAll(status)
		if err != nil {
			panic(err)
		}
		if _, after, found := strings.Cut(string(text), "VmHWM:"); found {
			fmt.Sscan(after, &kib)
		}
		return kib
	}
}

// faulty is a tool with a bug in it, to show what becomes of one.
func faulty() verb.Verb {
	return verb.Verb{Name: "faulty", Help: "Index past the end.", New: func() verb.Request { return new(faultyRequest) }}
}

type faultyRequest struct{}

func (*faultyRequest) Run(context.Context, *verb.Env) (answer.Result, error) {
	var none []int
	return nil, fmt.Errorf("unreachable: %d", none[runtime.NumCPU()])
}

// lackVariable tells the program of the scripts which system calls it is to lack: see
// TestScriptsWithout.
const lackVariable = "TESTSCRIPT_WITHOUT"

var bare = flag.Bool("bare", false, "run all scripts without HOME and XDG_*, as services and cron jobs run")

func TestScripts(t *testing.T) {
	p := scripts()
	p.Dir = "."
	if runtime.GOOS == "windows" {
		onlyPortable(t, &p)
	}
	if *bare {
		p.Setup = setupBare
	}
	if *schemas {
		checkSchemas(t, &p)
	}
	testscript.Run(t, p)
}

// TestScriptsBare runs a few scripts without a home folder: one for each way of reading and
// writing. See the flag -bare.
func TestScriptsBare(t *testing.T) {
	needsUnix(t, "a user without a home folder")
	p := scripts()
	p.Setup = setupBare
	for _, name := range []string{"read", "grep", "write", "edit", "move", "undo", "batch"} {
		p.Files = append(p.Files, name+".txtar")
	}
	testscript.Run(t, p)
}

func scripts() testscript.Params {
	return testscript.Params{
		RequireExplicitExec: false,
		Setup:               setup,
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status, "json": checkJSON, "keep": keep, "doors": doors, "make": makeFile, "holds": holds,
			"fifo": fifo, "socket": socket, "sparse": sparse,
		},
	}
}

// emulatedVariable is set where an emulator of another processor runs the tests: it has no seccomp,
// and takes memory itself.
const emulatedVariable = "TESTSCRIPT_EMULATED"

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
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		env.Vars = slices.DeleteFunc(env.Vars, func(v string) bool { return strings.HasPrefix(v, name+"=") })
	}
	state := filepath.Join(env.WorkDir+".state", "fsbox")
	env.Setenv("FSBOX_TIMEOUT", patientTimeout)
	env.Setenv("FSBOX_STATE_DIR", state)
	env.Setenv("STATE", state)
	//lint:ignore SA1019 Wine has no go command to ask
	env.Setenv("GOROOT", runtime.GOROOT())
	return nil
}

func condition(name string) (bool, error) {
	if strings.HasPrefix(name, "calls:") { // the system call isn't taken away: see TestScriptsWithout
		return true, nil
	}
	if file, ok := strings.CutPrefix(name, "exists:"); ok {
		_, err := os.Stat(file)
		return err == nil, nil
	}
	switch name {
	case "sweep":
		return *sweep, nil
	case "hangup": // nohup ignores it, for all programs that it starts
		return !signal.Ignored(syscall.SIGHUP), nil
	case "wide":
		return *wide, nil
	case "emulated":
		return os.Getenv(emulatedVariable) != "", nil
	case "cover":
		return testing.CoverMode() != "", nil
	case "can-ask":
		return canAsk(), nil
	case "root":
		return os.Geteuid() == 0, nil
	case "can-mount":
		return os.Geteuid() == 0 && exec.Command("unshare", "-m", "true").Run() == nil, nil
	case "can-userns":
		return exec.Command("unshare", "-U", "-r", "true").Run() == nil, nil
	case "landlock":
		return confine.Available() == nil && confine.ABI() >= 2, nil // the first version can't serve what writes
	case "tells-folders":
		return tellsFolders()
	case "can-seal":
		return os.Geteuid() == 0 && exec.Command("sh", "-c", `f=$(mktemp) && trap 'chattr -i "$f"; rm "$f"' EXIT && chattr +i "$f"`).Run() == nil, nil
	case "can-overlay":
		return os.Geteuid() == 0 && exec.Command("unshare", "-m", "sh", "-c", mountOverlay).Run() == nil, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// tellsFolders reports whether a folder that is made again can be told from the one before it. Linux
// has times of creation for that, and NTFS gives another ID. Under Wine the ID is the inode number of
// the system below, and ext4 gives the number of a removed folder to the next one that is made.
func tellsFolders() (bool, error) {
	if runtime.GOOS == "linux" {
		return true, nil
	}
	parent, err := os.MkdirTemp("", "tells-folders")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(parent)
	var before fs.FileInfo
	for range 10 { // others make folders meanwhile
		now, err := passingFolder(filepath.Join(parent, "folder"))
		if err != nil || os.SameFile(before, now) {
			return false, err
		}
		before = now
	}
	return true, nil
}

// passingFolder makes a folder, looks at it, and removes it.
func passingFolder(path string) (fs.FileInfo, error) {
	if err := os.Mkdir(path, 0o700); err != nil {
		return nil, err
	}
	defer os.Remove(path)
	folder, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return folder.Stat()
}

// mountOverlay tries an overlay of folders on a file system that takes part in one.
const mountOverlay = `d=$(mktemp -d) && trap 'umount -l "$d"; rmdir "$d"' EXIT && mount -t tmpfs none "$d" && cd "$d" && mkdir l u w m &&
	mount -t overlay none -o lowerdir=l,upperdir=u,workdir=w m`

// status checks how the last program ended. testscript keeps only whether it failed, so the answer
// has to tell: see exit codes in docs/codes.md. The text of stdout decides for both.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: status N")
	}
	got := 0
	for _, a := range answers(ts) {
		code, _ := a["error"].(string)
		switch {
		case code == "invalid_input" || code == "unknown_tool":
			got = 2
		case code != "":
			got = max(got, 1)
		}
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("status %d, want %s", got, args[0])
	}
}

// answers parses standard output: JSON objects, one a line, and nothing else.
func answers(ts *testscript.TestScript) []map[string]any {
	var all []map[string]any
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		var a map[string]any
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			ts.Fatalf("not a JSON line: %v: %s", err, line)
		}
		all = append(all, a)
	}
	return all
}

func checkJSON(ts *testscript.TestScript, neg bool, args []string) {
	all := answers(ts)
	n := len(all)
	if len(args) > 1 && args[0] == "-line" {
		n, _ = strconv.Atoi(args[1])
		args = args[2:]
	}
	if n < 1 || n > len(all) {
		ts.Fatalf("there is no answer %d, there are %d", n, len(all))
	}
	if len(args) == 0 || (!neg && len(args) != 2) {
		ts.Fatalf("usage: json [-line N] PATH VALUE, or ! json [-line N] PATH [VALUE]")
	}
	got, found := member(all[n-1], args[0])
	if neg && len(args) == 1 {
		if found {
			ts.Fatalf("%s is there: %v", args[0], got)
		}
		return
	}
	if !found {
		ts.Fatalf("there is no %s in %v", args[0], all[n-1])
	}
	if equal := reflect.DeepEqual(got, parseValue(args[1])); equal == neg {
		text, _ := json.Marshal(got)
		ts.Fatalf("%s is %s, want %s%s", args[0], text, map[bool]string{true: "anything but "}[neg], args[1])
	}
}

// keep sets a variable to a member of the last answer: a cursor, an etag.
func keep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keep NAME PATH")
	}
	all := answers(ts)
	if len(all) == 0 {
		ts.Fatalf("there is no answer")
	}
	value, found := member(all[len(all)-1], args[1])
	if !found {
		ts.Fatalf("there is no %s in %v", args[1], all[len(all)-1])
	}
	text, isText := value.(string)
	if !isText {
		raw, err := json.Marshal(value)
		ts.Check(err)
		text = string(raw)
	}
	ts.Setenv(args[0], text)
}

// member follows a path such as .result.entries.0.name; "#" is the length of a list.
func member(v any, path string) (any, bool) {
	for name := range strings.SplitSeq(strings.Trim(path, "."), ".") {
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[name]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			if name == "#" {
				return float64(len(x)), true
			}
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// parseValue reads a JSON value; what is none is a string.
func parseValue(text string) any {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	return v
}

// doors sends one request through every door. Requests that change files get a copy of the folder
// for each.
func doors(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: doors TOOL OBJECT ARGS...")
	}
	tool, object, flags := args[0], args[1], args[2:]
	line := fmt.Sprintf("{\"id\":7,\"tool\":%q,\"input\":%s}\n", tool, object)
	runs := []struct {
		name, stdin string
		args        []string
	}{
		{"flags", "", append([]string{tool}, flags...)},
		{"json", "", []string{tool, "--json", object}},
		{"stdin", object + "\n", []string{tool, "-"}},
		{"batch", line, []string{"batch"}},
	}
	var first map[string]any
	for _, run := range runs {
		answer := runDoor(ts, run.stdin, run.args)
		if id := answer["id"]; run.name == "batch" && id != 7.0 {
			ts.Fatalf("batch: id %v, want 7", id)
		}
		delete(answer, "id")
		if first == nil {
			first = answer
		} else if !reflect.DeepEqual(answer, first) {
			ts.Fatalf("%s and flags differ:\n%v\n%v", run.name, answer, first)
		}
	}
}

// copyFolder copies what is in a folder, with times and modes where cp is there.
func copyFolder(from, to string) error {
	if runtime.GOOS == "windows" {
		return os.CopyFS(to, os.DirFS(from))
	}
	return exec.Command("cp", "-a", from+"/.", to).Run()
}

func runDoor(ts *testscript.TestScript, stdin string, args []string) map[string]any {
	dir, err := os.MkdirTemp("", "fsbox-door")
	ts.Check(err)
	defer os.RemoveAll(dir)
	ts.Check(copyFolder(ts.MkAbs("."), dir))
	cmd := exec.Command("fsbox", args...)
	cmd.Path = filepath.Join(programs(ts), programName)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "USERPROFILE", "AppData", "LocalAppData", "SYSTEMROOT", "PATH", "FSBOX_STATE_DIR", "FSBOX_ALLOW_WRITE",
		"FSBOX_ALLOW_DELETE", lackVariable} {
		if value := ts.Getenv(name); value != "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%v: %v", args, err)
	}
	var answer map[string]any
	if err := json.Unmarshal(out, &answer); err != nil {
		ts.Fatalf("%v: %v in %q", args, err, out)
	}
	scrub(answer)
	return answer
}

// programs is the folder that testscript puts at the front of PATH for the programs of TestMain.
func programs(ts *testscript.TestScript) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if _, err := os.Stat(filepath.Join(dir, programName)); err == nil {
			return dir
		}
	}
	ts.Fatalf("fsbox is not in PATH")
	return ""
}

// scrub takes out what can't be the same in two copies of a folder: times, cursors and absolute
// paths.
func scrub(v any) {
	switch x := v.(type) {
	case map[string]any:
		for name, member := range x {
			if slices.Contains([]string{"modified", "next_cursor", "backup_id", "state_dir", "root", "resolved_root", "absolute_path"}, name) {
				delete(x, name)
				continue
			}
			scrub(member)
		}
		if text, ok := x["message"].(string); ok && strings.HasPrefix(text, "root ") {
			delete(x, "message")
		}
	case []any:
		for _, item := range x {
			scrub(item)
		}
	}
}

func unquote(ts *testscript.TestScript, text string) []byte {
	s, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
	if err != nil {
		ts.Fatalf("bad escapes in %q: %v", text, err)
	}
	return []byte(s)
}

func makeFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: make FILE TEXT")
	}
	file := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(file), 0o777))
	ts.Check(os.WriteFile(file, unquote(ts, args[1]), 0o666))
}

func holds(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: holds FILE TEXT")
	}
	got, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	if want := unquote(ts, args[1]); bytes.Equal(got, want) == neg {
		ts.Fatalf("%s holds %q, want %q", args[0], got, want)
	}
}

func socket(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: socket FILE")
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: ts.MkAbs(args[0]), Net: "unix"})
	ts.Check(err)
	l.SetUnlinkOnClose(false)
	ts.Check(l.Close())
}

func sparse(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sparse FILE SIZE")
	}
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_CREATE|os.O_WRONLY, 0o666)
	ts.Check(err)
	ts.Check(errors.Join(f.Truncate(size), f.Close()))
}

func fifo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: fifo FILE")
	}
	ts.Check(exec.Command("mkfifo", ts.MkAbs(args[0])).Run())
}

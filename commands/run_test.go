package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fsbox/sandbox"
	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
	"fsbox/search"
	"fsbox/search/match"
	"fsbox/search/walk"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// testEnv opens an empty workspace with default settings, except for those that s opens.
func testEnv(t *testing.T, s Settings) *Env {
	t.Helper()
	set := defaultSettings(t)
	set.Root, set.AllowWrite, set.AllowDelete, set.NoFsync, set.StateDir = s.Root, s.AllowWrite, s.AllowDelete, true, t.TempDir()
	if set.Root == "" {
		set.Root = t.TempDir()
	}
	env, fail := newEnv(set, map[string]bool{"root": true, "allow_write": true, "allow_delete": true, "no_fsync": true, "state_dir": true},
		fakeSystem(nil, "", ""))
	if fail != nil {
		t.Fatal(fail)
	}
	t.Cleanup(env.Workspace.Close)
	return env
}

// wireAnswer is an answer as a caller reads it.
type wireAnswer struct {
	ID      jsontext.Value  `json:"id"`
	Success bool            `json:"success"`
	Result  jsontext.Value  `json:"result"`
	Error   Code            `json:"error"`
	Message string          `json:"message"`
	Rest    *jsontext.Value `json:",unknown"`
}

// answersIn parses output: one JSON object a line, and nothing else.
func answersIn(t *testing.T, output string) []wireAnswer {
	t.Helper()
	var all []wireAnswer
	for line := range strings.Lines(output) {
		var a wireAnswer
		if err := json.Unmarshal([]byte(line), &a); err != nil || !strings.HasSuffix(line, "\n") {
			t.Fatalf("%q is no answer: %v", line, err)
		}
		all = append(all, a)
	}
	return all
}

// requests has one for each tool that would succeed in the workspace of filledEnv.
var requests = map[string]string{
	"info": `{"path":"dir"}`, "ls": `{}`, "glob": `{"pattern":"*"}`, "read": `{"path":"file"}`, "grep": `{"query":"text"}`, "check": `{}`,
	"mkdir": `{"path":"new/folder"}`,
	"write": `{"path":"file","content":"other","mode":"overwrite"}`, "append": `{"path":"file","content":"more"}`,
	"edit": `{"path":"file","expected_text":"text","replacement_text":"other"}`,
	"copy": `{"from":"file","to":"new/copy"}`, "move": `{"from":"dir","to":"moved"}`, "delete": `{"path":"dir","recursive":true}`,
	"undo": `{}`, "patch": `{"patch":"--- file\n+++ file\n@@ -1 +1 @@\n-text\n+other\n"}`,
	"schema": `{"tool":"read"}`,
}

func filledEnv(t *testing.T) (*Env, string) {
	t.Helper()
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "file"), "text\n")
	writeFile(t, filepath.Join(root, "dir", "file"), "text\n")
	env := testEnv(t, Settings{Root: root, AllowWrite: true, AllowDelete: true})
	grow := func(dir.Edges) ([]byte, error) { return []byte("more\n"), nil }
	if _, err := env.Workspace.Append(t.Context(), sandbox.Target{Path: "dir/file"}, grow); err != nil { // for undo
		t.Fatal(err)
	}
	return env, root
}

func request(t *testing.T, tool Tool) *call {
	t.Helper()
	o, fail := parseObject([]byte(requests[tool.Name]))
	if fail != nil {
		t.Fatalf("%s: %s", tool.Name, fail.Message)
	}
	c := newCall(tool)
	if fail := c.decode(o); fail != nil {
		t.Fatalf("%s: %s", tool.Name, fail.Message)
	}
	return c
}

// snapshot lists a tree: every name with its type, times and content.
func snapshot(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %v %v\n", path, info.Mode(), info.ModTime())
		if info.Mode().IsRegular() {
			content, err := os.ReadFile(path)
			fmt.Fprintf(&b, "%q\n", content)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The requests that the next tests interrupt succeed when nothing interrupts them.
func TestRequestsSucceed(t *testing.T) {
	for _, tool := range Tools() {
		env, _ := filledEnv(t)
		if a := performed(t.Context(), env, nil, request(t, tool)); !a.Success {
			t.Errorf("%s: %+v", tool.Name, a)
		}
	}
}

// A call that is interrupted before it begins says so, ends with 1 and leaves the disk as it was.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tool := range Tools() {
		env, root := filledEnv(t)
		before := snapshot(t, root)
		a := performed(ctx, env, jsontext.Value("1"), request(t, tool))
		want := failed(jsontext.Value("1"), failureOf(context.Canceled), nil)
		if !reflect.DeepEqual(a, want) || a.exitStatus() != 1 || !a.Retryable {
			t.Errorf("%s: %+v", tool.Name, a)
		}
		if after := snapshot(t, root); after != before {
			t.Errorf("%s changed\n%s\nto\n%s", tool.Name, before, after)
		}
	}
}

// A call whose time is over: ls, glob and grep answer what they have, all else fails and leaves the
// disk as it was.
func TestTimeout(t *testing.T) {
	for _, tool := range Tools() {
		env, root := filledEnv(t)
		env.Limits.Timeout = -time.Second
		before := snapshot(t, root)
		a := performed(t.Context(), env, nil, request(t, tool))
		switch result := a.Result.(type) {
		case *LsResult:
			if !result.Truncated || result.TruncatedBy != "timeout" || len(result.Entries) != 0 || !a.Success {
				t.Errorf("ls: %+v", result)
			}
		case *GlobResult:
			if !result.Truncated || result.TruncatedBy != "timeout" || len(result.Files) != 0 || !a.Success {
				t.Errorf("glob: %+v", result)
			}
		case *GrepResult:
			if !result.Truncated || result.TruncatedBy != "timeout" || len(result.Matches) != 0 || !a.Success {
				t.Errorf("grep: %+v", result)
			}
		case *CheckResult, *SchemaResult:
		default:
			want := failed(nil, failureOf(context.DeadlineExceeded), nil)
			if d, ok := a.Details.(*PathDetails); ok && reflect.DeepEqual(*d, PathDetails{Path: d.Path}) {
				a.Details = nil // the path may be named, and nothing else
			}
			if !reflect.DeepEqual(a, want) || a.exitStatus() != 1 {
				t.Errorf("%s: %+v", tool.Name, a)
			}
		}
		if after := snapshot(t, root); after != before {
			t.Errorf("%s changed\n%s\nto\n%s", tool.Name, before, after)
		}
	}
}

// A content that never comes doesn't outlive the call.
func TestContentFromSilentStdin(t *testing.T) {
	for name, tt := range map[string]struct {
		timeout time.Duration
		code    Code
	}{"timeout": {time.Millisecond, CodeTimeout}, "canceled": {time.Hour, CodeCanceled}} {
		env, root := filledEnv(t)
		silent, end := io.Pipe()
		defer end.Close()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		env.stdin, env.Limits.Timeout = silent, tt.timeout
		if name == "canceled" {
			env.stdin = readerFunc(func(p []byte) (int, error) { cancel(); return silent.Read(p) })
		}
		inv, fail := parseArgs([]string{"write", "new", "--content-file", "-"}, Tools(), io.Discard)
		if fail != nil {
			t.Fatal(fail)
		}
		if a := performed(ctx, env, nil, inv.call); a.Error != tt.code {
			t.Errorf("%s: %+v", name, a)
		}
		if _, err := os.Stat(filepath.Join(root, "new")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the file is there: %v", name, err)
		}
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// faulty is a tool that does what it is told, to fail in ways that real ones should not.
func faulty(run func(ctx context.Context) error) Tool {
	return Tool{Name: "faulty", Help: "Fail.", New: func() Request { return &faultyRequest{run: run} }}
}

type faultyRequest struct {
	run func(ctx context.Context) error
}

func (f *faultyRequest) Run(ctx context.Context, _ *Env) (Result, error) {
	return sentence("done"), f.run(ctx)
}

// A panic is answered with its place and never with a text that could be a file's.
func TestPanic(t *testing.T) {
	line := 0
	here := func() { _, _, line, _ = runtime.Caller(1) }
	for _, tt := range []struct {
		name, message string
		run           func(context.Context) error
	}{
		{"text", "internal error", func(context.Context) error { here(); panic("secret text") }},
		{"error", "internal error", func(context.Context) error { here(); panic(errors.New("secret text")) }},
		{"runtime error", "internal error: runtime error: integer divide by zero",
			func(context.Context) error { here(); return fmt.Errorf("%d", 1/(line-line)) }},
		{"wrapped runtime error", "internal error: runtime error: index out of range [3] with length 0", func(context.Context) error {
			defer func() { here(); panic(fmt.Errorf("secret text: %w", recover().(error))) }()
			return fmt.Errorf("%d", []int(nil)[3])
		}},
	} {
		a := performed(t.Context(), testEnv(t, Settings{}), jsontext.Value("1"), newCall(faulty(tt.run)))
		want := failed(jsontext.Value("1"), &Failure{Code: CodeInternal, Message: tt.message,
			Hint: "this is a bug in fsbox: please report it with the details"}, nil)
		d, _ := a.Details.(*CrashDetails)
		a.Details = nil
		if !reflect.DeepEqual(a, want) || a.exitStatus() != 1 {
			t.Errorf("%s: %+v", tt.name, a)
		}
		if where := fmt.Sprintf("commands/run_test.go:%d", line); d == nil || d.Where != where {
			t.Errorf("%s: details %+v, want %s", tt.name, d, where)
		}
	}
}

// A panic in one of grep's workers, which have stacks of their own, is answered as well.
func TestPanicInWorker(t *testing.T) {
	a := performed(t.Context(), testEnv(t, Settings{}), nil, newCall(faulty(func(ctx context.Context) error {
		m, err := match.Compile(match.Query{Text: "x"})
		if err != nil {
			return err
		}
		_, err = search.Grep(ctx, oneFile{}, m, search.GrepOptions{Walk: walk.Options{Path: ".", Recursive: true}, Workers: 2,
			Take: func(search.GrepFile) bool { return true }})
		return err
	})))
	d, ok := a.Details.(*CrashDetails)
	if a.Error != CodeInternal || a.Message != "internal error" || !ok || !strings.HasPrefix(d.Where, "commands/run_test.go:") {
		t.Errorf("%+v, details %+v", a, a.Details)
	}
}

// oneFile is a folder that holds one file, which can't be opened.
type oneFile struct{}

func (oneFile) List(context.Context, string) ([]walk.Dirent, string, error) {
	return []walk.Dirent{{Name: "file"}}, "", nil
}
func (oneFile) Folder(string) (walk.Folder, error) { return nil, fs.ErrNotExist }
func (oneFile) File(string) (walk.File, error)     { panic("secret text") }
func (oneFile) Lstat(string) (walk.Info, error)    { return walk.Info{}, nil }
func (oneFile) Close() error                       { return nil }

// After a panic and after an error that nobody has a code for, the next line of a stream is
// answered as ever.
func TestStreamGoesOn(t *testing.T) {
	calls := 0
	tools := append(Tools(), faulty(func(context.Context) error {
		if calls++; calls == 1 {
			panic("secret text")
		}
		return errors.New("strange")
	}))
	var out strings.Builder
	p := Program{Stdin: strings.NewReader(strings.Repeat(`{"tool":"faulty"}`+"\n", 2) + `{"id":3,"tool":"ls"}`), Stdout: &out, Tools: tools}
	if status := p.serveBatch(t.Context(), testEnv(t, Settings{}), Batch{}); status != 1 {
		t.Errorf("status %d", status)
	}
	all := answersIn(t, out.String())
	if len(all) != 3 || all[0].Error != CodeInternal || all[1].Error != CodeInternal || all[1].Message != "strange" || !all[2].Success ||
		string(all[2].ID) != "3" {
		t.Errorf("%s", out.String())
	}
}

// A stream that waits for input ends when it is canceled, and has answered all it got.
func TestCancelWaitingStream(t *testing.T) {
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	defer requests.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := Program{Stdin: in, Stdout: out, Tools: Tools()}
	status := make(chan int, 1)
	env := testEnv(t, Settings{})
	go func() { status <- p.serveBatch(ctx, env, Batch{}) }()
	go io.WriteString(requests, `{"id":1,"tool":"ls"}`+"\n")
	answer := make([]byte, 4096)
	n, err := answers.Read(answer)
	if all := answersIn(t, string(answer[:n])); err != nil || len(all) != 1 || !all[0].Success {
		t.Fatalf("%s, %v", answer[:n], err)
	}
	cancel()
	if got := <-status; got != 1 {
		t.Errorf("status %d", got)
	}
}

// A config file that the workspace holds is refused, by whatever way it leads there; in a home
// folder a rule protects it.
func TestGuardConfig(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "root")
	inside := writeFile(t, filepath.Join(root, "a", "config.json"), "{}")
	outside := writeFile(t, filepath.Join(base, "config.json"), "{}")
	beside := writeFile(t, filepath.Join(base, "rootbeside", "config.json"), "{}")
	link := func(target, name string) string {
		path := filepath.Join(base, name)
		if err := os.Symlink(target, path); err != nil {
			t.Skip(err)
		}
		return path
	}
	linkIn, linkedRoot := link(inside, "into.json"), link(root, "linked")
	for _, tt := range []struct {
		file, root string
		refused    bool
	}{
		{outside, root, false}, {beside, root, false}, {inside, root, true}, {linkIn, root, true}, {inside, linkedRoot, true},
		{filepath.Join(linkedRoot, "a", "config.json"), root, true}, {inside, filepath.Join(root, "a"), true},
		{inside, filepath.Join(base, "rootbeside"), false},
	} {
		r := operatorRules{root: tt.root}
		fail := r.add(operatorFile{named: tt.file, path: tt.file})
		rules := r.denyWrite
		if (fail != nil) != tt.refused || rules != nil || fail != nil && fail.Code != CodeInvalidInput {
			t.Errorf("%s in %s: %q, %v", tt.file, tt.root, rules, fail)
		}
	}
	odd := writeFile(t, filepath.Join(root, "b[1]", "c*{x}.json"), "{}")
	r := operatorRules{root: root, wide: true}
	fail := r.add(operatorFile{named: odd, path: odd})
	if rules := r.denyWrite; fail != nil || !slices.Equal(rules, []string{`/b\[1]/c\*\{x\}.json`}) {
		t.Errorf("%q, %v", rules, fail)
	} else if compiled, err := policy.New(rules, nil); err != nil || !compiled.Check("b[1]/c*{x}.json", false).Blocks() {
		t.Errorf("%q doesn't hold: %v", rules, err)
	}
}

// In a home folder the config file can be read, but no request changes it.
func TestConfigInHome(t *testing.T) {
	home := t.TempDir()
	writeFile(t, filepath.Join(home, ".config", "fsbox", "config.json"), `{"allow_write":true}`)
	s := defaultSettings(t)
	s.Root = "~"
	env, fail := newEnv(s, map[string]bool{"root": true}, fakeSystem(nil, home, filepath.Join(home, ".config")))
	if fail != nil {
		t.Fatal(fail)
	}
	defer env.Workspace.Close()
	for request, want := range map[string]Code{
		`{"path":".config/fsbox/config.json","content":"{}","mode":"overwrite"}`: CodePathBlocked,
		`{"path":".config/fsbox/other.json","content":"{}"}`:                     "",
	} {
		p := Program{Tools: Tools()}
		tool, _ := findTool(p.Tools, "write")
		a := p.answerJSON(t.Context(), env, tool, []byte(request))
		if a.Error != want || !slices.Equal(a.Warnings, []string{"the root is the home folder"}) {
			t.Errorf("%s: %+v", request, a)
		}
	}
}

// A root that holds far more than a project is warned of, by whatever name it is given.
func TestWideRoot(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the roots are those of Unix")
	}
	home := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(home, link); err != nil {
		t.Skip(err)
	}
	project := filepath.Join(home, "project")
	if err := os.Mkdir(project, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ root, home, warning string }{
		{home, home, "the root is the home folder"},
		{home + "/", home, "the root is the home folder"},
		{home, home + "/.", "the root is the home folder"},
		{link, home, "the root is the home folder"},
		{home, link, "the root is the home folder"},
		{project, home, ""},
		{filepath.Dir(home), home, ""},
		{project, "", ""},
		{"/", home, "the root is the whole file system"},
		{"/", "/", "the root is the whole file system"},
		{"/../", home, "the root is the whole file system"},
	} {
		var env Env
		wide := env.warnWideRoot(tt.root, fakeSystem(nil, tt.home, ""))
		if got := strings.Join(env.standing, "; "); got != tt.warning || wide != (tt.warning != "") {
			t.Errorf("root %q, home %q: %q, %v", tt.root, tt.home, got, wide)
		}
	}
}

// A root that can't be opened is a failure with the next step.
func TestRootFailures(t *testing.T) {
	folder := t.TempDir()
	file := writeFile(t, filepath.Join(folder, "file"), "")
	for _, tt := range []struct {
		root string
		code Code
		hint string
	}{
		{filepath.Join(folder, "missing"), CodeNotFound, "name an existing folder with --root, or create it with --create-root"},
		{file, CodeNotADirectory, "name a folder with --root"},
	} {
		s := defaultSettings(t)
		s.Root = tt.root
		_, fail := newEnv(s, map[string]bool{"root": true}, fakeSystem(nil, "", ""))
		if fail == nil || fail.Code != tt.code || fail.Hint != tt.hint ||
			!strings.HasPrefix(fail.Message, fmt.Sprintf("the root %q can't be used: ", tt.root)) {
			t.Errorf("%s: %+v", tt.root, fail)
		}
	}
	s := defaultSettings(t)
	s.Root, s.CreateRoot = filepath.Join(folder, "a", "b"), true
	env, fail := newEnv(s, map[string]bool{"root": true, "create_root": true}, fakeSystem(nil, "", ""))
	if fail != nil {
		t.Fatal(fail)
	}
	env.Workspace.Close()
	if info, err := os.Stat(s.Root); err != nil || !info.IsDir() {
		t.Errorf("the root wasn't made: %v", err)
	}
}

// Warnings belong to one call, except for those about the root.
func TestWarnings(t *testing.T) {
	env := &Env{standing: []string{"standing"}}
	first, second := env.forCall(nil), env.forCall(nil)
	first.Warn("one of %d", 2)
	if !slices.Equal(first.warnings, []string{"standing", "one of 2"}) || !slices.Equal(second.warnings, []string{"standing"}) ||
		env.warnings != nil {
		t.Errorf("%q, %q, %q", first.warnings, second.warnings, env.warnings)
	}
}

// What came in after the request that was interrupted is not carried out any more.
func TestCancelEndsStream(t *testing.T) {
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		tools := append(Tools(), faulty(func(context.Context) error {
			calls++
			for range 1000 { // the next line is read meanwhile
				runtime.Gosched()
			}
			cancel()
			return ctx.Err()
		}))
		var out strings.Builder
		p := Program{Stdin: strings.NewReader(strings.Repeat(`{"tool":"faulty"}`+"\n", 9)), Stdout: &out, Tools: tools}
		p.serveBatch(ctx, testEnv(t, Settings{}), Batch{})
		if all := answersIn(t, out.String()); len(all) != 1 || calls != 1 {
			t.Fatalf("%d calls, %d answers", calls, len(all))
		}
	}
}

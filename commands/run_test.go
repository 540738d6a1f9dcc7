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
	"strings"
	"testing"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/cmdline"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/samples"
	"fsbox/commands/session"
	"fsbox/commands/settings"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/transaction"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// testEnv opens an empty workspace with default settings, except for those that s opens.
func testEnv(t *testing.T, s settings.Settings) *session.Session {
	t.Helper()
	set := defaultSettings(t)
	set.Root, set.AllowWrite, set.AllowDelete, set.NoFsync, set.StateDir = s.Root, s.AllowWrite, s.AllowDelete, true, t.TempDir()
	if set.Root == "" {
		set.Root = t.TempDir()
	}
	env, fail := session.Open(set,
		map[string]bool{"root": true, "allow_write": true, "allow_delete": true, "no_fsync": true, "state_dir": true},
		fakeSystem(nil, "", ""), All())
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
	Error   answer.Code     `json:"error"`
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

func filledEnv(t *testing.T) (*session.Session, string) {
	t.Helper()
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "file"), "text\n")
	writeFile(t, filepath.Join(root, "dir", "file"), "text\n")
	env := testEnv(t, settings.Settings{Root: root, AllowWrite: true, AllowDelete: true})
	grow := func(openfile.Edges) ([]byte, error) { return []byte("more\n"), nil }
	if _, err := transaction.Append(t.Context(), env.Workspace, transaction.WriteOptions{Path: "dir/file"}, grow); err != nil { // for undo
		t.Fatal(err)
	}
	return env, root
}

// sampleRequest is the line of requests for a tool.
func sampleRequest(t *testing.T, tool string) string {
	t.Helper()
	if samples.Requests[tool] == "" {
		t.Fatalf("commands/samples/samples.go lacks a line %q in Requests", tool)
	}
	return samples.Requests[tool]
}

func sampleCall(t *testing.T, tool command.Command) *command.Call {
	t.Helper()
	o, fail := request.ParseObject([]byte(sampleRequest(t, tool.Name)))
	if fail != nil {
		t.Fatalf("%s: %s", tool.Name, fail.Message)
	}
	c := command.NewCall(tool)
	if fail := c.Decode(o); fail != nil {
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
	for _, tool := range sampled() {
		env, _ := filledEnv(t)
		if a := performed(t.Context(), env, nil, sampleCall(t, tool)); !a.Success {
			t.Errorf("%s: %+v", tool.Name, a)
		}
	}
}

// A call that is interrupted before it begins says so, ends with 1 and leaves the disk as it was.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tool := range sampled() {
		env, root := filledEnv(t)
		before := snapshot(t, root)
		a := performed(ctx, env, jsontext.Value("1"), sampleCall(t, tool))
		want := answer.Failed(jsontext.Value("1"), command.FailureOf(context.Canceled), nil)
		if !reflect.DeepEqual(a, want) || a.ExitStatus() != 1 || !a.Retryable {
			t.Errorf("%s: %+v", tool.Name, a)
		}
		if after := snapshot(t, root); after != before {
			t.Errorf("%s changed\n%s\nto\n%s", tool.Name, before, after)
		}
	}
}

// A call whose time is over: one that is Partial answers what it has, one that touches no file
// answers as ever, all else fails. The disk is left as it was.
func TestTimeout(t *testing.T) {
	for _, tool := range sampled() {
		env, root := filledEnv(t)
		env.Limits.Timeout = -time.Second
		before := snapshot(t, root)
		a := performed(t.Context(), env, nil, sampleCall(t, tool))
		switch {
		case tool.Partial:
			if by := truncatedBy(t, tool, a); by != "timeout" {
				t.Errorf("%s is Partial, so it answers what it has, truncated_by timeout: %+v", tool.Name, a)
			}
		case !tool.Writes && !hasPath(tool):
			if !a.Success {
				t.Errorf("%s needs no file, and fails: %+v", tool.Name, a)
			}
		default:
			want := answer.Failed(nil, command.FailureOf(context.DeadlineExceeded), nil)
			if d, ok := a.Details.(*answer.PathDetails); ok && reflect.DeepEqual(*d, answer.PathDetails{PathName: d.PathName}) {
				a.Details = nil // the path may be named, and nothing else
			}
			if !reflect.DeepEqual(a, want) || a.ExitStatus() != 1 {
				t.Errorf("%s isn't Partial, so it fails as %s: %+v", tool.Name, want.Error, a)
			}
		}
		if after := snapshot(t, root); after != before {
			t.Errorf("%s changed\n%s\nto\n%s", tool.Name, before, after)
		}
	}
}

// truncatedBy is what ended the list of an answer, "" for a failure. The list must be empty.
func truncatedBy(t *testing.T, tool command.Command, a answer.Answer) string {
	t.Helper()
	if a.Result == nil {
		return ""
	}
	v := reflect.ValueOf(a.Result).Elem()
	for f, value := range v.Fields() {
		if value.Kind() == reflect.Slice && value.Len() > 0 {
			t.Errorf("%s found %s when its time was over", tool.Name, f.Name)
		}
	}
	by := v.FieldByName("TruncatedBy")
	if !by.IsValid() {
		return ""
	}
	return by.String()
}

// A content that never comes doesn't outlive the call.
func TestContentFromSilentStdin(t *testing.T) {
	for name, tt := range map[string]struct {
		timeout time.Duration
		code    answer.Code
	}{"timeout": {time.Millisecond, answer.CodeTimeout}, "canceled": {time.Hour, answer.CodeCanceled}} {
		env, root := filledEnv(t)
		silent, end := io.Pipe()
		defer end.Close()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		env.Stdin, env.Limits.Timeout = silent, tt.timeout
		if name == "canceled" {
			env.Stdin = readerFunc(func(p []byte) (int, error) { cancel(); return silent.Read(p) })
		}
		inv, fail := cmdline.Parse([]string{"write", "new", "--content-file", "-"}, All(), io.Discard)
		if fail != nil {
			t.Fatal(fail)
		}
		if a := performed(ctx, env, nil, inv.Call); a.Error != tt.code {
			t.Errorf("%s: %+v", name, a)
		}
		if _, err := os.Stat(filepath.Join(root, "new")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the file is there: %v", name, err)
		}
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
